// What is open between the processor and us, with its age: payments in manual review, statement
// rows that wait or differ, money of our books without a row, refunds and reversals without funds.
// Reads only. [M18]
import { prepared, raw, type Queryable } from '../../../db/index.ts';
import { TAKEN } from './match.ts';

export interface OpenItem {
  readonly workspace: number;
  readonly id: string;
  readonly kind: ItemKind;
  readonly why: string;
  /** What the money is for; '' where that is not known. */
  readonly purpose: string;
  readonly resource_id: string;
  readonly currency: string;
  /** Minor units: the agreed amount of an attempt or transfer, else the statement's. */
  readonly amount: bigint;
  readonly shown_amount: bigint | null;
  readonly shown_currency: string | null;
  readonly reference: string;
  readonly age_seconds: number;
}

export const ITEM_KINDS = [
  'parked_charge',
  'parked_remittance',
  'difference',
  'waiting_line',
  'missing_line',
  'waiting_refund',
  'waiting_reversal',
] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

/** How old a movement in our books must be before a missing statement row is reported. */
const LINE_DUE = `interval '1 hour'`;

/** SQL: attempts and transfers (`a`) of workspace `w`, with cursor `c`, without a statement row. */
const MISSING = ['attempt', 'transfer'].map((table) => {
  const charge = table === 'attempt';
  const ended = charge
    ? `a.state in ('captured', 'reversed')`
    : `a.state = 'paid' and a.rail = 'processor'`;
  // What a person found to have arrived has no row by its nature.
  const lacks = charge
    ? `case a.state
        when 'captured' then (select true from statement_line l where l.workspace = a.workspace
          and l.subject = a.id and l.kind = 'capture' limit 1) is null
        else (select sum(${TAKEN}) > 0
          from statement_line c where c.workspace = a.workspace and c.subject = a.id) end`
    : `not exists (select from statement_line l where l.workspace = a.workspace and l.subject = a.id
          and l.kind = a.kind)
        and (select event from history s where s.workspace = a.workspace and s.resource_id = a.id
          and s.version = a.version limit 1) is distinct from 'accept'`;
  const text = (now: string): string => `${ended} and a.updated > c.proved
    and a.updated < ${now} + w.clock_offset - ${LINE_DUE} and ${lacks}`;
  return { table, text };
});

const PARKED = ['attempt', 'transfer'].map(
  (table) => `select a.workspace, a.id,
      'parked_${table === 'attempt' ? 'charge' : 'remittance'}' as kind,
      coalesce(s.event, '') as why, a.purpose, a.resource_id::text as resource_id, a.currency,
      a.amount, l.amount as shown_amount, l.currency as shown_currency,
      coalesce(a.processor_reference, '') as reference,
      clock_timestamp() + w.clock_offset - a.updated as age
    from ${table} a join workspace w on w.workspace = a.workspace
    left join lateral (select event from history h where h.workspace = a.workspace
      and h.resource_id = a.id and h.version = a.version limit 1) s on true
    left join lateral (select amount, currency from statement_line
      where workspace = a.workspace and subject = a.id and part = 1 order by line limit 1) l on true
    where a.state = 'parked'`,
);

const LINES = `select l.workspace, l.id, case l.verdict when 'waiting' then 'waiting_line'
      else 'difference' end, coalesce(d.why, l.kind),
    coalesce(a.purpose, r.purpose, ''), coalesce(a.resource_id, r.resource_id)::text, l.currency,
    l.amount, null, null, l.reference, clock_timestamp() + w.clock_offset - l.seen
  from workspace w join statement_line l on l.workspace = w.workspace
  left join difference d on d.workspace = l.workspace and d.id = l.id
  left join attempt a on a.workspace = l.workspace and a.id = l.subject
  left join transfer r on r.workspace = l.workspace and r.id = l.subject
  where l.verdict <> 'matched' and (l.verdict = 'waiting' or d.state <> 'explained')`;

const LACKING = MISSING.map(
  ({ table, text }) => `select a.workspace, a.id, 'missing_line', a.state, a.purpose,
      a.resource_id::text, a.currency, a.amount, null, null,
      coalesce(a.processor_reference, ''), clock_timestamp() + w.clock_offset - a.updated
    from workspace w join statement_cursor c on c.workspace = w.workspace and w.ended is null
    join ${table} a on a.workspace = c.workspace and a.updated > c.proved
    where ${text('clock_timestamp()')}`,
);

/** What waits until the integrator holds enough. [G-43] */
const UNFUNDED = [
  `select r.workspace, r.id, 'waiting_refund', 'integrator_funds', 'refund', r.invoice_id::text,
      r.currency, r.amount, null, null, '', clock_timestamp() + w.clock_offset - r.created
    from refund r join workspace w on w.workspace = r.workspace
    where r.state = 'REFUND-WAITING-FUNDS'`,
  `select v.workspace, v.id, 'waiting_reversal', 'integrator_funds', a.purpose, v.resource_id::text,
      v.currency, v.amount - v.secured, null, null, v.reference,
      clock_timestamp() + w.clock_offset - v.created
    from reversal v join workspace w on w.workspace = v.workspace
    join attempt a on a.workspace = v.workspace and a.id = v.attempt_id where v.state = 'received'`,
];

/** SQL: all open items. */
export const OPEN = `select workspace, id, kind, why, purpose,
    coalesce(resource_id, '') as resource_id,
    currency, amount, shown_amount, shown_currency, reference,
    greatest(0, extract(epoch from age))::int as age_seconds
  from (${[...PARKED, LINES, ...LACKING, ...UNFUNDED].join('\n union all ')}) as item`;

/** Open items of one workspace, or of all live ones (null), oldest first, at most `most`. */
export function openItems(
  db: Queryable,
  workspace: number | null,
  most: number,
): Promise<readonly OpenItem[]> {
  return db.query(prepared('open_items')`
    ${raw(OPEN)} where workspace = ${workspace} or ($1::int4 is null
      and exists (select from workspace w where w.workspace = item.workspace and w.ended is null))
    order by age desc, id limit ${most}`);
}

/** How many items of each kind are open in a workspace. */
export async function countOpen(
  db: Queryable,
  workspace: number,
): Promise<Readonly<Record<ItemKind, number>>> {
  const rows = await db.query<{ kind: ItemKind; n: bigint }>(prepared('count_open_items')`
    select kind, count(*) as n from (${raw(OPEN)}
      where workspace = ${workspace}) o group by kind`);
  const counts = ITEM_KINDS.map((kind) => [kind, 0] as const);
  const found = rows.map(({ kind, n }) => [kind, Number(n)] as const);
  return Object.fromEntries([...counts, ...found]) as Record<ItemKind, number>;
}

/** Advances each workspace's mark: movements before it have their row and are not checked again. */
export async function advanceProved(db: Queryable): Promise<void> {
  const earliest = MISSING.map(
    ({ table, text }) => `select min(a.updated) as at from ${table} a
      where a.workspace = w.workspace and ${text('$now')}`,
  );
  await db.query(prepared('advance_proved')`
    update statement_cursor c set proved = greatest(c.proved, coalesce(
      (select min(m.at) - interval '1 microsecond' from (${raw(earliest.join(' union all '))}) m),
      $now + w.clock_offset - ${raw(LINE_DUE)}))
    from workspace w where w.workspace = c.workspace and w.ended is null`);
}

/** Seconds after which an open item is an alarm. */
const ALARM_SECONDS = 900;
const NAMED = 20;

/** One log line about items that are open for too long: ids and ages only; '' for none. */
export async function alarmText(db: Queryable): Promise<string> {
  const items = await openItems(db, null, NAMED);
  const late = items.filter((item) => item.age_seconds > ALARM_SECONDS);
  if (late.length === 0) return '';
  const named = late.map(({ kind, id, age_seconds }) => `${kind} ${id} ${age_seconds} s`);
  return `Reconciliation items need a person (see holdfast reconcile): ${named.join(', ')}`;
}
