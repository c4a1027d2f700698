// The command that makes an invoice: reads buyer, methods and wallets, locks nothing, writes the
// document.
import { refuse } from '../../kernel/refusal.ts';
import { isUuid, uuidOfWireId } from '../../kernel/ids.ts';
import type { Command, Decision, Want } from '../../engine/index.ts';
import { accountTable } from '../account/index.ts';
import {
  paymentMethodTable,
  walletTable,
  walletsOfAccount,
  type PaymentMethodRow,
  type WalletRow,
} from '../wallet/index.ts';
import { invoiceMachine } from './machine.ts';
import type { Plan } from './plan.ts';
import type { PreparedInvoice, PreparedMethod, PreparedRecipient } from './prepare.ts';
import { invoiceRefusals as no } from './refusals.ts';
import { documentOf, renderInvoice, type ResolvedRows } from './render.ts';
import { invoiceDocumentTable, invoiceTable } from './tables.ts';

/** Creates an invoice in the state open. [seed: POST /v2/invoice] */
export const createInvoice: Command<PreparedInvoice> = {
  name: 'create_invoice',
  batchable: true,
  needs: wantRows,
  decide(decision, prepared) {
    const buyer = buyerOf(decision, prepared.body.account_id);
    const rows = resolveRows(decision, prepared, buyer);
    const document = JSON.stringify(documentOf(decision.world, prepared, rows, decision.now));
    const moment = { state: 'open', updated: decision.now, failure_code: null };
    decision.insert(invoiceDocumentTable, {
      world: decision.world,
      id: prepared.invoiceId,
      document,
      plan: JSON.stringify(planFor(prepared, rows)),
    });
    decision.birth(invoiceMachine, invoiceTable, 'create', {
      world: decision.world,
      id: prepared.invoiceId,
      account_id: buyer,
      version: 1,
      ...moment,
    });
    return {
      status: 201,
      payload: renderInvoice(document, moment),
      record: { kind: 'invoice', id: prepared.invoiceId, version: 1 },
    };
  },
};

/** Asks for the rows that a creation names. */
export function wantRows(want: Want, prepared: PreparedInvoice): void {
  const buyer = uuidOfWireId('acct', prepared.body.account_id);
  if (buyer !== null) want.read(accountTable, buyer);
  for (const { methodId } of prepared.methods) {
    if (isUuid(methodId)) want.read(paymentMethodTable, methodId);
  }
  for (const line of prepared.lines) {
    for (const { body } of line.recipients) {
      if (body.destination_wallet_id && isUuid(body.destination_wallet_id)) {
        want.read(walletTable, body.destination_wallet_id);
      }
      const owner = uuidOfWireId('acct', body.destination_account_id ?? '');
      if (owner !== null) want.find(walletsOfAccount, owner);
      if (body.source_wallet_id && isUuid(body.source_wallet_id)) {
        want.read(walletTable, body.source_wallet_id);
      }
    }
  }
}

function buyerOf(decision: Decision, wireId: string): string {
  const id = uuidOfWireId('acct', wireId);
  const account = id === null ? null : decision.get(accountTable, id);
  if (account === null) throw refuse(no.ACCOUNT_NOT_FOUND, { account_id: 'names no account' });
  if (account.blocked) throw refuse(no.ACCOUNT_BLOCKED);
  return account.id;
}

/** Checks the rows against the creation. Throws a Refusal. */
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
    methods.set(method.methodId, methodOf(decision, method, prepared.currency, buyer));
  }
  return { methods, destinations };
}

function checkSource(decision: Decision, recipient: PreparedRecipient, currency: string): void {
  const source = recipient.body.source_wallet_id;
  if (!source) return;
  const wallet = isUuid(source) ? decision.get(walletTable, source) : null;
  const path = `${recipient.path}.source_wallet_id`;
  if (wallet === null) throw refuse(no.WALLET_NOT_FOUND, { [path]: 'names no wallet' });
  if (wallet.account_id !== null) {
    throw refuse(no.SOURCE_WALLET_NOT_ALLOWED, { [path]: "is not the integrator's" });
  }
  if (wallet.currency !== currency) {
    throw refuse(no.WALLET_CURRENCY_MISMATCH, { [path]: 'has another currency' });
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
    const id = uuidOfWireId('acct', owner);
    const wallets = id === null ? [] : decision.find(walletsOfAccount, id);
    const theirs = wallets.find((candidate) => candidate.currency === currency) ?? null;
    if (walletId && theirs?.id !== wallet?.id) wallet = null;
    else wallet = theirs;
  }
  if (wallet === null || wallet.account_id === null) {
    throw refuse(no.WALLET_NOT_FOUND, { [path]: 'names no wallet of a seller' });
  }
  if (wallet.currency !== currency) {
    throw refuse(no.WALLET_CURRENCY_MISMATCH, { [path]: 'has another currency' });
  }
  if (wallet.account_id === buyer) throw refuse(no.SELF_PAYMENT, { [path]: "is the buyer's own" });
  return wallet;
}

function methodOf(
  decision: Decision,
  method: PreparedMethod,
  currency: string,
  buyer: string,
): PaymentMethodRow {
  const row = isUuid(method.methodId) ? decision.get(paymentMethodTable, method.methodId) : null;
  const path = `${method.path}.payment_method_id`;
  if (row === null || row.account_id !== buyer) {
    throw refuse(no.PAYMENT_METHOD_NOT_FOUND, { [path]: 'names no method of the buyer' });
  }
  if (row.pm_state !== 'ACTIVE') {
    throw refuse(no.PAYMENT_METHOD_NOT_ACTIVE, { [path]: 'is not active' });
  }
  if (row.provider === 'wallet' && row.currency !== currency) {
    throw refuse(no.PAYMENT_METHOD_CURRENCY_MISMATCH, { [path]: 'has another currency' });
  }
  return row;
}

/** The money plan of a creation: zero parts are left out. */
export function planFor(prepared: PreparedInvoice, rows: ResolvedRows): Plan {
  const charges = prepared.methods
    .filter((method) => method.amount > 0)
    .map((method) => {
      const row = rows.methods.get(method.methodId);
      const { wallet_id: wallet = null, processor_token: token = '' } = row ?? {};
      const { methodId, subitemId: id, amount } = method;
      return { id, method: methodId, wallet: wallet ?? '', token, amount };
    });
  let integrator = 0;
  const credits = prepared.lines.flatMap((line) => {
    if (line.shareSubitemId !== '') integrator += line.body.amount;
    return line.recipients.flatMap((recipient) => {
      integrator += recipient.fee;
      const wallet = rows.destinations.get(recipient.path);
      if (wallet === undefined || recipient.body.amount === 0) return [];
      return [
        { wallet: wallet.id, keptBack: wallet.kept_back_id ?? '', amount: recipient.body.amount },
      ];
    });
  });
  return { currency: prepared.currency, total: prepared.total, charges, credits, integrator };
}
