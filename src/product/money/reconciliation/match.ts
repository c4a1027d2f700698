// Compares each row of the statement with our books: all at once in SQL where no money moves, by
// one command each where something is found. Nothing is guessed: what is not final is re-queried
// and waits, what stays unexplained is shown. [M18, U13]
import { prepared, type Database } from '../../../db/index.ts';
import { lookAgain } from '../wallet/index.ts';
import { OWN, OWN_TOLD_BEFORE } from './settlements.ts';
import type { StatementLineRow } from './tables.ts';

/** What to do about a statement row that is no plain match. */
export interface Finding extends Omit<StatementLineRow, 'workspace' | 'line' | 'key' | 'part'> {
  readonly verdict: 'waiting' | 'difference';
  /**
   * `differs`: `why` says how. `second`: captured twice. `reversal`: a bank took it back.
   * `dispute`: a dispute moved on.
   */
  readonly finding: 'matched' | 'differs' | 'second' | 'reversal' | 'dispute';
  readonly why: string;
  /** What the processor kept with it, or returned (negative). Minor units. */
  readonly fee: bigint;
}

/** Seconds that a statement row may wait for our books to follow. */
export const PATIENCE_SECONDS = 600;
/** Seconds between two re-queries for the same row. */
export const ASK_AGAIN_SECONDS = 30;

/** SQL: the other parts of what the charge pays for are captured too; in workspace $1. */
const ALL_TAKEN = `not exists (select from attempt s where s.workspace = $1
  and s.resource_id = a.resource_id and s.state <> 'captured')`;

/** SQL: what a statement row (`c`) adds to the amount taken under a charge's key. */
export const TAKEN = `case
  when c.kind in ('capture', 'dispute_won', 'dispute_withdrawn') then c.amount
  when c.kind in ('dispute_under_review', 'dispute_lost') then 0 else -c.amount end`;

/** SQL: all that was taken under the key has gone back. */
const BALANCED = `(select sum(${TAKEN}) = 0
    and count(distinct c.currency) = 1
  from statement_line c where c.workspace = l.workspace and c.subject = l.subject)`;

/** SQL: an earlier row reported the same movement, so money moved once more than in our books. */
const TOLD_BEFORE = `exists (select from statement_line e where e.workspace = l.workspace
  and e.subject = l.subject and e.kind = l.kind and e.part = l.part
  and e.reference = l.reference and e.line < l.line)`;

/** SQL: what our books say to a row with a payment attempt's key. */
const OF_CHARGE = `case
    when l.kind in ('payout', 'payout_return') then 'differs disagrees'
    when a.state = 'reversed' and l.kind not like 'dispute%'
      then case when ${BALANCED} then 'matched reversed' else 'ask' end
    when l.kind in ('chargeback', 'return') then case
      when a.state = 'captured' and ${ALL_TAKEN} then 'reversal reversal' else 'ask' end
    when l.kind like 'dispute%' then case
      when exists (select from dispute p where p.workspace = $1
      and p.reference = l.reference)
        then 'dispute dispute' else 'ask' end
    when l.kind = 'refund' then 'ask'
    when a.state = 'parked' and l.part = 1 then 'matched parked'
    when a.state <> 'captured' then 'ask'
    when l.currency <> a.currency or (l.amount <> a.amount and l.part = 1)
      then 'differs disagrees'
    when l.part = 1 then 'matched captured'
    when ${ALL_TAKEN} then 'second double_capture'
    else 'ask' end`;

/** SQL: what our books say to a row with an outbound transfer's key. */
const OF_TRANSFER = `case
    when l.part > 1 then 'differs repeated'
    when r.state = 'replaced' then 'differs replaced'
    when r.state = 'parked' then 'matched parked'
    when r.state <> 'returned' and (r.state <> 'paid' or l.kind = 'payout_return') then 'ask'
    when l.amount <> r.amount or l.currency <> r.currency
      or replace(l.kind, '_return', '') <> r.kind then 'differs disagrees'
    else 'matched ' || r.state end`;

/**
 * Every open row of workspace $1 with its finding and why, as two words, or `ask`. Read in one
 * statement and written by id in the next: joined in one, it walked through all rows of the
 * workspace.
 */
const SAID = `select l.id, l.verdict, l.subject, l.reference, l.kind, l.amount, l.currency,
    l.reason, l.due_by, l.fee,
    case when ${TOLD_BEFORE} or ${OWN_TOLD_BEFORE} then 'differs repeated'
      when l.kind in (${OWN}) then case when l.booked then 'matched own_money' else 'ask' end
      when a.id is not null then ${OF_CHARGE}
      when r.id is not null then ${OF_TRANSFER}
      else 'differs unknown_key' end as said,
    l.seen < t.now - interval '${PATIENCE_SECONDS} s' as overdue,
    coalesce(l.asked < t.now - interval '${ASK_AGAIN_SECONDS} s', true) as askable
  from statement_line l cross join (select workspace_now($1) as now) t
  left join attempt a on a.workspace = l.workspace and a.id = l.subject
  left join transfer r on r.workspace = l.workspace and r.id = l.subject
  left join difference d on d.workspace = l.workspace and d.id = l.id
  where l.workspace = $1 and l.verdict <> 'matched' and (d.state is null or d.state = 'found')
  order by l.line`;

interface SaidRow extends Omit<Finding, 'finding' | 'why'> {
  readonly said: string;
  readonly overdue: boolean;
  readonly askable: boolean;
}

/**
 * Marks plain matches, has the processor asked about what is not final, and gives the rows that
 * need a command each; one that has waited too long is `late`.
 */
export async function matchPlainLines(
  db: Database,
  workspace: number,
): Promise<readonly Finding[]> {
  const lines = await db.query<SaidRow>({ name: 'open_lines', text: SAID, values: [workspace] });
  const waiting = lines.filter((line) => line.verdict === 'waiting');
  const plain = waiting.filter((line) => line.said.startsWith('matched '));
  if (plain.length > 0) await noteMatched(db, workspace, plain);
  const unsure = waiting.filter((line) => line.said === 'ask');
  const asked = unsure.filter((line) => line.askable && !line.overdue);
  if (asked.length > 0) await ask(db, workspace, asked);
  const found = lines.filter(({ verdict, said }) =>
    verdict === 'waiting' ? /^(?:differs|second|reversal|dispute) /.test(said) : isNews(said),
  );
  const late = unsure.filter((line) => line.overdue);
  return [
    ...found.map((line) => findingOf(line, line.said)),
    ...late.map((line) => findingOf(line, `differs ${lateness(line)}`)),
  ];
}

/** True where a known discrepancy can become something else. */
function isNews(said: string): boolean {
  return said !== 'ask' && !said.startsWith('differs ');
}

/** Why a row waited too long: our books do not follow, or there is less than went to our bank. */
function lateness({ kind }: SaidRow): string {
  return kind === 'provider_payout' ? 'exceeds_available' : 'late';
}

function findingOf(line: SaidRow, said: string): Finding {
  const [finding, why = ''] = said.split(' ');
  return { ...line, finding: finding as Finding['finding'], why };
}

// The workspace is in the arrays: as one value it made a plan that compares every open row with
// every element.
async function noteMatched(
  db: Database,
  workspace: number,
  lines: readonly SaidRow[],
): Promise<void> {
  await db.execute(prepared('match_lines')`
    update statement_line l set verdict = 'matched', why = n.why
    from unnest(${lines.map(() => workspace)}::int4[], ${lines.map(({ id }) => id)}::uuid[],
      ${lines.map(({ said }) => said.split(' ')[1])}::text[]) as n (workspace, id, why)
    where l.workspace = n.workspace and l.id = n.id and l.verdict = 'waiting'`);
}

async function ask(db: Database, workspace: number, lines: readonly SaidRow[]): Promise<void> {
  await db.execute(prepared('ask_about_lines')`
    update statement_line l set asked = workspace_at(l.workspace, $now)
    from unnest(${lines.map(() => workspace)}::int4[],
      ${lines.map(({ id }) => id)}::uuid[]) as n (workspace, id)
    where l.workspace = n.workspace and l.id = n.id`);
  await lookAgain(
    db,
    workspace,
    lines.flatMap(({ subject }) => subject ?? []),
  );
}
