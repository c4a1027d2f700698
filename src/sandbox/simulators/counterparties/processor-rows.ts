// Scenarios of the card processor, from its own lists: payments scripted by one name, and test
// cards.
import type { OutcomeFact } from '../../ports/counterparties.ts';
import {
  paymentEnd,
  SCENARIOS,
  TEST_ACCOUNTS,
  TEST_CARDS,
  type Attachable,
} from '../processor/index.ts';
import { CALM, sandboxCall, stepsOf, type Row } from './rows.ts';

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
export const PROCESSOR_ROWS: readonly Row[] = [
  ...scripted,
  ...TEST_CARDS.map((card) => attached('card', card)),
];

/** Accounts that are no cards: they belong to the bank. */
export const ACCOUNT_ROWS: readonly Row[] = TEST_ACCOUNTS.map((one) => attached('account', one));
