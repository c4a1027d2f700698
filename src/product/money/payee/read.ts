// Reads of sellers' accounts at the processor, and who asks the processor about them when.
import { prepared, raw, type Queryable } from '../../../db/index.ts';
import type { PayeeRow } from './tables.ts';

const COLUMNS = `p.workspace, p.id, p.account_id, p.purpose, p.state, p.version, p.country,
  p.payment_method_id, p.due_items, p.kyc_version, p.created, p.updated`;

/** With the processor's own reference, '' while it has none or the seller is erased. */
export type KnownPayee = PayeeRow & { readonly reference: string };

/** The newest account of a seller at the processor, closed or not; null for none. */
export async function payeeOf(
  db: Queryable,
  workspace: number,
  account: string,
): Promise<KnownPayee | null> {
  const [row] = await db.query<KnownPayee>(prepared('payee_of_account')`
    select ${raw(COLUMNS)}, coalesce(m.processor_token, '') as reference from payee p
    left join payment_method m on m.workspace = p.workspace and m.id = p.payment_method_id
    where p.workspace = ${workspace} and p.account_id = ${account} order by p.created desc,
      p.id desc limit 1`);
  return row ?? null;
}

/** Has the processor asked about the account that it names, as its webhook says it changed. */
export async function wakePayee(
  tx: Queryable,
  workspace: number,
  reference: string,
): Promise<void> {
  await tx.query(prepared('wake_payee')`update payee_job j set due = $now, quiet_since = $now,
      again = j.lease is not null
    from payment_method m join payee p on p.workspace = m.workspace
      and p.payment_method_id = m.id
    where m.workspace = ${workspace} and m.provider = 'payee' and m.processor_token = ${reference}
      and j.workspace = p.workspace and j.payee_id = p.id`);
}

/** Begins a new quiet time: somebody was just given the page of the account. */
export async function expectPayee(tx: Queryable, workspace: number, id: string): Promise<void> {
  await tx.query(prepared('expect_payee')`update payee_job set quiet_since = $now,
      due = least(due, $now + interval '1 minute')
    where workspace = ${workspace} and payee_id = ${id}`);
}
