// Every answer of the processor in every state of an attempt, on the real decisions in memory: what
// moves, what it means for the invoice, and that late and repeated answers change nothing. [G-41,
// M13, M14]
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixture, freshId } from '../../../../test/laws/market-people.ts';
import { MemoryCore } from '../../../../test/laws/memory-core.ts';
import { accountId } from '../../../core/ids.ts';
import {
  createInvoice,
  invoiceTable,
  payInvoice,
  prepareInvoice,
  settleInvoice,
} from '../invoice/index.ts';
import { CHALLENGE_SECONDS, type AttemptAnswer } from './attempt-settle.ts';
import { attemptTable } from './tables.ts';

const market = fixture();
const [buyer, seller] = market.people;
assert.ok(buyer !== undefined && seller !== undefined);
const PRICE = 700;
const SECOND = 300;

const ANSWERS = {
  authorized: { state: 'authorized', reference: 'r', amount: 0n, currency: 'USD' },
  'authorized less': { state: 'authorized', reference: 'r', amount: 1n, currency: 'USD' },
  'authorized EUR': { state: 'authorized', reference: 'r', amount: 0n, currency: 'EUR' },
  challenged: { state: 'challenged', reference: 'r', url: 'u', amount: 0n, currency: 'USD' },
  'challenged less': { state: 'challenged', reference: 'r', url: 'u', amount: 1n, currency: 'USD' },
  'challenge over': { state: 'challenge_over' },
  'given up': { state: 'given_up' },
  pending: { state: 'pending', reference: 'r', amount: 0n, currency: 'USD' },
  captured: { state: 'captured', reference: 'r', amount: 0n, currency: 'USD' },
  'captured less': { state: 'captured', reference: 'r', amount: 1n, currency: 'USD' },
  'captured EUR': { state: 'captured', reference: 'r', amount: 0n, currency: 'EUR' },
  declined: { state: 'declined', reference: 'r', code: 'card_expired' },
  reversed: { state: 'reversed', reference: 'r', amount: 0n, currency: 'USD' },
  absent: { state: 'absent' },
  unknown: { state: 'unknown' },
  refused: { state: 'reverse_refused', reference: 'r', code: 'card_declined' },
} as const satisfies Record<string, AttemptAnswer['outcome']>;
type AnswerName = keyof typeof ANSWERS;

/** An invoice of two cards that is being paid, with its attempts. */
interface Scene {
  readonly core: MemoryCore;
  readonly invoice: string;
  readonly first: string;
  readonly second: string;
}

function scene(): Scene {
  const core = new MemoryCore(market.core);
  const [, one = '', two = ''] = buyer?.methods ?? [];
  const recipients = [{ amount: PRICE, destination_wallet_id: seller?.wallet ?? '' }];
  const line = { amount: PRICE, currency: 'USD', transaction_type: 'user_to_user' as const };
  const body = {
    account_id: accountId(buyer?.id ?? ''),
    payment_methods: [
      { payment_method_id: one, amount: 0 },
      { payment_method_id: two, amount: SECOND },
    ],
    line_items: [{ ...line, recipients }],
  };
  const prepared = prepareInvoice(body as Parameters<typeof prepareInvoice>[0], freshId);
  core.run(createInvoice, prepared);
  core.run(payInvoice, { invoiceId: prepared.invoiceId });
  const [first = '', second = ''] = prepared.methods.map((method) => method.subitemId);
  return { core, invoice: prepared.invoiceId, first, second };
}

/** Applies an answer to an attempt; an amount of zero in it stands for the right one. */
function tell({ core }: Scene, attemptId: string, name: AnswerName): void {
  const answer = ANSWERS[name];
  const right = core.get(attemptTable, attemptId)?.amount ?? 0n;
  const amount = 'amount' in answer && answer.amount === 0n ? { amount: right } : {};
  const outcome = { ...answer, ...amount } as AttemptAnswer['outcome'];
  const result = core.run(settleInvoice, { attemptId, outcome });
  assert.equal(result.kind, 'answer', JSON.stringify(result, Object.keys(result)));
}

function statesOf({ core, invoice, first, second }: Scene): string {
  const states = [first, second].map((id) => core.get(attemptTable, id)?.state);
  return [core.get(invoiceTable, invoice)?.state, ...states].join(' ');
}

/** How to bring the first attempt into a state: answers about (1) the first, (2) the second. */
const WAYS: Readonly<Record<string, readonly (readonly [1 | 2, AnswerName])[]>> = {
  authorizing: [],
  challenged: [[1, 'challenged']],
  authorized: [[1, 'authorized']],
  capturing: [[1, 'authorized'], [2, 'authorized']],
  captured: [[1, 'authorized'], [2, 'authorized'], [1, 'captured']],
  reversing: [[1, 'authorized'], [2, 'declined']],
  reversed: [[1, 'authorized'], [2, 'declined'], [1, 'reversed']],
  declined: [[1, 'declined']],
  parked: [[1, 'authorized less']],
};

function sceneIn(state: string): Scene {
  const made = scene();
  for (const [which, name] of WAYS[state] ?? []) {
    tell(made, which === 1 ? made.first : made.second, name);
  }
  assert.equal(made.core.get(attemptTable, made.first)?.state, state);
  return made;
}

/** What moves: the invoice, the first attempt, the second. What is not listed changes nothing. */
const MOVES: Readonly<Record<string, Partial<Record<AnswerName, string>>>> = {
  authorizing: {
    authorized: 'processing authorized authorizing',
    'authorized less': 'processing parked authorizing',
    'authorized EUR': 'processing parked authorizing',
    captured: 'processing authorized authorizing',
    pending: 'processing authorized authorizing',
    'captured less': 'processing parked authorizing',
    'captured EUR': 'processing parked authorizing',
    challenged: 'processing challenged authorizing',
    'challenged less': 'processing parked authorizing',
    declined: 'failed declined authorizing',
    reversed: 'failed declined authorizing',
  },
  challenged: {
    'given up': 'failed reversing authorizing',
    authorized: 'processing authorized authorizing',
    'authorized less': 'processing parked authorizing',
    'authorized EUR': 'processing parked authorizing',
    captured: 'processing authorized authorizing',
    pending: 'processing authorized authorizing',
    'captured less': 'processing parked authorizing',
    'captured EUR': 'processing parked authorizing',
    declined: 'failed declined authorizing',
    reversed: 'failed declined authorizing',
  },
  capturing: {
    captured: 'processing captured capturing',
    'captured less': 'processing parked capturing',
    'captured EUR': 'processing parked capturing',
    declined: 'failed declined reversing',
    reversed: 'failed declined reversing',
    absent: 'processing parked capturing',
  },
  reversing: {
    reversed: 'failed reversed declined',
    absent: 'failed reversed declined',
    declined: 'failed reversed declined',
    refused: 'failed parked declined',
  },
  declined: {
    pending: 'failed parked authorizing',
    captured: 'failed parked authorizing',
    'captured less': 'failed parked authorizing',
    'captured EUR': 'failed parked authorizing',
  },
};

test('every answer in every state moves as listed, or nothing at all', () => {
  for (const state of Object.keys(WAYS)) {
    for (const name of Object.keys(ANSWERS) as AnswerName[]) {
      const made = sceneIn(state);
      const before = statesOf(made);
      const written = [made.core.steps.length, made.core.postings.length, made.core.outbox.length];
      tell(made, made.first, name);
      const expected = MOVES[state]?.[name] ?? before;
      assert.equal(statesOf(made), expected, `${name} while ${state}`);
      if (expected !== before) continue;
      const now = [made.core.steps.length, made.core.postings.length, made.core.outbox.length];
      assert.deepEqual(now, written, `${name} while ${state} wrote something`);
    }
  }
});

test('all parts are authorised before any is captured; the last capture credits the seller', () => {
  const made = sceneIn('captured');
  const earned = made.core.balanceOf(seller.wallet);
  assert.equal(statesOf(made), 'processing captured capturing');
  tell(made, made.second, 'captured');
  assert.equal(statesOf(made), 'success captured captured');
  assert.equal(made.core.balanceOf(seller.wallet) - earned, BigInt(PRICE));
  tell(made, made.second, 'declined');
  assert.equal(statesOf(made), 'success captured captured');
});

test('what was captured goes back when another part cannot be taken', () => {
  const made = sceneIn('captured');
  tell(made, made.second, 'declined');
  assert.equal(statesOf(made), 'failed reversing declined');
  assert.equal(made.core.get(invoiceTable, made.invoice)?.failure_code, 'card_expired');
  tell(made, made.first, 'reversed');
  assert.equal(statesOf(made), 'failed reversed declined');
});

test('a part that is authorised after another was declined goes back as well', () => {
  const made = sceneIn('declined');
  tell(made, made.second, 'authorized');
  assert.equal(statesOf(made), 'failed declined reversing');
  const events = made.core.outbox.filter((event) => event.resource_id === made.invoice);
  assert.equal(events.length, 1, 'it failed once and is announced once');
});

test('a part waits for its buyer while another is reserved; then all are captured', () => {
  const made = sceneIn('challenged');
  assert.equal(made.core.get(attemptTable, made.first)?.authentication_url, 'u');
  tell(made, made.second, 'authorized');
  assert.equal(statesOf(made), 'processing challenged authorized');
  tell(made, made.first, 'authorized');
  assert.equal(statesOf(made), 'processing capturing capturing');
});

test('a buyer has fifteen minutes; then every part goes back', () => {
  const made = sceneIn('challenged');
  tell(made, made.second, 'authorized');
  made.core.pass(CHALLENGE_SECONDS - 1);
  tell(made, made.first, 'challenge over');
  assert.equal(statesOf(made), 'processing challenged authorized');
  made.core.pass(1);
  tell(made, made.first, 'challenge over');
  assert.equal(statesOf(made), 'failed reversing reversing');
  const row = made.core.get(invoiceTable, made.invoice);
  assert.equal(row?.failure_code, 'authentication_required');
  tell(made, made.first, 'authorized');
  assert.equal(statesOf(made), 'failed reversing reversing');
});

test('what waits for its buyer is given up when another part fails, also if it began late', () => {
  const made = sceneIn('challenged');
  tell(made, made.second, 'declined');
  assert.equal(statesOf(made), 'failed reversing declined');
  const late = sceneIn('declined');
  tell(late, late.second, 'challenged');
  assert.equal(statesOf(late), 'failed declined reversing');
});

test('a buyer who gives up before the time is over frees every part at once', () => {
  const made = sceneIn('challenged');
  tell(made, made.second, 'authorized');
  tell(made, made.first, 'given up');
  assert.equal(statesOf(made), 'failed reversing reversing');
  const row = made.core.get(invoiceTable, made.invoice);
  assert.equal(row?.failure_code, 'payment_cancelled');
  tell(made, made.first, 'captured');
  assert.equal(statesOf(made), 'failed reversing reversing');
  tell(made, made.first, 'reversed');
  assert.equal(statesOf(made), 'failed reversed reversing');
});
