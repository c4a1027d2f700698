// The operations on the books. They read what the ledger has, each report in one snapshot, and
// change nothing. [G-99]
import { z } from 'zod';
import { accountId, isUuid, uuidOfWireId } from '../../../core/ids.ts';
import type { Caller } from '../../../core/operation.ts';
import { refuse } from '../../../core/refusal.ts';
import {
  numberText,
  optional,
  shaped,
  strictObject,
  textThat,
  wireIdOf,
} from '../../../core/schema.ts';
import { isInstant, type Instant } from '../../../core/time.ts';
import { accountIs, ownAccountOnly, refusals as account } from '../../people/account/index.ts';
import { operation, type DomainOperation, type Services } from '../../context.ts';
import { coverageIsPublished } from '../../tenant/settings/index.ts';
import { findWorkspace } from '../../tenant/tenant/index.ts';
import { coverageOf, coverageRecord } from './coverage.ts';
import { refusals as no } from './refusals.ts';
import {
  balancesOf,
  balancesRecord,
  kindsOf,
  MONTH,
  monthSpan,
  statementOf,
  statementRecord,
  trialBalanceOf,
  trialBalanceRecord,
  untilSpan,
  type Balances,
  type MonthlyStatement,
  type TrialBalance,
} from './reports.ts';
import { sellerTotals, sellerTotalsPage } from './seller-totals.ts';
import type { SellerTotalsPage, SellerTotalsQuestion } from './seller-totals.ts';
import { sumNow, sumsOf, timeOf } from './sums.ts';
import { inTime, type Database, type Queryable } from '../../../db/index.ts';
import { movedIn } from './entries.ts';

/** The trial balance at a moment; null: now. */
export async function readTrialBalance(
  db: Database,
  workspace: number,
  at: Instant | null,
): Promise<TrialBalance | null> {
  if (at === null) {
    const sums = await inTime(db, true, (tx) => sumNow(tx, workspace));
    return sums && trialBalanceOf(sums.at, sums.kinds);
  }
  const moved = await inTime(db, true, (tx) => movedIn(tx, workspace, untilSpan(at)));
  return moved && trialBalanceOf(at, kindsOf(moved));
}

/** What an account, named by its UUID, had at a moment. */
async function readBalances(
  db: Database,
  workspace: number,
  account: string,
  at: Instant,
): Promise<Balances | null> {
  const moved = await inTime(db, false, (tx) => movedIn(tx, workspace, untilSpan(at), account));
  return moved && balancesOf(accountId(account), at, moved);
}

/** The statement of a month, `YYYY-MM`, of an account's UUID; null: of the whole tenant. */
export async function readStatement(
  db: Database,
  workspace: number,
  month: string,
  account: string | null = null,
): Promise<MonthlyStatement | null> {
  const span = monthSpan(month);
  const whole = account === null;
  const moved = await inTime(db, whole, (tx) => movedIn(tx, workspace, span, account));
  return moved && statementOf(whole ? '' : accountId(account), span, moved);
}

/** Totals of the sellers among the accounts after one, named by its wire id; '': from the first. */
export function readSellerTotals(
  db: Database,
  workspace: number,
  asked: SellerTotalsQuestion,
): Promise<SellerTotalsPage | null> {
  const after = uuidOfWireId('acct', asked.after) ?? '';
  return inTime(db, false, (tx) => sellerTotals(tx, workspace, { ...asked, after }));
}

const reads = { cites: 'G-99', access: { client: 'read_invoices' } } as const;

async function coverage({ db }: Services, workspace: number, integrator: string) {
  const payload = coverageOf(integrator, orTooLarge(await sumsOf(db, workspace)));
  return { status: 200, payload };
}

function orTooLarge<T>(read: T | null): T {
  if (read === null) throw refuse(no.BOOKS_TOO_LARGE);
  return read;
}

const getCoverage = operation({
  ...reads,
  id: 'getCoverage',
  route: 'GET invoicing /v1/coverage',
  summary: 'Retrieves what is held against open escrows and wallets, by currency.',
  answers: { 200: coverageRecord },
  refusals: [no.BOOKS_TOO_LARGE],
  run: (services, { caller }) => coverage(services, caller.workspace, caller.integrator),
});

const getPublishedCoverage = operation({
  id: 'getPublishedCoverage',
  route: 'GET invoicing /v1/coverage/{integrator}',
  summary: 'Retrieves the coverage of a tenant that publishes it; needs no token.',
  cites: 'G-99',
  access: 'public',
  params: strictObject({ integrator: z.string() }),
  answers: { 200: coverageRecord },
  refusals: [no.COVERAGE_NOT_FOUND, no.BOOKS_TOO_LARGE],
  async run(services, { params: { integrator } }) {
    const { db } = services;
    const workspace = isUuid(integrator) ? await findWorkspace(db, integrator) : null;
    if (workspace === null || !(await coverageIsPublished(db, workspace))) {
      throw refuse(no.COVERAGE_NOT_FOUND);
    }
    return coverage(services, workspace, integrator);
  },
});

const MOMENT = 'must be a time in UTC, such as 2026-03-31T23:59:59Z';
const TIME = String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$`;
const FRACTION = /(?:\.(\d{1,6}))?Z$/;

/** The instant of a time with at most six decimals. */
const instantOf = (text: string): Instant =>
  text.replace(FRACTION, (_, digits: string = '') => `.${digits.padEnd(6, '0')}Z`);
const atQuery = {
  at: optional(
    textThat((text) => text.length <= 27 && isInstant(instantOf(text)), MOMENT).meta({
      maxLength: 27,
      pattern: TIME,
    }),
  ).meta({
    description: 'A time by the clock of the workspace; absent: now.',
    examples: ['2026-03-31T23:59:59Z'],
  }),
};
const monthQuery = strictObject({
  month: optional(shaped(MONTH, 7, 'must be a month such as 2026-03')).meta({
    description: 'A month in UTC by the clock of the workspace; absent: the present one.',
    examples: ['2026-03'],
  }),
});
const onePath = strictObject({ account_id: wireIdOf('acct') });

async function presentMonth(db: Queryable, workspace: number): Promise<string> {
  return (await timeOf(db, workspace)).slice(0, 'YYYY-MM'.length);
}

async function accountNamed(db: Queryable, caller: Caller, wire: string): Promise<string> {
  const id = ownAccountOnly(caller, wire, account.ACCOUNT_NOT_FOUND);
  if (!(await accountIs(db, caller.workspace, id))) throw refuse(account.ACCOUNT_NOT_FOUND);
  return id;
}

const getTrialBalance = operation({
  ...reads,
  id: 'getTrialBalance',
  route: 'GET invoicing /v1/trial_balance',
  summary: 'Retrieves the balance of each kind of ledger account, now or at a past moment.',
  query: strictObject(atQuery),
  answers: { 200: trialBalanceRecord },
  refusals: [no.BOOKS_TOO_LARGE],
  async run({ db }, { caller: { workspace }, query: { at } }) {
    const moment = at === undefined ? null : instantOf(at);
    return { status: 200, payload: orTooLarge(await readTrialBalance(db, workspace, moment)) };
  },
});

const getBalances = operation({
  ...reads,
  id: 'getBalancesAt',
  route: 'GET invoicing /v1/balances/{account_id}',
  summary: 'Retrieves what an account had in each currency, now or at a past moment.',
  params: onePath,
  query: strictObject(atQuery),
  answers: { 200: balancesRecord },
  refusals: [account.ACCOUNT_NOT_FOUND, no.BOOKS_TOO_LARGE],
  async run({ db }, { caller, params: { account_id }, query }) {
    const id = await accountNamed(db, caller, account_id);
    const { workspace } = caller;
    const at = query.at === undefined ? await timeOf(db, workspace) : instantOf(query.at);
    return { status: 200, payload: orTooLarge(await readBalances(db, workspace, id, at)) };
  },
});

const getStatement = operation({
  ...reads,
  id: 'getStatement',
  route: 'GET invoicing /v1/statements',
  summary: "Retrieves the tenant's statement of a month: opening, movements and closing.",
  query: monthQuery,
  answers: { 200: statementRecord },
  refusals: [no.BOOKS_TOO_LARGE],
  async run({ db }, { caller: { workspace }, query }) {
    const month = query.month ?? (await presentMonth(db, workspace));
    return { status: 200, payload: orTooLarge(await readStatement(db, workspace, month)) };
  },
});

const getAccountStatement = operation({
  ...reads,
  id: 'getAccountStatement',
  route: 'GET invoicing /v1/statements/{account_id}',
  summary: 'Retrieves the statement of a month of one account, as of a seller.',
  params: onePath,
  query: monthQuery,
  answers: { 200: statementRecord },
  refusals: [account.ACCOUNT_NOT_FOUND, no.BOOKS_TOO_LARGE],
  async run({ db }, { caller, params: { account_id }, query }) {
    const id = await accountNamed(db, caller, account_id);
    const month = query.month ?? (await presentMonth(db, caller.workspace));
    const payload = orTooLarge(await readStatement(db, caller.workspace, month, id));
    return { status: 200, payload };
  },
});

const PAGE = 100;

const listSellerTotals = operation({
  ...reads,
  id: 'listSellerTotals',
  route: 'GET invoicing /v1/seller_totals',
  summary: 'Lists what sellers were paid in a year, by month and quarter, with fees and refunds.',
  query: strictObject({
    year: numberText(2_000, 2_199),
    after: optional(wireIdOf('acct')),
    limit: optional(numberText(1, PAGE)),
  }),
  answers: { 200: sellerTotalsPage },
  refusals: [account.ACCOUNT_NOT_FOUND, no.BOOKS_TOO_LARGE],
  async run({ db }, { caller, query: { year, after: named, limit = PAGE } }) {
    if (named !== undefined) await accountNamed(db, caller, named);
    const page = { year: Number(year), after: named ?? '', limit: Number(limit) };
    return { status: 200, payload: orTooLarge(await readSellerTotals(db, caller.workspace, page)) };
  },
});

export const operations: readonly DomainOperation[] = [
  ...[getCoverage, getPublishedCoverage, getTrialBalance, getBalances],
  ...[getStatement, getAccountStatement, listSellerTotals],
];
