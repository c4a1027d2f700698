// Invoices that return a charge: refunds, and the cancel invoice of an escrow. Wallet parts return
// at once; the rest goes through the processor, each part with its own key, and the invoice ends
// when all has arrived. Who pays for it is the caller's `source`. [G-35, M12]
import {
  EngineFault,
  type Decision,
  type LedgerEntry,
  type ReadSet,
} from '../../../engine/index.ts';
import { derivedUuid } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import { systemAccount, tracked } from '../../../ledger/index.ts';
import {
  allRemitted,
  applyTransfer,
  beginTransfer,
  refusals as wallet,
  transfersOfResource,
  transferTable,
  type TransferAnswer,
  type TransferRow,
} from '../wallet/index.ts';
import {
  type AgreedLineItem,
  type AgreedReturn,
  type SaleTerms,
} from './sale-terms.ts';
import { birthInvoice } from './create.ts';
import { failInvoice, succeedInvoice } from './payment.ts';
import { lineFields, namedFields } from './stated.ts';
import { taxWithin } from './tax.ts';
import { invoiceDocumentTable, invoiceTable, type InvoiceRow } from './tables.ts';

/** A part of a charge that is returned. */
export interface ReturnPart {
  /** The payment's subitem id in the charged invoice; for a card, the id of the charge. */
  readonly charge: string;
  readonly method: string;
  /** The wallet that was charged; '' where it was the processor. */
  readonly wallet: string;
  /** Minor units, positive. */
  readonly amount: number;
}

export interface NewReturn {
  /** The invoice that returns the charge. */
  readonly id: string;
  readonly kind: 'cancel' | 'refund';
  readonly purpose: 'escrow_cancel' | 'refund';
  /** The invoice that charged the buyer, and its terms. */
  readonly of: string;
  readonly saleTerms: SaleTerms;
  /** UUID of the buyer. */
  readonly buyer: string;
  readonly parts: readonly ReturnPart[];
  /** Minor units to return by line item; absent returns each in full. */
  readonly lines?: ReadonlyMap<string, number>;
  /** What of that is tax, by line item; absent: in proportion. */
  readonly taxes?: ReadonlyMap<string, number>;
  /** The ledger entries that pay for it: minus the sum of the parts. */
  readonly sources: readonly LedgerEntry[];
  readonly description?: string | undefined;
}

/**
 * Creates the invoice, credits the wallet parts and begins the outbound transfers. The balances of
 * the wallets must be locked. A buyer's own money is never restricted. [G-38]
 */
export function beginReturn(decision: Decision, request: NewReturn): InvoiceRow {
  const { currency } = request.saleTerms;
  const saleTerms = returnTerms(decision, request);
  const sent = (saleTerms.returns ?? []).filter((part) => part.wallet === undefined);
  const state = sent.length === 0 ? 'success' : 'processing';
  const { invoice } = birthInvoice(
    decision,
    request.id,
    saleTerms,
    request.buyer,
    'give_back',
    state,
  );
  const owed = sent.reduce((sum, part) => sum + BigInt(part.amount), 0n);
  const wallets = (saleTerms.returns ?? []).flatMap((part) =>
    part.wallet === undefined ? [] : [tracked(part.wallet, currency, BigInt(part.amount))],
  );
  const pending =
    owed === 0n ? [] : [systemAccount(decision.lineage, 'refund_pending', currency, owed)];
  decision.post(request.id, 1, [...request.sources, ...wallets, ...pending]);
  for (const part of sent) {
    beginTransfer(decision, {
      id: part.subitem,
      purpose: request.purpose,
      resourceId: request.id,
      kind: 'refund',
      target: part.charge ?? '',
      methodId: part.id,
      currency,
      amount: BigInt(part.amount),
    });
  }
  return invoice;
}

function returnTerms(decision: Decision, request: NewReturn): SaleTerms {
  const { kind, saleTerms, id } = request;
  const { account_id, currency, escrow } = saleTerms;
  const returns: AgreedReturn[] = request.parts.map(({ charge, method, wallet, amount }) => {
    const to = wallet === '' ? { charge } : { wallet };
    return { id: method, subitem: derivedUuid(`return/${id}/${charge}`), amount, ...to };
  });
  const lines = saleTerms.lines.flatMap((line) => returnedLine(line, request));
  return {
    kind,
    escrow: kind === 'cancel' ? escrow : undefined,
    of: request.of,
    account_id,
    currency,
    total: returns.reduce((sum, part) => sum + part.amount, 0),
    created: decision.now,
    ...namedFields.of(saleTerms),
    description: request.description ?? saleTerms.description,
    lines,
    methods: [],
    returns,
  };
}

function returnedLine(line: AgreedLineItem, { id, lines, taxes }: NewReturn): AgreedLineItem[] {
  const amount = lines === undefined ? line.amount : (lines.get(line.id) ?? 0);
  if (lines !== undefined && amount === 0) return [];
  const tax = taxes === undefined ? taxWithin(line, amount) : (taxes.get(line.id) ?? 0);
  return [
    {
      id: derivedUuid(`return/${id}/${line.id}`),
      amount,
      tax: line.tax && { ...line.tax, id: undefined, amount: tax },
      ...lineFields.of(line),
      type: line.share === undefined ? 'user_to_user' : 'user_to_integrator',
      recipients: [],
    },
  ];
}

/** Locks what `learnReturn` needs: the invoice and all outbound transfers of it. */
export function loadReturn(rows: ReadSet, answer: TransferAnswer): string | null {
  const row = rows.read(transferTable, answer.transferId);
  if (!row) return null;
  const sent = rows.find(transfersOfResource, row.resource_id);
  for (const one of sent) rows.lock(transferTable, one.id);
  rows.lock(transferTable, row.id);
  rows.lock(invoiceTable, row.resource_id);
  // A row more in the read set makes the engine read again.
  if (isOutdated(rows, sent)) rows.lock(invoiceDocumentTable, row.resource_id);
  return row.resource_id;
}

/** True where a transfer was replaced after these rows were found, without its successor. */
function isOutdated(rows: ReadSet, sent: readonly TransferRow[]): boolean {
  const now = sent.map((one) => rows.read(transferTable, one.id) ?? one);
  return now.some(({ target }) =>
    now.every((one) => one.target !== target || one.state === 'replaced'),
  );
}

/** The state of a return after an answer; null where nothing ended. `unsent` is in minor units. */
export type ReturnEnd =
  | { readonly invoiceId: string; readonly standing: 'success' }
  | { readonly invoiceId: string; readonly standing: 'failed'; readonly unsent: bigint };

/**
 * Records an answer about one part. With `mustGo`, a refused part goes to manual review and the
 * invoice waits. Otherwise the invoice fails once no part is pending any more; what was not sent is
 * then still in refund_pending, and the caller's next ledger entry takes it from there. Throws
 * PARKED_TOO_LATE for a manual decision about a part whose invoice has ended.
 */
export function learnReturn(
  decision: Decision,
  answer: TransferAnswer,
  mustGo: boolean,
): ReturnEnd | null {
  const row = decision.get(transferTable, answer.transferId);
  const invoice = row === null ? null : decision.get(invoiceTable, row.resource_id);
  if (row === null || invoice === null) throw new EngineFault('a transfer has no invoice');
  const decided = answer.outcome.state.endsWith('_decided');
  if (decided && invoice.state !== 'processing') throw refuse(wallet.PARKED_TOO_LATE);
  const progress = applyTransfer(decision, answer, mustGo);
  if (progress.kind === 'waiting' || invoice.state !== 'processing') return null;
  const all = decision.find(transfersOfResource, invoice.id);
  const open = all.some((one) => ['sending', 'pending', 'parked'].includes(one.state));
  if (open) return null;
  const { currency } = row;
  const { lineage } = decision;
  const paid = sumOf(all, 'paid');
  const unsent = sumOf(all, 'declined');
  const clearing = [
    systemAccount(lineage, 'refund_pending', currency, -paid),
    systemAccount(lineage, 'processor_clearing', currency, paid),
  ];
  const invoiceId = invoice.id;
  if (allRemitted(decision, invoiceId)) {
    succeedInvoice(decision, invoiceId, clearing);
    return { invoiceId, standing: 'success' };
  }
  failInvoice(decision, invoiceId, 'processing_error', clearing);
  return { invoiceId, standing: 'failed', unsent };
}

function sumOf(rows: readonly { state: string; amount: bigint }[], state: string): bigint {
  return rows.reduce((sum, row) => (row.state === state ? sum + row.amount : sum), 0n);
}
