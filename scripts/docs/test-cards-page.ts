// Generates docs/test-cards.md from the lists themselves, so that page and lists cannot differ.
import { accountNumber, TEST_ROUTING } from '../../src/sandbox/simulators/processor/entry.ts';
import { SCENARIOS } from '../../src/sandbox/simulators/processor/scenarios.ts';
import { TEST_ACCOUNTS } from '../../src/sandbox/simulators/processor/test-accounts.ts';
import { TEST_CARDS } from '../../src/sandbox/simulators/processor/test-cards.ts';

const HEAD = `# Test cards

The sandbox takes these cards and no others. Any date in the future and any code will do, with two
exceptions that work on every card: a code of zeros (\`000\`, or \`0000\` for American Express) is
wrong (\`incorrect_cvc\`), and the date 10/2051 is past (\`card_expired\`). A number that is not on
this page is refused, so a real card cannot enter.

Where a name is taken instead of a number (the CLI, sandbox calls), it is the one in the first
column. "The first" means once for each payment: a retry with the same key gets the true answer.

| Name | Number | Brand | What happens |
| :-- | :-- | :-- | :-- |
`;

const ACCOUNTS = `
## Accounts

Bank accounts and PayPal accounts are attached by name like cards. They can pay and, unlike cards,
receive payouts. Where a person enters one, the routing number is ${TEST_ROUTING}.

| Name | Brand | Account number | What happens |
| :-- | :-- | :-- | :-- |
`;

const OUTSIDE = `
## Outside events

\`POST /sandbox/outside_events\` with an \`event\` and the \`id\` of a payment, refund, payout or
dispute:

| Event | What happens |
| :-- | :-- |
| \`settle\` | A pending payment, refund or payout is settled. |
| \`fail\` | A pending payment, refund or payout fails. |
| \`return\` | A captured bank debit or a paid payout is returned. |
| \`chargeback\` | The cardholder disputes a captured payment: a dispute is opened. |
| \`dispute_under_review\` | The bank reviews the response to a dispute. |
| \`dispute_won\` | A dispute is rejected: the money is returned. |
| \`dispute_lost\` | A dispute is upheld: the money is lost. |
| \`dispute_withdrawn\` | The cardholder withdraws a dispute: the money is returned. |

Each event is possible once, and only in a fitting state.
`;

const TROUBLES = `
## Scenarios

\`POST /sandbox/scenarios\` queues one of these for the next calls to the processor, for one
payment method or for any. Whatever happens, the payment must end as the last column says.

| Name | What the processor does | How the payment must end |
| :-- | :-- | :-- |
`;

export function docOfTestCards(): string {
  const cards = TEST_CARDS.map(
    ({ name, number, brand, outcome }) => `| \`${name}\` | ${number} | ${brand} | ${outcome} |\n`,
  );
  const accounts = TEST_ACCOUNTS.map(
    ({ name, brand, last4, outcome }) =>
      `| \`${name}\` | ${brand} | ${brand === 'ach' ? accountNumber(last4) : ''} | ${outcome} |\n`,
  );
  const scenarios = SCENARIOS.map(
    ({ name, story, ends }) => `| \`${name}\` | ${story} | ${ends} |\n`,
  );
  return [HEAD, ...cards, ACCOUNTS, ...accounts, OUTSIDE, TROUBLES, ...scenarios].join('');
}
