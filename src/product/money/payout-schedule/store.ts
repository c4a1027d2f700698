// Payout schedules as they are stored: a tenant's default for a currency, an account's own, and
// when the clock acts next. Midnights are UTC, by the workspace's clock.
import { prepared, raw, sql, type Queryable } from '../../../db/index.ts';
import { derivedUuid } from '../../../core/ids.ts';
import { addSeconds, instantFromMillis, type Instant } from '../../../core/time.ts';

export const INTERVALS = ['manual', 'daily', 'weekly'] as const;
/** As in a `weekday`; the first is 1. */
export const WEEKDAYS = [
  ...['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
] as const;
const DAY_SECONDS = 86_400;

/** How often, and from how much on. */
export interface Rhythm {
  readonly interval: (typeof INTERVALS)[number];
  /** 1 (Monday) to 7; null unless weekly. */
  readonly weekday: number | null;
  /** Minor units. */
  readonly minimum: bigint;
}

/** A tenant that has set no default pays out by hand. */
export const BY_HAND: Rhythm = { interval: 'manual', weekday: null, minimum: 0n };

/** A schedule with what it takes from the tenant's default. */
export interface Schedule extends Rhythm {
  readonly id: string;
  /** Null for the tenant's default. */
  readonly account_id: string | null;
  readonly currency: string;
  /** True where the interval is the tenant's. */
  readonly inherited: boolean;
  readonly destination_method_id: string | null;
  readonly due: Instant | null;
  readonly outcome: string;
}

/** The id of a schedule; the same in each clone. */
export function scheduleId(lineage: number, account: string | null, currency: string): string {
  return derivedUuid(`payout schedule/${lineage}/${account ?? ''}/${currency}`);
}

/** The midnight after `now` on which a rhythm pays out; null for none. */
export function nextDue(now: Instant, { interval, weekday }: Rhythm): Instant | null {
  if (interval === 'manual') return null;
  const today = `${now.slice(0, 10)}T00:00:00.000000Z`;
  for (let days = 1; days <= 7; days += 1) {
    const at = addSeconds(today, days * DAY_SECONDS);
    const isoDay = new Date(at).getUTCDay() || 7;
    if (interval === 'daily' || isoDay === weekday) return at;
  }
  return instantFromMillis(0);
}

/** SQL: schedules `s` of a workspace with the tenant's default `d` filled in. */
const SELECT = `select s.id, s.account_id, s.currency, s.interval is null as inherited,
    coalesce(s.interval, d.interval, 'manual') as interval,
    case when s.interval is null then d.weekday else s.weekday end as weekday,
    coalesce(s.minimum, d.minimum, 0) as minimum, s.destination_method_id, s.due, s.outcome
  from payout_schedule s left join payout_schedule d on d.workspace = s.workspace
    and d.currency = s.currency and d.account_id is null`;

/** The schedules of an account, or with null the tenant's defaults; by currency. */
export function schedulesOf(
  db: Queryable,
  workspace: number,
  account: string | null,
): Promise<readonly Schedule[]> {
  return db.query(prepared('payout_schedules')`
    ${raw(SELECT)} where s.workspace = ${workspace} and s.account_id is not distinct
      from ${account}::uuid
    order by s.currency`);
}

/** What an account or a tenant sets; null: as the tenant's default. */
export interface ScheduleChange {
  readonly account: string | null;
  readonly currency: string;
  readonly interval: Rhythm['interval'] | null;
  readonly weekday: number | null;
  readonly minimum: bigint | null;
  readonly destination: string | null;
}

/** Stores a schedule, and when it and those that follow it are due next. */
export async function storeSchedule(
  tx: Queryable,
  workspace: number,
  lineage: number,
  change: ScheduleChange,
): Promise<void> {
  const { account, currency, interval, weekday, minimum, destination } = change;
  const [clock] = await tx.query<{ now: Instant }>(sql`select workspace_now(${workspace}) as now`);
  const now = clock?.now ?? '';
  await tx.query({
    text: `insert into payout_schedule as s (workspace, id, account_id, currency, interval, weekday,
        minimum, destination_method_id, updated)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
      on conflict (workspace, id) do update set interval = $5, weekday = $6, minimum = $7,
        destination_method_id = $8, updated = $9`,
    values: [
      ...[workspace, scheduleId(lineage, account, currency), account, currency],
      ...[interval, weekday, minimum, destination, now],
    ],
  });
  const changed = await tx.query<Schedule>(sql`
    ${raw(SELECT)} where s.workspace = ${workspace} and s.currency = ${currency}
      and s.account_id is not null
    and case when ${account}::uuid is null then s.interval is null else s.account_id = $3 end
      limit 1`);
  // All that follow the default have the same rhythm, so one stands for all.
  const due = changed[0] === undefined ? null : nextDue(now, changed[0]);
  await tx.query(sql`update payout_schedule s set due = ${due}
    where s.workspace = ${workspace} and s.currency = ${currency} and s.account_id is not null
      and case when ${account}::uuid is null then s.interval is null else s.account_id = $4 end`);
}

/** A schedule that is due, with the wallet that it empties. */
export interface DueSchedule extends Schedule {
  readonly workspace: number;
  readonly account_id: string;
  readonly destination_method_id: string;
  readonly due: Instant;
  readonly now: Instant;
  readonly wallet_method_id: string;
  /** Minor units in the wallet. */
  readonly balance: bigint;
}

/** Schedules that are due by the clock of their workspace. */
export function dueSchedules(db: Queryable, most: number): Promise<readonly DueSchedule[]> {
  return db.query(prepared('due_payout_schedules')`
    select o.workspace, workspace_now(o.workspace) as now, o.*,
      w.payment_method_id as wallet_method_id, b.amount as balance
    from (select s.workspace, ${raw(SELECT.slice('select '.length))}
      join workspace v on v.workspace = s.workspace
      where v.ended is null and s.due is not null and s.due <= clock_timestamp() + v.clock_offset
      order by s.due limit ${most}) o
    join wallet w on w.workspace = o.workspace and w.account_id = o.account_id
      and w.currency = o.currency
    join balance b on b.workspace = w.workspace and b.id = w.id`);
}

/** Notes what came of a due schedule, and when it is due next; nothing if it changed meanwhile. */
export async function noteRun(
  db: Queryable,
  { workspace, id, due }: DueSchedule,
  next: Instant | null,
  outcome: string,
): Promise<void> {
  await db.query(sql`update payout_schedule set due = ${next}, outcome = ${outcome}
    where workspace = ${workspace} and id = ${id} and due = ${due}`);
}
