// Reads of payment methods and balances. Money is read in one statement, so that no answer mixes
// two moments. [architecture rule 19]
import { prepared, type Queryable } from '../../../db/index.ts';
import { onceKindOf } from '../../../providers/processor/port.ts';
import { paymentMethod, type PaymentMethodRecord } from './schema.ts';
import type { DepositRow, PaymentMethodRow, WalletRow } from './tables.ts';

/**
 * Payment methods of an account: the wallet in that currency, the other wallets, then the rest,
 * newest first; ties by id. [G-47] A card that is not kept shows where `sale` is what it may pay.
 * Null for an unknown account.
 */
export async function paymentMethodsOf(
  db: Queryable,
  workspace: number,
  accountUuid: string,
  integrator: string,
  first: string,
  sale: string | null,
): Promise<PaymentMethodRecord[] | null> {
  type Row = PaymentMethodRow & { readonly balance: bigint | null; readonly owner: string };
  const rows = await db.query<Row>(prepared('payment_methods')`
    select a.id as owner, m.workspace, m.id, m.account_id, m.provider, m.method_class,
      m.display_string, m.currency, m.pm_state, m.wallet_id, m.processor_token, m.version,
      m.created, m.updated, m.expires, m.fingerprint, m.preferred, m.only_for,
      b.amount as balance
    from account a
    left join payment_method m on m.workspace = a.workspace and m.account_id = a.id
      and m.provider <> 'once' and (m.only_for is null or m.only_for = ${sale})
    left join balance b on b.workspace = m.workspace and b.id = m.wallet_id
    where a.workspace = ${workspace} and a.id = ${accountUuid}
    order by m.wallet_id is null, case when m.wallet_id is not null then m.currency <> ${first} end,
      m.created desc, m.id`);
  if (rows.length === 0) return null;
  // An account without methods gives one row without a method.
  const methods = rows.filter((row) => row.id !== null);
  const wanted = methods
    .filter(({ preferred, pm_state }) => preferred !== null && pm_state === 'ACTIVE')
    .reduce<Row | null>((last, row) => (last === null || isLater(row, last) ? row : last), null);
  return methods.map((row) => paymentMethod(row, row.balance ?? 0n, integrator, row === wanted));
}

function isLater(one: PaymentMethodRow, other: PaymentMethodRow): boolean {
  return (one.preferred ?? '') > (other.preferred ?? '');
}

/** Balances of one wallet; minor units. */
export interface WalletBalance {
  readonly currency: string;
  readonly digits: number;
  readonly spendable: bigint;
  readonly kept_back: bigint;
  /** The part of `kept_back` that is in reserve. [G-93] */
  readonly reserve: bigint;
}

/** Balances of an account's wallets; null for an unknown account. */
export async function balancesOf(
  db: Queryable,
  workspace: number,
  accountUuid: string,
  currency: string | null,
): Promise<WalletBalance[] | null> {
  const rows = await db.query<{ [K in keyof WalletBalance]: WalletBalance[K] | null }>(
    prepared('account_balances')`
    select w.currency, c.digits, b.amount as spendable, k.amount as kept_back,
      coalesce(r.held, 0)::bigint as reserve
    from account a
    left join wallet w on w.workspace = a.workspace and w.account_id = a.id
      and (${currency}::text is null or w.currency = $1)
    left join workspace_currency c on c.workspace = w.workspace and c.currency = w.currency
    left join balance b on b.workspace = w.workspace and b.id = w.id
    left join balance k on k.workspace = w.workspace and k.id = w.kept_back_id
    left join reserve r on r.workspace = w.workspace and r.id = w.kept_back_id
    where a.workspace = ${workspace} and a.id = ${accountUuid}
    order by w.currency`);
  if (rows.length === 0) return null;
  return rows.filter((row): row is WalletBalance => row.currency !== null);
}

/** A wallet with its balance in minor units. */
export type WalletWithBalance = Pick<WalletRow, 'id' | 'account_id' | 'currency'> & {
  readonly amount: bigint;
};

/** The wallet, or null. The integrator's amount includes credits that are not folded in yet. */
export async function walletById(
  db: Queryable,
  workspace: number,
  id: string,
): Promise<WalletWithBalance | null> {
  const rows = await db.query<WalletWithBalance>(prepared('wallet_by_id')`
    select w.id, w.account_id, w.currency, coalesce(b.amount, i.amount
      + coalesce((select sum(c.amount) from integrator_credit c
        where c.workspace = w.workspace and c.account_id = w.id), 0), 0)::bigint as amount
    from wallet w
    left join balance b on b.workspace = w.workspace and b.id = w.id
    left join integrator_balance i on i.workspace = w.workspace and i.id = w.id
    where w.workspace = ${workspace} and w.id = ${id}`);
  return rows[0] ?? null;
}

/** The id of an account's wallet in a currency, or null. */
export async function walletOfAccount(
  db: Queryable,
  workspace: number,
  accountUuid: string,
  currency: string,
): Promise<string | null> {
  const rows = await db.query<{ id: string }>(prepared('wallet_of_account')`
    select id from wallet where workspace = ${workspace} and account_id = ${accountUuid}
      and currency = ${currency}`);
  return rows[0]?.id ?? null;
}

/** The 16 digits that stand for an id in a creditor reference. */
export async function referenceDigits(db: Queryable, id: string): Promise<string> {
  const rows = await db.query<{ digits: string }>(prepared('reference_digits')`
    select reference_digits(${id}) as digits`);
  return rows[0]?.digits ?? '';
}

/** The wallets whose creditor reference has these digits: one, unless two are alike by chance. */
export async function walletsOfDigits(
  db: Queryable,
  workspace: number,
  digits: string,
): Promise<Pick<WalletRow, 'id' | 'currency'>[]> {
  return db.query(prepared('wallets_of_digits')`
    select id, currency from wallet where workspace = ${workspace}
      and reference_digits(id) = ${digits}`);
}

/** Where the buyer of a payment confirms or pays, as records show it. */
export interface Authentication {
  readonly authentication_url: string;
  /** The page refuses to be framed. */
  readonly authentication_framed?: false;
}

/** Where the buyer confirms or pays for the resource; null where nothing waits for a buyer. */
export async function authenticationOf(
  db: Queryable,
  workspace: number,
  resourceId: string,
): Promise<Authentication | null> {
  const [row] = await db.query<{ url: string; token: string }>(prepared('authentication_of')`
    select authentication_url as url, processor_token as token from attempt
    where workspace = ${workspace} and resource_id = ${resourceId} and state = 'challenged'
      order by id limit 1`);
  if (row === undefined) return null;
  const framed = isFramed(row.token) ? {} : { authentication_framed: false as const };
  return { authentication_url: row.url, ...framed };
}

/** True where the page for the order of a token may be framed: one for paying once may not. */
export function isFramed(token: string): boolean {
  return onceKindOf(token) === null;
}

export async function depositById(
  db: Queryable,
  workspace: number,
  id: string,
): Promise<DepositRow | null> {
  const rows = await db.query<DepositRow>(prepared('deposit_by_id')`
    select workspace, id, account_id, wallet_id, payment_method_id, incoming_transfer_id,
      currency, amount, state, version, failure_code, created, updated
    from deposit where workspace = ${workspace} and id = ${id}`);
  return rows[0] ?? null;
}
