// The operations of the history. A session sees its own account; a client names one. [G-43]
import { z } from 'zod';
import { JsonText, jsonTextOf } from '../../../core/json-text.ts';
import { accountId } from '../../../core/ids.ts';
import { inputRefusals } from '../../../core/input-refusals.ts';
import type { Caller } from '../../../core/operation.ts';
import { refuse } from '../../../core/refusal.ts';
import {
  accountIs,
  accountNotFoundInBody,
  ownAccountOnly,
  refusals as ofAccount,
} from '../../people/account/index.ts';
import { found, operation, type DomainOperation, type Services } from '../../context.ts';
import { currentInvoiceRecord } from '../invoice/index.ts';
import { accountAsked } from './account-asked.ts';
import { getEscrowOfParty } from './escrow-api.ts';
import { invoicesOf } from './invoices.ts';
import { transactionPageOf } from './page.ts';
import { methodNames, transactionOf } from './read.ts';
import { receiptAnswer, receiptRecordOf } from './receipt-record.ts';
import { receiptOf, type Receipt } from './receipt.ts';
import { refusals as no } from './refusals.ts';
import { render } from './render.ts';
import {
  INVOICE_TYPES,
  invoicesPath,
  invoicesQuery,
  listQuery,
  onePath,
  oneQuery,
  transactionPage,
  transactionRecord,
} from './schema.ts';

const access = { client: 'read_invoices', session: 'read_invoices' } as const;
const PAGE = 20;
const INVOICES = 100;

/** The kinds of documents that these types are; by default both kinds of purchases. */
function kindsIn(types: string | undefined): readonly string[] {
  const names = namesIn(types) ?? Object.keys(INVOICE_TYPES);
  const known: Readonly<Record<string, string | null>> = INVOICE_TYPES;
  return names.map((name) => known[name] ?? null).filter((kind) => kind !== null);
}

function namesIn(list: string | undefined): readonly string[] | null {
  return list === undefined ? null : list.split(',');
}

const list = operation({
  id: 'listTransactions',
  route: 'GET invoicing /v1/transactions',
  summary: 'Lists the purchases, sales, payouts and refunds of an account, newest first.',
  cites: 'G-43',
  access,
  query: listQuery,
  answers: { 200: transactionPage },
  refusals: [inputRefusals.MISSING_FIELD, accountNotFoundInBody],
  async run(services, { caller, query }) {
    const { db } = services;
    const account = await accountAsked(services, caller, query.account_id);
    const payload = await transactionPageOf(db, caller.workspace, account, {
      limit: Number(query.limit ?? PAGE),
      offset: Number(query.offset ?? 0),
      statuses: namesIn(query.statuses),
    });
    return { status: 200, payload };
  },
});

const get = operation({
  id: 'getTransaction',
  route: 'GET invoicing /v1/transaction/{transaction_id}',
  summary: 'Retrieves a transaction of an account by invoice, escrow, payout or refund.',
  cites: 'G-43',
  access,
  params: onePath,
  query: oneQuery,
  answers: { 200: transactionRecord },
  refusals: [inputRefusals.MISSING_FIELD, accountNotFoundInBody, no.TRANSACTION_NOT_FOUND],
  async run(services, { caller, params, query }) {
    const account = await accountAsked(services, caller, query.account_id);
    const { workspace } = caller;
    const part = await transactionOf(services.db, workspace, account, params.transaction_id);
    if (part === null) throw refuse(no.TRANSACTION_NOT_FOUND);
    const names = await methodNames(services.db, workspace, account);
    return found(render(part, accountId(account), names), no.TRANSACTION_NOT_FOUND);
  },
});

/** The receipt of a transaction. Throws a Refusal where there is none, or not yet. [G-66] */
export async function receiptAsked(
  services: Services,
  { workspace }: Pick<Caller, 'workspace'>,
  account: string,
  transaction: string,
): Promise<Receipt> {
  const receipt = await receiptOf(services, workspace, account, transaction);
  if (receipt === null) throw refuse(no.TRANSACTION_NOT_FOUND);
  const { state } = receipt;
  if (state === 'open' || state === 'failed') throw refuse(no.RECEIPT_NOT_GIVEN);
  return receipt;
}

const receipt = operation({
  id: 'getReceipt',
  route: 'GET invoicing /v1/transaction/{transaction_id}/receipt',
  summary: 'Retrieves the receipt of a transaction, with the address of its page.',
  cites: 'G-66',
  access: { ...access, user: null },
  params: onePath,
  query: oneQuery,
  answers: { 200: receiptAnswer },
  refusals: [
    ...[inputRefusals.MISSING_FIELD, accountNotFoundInBody],
    ...[no.TRANSACTION_NOT_FOUND, no.RECEIPT_NOT_GIVEN],
  ],
  async run(services, { caller, params, query }) {
    const account = await accountAsked(services, caller, query.account_id);
    const found = await receiptAsked(services, caller, account, params.transaction_id);
    const { workspace } = caller;
    return {
      status: 200,
      payload: await receiptRecordOf(services, { workspace, account }, found),
    };
  },
});

const invoices = operation({
  id: 'listAccountInvoices',
  route: 'GET invoicing /v2/invoice/account/{account_id}',
  summary: 'Lists the invoices that an account pays and, if requested, those that pay it.',
  cites: 'G-43',
  access: { client: 'read_invoices' },
  params: invoicesPath,
  query: invoicesQuery,
  answers: { 200: z.array(currentInvoiceRecord) },
  refusals: [ofAccount.ACCOUNT_NOT_FOUND],
  async run({ db }, { caller, params, query }) {
    const account = ownAccountOnly(caller, params.account_id, ofAccount.ACCOUNT_NOT_FOUND);
    if (!(await accountIs(db, caller.workspace, account)))
      throw refuse(ofAccount.ACCOUNT_NOT_FOUND);
    const found = await invoicesOf(db, caller.workspace, account, {
      limit: Number(query.limit ?? INVOICES),
      offset: Number(query.offset ?? 0),
      states: namesIn(query.states),
      kinds: kindsIn(query.invoice_types),
      sort: query.sort ?? 'desc',
      field: query.sort_field ?? 'updated',
      recipient: query.include_recipient_transactions === 'true',
    });
    return { status: 200, payload: new JsonText(`[${found.map(jsonTextOf).join(',')}]`) };
  },
});

export const operations: readonly DomainOperation[] = [
  ...[list, get, receipt, invoices],
  getEscrowOfParty,
];
