// Operations on payment methods and wallets, and on bank accounts that payouts go to.
// [seed: Payment method record, G-47, G-91]
import { z } from 'zod';
import { accountId, isUuid } from '../../../core/ids.ts';
import { toWire } from '../../../core/money.ts';
import { refuse } from '../../../core/refusal.ts';
import {
  currencyCode,
  optional,
  positiveAmount,
  strictObject,
  wireIdOf,
} from '../../../core/schema.ts';
import {
  accountNotFoundInBody,
  ownAccountOnly,
  refusals as account,
  sealerOf,
} from '../../people/account/index.ts';
import { chargeRefusal, providerRefusals } from '../../../providers/port.ts';
import { accountListed, found, operation, submit, type DomainOperation } from '../../context.ts';
import { topUp } from './attempt-deposit.ts';
import { debtPage, debtsQuery, listDebts } from './debt-read.ts';
import { shownCurrency } from './method.ts';
import { methodOperations } from './method-api.ts';
import { onceOperations } from './once.ts';
import {
  authenticationOf,
  balancesOf,
  depositById,
  paymentMethodsOf,
  walletById,
} from './read.ts';
import { refusals } from './refusals.ts';
import {
  balancesRecord,
  currentDepositRecord,
  deposit,
  moneyShown,
  paymentMethodRecord,
  walletRecord,
} from './schema.ts';
import { refusals as terms, requireSignedTerms } from '../../people/terms/index.ts';
import { addBankAccount, bankAccountBody, ibanOf, sealDestination } from './destination.ts';
import { requirePlace } from './entry.ts';

const accountParams = strictObject({ account_id: wireIdOf('acct') });

const ORDER = [
  "The wallet in the tenant's first currency (USD if enabled, otherwise alphabetically), the other",
  'wallets, then all other payment methods, newest first; ties by id.',
].join(' ');

function listAt(id: string, path: `/${string}`): DomainOperation {
  return operation({
    id,
    route: `GET payments ${path}`,
    summary: 'Lists the payment methods of an account.',
    cites: 'seed: Payments host',
    access: { client: 'read_payment_methods', session: 'read_payment_method' },
    params: accountParams,
    answers: { 200: z.array(paymentMethodRecord).meta({ description: ORDER }) },
    refusals: [account.ACCOUNT_NOT_FOUND],
    async run({ db, workspaces }, { caller, params }) {
      const uuid = ownAccountOnly(caller, params.account_id, account.ACCOUNT_NOT_FOUND);
      const { workspace, integrator } = caller;
      const first = shownCurrency(await workspaces.currencies(workspace));
      const methods = await paymentMethodsOf(
        db,
        workspace,
        uuid,
        integrator,
        first,
        caller.authorizedInvoiceId ?? null,
      );
      return found(methods, account.ACCOUNT_NOT_FOUND);
    },
  });
}

const getBalances = operation({
  id: 'getBalances',
  route: 'GET wallets /balances/{account_id}',
  summary: 'Lists the balances of an account by currency, with funds held until verification.',
  cites: 'G-43',
  access: { client: 'read_wallets' },
  params: accountParams,
  query: strictObject({ currency: optional(currencyCode()) }),
  answers: { 200: balancesRecord },
  refusals: [account.ACCOUNT_NOT_FOUND, refusals.CURRENCY_NOT_ENABLED],
  async run({ db }, { caller, params, query }) {
    const uuid = ownAccountOnly(caller, params.account_id, account.ACCOUNT_NOT_FOUND);
    const rows = await balancesOf(db, caller.workspace, uuid, query.currency ?? null);
    if (rows === null) throw refuse(account.ACCOUNT_NOT_FOUND);
    // Every account has a wallet in each enabled currency.
    if (query.currency !== undefined && rows.length === 0) {
      throw refuse(refusals.CURRENCY_NOT_ENABLED, { currency: 'is not enabled' });
    }
    const balances = Object.fromEntries(
      rows.map(({ currency, digits, spendable, ...restricted }) => {
        const shown = moneyShown(spendable, currency, digits);
        const kept_back = moneyShown(restricted.kept_back, currency, digits);
        const reserve = moneyShown(restricted.reserve, currency, digits);
        const all = { spendable: shown, spendable_balance: shown, kept_back };
        return [currency, restricted.reserve === 0n ? all : { ...all, reserve }];
      }),
    );
    return { status: 200, payload: { account_id: params.account_id, balances } };
  },
});

const getWallet = operation({
  id: 'getWallet',
  route: 'GET wallets /v2/wallet/{wallet_id}',
  summary: 'Retrieves a wallet of an account or of the integrator.',
  cites: 'G-43',
  access: { client: 'read_wallets' },
  params: strictObject({ wallet_id: z.string() }),
  answers: { 200: walletRecord },
  refusals: [refusals.WALLET_NOT_FOUND],
  async run({ db }, { caller, params }) {
    const { wallet_id } = params;
    const wallet = isUuid(wallet_id) ? await walletById(db, caller.workspace, wallet_id) : null;
    if (wallet === null) throw refuse(refusals.WALLET_NOT_FOUND);
    const { currency } = wallet;
    const payload = {
      wallet_id,
      account_id: wallet.account_id === null ? '' : accountId(wallet.account_id),
      description: `${currency} wallet`,
      currency,
      current_balance: toWire(wallet.amount),
      active: true,
      tags: [],
    };
    return { status: 200, payload };
  },
});

const createDeposit = operation({
  id: 'createDeposit',
  route: 'POST invoicing /v1/deposits',
  summary: 'Deposits money from a card of an account to its wallet; deposit-completed follows.',
  cites: 'G-49',
  access: { client: 'write_invoices' },
  body: strictObject({
    account_id: wireIdOf('acct'),
    payment_method_id: z.string().max(36),
    currency: currencyCode(),
    amount: positiveAmount(),
  }),
  answers: { 201: currentDepositRecord },
  refusals: [
    accountNotFoundInBody,
    account.ACCOUNT_BLOCKED,
    refusals.CURRENCY_NOT_ENABLED,
    refusals.PAYMENT_METHOD_NOT_FOUND,
    refusals.PAYMENT_METHOD_NOT_ACTIVE,
    refusals.DEPOSIT_TOO_LARGE,
    providerRefusals.PROVIDER_NOT_CONFIGURED,
    providerRefusals.PAYMENTS_STOPPED,
  ],
  async run(services, request) {
    const { random, providers } = services;
    const noCharge = await chargeRefusal(providers, request.caller.workspace);
    const ids = { depositId: random.uuid(), attemptId: random.uuid(), noCharge };
    const amount = BigInt(request.body.amount);
    return submit(services, request, topUp, { ...request.body, ...ids, amount });
  },
});

const getDeposit = operation({
  id: 'getDeposit',
  route: 'GET invoicing /v1/deposits/{deposit_id}',
  summary: 'Retrieves a deposit.',
  cites: 'G-49',
  access: { client: 'read_invoices' },
  params: strictObject({ deposit_id: z.string() }),
  answers: { 200: currentDepositRecord },
  refusals: [refusals.DEPOSIT_NOT_FOUND],
  async run({ db }, { caller, params }) {
    const { deposit_id } = params;
    const row = isUuid(deposit_id) ? await depositById(db, caller.workspace, deposit_id) : null;
    if (row === null) throw refuse(refusals.DEPOSIT_NOT_FOUND);
    const waits =
      row.state === 'requested' ? await authenticationOf(db, row.workspace, row.id) : null;
    return { status: 200, payload: { ...deposit(row), ...waits } };
  },
});

const DEBTS_DEFAULT = 20;

const listSellerDebts = operation({
  id: 'listSellerDebts',
  route: 'GET invoicing /v1/seller_debts',
  summary: 'Lists what sellers owe for lost disputes; a session sees what its own account owes.',
  cites: 'G-93',
  access: { client: 'read_invoices', session: 'read_invoices' },
  query: debtsQuery,
  answers: { 200: debtPage },
  async run({ db }, { caller, query }) {
    const asked = { ...query, account_id: accountListed(caller, query.account_id) };
    return { status: 200, payload: await listDebts(db, caller.workspace, asked, DEBTS_DEFAULT) };
  },
});

const add = operation({
  id: 'createBankAccount',
  route: 'POST payments /v1/payment_method/bank_account',
  summary: 'Adds a bank account by IBAN, to which payouts go by bank file.',
  cites: 'G-91',
  access: { session: 'write_payment_method', client: 'write_payment_method' },
  body: bankAccountBody,
  answers: { 201: paymentMethodRecord },
  refusals: [
    terms.TERMS_NOT_SIGNED,
    account.ACCOUNT_BLOCKED,
    refusals.PAYMENT_METHOD_LIMIT,
    refusals.PAYMENT_METHOD_ENTRY_LIMIT,
    accountNotFoundInBody,
  ],
  async run(services, request) {
    const { caller, body } = request;
    const { db, random, workspaces } = services;
    const { workspace, integrator } = caller;
    await requireSignedTerms(db, caller);
    const owner = ownAccountOnly(caller, body.account_id, accountNotFoundInBody);
    await requirePlace(db, workspace, owner);
    const sealer = await sealerOf(services, workspace, owner);
    if (sealer === null) throw refuse(accountNotFoundInBody);
    const id = random.uuid();
    const iban = ibanOf(body.iban);
    const to = { holder: body.holder_name, iban, bic: body.bic ?? '' };
    const input = {
      ...{ id, account: owner, last4: iban.slice(-4), integrator },
      sealed: sealDestination(sealer, id, to),
      currency: shownCurrency(await workspaces.currencies(workspace)),
    };
    return submit(services, request, addBankAccount, input);
  },
});

export const operations: readonly DomainOperation[] = [
  createDeposit,
  getDeposit,
  listAt('listPaymentMethods', '/v1/{account_id}/payment_methods'),
  listAt('listPaymentMethodsUnversioned', '/{account_id}/payment_methods'),
  ...methodOperations,
  add,
  ...onceOperations,
  getBalances,
  getWallet,
  listSellerDebts,
];
