// Sandbox calls: what a test needs and production does not have. Deposits come from nowhere, the
// identity vendor behind the sandbox decides later or anew, and its processor can have fees,
// availability dates and transfers to the bank. Staging only. [G-49, G-64]
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
  accountTable,
  accountUuid,
  namesNoAccount,
  refusals as account,
} from '../../product/people/account/index.ts';
import { submit, type DomainOperation } from '../../product/context.ts';
import { operation } from '../services.ts';
import {
  attachCard,
  completeDeposit,
  currentDepositRecord,
  deposit,
  needCredit,
  paymentMethodRecord,
  refusals as wallet,
  requestDeposit,
  requireRoom,
  shownCurrency,
  walletById,
  walletsOfAccount,
  walletTable,
  type WalletRow,
} from '../../product/money/wallet/index.ts';
import { bankOperations } from './bank-api.ts';
import { listTestCards, listTestPersons } from './lists.ts';
import { outsideOperations } from './outside-api.ts';
import { refusals } from './refusals.ts';
import type { Command, Decision } from '../../engine/index.ts';
import { prepared, type Queryable } from '../../db/index.ts';
import { uuidOfWireId } from '../../core/ids.ts';
import { IDENTITY_EVENTS } from '../ports/persons.ts';
import { onceOutside } from './outside.ts';
import { wakeStatements } from '../../product/money/reconciliation/index.ts';
import { openProcessorFunds } from '../../product/money/treasury/index.ts';

export interface SandboxDepositInput {
  readonly id: string;
  /** UUID of the receiver; null for the integrator itself. */
  readonly account: string | null;
  readonly currency: string;
  /** Minor units, positive. */
  readonly amount: bigint;
  /** The integrator's balance a moment ago, which no single row has. */
  readonly held?: bigint;
}

/** The wallet that is credited. */
function walletOf(decision: Decision, input: SandboxDepositInput): WalletRow {
  const { account: owner, currency } = input;
  if (owner === null) {
    const id = systemAccountId(decision.lineage, 'integrator_share', currency);
    const own = decision.get(walletTable, id);
    if (own === null) throw refuse(wallet.CURRENCY_NOT_ENABLED);
    return own;
  }
  const row = decision.get(accountTable, owner);
  if (row === null) throw namesNoAccount();
  if (row.blocked) throw refuse(account.ACCOUNT_BLOCKED);
  const found = decision.find(walletsOfAccount, owner).find((one) => one.currency === currency);
  if (found === undefined) throw refuse(wallet.CURRENCY_NOT_ENABLED);
  return found;
}

export const depositFromNowhere: Command<SandboxDepositInput> = {
  name: 'sandbox_deposit',
  load(rows, { account: owner, currency }) {
    if (owner === null) {
      needCredit(rows, systemAccountId(rows.lineage, 'integrator_share', currency));
      return;
    }
    if (!rows.read(accountTable, owner)) return;
    const wallets = rows.find(walletsOfAccount, owner);
    const found = wallets.find((one) => one.currency === currency);
    if (found !== undefined) needCredit(rows, found.id);
  },
  decide(decision, input) {
    const { id, account: account_id, currency, amount } = input;
    const receiver = walletOf(decision, input);
    requireRoom(decision, receiver, amount, input.held);
    const wallet_id = receiver.id;
    const request = { id, account_id, wallet_id, payment_method_id: null, currency, amount };
    requestDeposit(decision, request);
    return { status: 201, payload: deposit(completeDeposit(decision, id, 'sandbox_funding')) };
  },
};

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

const eventBody = strictObject({
  kyc_id: wireIdOf('kyc'),
  event: z.enum(IDENTITY_EVENTS).meta({ examples: ['deny'] }),
});

/** Our key at the vendor for the check of an application; null where there is none. */
async function checkOf(
  db: Queryable,
  workspace: number,
  application: string,
): Promise<string | null> {
  const rows = await db.query<{ key: string }>(prepared('sandbox_check_of')`
    select id::text as key from identity_check
    where workspace = ${workspace} and application_id = ${application}`);
  return rows[0]?.key ?? null;
}

const happenToPerson = operation({
  id: 'sandboxIdentityEvent',
  route: 'POST invoicing /sandbox/identity_events',
  summary: 'Makes the identity vendor decide about a submitted application.',
  cites: 'G-64',
  access: { client: 'write_sandbox' },
  body: eventBody,
  answers: { 201: eventBody },
  refusals: [
    refusals.SANDBOX_PERSONS_ABSENT,
    refusals.IDENTITY_EVENT_REFUSED,
    refusals.VENDOR_UNAVAILABLE,
  ],
  stagingOnly: true,
  async run(services, { caller, body, idempotency }) {
    const { workspace } = caller;
    const { db, persons } = services;
    if (persons === null) throw refuse(refusals.SANDBOX_PERSONS_ABSENT);
    const { kyc_id, event } = body;
    return onceOutside(services, workspace, idempotency, async () => {
      const application = uuidOfWireId('kyc', kyc_id);
      const key = application === null ? null : await checkOf(db, workspace, application);
      const end = key === null ? 'refused' : await persons.happen(workspace, key, event);
      if (end === null) throw refuse(refusals.VENDOR_UNAVAILABLE, {}, 1);
      if (end === 'refused') throw refuse(refusals.IDENTITY_EVENT_REFUSED);
      return { kyc_id, event };
    });
  },
});

const minor = z.int().min(0).max(1_000_000_000);

const terms = strictObject({
  fee_basis_points: z.int().min(0).max(10_000).meta({ examples: [290] }),
  fee_fixed: minor.meta({ examples: [30] }),
  dispute_fee: minor.meta({ examples: [1500] }),
  returns_dispute_fee: optional(z.boolean()).meta({
    description: 'Whether the dispute fee is returned if the dispute is won; default false.',
  }),
  monthly_fee: minor,
  delay_days: z.int().min(0).max(90).meta({ examples: [2] }),
  bank_above: optional(minor).meta({
    description: 'What is available above it goes to the bank at midnight; absent: nothing does.',
  }),
}).meta({ title: 'SandboxSettlementTerms' });

const setTerms = operation({
  id: 'sandboxSettlementTerms',
  route: 'POST invoicing /sandbox/settlement_terms',
  summary: 'Sets what the processor keeps of payments and when their money may be paid out.',
  cites: 'G-91',
  access: { client: 'write_sandbox' },
  body: terms,
  answers: { 201: terms },
  refusals: [refusals.SANDBOX_CARDS_ABSENT, refusals.PROCESSOR_UNAVAILABLE],
  stagingOnly: true,
  async run(services, { caller, body, idempotency }) {
    const { workspace } = caller;
    const { cards, db, engine, workspaces } = services;
    if (cards === null) throw refuse(refusals.SANDBOX_CARDS_ABSENT);
    // Before the terms: a payout that is sent under them finds the funds open.
    const currencies = await workspaces.currencies(workspace);
    await openProcessorFunds(engine, currencies.keys(), { workspace, actor: 'system' });
    return onceOutside(services, workspace, idempotency, async () => {
      const agreed = await cards.agree(workspace, body);
      if (!agreed) throw refuse(refusals.PROCESSOR_UNAVAILABLE, {}, 1);
      // What was captured before is booked now, as available at once.
      await wakeStatements(db, [workspace], 0);
      return body;
    });
  },
});

export const operations: readonly DomainOperation[] = [
  makeDeposit,
  attachTestCard,
  ...bankOperations,
  listTestCards,
  ...outsideOperations,
  setTerms,
  listTestPersons,
  happenToPerson,
];
