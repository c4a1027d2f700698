// Generates docs/test-persons.md from the list itself, so that page and list cannot differ.
import { TEST_BUSINESSES } from '../../src/product/people/business/index.ts';
import { TEST_PERSONS } from '../../src/sandbox/simulators/vendor/persons.ts';

const HEAD = `# Test persons

The sandbox's identity vendor accepts everybody at once, with any documents. Two rules of the
platform send an application to manual review instead: a person younger than 18, and a document from
another country than the address. For any other outcome submit one of these last names; the other
fields may have any valid value. Case, spaces and hyphens do not matter. An acceptance in the
sandbox has no legal value.

The vendor stores no personal data, only a keyed digest of the submission and its decision. "The
first call" means once for each application: a retry with the same key gets the true answer.

| Name | Last name | What the vendor does | How the application must end |
| :-- | :-- | :-- | :-- |
`;

const OUTSIDE = `
## Later decisions

\`POST /sandbox/identity_events\` with an \`event\` and the \`kyc_id\` of an application that was
submitted. The vendor decides or changes its mind, and sends a webhook. The first decision stands: a
later one that differs changes nothing, and reviewers see both.

| Event | What the vendor decides |
| :-- | :-- |
| \`accept\` | Accepted. |
| \`deny\` | Denied: the name does not match the document. |
| \`review\` | Sent to manual review. |
| \`ask\` | The back of the document is requested. |

A correction that resends only the failed parts keeps the last name, and with it the outcome. For
another outcome send a new \`last\`; or submit as Specimen-Late, post \`ask\`, send the back alone,
and post \`accept\`.
`;

const BUSINESSES = `
## Businesses

A business in the sandbox is accepted once each of its people is verified through a personal link. A
name that starts with one of these has another outcome; case, spaces and hyphens do not matter. A
registration number of zeros alone, such as \`HRB 00000\`, is in no register: another is asked for.
\`PUT /sandbox/entities/{entity_id}/state\` sets any status at once.

| Name | How it ends |
| :-- | :-- |
`;

export function docOfTestPersons(): string {
  const persons = TEST_PERSONS.map(
    ({ name, last, story, ends }) => `| \`${name}\` | ${last} | ${story} | ${ends} |\n`,
  );
  const businesses = TEST_BUSINESSES.map(({ name, ends }) => `| ${name} | ${ends} |\n`);
  return [HEAD, ...persons, OUTSIDE, BUSINESSES, ...businesses].join('');
}
