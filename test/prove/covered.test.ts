// Random histories meet every transition that money takes and every refusal of what moves it: what
// none of them meets would not be held by the laws of money.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { machines } from '../../src/catalogue.ts';
import { refusals as escrow } from '../../src/product/money/escrow/refusals.ts';
import { refusals as invoice } from '../../src/product/money/invoice/index.ts';
import { refusals as merging } from '../../src/product/people/account-merge/refusals.ts';
import { refusals as payout } from '../../src/product/money/payout/refusals.ts';
import { refusals as refund } from '../../src/product/money/refund/refusals.ts';
import { refusals as wallet } from '../../src/product/money/wallet/index.ts';
import { BY_HAND, toBeSeen } from '../laws/market-moves.ts';
import { proveOne, seen } from '../laws/histories.ts';

const base = Number(process.env['HOLDFAST_TEST_SEED'] ?? 20_261_120);
/** Histories at most until all was met: the rarest comes once in some thousands. */
const MOST = 40_000;

/** Lifecycles that money moves along. */
const MONEY = [
  ...['invoice', 'escrow', 'attempt', 'transfer', 'deposit', 'refund', 'reversal', 'payout'],
  'disagreement',
  ...['dispute', 'dispute_answer', 'reserve', 'account_block'],
];

/** Codes that no program can meet, and why. */
const UNREACHABLE: Readonly<Record<string, string>> = {
  AUTHORIZED_INVOICE_NOT_FOUND: 'only reading one says it',
  AUTHORIZED_INVOICE_UNKNOWN: 'it is said before a creation is decided',
  AUTHORIZED_INVOICE_KIND_MISMATCH: 'it is said before a creation is decided',
  ESCROW_PARTS_LIMIT: 'a hundred parts are more than a program has',
  DEPOSIT_NOT_FOUND: 'only reading a deposit says it',
  WALLET_CURRENCY_MISMATCH: 'the market has wallets in one currency',
  PAYMENT_METHOD_CURRENCY_MISMATCH: 'the market has methods in one currency',
  INVOICE_NOT_WAITING: 'an operation says it, not a command: test/prove/pay-once.test.ts',
  PAYOUT_REQUIREMENTS_DUE: 'nobody of the market has an account at a processor: payee.test.ts',
  PAYOUT_TOO_SMALL: 'one per cent never takes all of a positive amount',
  ...elsewhere('PAYMENT_METHOD_ENTRY_', ['EXPIRED', 'CANCELLED', 'INCOMPLETE', 'LIMIT']),
  ...elsewhere('PAYMENT_METHOD_', ['LIMIT', 'NOT_FOUND_IN_PATH']),
  ...elsewhere('PAYMENT_METHOD_NOT_', ['RENAMABLE', 'REMOVABLE']),
  ...elsewhere('', ['ENTRY_NOT_FOUND', 'METHOD_ENTRY_UNAVAILABLE', 'RETURN_URL_NOT_ALLOWED']),
};

function elsewhere(start: string, ends: readonly string[]): Record<string, string> {
  const why = 'people add and change their cards and accounts elsewhere; that moves no money';
  return Object.fromEntries(ends.map((end) => [start + end, why]));
}

const codes = new Set(
  [escrow, invoice, merging, payout, refund, wallet].flatMap((of) => Object.keys(of)),
);
const arrows = machines
  .filter(({ name }) => MONEY.includes(name))
  .flatMap(toBeSeen)
  .filter((what) => !BY_HAND.includes(what));

function codesMet(): Set<string> {
  return new Set([...seen.refusals.keys()].map((key) => key.split(' ')[1] ?? ''));
}

function notMet(): string[] {
  const met = codesMet();
  const left = [...codes].filter((code) => !met.has(code) && !(code in UNREACHABLE));
  return [...arrows.filter((arrow) => !seen.arrows.has(arrow)), ...left];
}

test('histories meet every transition and every refusal', (t) => {
  let played = 0;
  for (; played < MOST && notMet().length > 0; played += 1) {
    proveOne(base, played, played % 2 === 0);
  }
  assert.deepEqual(notMet(), []);
  const met = codesMet();
  for (const code of Object.keys(UNREACHABLE)) assert.ok(!met.has(code), `${code} is reachable`);
  const counts = arrows.map((arrow) => [arrow, seen.arrows.get(arrow) ?? 0] as const);
  const rarest = counts.toSorted(([, a], [, b]) => a - b).slice(0, 5);
  const total = [...seen.refusals.values()].reduce((sum, times) => sum + times, 0);
  t.diagnostic(`${counts.length} arrows, histories went along ${JSON.stringify(rarest)} least`);
  t.diagnostic(`${met.size} refusals, ${total} times, in ${played} histories`);
});
