// Generates docs/test-persons.md from the list itself, so that page and list cannot differ.
import { TEST_BUSINESSES } from '../../domain/business/index.ts';
import { TEST_PERSONS } from './persons.ts';

const HEAD = `# Test persons

The sandbox's identity vendor accepts everybody at once, with any documents, apart from two rules:
whoever is younger than 18, or shows a document of another country than that of the address, goes to
manual review. To see anything else, submit one of these last names; the other fields may hold
anything that is valid. Case, spaces and hyphens do not matter. An acceptance in the sandbox has no
legal value.

The vendor keeps no personal data: of what was submitted it has a keyed digest, and what it decided.
"The first call" means once for each application: asking again with the same key gets the truth.

| Name | Last name | What the vendor does | How the application must end |
| :-- | :-- | :-- | :-- |
`;

const OUTSIDE = `
## What is decided later

\`POST /sandbox/identity_events\` with an \`event\` and the \`kyc_id\` of an application that was
submitted. The vendor decides so, now or anew, and posts a notice. What it decided first counts: a
decision that differs from it undoes nothing, and people are shown both.

| Event | What the vendor decides |
| :-- | :-- |
| \`accept\` | Accepted. |
| \`deny\` | Denied: the name is not the one on the document. |
| \`review\` | Left to people. |
| \`ask\` | The back of the document is asked for. |

Whoever sends again only what did not pass keeps the last name, and with it the end: send another
\`last\`, or submit as Specimen-Late, post \`ask\`, send the back alone, and post \`accept\`.
`;

const BUSINESSES = `
## Businesses

A business in the sandbox is accepted once every person behind it is, by a link of their own. A name
that begins with one of these leads to something else; case, spaces and hyphens do not matter.
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
