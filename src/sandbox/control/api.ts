// Sandbox calls: what a test needs and production does not have. Staging only. [G-64]
import { z } from 'zod';
import { refuse } from '../../core/refusal.ts';
import {
  currencyCode,
  optional,
  positiveAmount,
  reference,
  strictObject,
  wireIdOf,
} from '../../core/schema.ts';
import { systemAccountId } from '../../ledger/index.ts';
import {
  accountIs,
  accountNotFoundInBody,
  accountUuid,
  namesNoAccount,
  refusals as account,
} from '../../product/people/account/index.ts';
import { submit, type DomainOperation } from '../../product/context.ts';
import { operation } from '../services.ts';
import {
  attachCard,
  currentDepositRecord,
  paymentMethodRecord,
  refusals as wallet,
  shownCurrency,
  walletById,
} from '../../product/money/wallet/index.ts';
import { depositFromNowhere } from './deposit.ts';
import { listTestCards } from './lists.ts';
import { outsideOperations } from './outside-api.ts';
import { personOperations } from './persons-api.ts';
import { refusals } from './refusals.ts';
import { termsOperations } from './terms-api.ts';

const depositBody = strictObject({
  account_id: optional(wireIdOf('acct')),
  integrator: optional(z.boolean()).meta({ examples: [true] }),
  currency: currencyCode(),
  amount: positiveAmount(),
}).meta({ description: 'Send either account_id or integrator: true.' });

const makeDeposit = operation({
  id: 'sandboxDeposit',
  route: 'POST invoicing /sandbox/deposits',
  summary: 'Deposits test money to a wallet of an account or of the integrator.',
  cites: 'G-49',
  access: { client: 'write_sandbox' },
  body: depositBody,
  answers: { 201: currentDepositRecord },
  refusals: [
    refusals.DEPOSIT_TARGET_UNCLEAR,
    accountNotFoundInBody,
    account.ACCOUNT_BLOCKED,
    wallet.CURRENCY_NOT_ENABLED,
    wallet.DEPOSIT_TOO_LARGE,
  ],
  stagingOnly: true,
  async run(services, { caller, body, idempotency }) {
    const { db, random, workspaces } = services;
    const { account_id, integrator, currency } = body;
    const { workspace } = caller;
    if ((account_id !== undefined) === (integrator === true)) {
      throw refuse(refusals.DEPOSIT_TARGET_UNCLEAR);
    }
    const owner = account_id === undefined ? null : accountUuid(account_id);
    if (account_id !== undefined && owner === null) throw namesNoAccount();
    const share = systemAccountId(workspaces.lineageOf(workspace), 'integrator_share', currency);
    const held = owner === null ? ((await walletById(db, workspace, share))?.amount ?? 0n) : 0n;
    const amount = BigInt(body.amount);
    const input = { id: random.uuid(), account: owner, currency, amount, held };
    return submit(services, { caller, idempotency }, depositFromNowhere, input);
  },
});

const attachTestCard = operation({
  id: 'sandboxAttachCard',
  route: 'POST invoicing /sandbox/payment_methods',
  summary: 'Adds a test card, bank or PayPal-like account to an account.',
  cites: 'G-64',
  access: { client: 'write_sandbox' },
  body: strictObject({ account_id: wireIdOf('acct'), test_card: reference() }),
  answers: { 201: paymentMethodRecord },
  refusals: [
    refusals.SANDBOX_CARDS_ABSENT,
    refusals.TEST_CARD_UNKNOWN,
    accountNotFoundInBody,
    account.ACCOUNT_BLOCKED,
    refusals.PROCESSOR_UNAVAILABLE,
  ],
  stagingOnly: true,
  async run(services, { caller, body, idempotency }) {
    const { db, random, cards, workspaces } = services;
    const { workspace, integrator } = caller;
    if (cards === null) throw refuse(refusals.SANDBOX_CARDS_ABSENT);
    if (!cards.cards.some((card) => card.name === body.test_card)) {
      throw refuse(refusals.TEST_CARD_UNKNOWN);
    }
    const owner = accountUuid(body.account_id);
    // Checked before the processor is called, so that no card is made for an unknown account.
    if (owner === null || !(await accountIs(db, workspace, owner))) throw namesNoAccount();
    const card = await cards.attach(workspace, body.test_card);
    if (card === null) throw refuse(refusals.PROCESSOR_UNAVAILABLE, {}, 1);
    const currency = shownCurrency(await workspaces.currencies(workspace));
    const input = { id: random.uuid(), account: owner, ...card, currency, integrator };
    return submit(services, { caller, idempotency }, attachCard, input);
  },
});

export const operations: readonly DomainOperation[] = [
  makeDeposit,
  attachTestCard,
  listTestCards,
  ...outsideOperations,
  ...termsOperations,
  ...personOperations,
];
