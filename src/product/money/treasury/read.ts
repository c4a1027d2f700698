// Reads of the treasury: where the money of a workspace lies, whose it is, and the transfers of the
// processor that our bank's statement has not shown yet.
import { prepared, type Queryable } from '../../../db/index.ts';
import { STANDING } from '../../../ledger/index.ts';

/** Money of one kind of ledger account. Minor units, positive as a person counts it. */
export interface KindMoney {
  readonly kind: string;
  readonly amount: bigint;
}

/** The money of one currency of a workspace. */
export interface Standing {
  readonly workspace: number;
  readonly currency: string;
  /** Where it lies. */
  readonly lies: readonly KindMoney[];
  readonly owed: readonly KindMoney[];
  /** Earnings, less costs. */
  readonly own: readonly KindMoney[];
  /** What payouts may take at each place; none where they wait for nothing. */
  readonly free: readonly { readonly place: string; readonly amount: bigint }[];
  /** What lies somewhere, less what is owed and our own: zero. */
  readonly off: bigint;
}

/** Where the money of each live workspace lies, by currency; only what is not zero. */
export async function readStanding(db: Queryable): Promise<readonly Standing[]> {
  const sums = await db.query<KindMoney & Pick<Standing, 'workspace' | 'currency'>>(
    prepared('treasury_sums')`
    select p.workspace, p.currency, a.kind, sum(p.amount)::bigint as amount
    from posting p
    join workspace w on w.workspace = p.workspace and w.ended is null
    join ledger_account a on a.workspace = p.workspace and a.id = p.account_id
    group by p.workspace, p.currency, a.kind having sum(p.amount) <> 0
    order by p.workspace, p.currency`);
  const funds = await db.query<{
    readonly workspace: number;
    readonly currency: string;
    readonly place: string;
    readonly amount: bigint;
  }>({
    name: 'treasury_funds',
    text: `select workspace, currency, place, available - held as amount from funds
      where place <> 'elsewhere' order by place desc`,
  });
  const groups = Map.groupBy(sums, ({ workspace, currency }) => `${workspace} ${currency}`);
  return [...groups.values()].flatMap((rows) => {
    const { workspace, currency } = rows[0] ?? {};
    if (workspace === undefined || currency === undefined) return [];
    const free = funds.filter((one) => one.workspace === workspace && one.currency === currency);
    return [{ ...standingOf(rows), workspace, currency, free }];
  });
}

/** The three sides of a currency, from the sums of its accounts. */
export function standingOf(
  sums: readonly KindMoney[],
): Pick<Standing, 'lies' | 'owed' | 'own' | 'off'> {
  const order = Object.keys(STANDING);
  const side = (of: 'lies' | 'owed' | 'own'): KindMoney[] =>
    sums
      .filter(({ kind }) => STANDING[kind as keyof typeof STANDING] === of)
      .map(({ kind, amount }) => ({ kind, amount: of === 'lies' ? -amount : amount }))
      .toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
  const total = (of: readonly KindMoney[]): bigint =>
    of.reduce((sum, { amount }) => sum + amount, 0n);
  const [lies, owed, own] = [side('lies'), side('owed'), side('own')];
  return { lies, owed, own, off: total(lies) - total(owed) - total(own) };
}

/** Opening balances of a currency that have not arrived at the bank yet. */
interface Expected {
  readonly currency: string;
  /** Minor units. */
  readonly amount: bigint;
}

/** What is still expected of opening balances in a workspace. */
export function expectedOpenings(db: Queryable, workspace: number): Promise<readonly Expected[]> {
  return db.query(prepared('expected_openings')`select currency, available as amount from funds
    where workspace = ${workspace} and place = 'elsewhere' and available > 0 order by currency`);
}

/** A transfer of the processor to our bank account, as the bank's statement may show it. */
export interface UnderWay {
  readonly currency: string;
  /** Minor units, positive. */
  readonly amount: bigint;
  /** Text of the bank's row, in which the processor's reference stands; null: any of this sum. */
  readonly reference: string | null;
}

/**
 * The transfers of the processor that a bank row can be: same sum, reference in the row's text;
 * oldest first. With more than one the first is as good as any: they are equal.
 */
export async function providerPayoutsUnderWay(
  db: Queryable,
  workspace: number,
  { currency, amount, reference }: UnderWay,
): Promise<readonly { readonly id: string; readonly reference: string }[]> {
  return db.query(prepared('provider_payouts_under_way')`select id, reference from settlement
    where workspace = ${workspace} and state = 'in_transit' and currency = ${currency}
      and amount = -${amount}::bigint
      and (${reference}::text is null or position(reference in $4) > 0) order by updated, id`);
}
