// All counterparties with their scenarios, with the URLs of this installation: of the card
// processor those of its own lists, payments scripted by one name and test cards; of receivers; and
// of the bank and the outside world, payments and payouts that settle, fail, come back or are
// disputed.
import type { CounterpartyFact, OutcomeFact } from '../../ports/counterparties.ts';
import { PROCESSOR_EXCHANGES, RECEIVER_EXCHANGES, VENDOR_EXCHANGES } from './exchanges.ts';
import { howTo, type CalledUrls } from './how.ts';
import { VENDOR_ROWS } from './vendor-rows.ts';
import {
  paymentEnd,
  SCENARIOS,
  TEST_ACCOUNTS,
  TEST_CARDS,
  type Attachable,
} from '../processor/index.ts';
import { CALM, sandboxCall, stepsOf, type Row } from './rows.ts';
import { ANSWERS, type AnswerName, type ReceiverAnswer } from '../receiver/index.ts';
import type { OutsideEvent } from '../../ports/cards.ts';

function payoutEnd(state: string, moved: readonly string[], code: string | null): OutcomeFact {
  return { of: 'payout', state, code, moved, tries: null };
}

const PENDING = 'The bank has accepted the order and not decided yet.';
const DONE = 'The money has moved.';
const DISPUTED = 'The event `chargeback` has opened a dispute, which is still open.';

/** `needs`: the account or card that it happens to. */
function outside(
  event: OutsideEvent,
  needs: string,
  outcome: OutcomeFact,
  before: string,
  story: string,
  answered: string,
  ends: string,
): Row {
  const payout = outcome.of === 'payout';
  const id = payout ? '{payout_status_id}' : '{invoice_id}';
  return {
    name: `event.${payout ? 'payout_' : ''}${event}`,
    kind: 'event',
    story,
    steps: [
      { asked: 'before', answered: before },
      { asked: event, answered },
    ],
    ends,
    outcome,
    needs,
    how: sandboxCall('sandboxOutsideEvent', 'outside_events', { event, id }),
  };
}

function disputed(event: OutsideEvent, story: string, answered: string, ends: string): Row {
  const outcome = paymentEnd('success', ['capture', 'chargeback', event]);
  return outside(event, 'visa', outcome, DISPUTED, story, answered, ends);
}

/** In the order in which they can happen. */
const EVENT_ROWS: readonly Row[] = [
  outside('settle', 'bank', paymentEnd('success', ['capture']), PENDING,
    'A pending bank debit settles.',
    'The debit is captured; the webhook and a statement row report it.', 'Success, captured once.'),
  outside('fail', 'bank', paymentEnd('failed', [], 'generic_error'), PENDING,
    'A pending bank debit fails.', 'The debit is declined; the webhook reports it.',
    'Failed: generic_error; nothing captured.'),
  outside('return', 'bank_returned', paymentEnd('success', ['capture', 'return']), DONE,
    'A settled bank debit is returned unpaid.',
    'The money is withdrawn; only the statement reports it.',
    'Stays success; a `returned` dispute records it, and no wallet goes below zero.'),
  outside('chargeback', 'visa', paymentEnd('success', ['capture', 'chargeback']), DONE,
    'A cardholder disputes a payment and gets the money back.',
    'The money is withdrawn; only the statement reports it.',
    'Stays success; a `needs_response` dispute records it; an escrow is frozen.'),
  disputed('dispute_under_review', 'The bank reviews the response to a dispute.',
    'The statement reports it; no money moves.',
    'The dispute is `under_review`.'),
  disputed('dispute_won', 'The bank rejects a dispute.',
    'The money is returned; a statement row reports it.',
    'The dispute is `won`; whoever paid has the money back, and an escrow continues.'),
  disputed('dispute_lost', 'The bank upholds a dispute.',
    'The money is lost; the statement reports it.',
    'The dispute is `lost`; the rest of an escrow is returned, and it is CANCELLED.'),
  disputed('dispute_withdrawn', 'The cardholder withdraws a dispute.',
    'The money is returned; a statement row reports it.',
    'The dispute is `withdrawn`, with the same effect as won.'),
  outside('settle', 'bank_slow', payoutEnd('SUCCESS', ['payout'], null), PENDING,
    'A pending payout is paid.', 'The payout is paid; the webhook and a statement row report it.',
    'SUCCESS, paid once.'),
  outside('fail', 'bank_slow', payoutEnd('FAILED', [], 'generic_error'), PENDING,
    'A pending payout fails.', 'The payout is declined; the webhook reports it.',
    'FAILED; the money is reserved and can be retried or returned.'),
  outside('return', 'bank_returned',
    payoutEnd('FAILED', ['payout', 'payout_return'], 'generic_error'), DONE,
    'A paid payout is returned.',
    'The money is returned; the webhook and a statement row report it.',
    'FAILED; the money is reserved and can be retried or returned.'),
];

interface Behaviour extends Pick<ReceiverAnswer, 'story' | 'ends' | 'outcome'> {
  readonly name: string;
  readonly exchange: AnswerName;
  readonly times: number;
}

const ONCE = Object.entries(ANSWERS).map(([name, answer]): Behaviour => {
  return { ...(answer as ReceiverAnswer), name, exchange: name as AnswerName, times: 1 };
});

/** Attempts of a delivery in all. */
const TRIES = 8;

const OFTEN: readonly Behaviour[] = [
  {
    name: 'wrong_three_times',
    exchange: 'fault',
    times: 3,
    story: 'Returns 500 three times, then 200.',
    ends: 'Retried under the same id with growing pauses, then delivered.',
    outcome: ['delivered', '500', 4],
  },
  {
    name: 'never_well',
    exchange: 'fault',
    times: TRIES,
    story: 'Returns 500 to every attempt.',
    ends: 'The delivery fails for good and can be replayed; the endpoint stays enabled.',
    outcome: ['dead', '500', TRIES],
  },
];

/** Single answers first. */
const RECEIVER_ROWS: readonly Row[] = [...ONCE, ...OFTEN].map((one) => {
  const { name, exchange, times, story, ends, outcome } = one;
  const [state, code, tries] = outcome;
  const asked = times === 1 ? 'deliver' : `deliver, ${times} times`;
  const told = { asked, answered: ANSWERS[exchange].story };
  const after = tries > times ? [{ asked: 'deliver again', answered: ANSWERS.ok.story }] : [];
  return {
    name: `receiver.${name}`,
    kind: 'behaviour',
    story,
    steps: [told, ...after],
    ends,
    outcome: { of: 'delivery', state, code, moved: null, tries },
    needs: null,
    how: sandboxCall('sandboxCreateReceiver', 'receivers', { script: [{ exchange, times }] }),
  };
});

const scripted: readonly Row[] = SCENARIOS.map((scenario) => {
  const { name, story, steps, ends, outcome, needs = null } = scenario;
  const how = sandboxCall('sandboxPlayScenario', 'scenarios', { scenario: name });
  const shown = steps.length === 0 ? [CALM] : stepsOf(steps);
  return { name, kind: 'scenario', story, steps: shown, ends, outcome, needs, how };
});

const DECLINE = 'decline_';

/** How a payment ends if nothing else happens, once its buyer has confirmed it if asked. */
function outcomeOf({ behaviour }: Attachable): OutcomeFact {
  const { authorize = '', capture = '' } = behaviour;
  const decline = [authorize, capture].find((one) => one.startsWith(DECLINE));
  if (decline !== undefined) return paymentEnd('failed', [], decline.slice(DECLINE.length));
  return capture === 'pending' ? paymentEnd('processing', []) : paymentEnd('success', ['capture']);
}

function endsOf({ state, code }: OutcomeFact, { behaviour }: Attachable): string {
  if (state === 'failed') return `Failed: ${code}; nothing captured.`;
  if (state === 'processing') return 'Processing until the bank settles or fails it.';
  const asked = behaviour.authorize?.startsWith('challenge') === true;
  return asked ? 'Success once the buyer has confirmed, captured once.' : 'Success, captured once.';
}

function attached(kind: 'card' | 'account', one: Attachable): Row {
  const { name, behaviour, outcome: story } = one;
  const outcome = outcomeOf(one);
  const exchanges = Object.entries(behaviour).map(([operation, exchange]) => {
    return { operation, exchange: exchange as string };
  });
  const body = { account_id: '{account_id}', test_card: name };
  return {
    name: `${kind}.${name}`,
    kind,
    story,
    steps: stepsOf(exchanges),
    ends: endsOf(outcome, one),
    outcome,
    needs: name,
    how: sandboxCall('sandboxAttachCard', 'payment_methods', body),
  };
}

/** In the order of the docs. */
const PROCESSOR_ROWS: readonly Row[] = [
  ...scripted,
  ...TEST_CARDS.map((card) => attached('card', card)),
];

/** Accounts that are no cards: they belong to the bank. */
const ACCOUNT_ROWS: readonly Row[] = TEST_ACCOUNTS.map((one) => attached('account', one));

type Unaddressed = Omit<CounterpartyFact, 'scenarios'> & { readonly scenarios: readonly Row[] };

const ALL: readonly Unaddressed[] = [
  {
    name: 'processor',
    story: 'Authorizes, captures and refunds card payments, sends payouts, and keeps a statement.',
    scenarios: PROCESSOR_ROWS,
    exchanges: PROCESSOR_EXCHANGES,
  },
  {
    name: 'bank',
    story: 'Banks and PayPal-like accounts behind the processor, and cardholders who dispute.',
    scenarios: [...ACCOUNT_ROWS, ...EVENT_ROWS],
    exchanges: [],
  },
  {
    name: 'vendor',
    story: 'Checks persons, decides at once or later, and sends webhooks.',
    scenarios: VENDOR_ROWS,
    exchanges: VENDOR_EXCHANGES,
  },
  {
    name: 'receiver',
    story: 'Webhook receivers hosted by the sandbox; deliveries work as for your own.',
    scenarios: RECEIVER_ROWS,
    exchanges: RECEIVER_EXCHANGES,
  },
];

/** Base URLs. */
export type ListUrls = CalledUrls & { readonly processor: string };

/** URL of a scenario's page; without a name, of the overview. */
export function pageAddress(base: string, name?: string): string {
  return name === undefined ? `${base}/scenarios` : `${base}/scenarios/${name}`;
}

/** All counterparties. */
export function counterpartiesAt(urls: ListUrls): readonly CounterpartyFact[] {
  return ALL.map((one) => ({
    ...one,
    scenarios: one.scenarios.map((row) => ({
      ...row,
      how: howTo(urls, row.how),
      page: pageAddress(urls.processor, row.name),
    })),
  }));
}
