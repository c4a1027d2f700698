// Holds each line of the statement against our books: set by set in SQL where no money moves, by a
// command for each where something is found. Answers for guessing nothing: what is not final yet is
// asked about and waits, what stays unexplained is shown. [M18, U13]
import type { Database } from '../../db/index.ts';
import { lookAgain } from './look-again.ts';

/** What has to be done about a line that is no plain match. */
export interface Finding {
  readonly id: string;
  readonly verdict: 'waiting' | 'difference';
  /** `differs`: `why` says how. `second`: taken twice. `reversal`: taken back by others. */
  readonly finding: 'matched' | 'differs' | 'second' | 'reversal';
  readonly why: string;
  readonly subject: string | null;
  readonly key: string;
  readonly reference: string;
  readonly kind: string;
  readonly amount: bigint;
  readonly currency: string;
}

/** Seconds that a line may wait for our books to follow. */
export const PATIENCE_SECONDS = 600;
/** Seconds between two questions about the same line. */
const ASK_AGAIN_SECONDS = 30;

/** The other parts of what a charge pays for are taken as well. */
const ALL_TAKEN = `not exists (select from attempt s where s.world = a.world
  and s.resource_id = a.resource_id and s.state <> 'captured')`;

/** All that was taken under the key has gone back again. */
const BALANCED = `(select sum(case c.kind when 'capture' then c.amount else -c.amount end) = 0
    and count(distinct c.currency) = 1
  from statement_line c where c.world = l.world and c.subject = l.subject)`;

/** A line under a charge's key: what our books say to it. */
const OF_CHARGE = `case
    when l.kind in ('payout', 'payout_return') then 'differs disagrees'
    when l.kind in ('chargeback', 'return') then case
      when a.state = 'captured' and ${ALL_TAKEN} then 'reversal reversal' else 'ask' end
    when a.state = 'reversed' then case when ${BALANCED} then 'matched reversed' else 'ask' end
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
    when r.state = 'replaced' then 'differs replaced'
    when r.state = 'parked' then 'matched parked'
    when r.state <> 'returned' and (r.state <> 'paid' or l.kind = 'payout_return') then 'ask'
    when l.amount <> r.amount or l.currency <> r.currency
      or replace(l.kind, '_return', '') <> r.kind then 'differs disagrees'
    else 'matched ' || r.state end`;

/** Every open line of world $1 with its finding and why, as two words. */
const SAID = `select l.id, l.verdict, l.subject, l.key, l.reference, l.kind, l.amount, l.currency,
    l.seen, l.asked, case when a.id is not null then ${OF_CHARGE}
      when r.id is not null then ${OF_REMITTANCE}
      else 'differs unknown_key' end as said
  from statement_line l
  left join attempt a on a.world = l.world and a.id = l.subject
  left join remittance r on r.world = l.world and r.id = l.subject
  left join difference d on d.world = l.world and d.id = l.id
  where l.world = $1 and l.verdict <> 'matched' and (d.state is null or d.state = 'found')`;

const OVERDUE = `seen < clock_timestamp() - interval '${PATIENCE_SECONDS} s'`;

/** Notes as matched what our books say as well, and has the book asked about what is not final. */
export async function matchPlainLines(db: Database, world: number): Promise<void> {
  await db.execute({
    name: 'match_lines',
    text: `update statement_line l set verdict = 'matched', why = split_part(s.said, ' ', 2)
      from (${SAID}) s
      where l.world = $1 and l.id = s.id and l.verdict = 'waiting' and s.said like 'matched %'`,
    values: [world],
  });
  const asked = await db.query<{ subject: string }>({
    name: 'ask_about_lines',
    text: `update statement_line l set asked = clock_timestamp() from (${SAID}) s
      where l.world = $1 and l.id = s.id and l.verdict = 'waiting' and s.said = 'ask'
        and (s.asked is null
          or s.asked < clock_timestamp() - interval '${ASK_AGAIN_SECONDS} s')
      returning l.subject`,
    values: [world],
  });
  if (asked.length > 0) await lookAgain(db, world, asked.map((line) => line.subject));
}

/** Lines that need a command each; what waited too long is said to be `late`. */
export async function findingsOf(db: Database, world: number): Promise<readonly Finding[]> {
  return db.query<Finding>({
    name: 'find_differences',
    text: `select id, verdict, subject, key, reference, kind, amount, currency,
        case when said = 'ask' then 'differs' else split_part(said, ' ', 1) end as finding,
        case when said = 'ask' then 'late' else split_part(said, ' ', 2) end as why
      from (${SAID}) s
      where case verdict
        when 'waiting' then said not in ('ask') and said not like 'matched %' or ${OVERDUE}
        else said not in ('ask') and said not like 'differs %' end
      order by id`,
    values: [world],
  });
}
