// Outbound transfers of the processor simulator: each order once per key, refunds never above the
// captured amount, also under concurrency.
import type { Database, Transaction } from '../../../db/index.ts';
import { refuse } from '../../../core/refusal.ts';
import type { NoticeRequest } from './notice-rows.ts';
import { told } from './notice-rows.ts';
import type { CardFailureCode } from './protocol.ts';
import { refusals } from './refusals.ts';

/** Brands of accounts that can receive payouts. */
export const PAYABLE_BRANDS = ['ach', 'paypal'] as const;

/** What the caller wants sent under its key. Minor units. */
export interface Remitting {
  readonly workspace: number;
  readonly key: string;
  readonly kind: 'refund' | 'payout';
  /** Of a refund the key of the charge, of a payout the token of the account. */
  readonly target: string;
  readonly amount: bigint;
  readonly currency: string;
}

/** An outbound transfer row. */
export interface Transfer extends Omit<Remitting, 'workspace'> {
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

/** The result of a valid order. */
export type Verdict = 'paid' | 'pending' | { readonly declined: CardFailureCode };

/**
 * Sends money out, or declines; the first result under the key stays. Returns the current state.
 */
export async function remit(
  db: Database,
  order: Remitting,
  reference: string,
  wanted: Verdict,
  request: NoticeRequest,
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
    const verdict = typeof wanted === 'object' ? wanted : await verdictOn(tx, order, wanted);
    if (verdict === 'pending') return;
    const code = typeof verdict === 'object' ? verdict.declined : null;
    await tx.execute({
      name: 'processor_end_transfer',
      text: `with ended as (
          update processor_transfer
          set state = case when $6::text is null then 'paid' else 'declined' end,
            failure_code = $6, updated = workspace_now($1)
          where workspace = $1 and key = $2
          returning *
        ), line as (
          insert into processor_statement (at, workspace, key, reference, kind, amount, currency)
          select workspace_now(workspace), workspace, key, reference, kind, amount, currency
          from ended where state = 'paid'
        ), ${told('ended', 'remittance')}
        select from ended`,
      values: [workspace, key, ...request, code],
    });
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

function verdictOn(
  tx: Transaction,
  order: Remitting,
  wanted: 'paid' | 'pending',
): Promise<Verdict> {
  return order.kind === 'refund'
    ? refundVerdict(tx, order, wanted)
    : payoutVerdict(tx, order, wanted);
}

/** Locks the charge, so that two refunds cannot both take its last cent. */
async function refundVerdict(
  tx: Transaction,
  { workspace, target, amount, currency }: Remitting,
  wanted: 'paid' | 'pending',
): Promise<Verdict> {
  const [charge] = await tx.query<{ open: boolean; rest: bigint; currency: string }>({
    name: 'processor_lock_charge',
    text: `select state = 'captured' and taken_back is null as open,
        captured_amount * parts - refunded as rest, captured_currency as currency
      from processor_charge where workspace = $1 and key = $2 for no key update`,
    values: [workspace, target],
  });
  if (charge?.open !== true) return { declined: 'generic_error' };
  if (amount > charge.rest || currency !== charge.currency) {
    return { declined: 'processing_error' };
  }
  await tx.execute({
    name: 'processor_refund_charge',
    text: `update processor_charge set refunded = refunded + $3, updated = workspace_now($1)
      where workspace = $1 and key = $2`,
    values: [workspace, target, amount],
  });
  return wanted;
}

async function payoutVerdict(
  tx: Transaction,
  { workspace, target }: Remitting,
  wanted: 'paid' | 'pending',
): Promise<Verdict> {
  const found = await tx.execute({
    name: 'processor_payable_account',
    text: 'select from processor_card where workspace = $1 and token = $2 and brand = any ($3)',
    values: [workspace, target, PAYABLE_BRANDS],
  });
  return found === 1 ? wanted : { declined: 'generic_error' };
}
