// Outbound transfers of the processor simulator: each order once per key, refunds never above the
// captured amount, also under concurrency.
import { prepared, raw, type Database, type Transaction } from '../../../db/index.ts';
import { refuse } from '../../../core/refusal.ts';
import type { DeclineCode, TransferOrder } from '../../../providers/processor/port.ts';
import { declineOf } from './charges.ts';
import type { Exchange } from './exchanges.ts';
import { changing, noticeRequestOf } from './notice-rows.ts';
import { refusals } from './refusals.ts';
import { overdrawn } from './terms.ts';

/** Brands of accounts that can receive payouts. */
export const PAYABLE_BRANDS = ['ach', 'paypal'] as const;

/** An outbound transfer row. */
export interface Transfer extends Omit<TransferOrder, 'workspace'> {
  readonly reference: string;
  readonly state: 'pending' | 'paid' | 'returned' | 'declined';
  readonly failure_code: string | null;
}

const COLUMNS = 'key, kind, target, amount, currency, reference, state, failure_code';

/** The outbound transfer of a key, or null. */
export async function transferOf(
  db: Database,
  workspace: number,
  key: string,
): Promise<Transfer | null> {
  const rows = await db.query<Transfer>(prepared('processor_transfer_of')`
    select ${raw(COLUMNS)} from processor_transfer where workspace = ${workspace}
      and key = ${key}`);
  return rows[0] ?? null;
}

const END = changing({
  table: 'transfer',
  where: 'true',
  set: `state = case when $6::text is null then 'paid' else 'declined' end, failure_code = $6`,
  line: 'kind, amount, currency',
  moved: `state = 'paid'`,
});

/**
 * Sends money out, or declines; the first result under the key stays. Returns the current state.
 */
export async function remit(
  db: Database,
  order: TransferOrder,
  reference: string,
  exchange: Exchange,
): Promise<Transfer> {
  const { workspace, key, kind, target, amount, currency } = order;
  await db.transaction(async (tx) => {
    // Others with the same key wait here until this one is decided.
    const made = await tx.execute(prepared('processor_order_transfer')`
      insert into processor_transfer
        (workspace, key, kind, target, amount, currency, reference)
      values (${workspace}, ${key}, ${kind}, ${target}, ${amount}, ${currency}, ${reference})
        on conflict (workspace, key) do nothing`);
    if (made === 0) return;
    const ruled = kind === 'refund' ? refundDecline : payoutDecline;
    const code = declineOf(exchange) ?? (await ruled(tx, order));
    if (code === null && exchange.effect === 'pending') return;
    const values = [workspace, key, ...noticeRequestOf(exchange, true), code];
    await tx.execute({ name: 'processor_end_transfer', text: END, values });
  });
  const now = await transferOf(db, workspace, key);
  if (now === null) throw new Error('a transfer was not written');
  const same =
    now.kind === kind &&
    now.target === target &&
    now.amount === amount &&
    now.currency === currency;
  if (!same) throw refuse(refusals.KEY_REUSED);
  return now;
}

/** Takes it from the charge, locked so that two refunds cannot both take its last cent. */
async function refundDecline(
  tx: Transaction,
  { workspace, target, amount, currency }: TransferOrder,
): Promise<DeclineCode | null> {
  const [charge] = await tx.query<{ open: boolean; rest: bigint; currency: string }>(
    prepared('processor_lock_charge')`
    select state = 'captured' and taken_back is null as open,
      captured_amount * parts - refunded as rest, captured_currency as currency
    from processor_charge where workspace = ${workspace} and key = ${target} for no key update`);
  if (charge?.open !== true) return 'generic_error';
  if (amount > charge.rest || currency !== charge.currency) return 'processing_error';
  await tx.execute(prepared('processor_refund_charge')`
    update processor_charge set refunded = refunded + ${amount},
      updated = workspace_at(${workspace}, $now)
    where workspace = $2 and key = ${target}`);
  return null;
}

async function payoutDecline(
  tx: Transaction,
  { workspace, target, currency }: TransferOrder,
): Promise<DeclineCode | null> {
  if (await overdrawn(tx, workspace, currency)) return 'insufficient_funds';
  const found = await tx.execute(prepared('processor_payable_account')`
    select from processor_card where workspace = ${workspace} and token = ${target}
      and brand = any (${PAYABLE_BRANDS})`);
  return found === 1 ? null : 'generic_error';
}
