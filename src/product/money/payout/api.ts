// The operations of payouts. [G-43]
import { z } from 'zod';
import type { Caller } from '../../../core/operation.ts';
import { refuse } from '../../../core/refusal.ts';
import { providerRefusals } from '../../../providers/port.ts';
import { accountIs, ownAccountOnly } from '../../people/account/index.ts';
import { found, operation, submit, type DomainOperation, type Services } from '../../context.ts';
import { refusals as terms, requireSignedTerms } from '../../people/terms/index.ts';
import { cancelPayout, executePayout, requestPayout } from './decide.ts';
import { priceOf } from './fees.ts';
import { listPayouts, methodOfAccount, readPayout } from './read.ts';
import { refusals as no } from './refusals.ts';
import { readStatement, statementRecord } from './statement.ts';
import { letPayoutGo, keepPayout } from './keep.ts';
import {
  accountPath,
  LIST_DEFAULT,
  listQuery,
  payoutPath,
  payoutRecord,
  quoteQuery,
  quoteRecord,
  renderPrice,
  requestBody,
} from './schema.ts';
import { waysOf, waysQuery, waysRecord } from './ways.ts';

const read = { client: 'read_process_credits', session: 'read_process_credits' } as const;
const write = { client: 'write_process_credits', session: 'write_process_credits' } as const;

/** The account of a path. A checkout's session pays its invoice and has no payouts. [G-12] */
function accountOf(caller: Caller, wire: string): string {
  if (caller.authorizedInvoiceId !== undefined) throw refuse(no.ACCOUNT_NOT_FOUND);
  return ownAccountOnly(caller, wire, no.ACCOUNT_NOT_FOUND);
}

/** The account of a path. Throws ACCOUNT_NOT_FOUND where the workspace has no such account. */
async function knownAccount({ db }: Services, caller: Caller, wire: string): Promise<string> {
  const account = accountOf(caller, wire);
  if (!(await accountIs(db, caller.workspace, account))) throw refuse(no.ACCOUNT_NOT_FOUND);
  return account;
}

async function requireCurrency(
  { workspaces }: Services,
  { workspace }: Caller,
  currency: string,
): Promise<void> {
  const enabled = await workspaces.currencies(workspace);
  if (!enabled.has(currency)) {
    throw refuse(no.CURRENCY_NOT_ENABLED, { currency: 'is not enabled' });
  }
}

const request = operation({
  id: 'createPayout',
  route: 'POST invoicing /v2/{account_id}/payout',
  summary: 'Creates a payout from a wallet to a bank or PayPal-like account.',
  cites: 'G-43',
  access: write,
  params: accountPath,
  body: requestBody,
  answers: { 201: payoutRecord },
  refusals: [
    no.ACCOUNT_NOT_FOUND,
    terms.TERMS_NOT_SIGNED,
    no.ACCOUNT_BLOCKED,
    no.PAYOUT_REQUIREMENTS_DUE,
    no.PAYOUT_KYC_REQUIRED,
    no.PAYOUT_TAX_UPDATE_REQUIRED,
    no.PAYMENT_METHOD_NOT_FOUND,
    no.PAYMENT_METHOD_NOT_ACTIVE,
    no.PAYOUT_SOURCE_NOT_WALLET,
    no.PAYOUT_DESTINATION_NOT_ALLOWED,
    no.PAYOUT_TOO_SMALL,
    no.PAYOUT_CURRENCY_MISMATCH,
    no.PAYOUT_RESERVED,
    no.PAYOUT_INSUFFICIENT_FUNDS,
    providerRefusals.PROVIDER_NOT_CONFIGURED,
  ],
  async run(services, request) {
    const { caller, params, body } = request;
    const account = accountOf(caller, params.account_id);
    await requireSignedTerms(services.db, caller);
    const amount = BigInt(body.amount);
    const holdSeconds = services.policies.payoutHoldSeconds;
    const hasProcessor = await services.providers.configured(caller.workspace, 'processor');
    const more = { account, amount, holdSeconds, hasProcessor };
    const input = { ...body, id: services.random.uuid(), ...more };
    return submit(services, request, requestPayout, input);
  },
});

const list = operation({
  id: 'listPayouts',
  route: 'GET invoicing /v2/{account_id}/payouts',
  summary: 'Lists the payouts of an account, newest first.',
  cites: 'G-43',
  access: read,
  params: accountPath,
  query: listQuery,
  answers: { 200: z.array(payoutRecord) },
  refusals: [no.ACCOUNT_NOT_FOUND],
  async run(services, { caller, params, query }) {
    const account = await knownAccount(services, caller, params.account_id);
    const page = { limit: Number(query.limit ?? LIST_DEFAULT), offset: Number(query.offset ?? 0) };
    const payload = await listPayouts(services.db, caller.workspace, account, page);
    return { status: 200, payload };
  },
});

const get = operation({
  id: 'getPayout',
  route: 'GET invoicing /v2/{account_id}/payout/{payout_status_id}',
  summary: 'Retrieves a payout.',
  cites: 'G-43',
  access: read,
  params: payoutPath,
  answers: { 200: payoutRecord },
  refusals: [no.ACCOUNT_NOT_FOUND, no.PAYOUT_NOT_FOUND],
  async run(services, { caller, params }) {
    const account = await knownAccount(services, caller, params.account_id);
    const { payout_status_id: id } = params;
    const payout = await readPayout(services.db, caller.workspace, account, id);
    return found(payout, no.PAYOUT_NOT_FOUND);
  },
});

const statement = operation({
  id: 'getPayoutStatement',
  route: 'GET invoicing /v2/{account_id}/payout/{payout_status_id}/statement',
  summary: "Lists what moved in the payout's wallet since the payout before, to the cent.",
  cites: 'G-91',
  access: read,
  params: payoutPath,
  answers: { 200: statementRecord },
  refusals: [no.ACCOUNT_NOT_FOUND, no.PAYOUT_NOT_FOUND],
  async run(services, { caller, params }) {
    const account = await knownAccount(services, caller, params.account_id);
    const { payout_status_id: id } = params;
    const payload = await readStatement(services.db, caller.workspace, account, id);
    return found(payload, no.PAYOUT_NOT_FOUND);
  },
});

const cancel = operation({
  id: 'cancelPayout',
  route: 'DELETE invoicing /v2/{account_id}/payout/{payout_status_id}',
  summary: 'Cancels a payout that is not being sent and returns the money to the wallet.',
  cites: 'G-43',
  access: write,
  params: payoutPath,
  answers: { 200: payoutRecord },
  refusals: [no.ACCOUNT_NOT_FOUND, no.PAYOUT_NOT_FOUND, no.PAYOUT_NOT_CANCELABLE],
  async run(services, request) {
    const { account_id, payout_status_id: payoutId } = request.params;
    const account = accountOf(request.caller, account_id);
    return submit(services, request, cancelPayout, { account, payoutId });
  },
});

const hold = operation({
  id: 'holdPayout',
  route: 'POST invoicing /v2/{account_id}/payout/{payout_status_id}/hold',
  summary: 'Holds a payout that waits to be sent, until it is let go or cancelled.',
  cites: 'G-88',
  access: { client: write.client },
  params: payoutPath,
  answers: { 200: payoutRecord },
  refusals: [no.ACCOUNT_NOT_FOUND, no.PAYOUT_NOT_FOUND, no.PAYOUT_NOT_HOLDABLE],
  async run(services, request) {
    const { account_id, payout_status_id: payoutId } = request.params;
    const account = accountOf(request.caller, account_id);
    return submit(services, request, keepPayout, { account, payoutId });
  },
});

const letGo = operation({
  id: 'letPayoutGo',
  route: 'POST invoicing /v2/{account_id}/payout/{payout_status_id}/let_go',
  summary: 'Lets a held payout go; it is sent when its review is over.',
  cites: 'G-88',
  access: { client: write.client },
  params: payoutPath,
  answers: { 200: payoutRecord },
  refusals: [no.ACCOUNT_NOT_FOUND, no.PAYOUT_NOT_FOUND, no.PAYOUT_NOT_HELD],
  async run(services, request) {
    const { account_id, payout_status_id: payoutId } = request.params;
    const account = accountOf(request.caller, account_id);
    const holdSeconds = services.policies.payoutHoldSeconds;
    return submit(services, request, letPayoutGo, { account, payoutId, holdSeconds });
  },
});

const execute = operation({
  id: 'executePayout',
  route: 'PATCH invoicing /v2/{account_id}/payout/{payout_status_id}',
  summary: 'Approves and sends a payout, for testing.',
  cites: 'G-43',
  access: { client: write.client },
  params: payoutPath,
  answers: { 200: payoutRecord },
  refusals: [
    no.ACCOUNT_NOT_FOUND,
    no.PAYOUT_NOT_FOUND,
    no.PAYOUT_NOT_EXECUTABLE,
    no.PAYOUT_HELD,
    no.ACCOUNT_BLOCKED,
    no.PAYOUT_REQUIREMENTS_DUE,
    no.PAYOUT_KYC_REQUIRED,
    no.PAYOUT_TAX_UPDATE_REQUIRED,
    no.PAYMENT_METHOD_NOT_ACTIVE,
    no.PAYOUT_WAITS_FOR_MONEY,
  ],
  stagingOnly: true,
  async run(services, request) {
    const { account_id, payout_status_id: payoutId } = request.params;
    const account = accountOf(request.caller, account_id);
    const input = { account, payoutId, transferId: services.random.uuid() };
    return submit(services, request, executePayout, input);
  },
});

const quote = operation({
  id: 'quotePayout',
  route: 'GET invoicing /v2/{account_id}/payout_quote',
  summary: 'Returns the fee and the net amount of a payout.',
  cites: 'G-43',
  access: read,
  params: accountPath,
  query: quoteQuery,
  answers: { 200: quoteRecord },
  refusals: [
    no.ACCOUNT_NOT_FOUND,
    no.CURRENCY_NOT_ENABLED,
    no.PAYMENT_METHOD_NOT_FOUND,
    no.PAYOUT_DESTINATION_NOT_ALLOWED,
    no.PAYOUT_TOO_SMALL,
  ],
  async run(services, { caller, params, query }) {
    const { currency, destination_payment_method_id: id } = query;
    const account = await knownAccount(services, caller, params.account_id);
    await requireCurrency(services, caller, currency);
    const method = await methodOfAccount(services.db, caller.workspace, account, id);
    if (method === null) {
      throw refuse(no.PAYMENT_METHOD_NOT_FOUND, {
        destination_payment_method_id: 'does not exist or belongs to another account',
      });
    }
    const amount = BigInt(query.amount);
    const price = renderPrice(amount, priceOf(method.provider, amount), currency);
    return { status: 200, payload: { destination_payment_method_id: id, ...price } };
  },
});

const ways = operation({
  id: 'listPayoutWays',
  route: 'GET invoicing /v2/{account_id}/payout_ways',
  summary: 'Lists the kinds of accounts that a seller can add to be paid out to.',
  cites: 'G-91',
  access: read,
  params: accountPath,
  query: waysQuery,
  answers: { 200: waysRecord },
  refusals: [no.ACCOUNT_NOT_FOUND, no.CURRENCY_NOT_ENABLED],
  async run(services, { caller, params, query: { currency } }) {
    const account = accountOf(caller, params.account_id);
    await requireCurrency(services, caller, currency);
    const offered = await waysOf(services, caller.workspace, account, currency);
    return found(offered, no.ACCOUNT_NOT_FOUND);
  },
});

export const operations: readonly DomainOperation[] = [
  ...[request, list, get, statement, cancel, hold, letGo, execute, quote, ways],
];
