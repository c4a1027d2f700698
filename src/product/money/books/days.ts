// The last days of the books, for charts: what buyers paid on each, and what was held and owed at
// its end. The ends are counted back from the balances of now.
import { onceAMinute, type Queryable } from '../../../db/index.ts';
import { addSeconds } from '../../../core/time.ts';
import { kindsThat } from '../../../ledger/index.ts';
import { sumNow } from './sums.ts';

/** A day of one currency, in UTC by the clock of the workspace. Minor units. */
export interface DayOfBooks {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly currency: string;
  /** What buyers paid, also into escrow. */
  readonly volume: bigint;
  /** At processors and banks, when it ended. */
  readonly held: bigint;
  /** To people, when it ended. */
  readonly owed: bigint;
}

const DAYS = 30;
const DAY_SECONDS = 86_400;

const HELD = kindsThat('lies');
const OWED = kindsThat('owed');

const MOVED = `select (s.at at time zone 'UTC')::date::text as day, p.currency,
    coalesce(sum(p.amount) filter (where p.amount > 0 and s.machine = 'invoice'
      and s.event = 'payment_succeeded'), 0)::int8 as volume,
    coalesce(-sum(p.amount) filter (where a.kind = any ($3)), 0)::int8 as held,
    coalesce(sum(p.amount) filter (where a.kind = any ($4)), 0)::int8 as owed
  from history s
  join posting p on p.workspace = s.workspace and p.resource_id = s.resource_id
    and p.version = s.version
  join ledger_account a on a.workspace = p.workspace and a.id = p.account_id
  where s.workspace = $1 and p.workspace = $1 and a.workspace = $1 and s.at >= $2
  group by 1, 2`;

async function readDays(tx: Queryable, workspace: number): Promise<readonly DayOfBooks[]> {
  const { at, kinds } = await sumNow(tx, workspace);
  const today = `${at.slice(0, 10)}T00:00:00.000000Z`;
  const days = Array.from({ length: DAYS }, (_, back) =>
    addSeconds(today, -back * DAY_SECONDS).slice(0, 10),
  );
  const moved = await tx.query<DayOfBooks>({
    text: MOVED,
    values: [workspace, `${days.at(-1)}T00:00:00Z`, HELD, OWED],
  });
  return [...Map.groupBy(kinds, ({ currency }) => currency)].flatMap(([currency, of]) => {
    const total = (counted: readonly string[]): bigint =>
      of.reduce((all, { kind, amount }) => (counted.includes(kind) ? all + amount : all), 0n);
    let [held, owed] = [-total(HELD), total(OWED)];
    return days.map((day): DayOfBooks => {
      const on = moved.find((one) => one.day === day && one.currency === currency);
      const ended = { day, currency, volume: on?.volume ?? 0n, held, owed };
      held -= on?.held ?? 0n;
      owed -= on?.owed ?? 0n;
      return ended;
    }).toReversed();
  });
}

/** The last 30 days in each currency, oldest first; null where reading takes too long. */
export const daysOf = onceAMinute(true, readDays);
