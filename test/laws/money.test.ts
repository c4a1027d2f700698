// The laws of money on the pure decisions: any history of everything that moves money, with every
// fault of processor, callers and people, leaves every cent where the model says. No database, no
// clock. [M1, M4, M8, M9, M10, M12, M14, M15, M16]
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { machines } from '../../src/catalogue.ts';
import { refusals as escrow } from '../../src/product/money/escrow/refusals.ts';
import { refusals as invoice } from '../../src/product/money/invoice/index.ts';
import { refusals as merging } from '../../src/product/people/account-merge/refusals.ts';
import { refusals as payout } from '../../src/product/money/payout/refusals.ts';
import { refusals as refund } from '../../src/product/money/refund/refusals.ts';
import { refusals as wallet } from '../../src/product/money/wallet/index.ts';
import { BY_HAND, toBeSeen } from './market-moves.ts';
import { play, type Seen } from './play.ts';
import { hold, programOf } from './programs.ts';

const SEEDS = 5;
const base = Number(process.env['HOLDFAST_TEST_SEED'] ?? 20_261_120);
/** Programs for each seed and each kind of processor; `npm run prove` raises it. */
const RUNS = Number(process.env['HOLDFAST_LAW_RUNS'] ?? 200);
/** Programs more at most, while an arrow or a refusal was not met: the rarest comes in 1,500. */
const MORE = 30_000;

const seen: Seen = { arrows: new Map(), refusals: new Map(), ends: new Map() };

function proveOne(seed: number, n: number, lying: boolean): void {
  hold((one, trace) => play(one, trace, seen), programOf(seed * 1_000_003 + n, lying));
}

function prove(lying: boolean): void {
  for (let seed = base; seed < base + SEEDS; seed += 1) {
    for (let n = 0; n < RUNS; n += 1) proveOne(seed, n, lying);
  }
}

const seeds = `seeds ${base} to ${base + SEEDS - 1}, ${RUNS} histories each`;

test('money is where the model says after any history with an honest processor', (t) => {
  prove(false);
  t.diagnostic(seeds);
});

test('money is where the model says even with arbitrary processor answers', (t) => {
  prove(true);
  t.diagnostic(`${seeds}: ${JSON.stringify(Object.fromEntries(seen.ends))}`);
});

/** Lifecycles that money moves along. */
const MONEY = [
  ...['invoice', 'escrow', 'attempt', 'transfer', 'deposit', 'refund', 'reversal', 'payout'],
  ...['dispute', 'dispute_answer', 'reserve', 'account_block'],
];

/** Codes that no program can meet, and why. */
const UNREACHABLE: Readonly<Record<string, string>> = {
  AUTHORIZED_INVOICE_NOT_FOUND: 'only reading one says it',
  AUTHORIZED_INVOICE_UNKNOWN: 'it is said before a creation is decided',
  AUTHORIZED_INVOICE_KIND_MISMATCH: 'it is said before a creation is decided',
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

test('the histories covered every transition and every refusal', (t) => {
  let more = 0;
  for (; more < MORE && notMet().length > 0; more += 1) {
    proveOne(base + SEEDS, more, more % 2 === 0);
  }
  assert.deepEqual(notMet(), []);
  const met = codesMet();
  for (const code of Object.keys(UNREACHABLE)) assert.ok(!met.has(code), `${code} is reachable`);
  const counts = arrows.map((arrow) => [arrow, seen.arrows.get(arrow) ?? 0] as const);
  const rarest = counts.toSorted(([, a], [, b]) => a - b).slice(0, 5);
  const total = [...seen.refusals.values()].reduce((sum, times) => sum + times, 0);
  t.diagnostic(`${counts.length} arrows, histories went along ${JSON.stringify(rarest)} least`);
  t.diagnostic(`${met.size} refusals in histories, ${total} times, ${more} histories more`);
});
