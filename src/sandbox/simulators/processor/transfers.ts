// Outbound transfers of the processor simulator: each order once per key, refunds never above the
// captured amount, also under concurrency.
import type { Database, Transaction } from '../../../db/index.ts';
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
  const rows = await db.query<Transfer>({
    name: 'processor_transfer_of',
    text: `select ${COLUMNS} from processor_transfer where workspace = $1 and key = $2`,
    values: [workspace, key],
  });
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
    const made = await tx.execute({
      name: 'processor_order_transfer',
      text: `insert into processor_transfer
          (workspace, key, kind, target, amount, currency, reference)
        values ($1, $2, $3, $4, $5, $6, $7) on conflict (workspace, key) do nothing`,
      values: [workspace, key, kind, target, amount, currency, reference],
    });
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
  const [charge] = await tx.query<{ open: boolean; rest: bigint; currency: string }>({
    name: 'processor_lock_charge',
    text: `select state = 'captured' and taken_back is null as open,
        captured_amount * parts - refunded as rest, captured_currency as currency
      from processor_charge where workspace = $1 and key = $2 for no key update`,
    values: [workspace, target],
  });
  if (charge?.open !== true) return 'generic_error';
  if (amount > charge.rest || currency !== charge.currency) return 'processing_error';
  await tx.execute({
    name: 'processor_refund_charge',
    text: `update processor_charge set refunded = refunded + $3, updated = workspace_at($1, $now)
      where workspace = $1 and key = $2`,
    values: [workspace, target, amount],
  });
  return null;
}

async function payoutDecline(
  tx: Transaction,
  { workspace, target, currency }: TransferOrder,
): Promise<DeclineCode | null> {
  if (await overdrawn(tx, workspace, currency)) return 'insufficient_funds';
  const found = await tx.execute({
    name: 'processor_payable_account',
    text: 'select from processor_card where workspace = $1 and token = $2 and brand = any ($3)',
    values: [workspace, target, PAYABLE_BRANDS],
  });
  return found === 1 ? null : 'generic_error';
}
