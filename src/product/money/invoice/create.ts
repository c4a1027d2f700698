// The command that creates an invoice. It reads buyer, methods and wallets, locks nothing, and
// writes the document.
import { refuse } from '../../../core/refusal.ts';
import { accountId, isUuid } from '../../../core/ids.ts';
import type { Instant } from '../../../core/time.ts';
import type { Command, Decision, ReadSet } from '../../../engine/index.ts';
import { accountTable } from '../../people/account/index.ts';
import {
  paymentMethodTable,
  paysIn,
  RECEIVING,
  walletTable,
  walletsOfAccount,
  type PaymentMethodRow,
  type WalletRow,
} from '../wallet/index.ts';
import type { AgreedLineItem, AgreedRecipient, SaleTerms } from './sale-terms.ts';
import { invoiceMachine, type InvoiceState } from './machine.ts';
import type {
  PreparedInvoice,
  PreparedLine,
  PreparedMethod,
  PreparedRecipient,
} from './prepare.ts';
import { invoiceRefusals as no } from './refusals.ts';
import { renderInvoice } from './render.ts';
import { lineFields, namedFields } from './stated.ts';
import { documentRow } from './stored-terms.ts';
import {
  invoiceDocumentTable,
  invoiceTable,
  type InvoiceDocumentRow,
  type InvoiceRow,
} from './tables.ts';

/** The rows that a creation names: methods by id, wallets by the recipient's path. */
export interface ResolvedRows {
  readonly methods: ReadonlyMap<string, PaymentMethodRow>;
  readonly destinations: ReadonlyMap<string, WalletRow>;
}

/** Creates an invoice in the state open. [seed: POST /v2/invoice] */
export const createInvoice: Command<PreparedInvoice> = {
  name: 'create_invoice',
  batchable: true,
  load: loadRows,
  decide(decision, prepared) {
    const { document, invoice } = makeInvoice(decision, prepared);
    return {
      status: 201,
      payload: renderInvoice(decision.lineage, document, invoice),
      record: { kind: 'invoice', id: invoice.id, version: 1 },
    };
  },
};

/** Checks a sale against its rows without payment methods; changes nothing. */
export const checkSale: Command<PreparedInvoice> = {
  name: 'check_sale',
  batchable: true,
  load: loadRows,
  decide(decision, prepared) {
    resolveRows(decision, prepared, prepared.buyerId ?? '');
    return { status: 200, payload: null };
  },
};

/** Checks a creation against its rows and creates the open invoice, also that of an escrow. */
export function makeInvoice(
  decision: Decision,
  prepared: PreparedInvoice,
  part: Pick<SaleTerms, 'kind' | 'escrow'> = {},
): { readonly document: InvoiceDocumentRow; readonly invoice: InvoiceRow } {
  const buyer = buyerOf(decision, prepared.buyerId);
  const rows = resolveRows(decision, prepared, buyer);
  const saleTerms = { ...part, ...saleTermsFor(prepared, rows, decision.now) };
  return birthInvoice(decision, prepared.invoiceId, saleTerms, buyer, 'create', 'open');
}

/** Writes the document of an invoice and its current-state row in the given state. */
export function birthInvoice(
  decision: Decision,
  id: string,
  saleTerms: SaleTerms,
  buyer: string,
  on: 'create' | 'commit' | 'give_back',
  state: InvoiceState,
): { readonly document: InvoiceDocumentRow; readonly invoice: InvoiceRow } {
  const { workspace, now } = decision;
  const document = documentRow(workspace, id, saleTerms);
  const moving = { state, version: 1, failure_code: null, updated: now };
  const invoice = { workspace, id, account_id: buyer, ...moving };
  decision.insert(invoiceDocumentTable, document);
  decision.create(invoiceMachine, invoiceTable, on, invoice);
  return { document, invoice };
}

/** Adds the rows that a creation names to the read set. */
export function loadRows(rows: ReadSet, prepared: PreparedInvoice): void {
  if (prepared.buyerId !== null) rows.read(accountTable, prepared.buyerId);
  for (const { methodId } of prepared.methods) {
    if (isUuid(methodId)) rows.read(paymentMethodTable, methodId);
  }
  for (const line of prepared.lines) {
    for (const { body, ownerId } of line.recipients) {
      if (body.destination_wallet_id && isUuid(body.destination_wallet_id)) {
        rows.read(walletTable, body.destination_wallet_id);
      }
      if (ownerId !== null) rows.find(walletsOfAccount, ownerId);
      if (body.source_wallet_id && isUuid(body.source_wallet_id)) {
        rows.read(walletTable, body.source_wallet_id);
      }
    }
  }
}

function buyerOf(decision: Decision, id: string | null): string {
  const account = id === null ? null : decision.get(accountTable, id);
  if (account === null) throw refuse(no.ACCOUNT_NOT_FOUND, { account_id: 'does not exist' });
  if (account.blocked) throw refuse(no.ACCOUNT_BLOCKED);
  return account.id;
}

/** The rows that a creation names. Throws a Refusal where one is missing or does not fit. */
export function resolveRows(
  decision: Decision,
  prepared: PreparedInvoice,
  buyer: string,
): ResolvedRows {
  const destinations = new Map<string, WalletRow>();
  for (const line of prepared.lines) {
    for (const recipient of line.recipients) {
      checkSource(decision, recipient, prepared.currency);
      const destination = destinationOf(decision, recipient, prepared.currency, buyer);
      destinations.set(recipient.path, destination);
    }
  }
  const methods = new Map<string, PaymentMethodRow>();
  for (const method of prepared.methods) {
    methods.set(method.methodId, methodOf(decision, method, prepared, buyer));
  }
  return { methods, destinations };
}

function checkSource(decision: Decision, recipient: PreparedRecipient, currency: string): void {
  const source = recipient.body.source_wallet_id;
  if (!source) return;
  const wallet = isUuid(source) ? decision.get(walletTable, source) : null;
  const path = `${recipient.path}.source_wallet_id`;
  if (wallet === null) throw refuse(no.WALLET_NOT_FOUND, { [path]: 'does not exist' });
  if (wallet.account_id !== null) {
    throw refuse(no.SOURCE_WALLET_NOT_ALLOWED, { [path]: 'must be a wallet of the integrator' });
  }
  if (wallet.currency !== currency) {
    throw refuse(no.WALLET_CURRENCY_MISMATCH, { [path]: 'has a different currency' });
  }
}

function destinationOf(
  decision: Decision,
  recipient: PreparedRecipient,
  currency: string,
  buyer: string,
): WalletRow {
  const { destination_wallet_id: walletId, destination_account_id: owner } = recipient.body;
  const path = `${recipient.path}.${walletId ? 'destination_wallet_id' : 'destination_account_id'}`;
  let wallet: WalletRow | null = null;
  if (walletId) {
    wallet = isUuid(walletId) ? decision.get(walletTable, walletId) : null;
  }
  if (owner) {
    const { ownerId } = recipient;
    const wallets = ownerId === null ? [] : decision.find(walletsOfAccount, ownerId);
    const theirs = wallets.find((candidate) => candidate.currency === currency) ?? null;
    if (walletId && theirs?.id !== wallet?.id) wallet = null;
    else wallet = theirs;
  }
  if (wallet === null || wallet.account_id === null) {
    const why = walletId ? 'is not a wallet of the seller' : 'has no wallet in this currency';
    throw refuse(no.WALLET_NOT_FOUND, { [path]: `does not exist or ${why}` });
  }
  if (wallet.currency !== currency) {
    throw refuse(no.WALLET_CURRENCY_MISMATCH, { [path]: 'has a different currency' });
  }
  if (wallet.account_id === buyer) {
    throw refuse(no.SELF_PAYMENT, { [path]: 'belongs to the buyer' });
  }
  return wallet;
}

function methodOf(
  decision: Decision,
  method: PreparedMethod,
  { currency, authorized }: Pick<PreparedInvoice, 'currency' | 'authorized'>,
  buyer: string,
): PaymentMethodRow {
  const row = isUuid(method.methodId) ? decision.get(paymentMethodTable, method.methodId) : null;
  const path = `${method.path}.payment_method_id`;
  const other = row?.only_for && row.only_for !== authorized;
  if (row === null || row.account_id !== buyer || other) {
    throw refuse(no.PAYMENT_METHOD_NOT_FOUND, {
      [path]: 'does not exist or belongs to another account',
    });
  }
  if (row.pm_state !== 'ACTIVE') {
    throw refuse(no.PAYMENT_METHOD_NOT_ACTIVE, { [path]: 'is not active' });
  }
  if (RECEIVING.includes(row.provider)) {
    throw refuse(no.PAYMENT_METHOD_NOT_ACTIVE, { [path]: 'only receives payouts' });
  }
  const foreign =
    row.provider === 'once'
      ? !paysIn(row.method_class, currency)
      : row.provider === 'wallet' && row.currency !== currency;
  if (foreign) {
    throw refuse(no.PAYMENT_METHOD_CURRENCY_MISMATCH, { [path]: 'has a different currency' });
  }
  return row;
}

/** The terms of a sale, from the creation and the rows that it names. */
export function saleTermsFor(
  prepared: PreparedInvoice,
  rows: ResolvedRows,
  now: Instant,
): SaleTerms {
  const { body, currency, total, authorized, reserve } = prepared;
  return {
    account_id: body.account_id,
    currency,
    total,
    created: now,
    authorized,
    reserve,
    ...namedFields.of(body),
    lines: prepared.lines.map((line) => agreedLine(line, rows)),
    methods: prepared.methods.map(({ methodId: id, subitemId: subitem, amount }) => {
      const { wallet_id = null, processor_token = '' } = rows.methods.get(id) ?? {};
      const wallet = wallet_id ?? undefined;
      const token = wallet === undefined ? processor_token : undefined;
      return { id, subitem, amount, wallet, token };
    }),
  };
}

function agreedLine(line: PreparedLine, rows: ResolvedRows): AgreedLineItem {
  const { tax } = line.body;
  return {
    id: line.lineId,
    amount: line.amount,
    tax: tax && { ...tax, id: line.taxSubitemId, inclusive: tax.inclusive ?? false },
    ...lineFields.of(line.body),
    share: line.shareSubitemId === '' ? undefined : line.shareSubitemId,
    recipients: line.recipients.map((recipient) => agreedRecipient(recipient, rows)),
  };
}

function agreedRecipient(recipient: PreparedRecipient, rows: ResolvedRows): AgreedRecipient {
  const { amount, fee_description, source_wallet_id } = recipient.body;
  const wallet = rows.destinations.get(recipient.path);
  const { feeSubitemId: feeId, fee } = recipient;
  return {
    id: recipient.subitemId,
    amount,
    wallet: wallet?.id ?? '',
    kept_back: wallet?.kept_back_id ?? '',
    account_id: wallet?.account_id ? accountId(wallet.account_id) : '',
    method: wallet?.payment_method_id ?? '',
    source: source_wallet_id || undefined,
    ...namedFields.of(recipient.body),
    fee: feeId === '' ? undefined : { id: feeId, amount: fee, description: fee_description },
  };
}
