// Answers for the page of test cards as text, made from the one list, so that page and list cannot
// differ. Knows nothing of files.
import { TEST_CARDS } from './test-cards.ts';

const HEAD = `# Test cards

The sandbox takes these cards and no others. Any date in the future and any code will do, with two
exceptions that work on every card: a code of zeros (\`000\`, or \`0000\` for American Express) is
wrong (\`incorrect_cvc\`), and the date 10/2051 is past (\`card_expired\`). A number that is not on
this page is refused, so a real card cannot enter.

Where a name is taken instead of a number (the CLI, sandbox calls), it is the one in the first
column. "The first" means once for each payment: asking again with the same key gets the truth.

| Name | Number | Brand | What happens |
| :-- | :-- | :-- | :-- |
`;

/** The text of docs/test-cards.md. */
export function docOfTestCards(): string {
  const rows = TEST_CARDS.map(
    ({ name, number, brand, outcome }) => `| \`${name}\` | ${number} | ${brand} | ${outcome} |\n`,
  );
  return HEAD + rows.join('');
}
