// Holds each line of the statement against our books: set by set in SQL where no money moves, by a
// command for each where something is found. Answers for guessing nothing: what is not final yet is
// asked about and waits, what stays unexplained is shown. [M18, U13]
import type { Database } from '../../db/index.ts';
import type { Instant } from '../../kernel/time.ts';
import { lookAgain } from './look-again.ts';

/** What has to be done about a line that is no plain match. */
export interface Finding {
  readonly id: string;
  readonly verdict: 'waiting' | 'difference';
  /**
   * `differs`: `why` says how. `second`: taken twice. `reversal`: taken back by others. `dispute`:
   * what became of that.
   */
  readonly finding: 'matched' | 'differs' | 'second' | 'reversal' | 'dispute';
  readonly why: string;
  readonly subject: string | null;
  readonly reference: string;
  readonly kind: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly reason: string | null;
  readonly due_by: Instant | null;
}

/** Seconds that a line may wait for our books to follow. */
export const PATIENCE_SECONDS = 600;
/** Seconds between two questions about the same line. */
export const ASK_AGAIN_SECONDS = 30;

/** The other parts of what a charge pays for are taken as well. */
const ALL_TAKEN = `not exists (select from attempt s where s.world = a.world
  and s.resource_id = a.resource_id and s.state <> 'captured')`;

/** What a line (`c`) about a charge's key adds to what the processor has taken under it. */
export const TAKEN = `case
  when c.kind in ('capture', 'dispute_won', 'dispute_withdrawn') then c.amount
  when c.kind in ('dispute_under_review', 'dispute_lost') then 0 else -c.amount end`;

/** All that was taken under the key has gone back again. */
const BALANCED = `(select sum(${TAKEN}) = 0
    and count(distinct c.currency) = 1
  from statement_line c where c.world = l.world and c.subject = l.subject)`;

/** Money that moved once more than our books say: the same was told by an earlier line. */
const TOLD_BEFORE = `exists (select from statement_line e where e.world = l.world
  and e.subject = l.subject and e.kind = l.kind and e.part = l.part
  and e.reference = l.reference and e.line < l.line)`;

/** A line under a charge's key: what our books say to it. */
const OF_CHARGE = `case
    when l.kind in ('payout', 'payout_return') then 'differs disagrees'
    when a.state = 'reversed' and l.kind not like 'dispute%'
      then case when ${BALANCED} then 'matched reversed' else 'ask' end
    when l.kind in ('chargeback', 'return') then case
      when a.state = 'captured' and ${ALL_TAKEN} then 'reversal reversal' else 'ask' end
    when l.kind like 'dispute%' then case
      when exists (select from dispute p where p.world = l.world and p.reference = l.reference)
        then 'dispute dispute' else 'ask' end
    when l.kind = 'refund' then 'ask'
    when a.state = 'parked' and l.part = 1 then 'matched parked'
    when a.state <> 'captured' then 'ask'
    when l.currency <> a.currency or (l.amount <> a.amount and l.part = 1)
      then 'differs disagrees'
    when l.part = 1 then 'matched captured'
    when ${ALL_TAKEN} then 'second double_capture'
    else 'ask' end`;

/** A line under a remittance's key. */
const OF_REMITTANCE = `case
    when l.part > 1 then 'differs repeated'
    when r.state = 'replaced' then 'differs replaced'
    when r.state = 'parked' then 'matched parked'
    when r.state <> 'returned' and (r.state <> 'paid' or l.kind = 'payout_return') then 'ask'
    when l.amount <> r.amount or l.currency <> r.currency
      or replace(l.kind, '_return', '') <> r.kind then 'differs disagrees'
    else 'matched ' || r.state end`;

/**
 * Every open line of world $1 with its finding and why, as two words, or `ask`. One statement reads
 * them and the next one writes by id: joined in one, it walked through all lines of the world.
 */
const SAID = `select l.id, l.verdict, l.subject, l.reference, l.kind, l.amount, l.currency,
    l.reason, l.due_by,
    case when ${TOLD_BEFORE} then 'differs repeated'
      when a.id is not null then ${OF_CHARGE}
      when r.id is not null then ${OF_REMITTANCE}
      else 'differs unknown_key' end as said,
    l.seen < t.now - interval '${PATIENCE_SECONDS} s' as overdue,
    coalesce(l.asked < t.now - interval '${ASK_AGAIN_SECONDS} s', true) as askable
  from statement_line l cross join (select world_now($1) as now) t
  left join attempt a on a.world = l.world and a.id = l.subject
  left join remittance r on r.world = l.world and r.id = l.subject
  left join difference d on d.world = l.world and d.id = l.id
  where l.world = $1 and l.verdict <> 'matched' and (d.state is null or d.state = 'found')
  order by l.line`;

interface SaidRow extends Omit<Finding, 'finding' | 'why'> {
  readonly said: string;
  readonly overdue: boolean;
  readonly askable: boolean;
}

/**
 * Notes as matched what our books say as well, has the book asked about what is not final, and
 * gives the lines that need a command each; what has waited too long is said to be `late`.
 */
export async function matchPlainLines(db: Database, world: number): Promise<readonly Finding[]> {
  const lines = await db.query<SaidRow>({ name: 'open_lines', text: SAID, values: [world] });
  const waiting = lines.filter((line) => line.verdict === 'waiting');
  const plain = waiting.filter((line) => line.said.startsWith('matched '));
  if (plain.length > 0) await noteMatched(db, world, plain);
  const unsure = waiting.filter((line) => line.said === 'ask');
  const asked = unsure.filter((line) => line.askable && !line.overdue);
  if (asked.length > 0) await ask(db, world, asked);
  const found = lines.filter(({ verdict, said }) =>
    verdict === 'waiting' ? /^(?:differs|second|reversal|dispute) /.test(said) : isNews(said),
  );
  const late = unsure.filter((line) => line.overdue);
  return [
    ...found.map((line) => findingOf(line, line.said)),
    ...late.map((line) => findingOf(line, 'differs late')),
  ];
}

/** What a difference that was found may turn into. */
function isNews(said: string): boolean {
  return said !== 'ask' && !said.startsWith('differs ');
}

function findingOf(line: SaidRow, said: string): Finding {
  const [finding, why = ''] = said.split(' ');
  return { ...line, finding: finding as Finding['finding'], why };
}

// The world stands in the arrays: given as one value it made a plan that compares every open line
// with every element.
async function noteMatched(db: Database, world: number, lines: readonly SaidRow[]): Promise<void> {
  await db.execute({
    name: 'match_lines',
    text: `update statement_line l set verdict = 'matched', why = n.why
      from unnest($1::int4[], $2::uuid[], $3::text[]) as n (world, id, why)
      where l.world = n.world and l.id = n.id and l.verdict = 'waiting'`,
    values: [
      lines.map(() => world),
      lines.map(({ id }) => id),
      lines.map(({ said }) => said.split(' ')[1]),
    ],
  });
}

async function ask(db: Database, world: number, lines: readonly SaidRow[]): Promise<void> {
  await db.execute({
    name: 'ask_about_lines',
    text: `update statement_line l set asked = world_now(l.world)
      from unnest($1::int4[], $2::uuid[]) as n (world, id)
      where l.world = n.world and l.id = n.id`,
    values: [lines.map(() => world), lines.map(({ id }) => id)],
  });
  await lookAgain(db, world, lines.flatMap(({ subject }) => subject ?? []));
}
