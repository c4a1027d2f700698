// docs/proof.md as `npm run prove` writes it: a row for each battery with the commit it ran on, and
// the lines of its tests that say how much was tried and what came of it.
import { BATTERIES, type Battery } from './batteries.ts';

/** What of a battery's lines is kept, and how much of one. */
const TOLD = /kill|surviv|racer|histor|charge|stops|served|doubled|\d failed|refused for/i;
const NOTE = 240;

/** The commit that a battery ran on, and its day. */
export interface Commit {
  readonly hash: string;
  readonly date: string;
}

export interface Result {
  readonly battery: Battery;
  readonly seed: string;
  readonly passed: number;
  readonly failed: number;
  readonly seconds: number;
  readonly notes: readonly string[];
}

/** What of the output of a battery goes to the page. */
export function notesOf(output: string): string[] {
  return output
    .split('\n')
    .filter((line) => /^# (?!Subtest|\s)/.test(line) && TOLD.test(line))
    .map((line) => line.slice(2).trim().slice(0, NOTE));
}

/** The lines of a battery: its row, and its notes. */
function linesOf({ battery, seed, passed, failed, seconds, notes }: Result, at: Commit): string[] {
  const { name, what } = battery;
  const cells = [name, what, passed, failed, seconds, at.hash, at.date, seed];
  return [`| ${cells.join(' | ')} |`, ...notes.map((note) => `- ${name}: ${note}`)];
}

/** The page with the lines of what ran at this commit; other batteries' lines stay. */
export function proofPage(
  before: string,
  results: readonly Result[],
  { commit, lastRun }: { readonly commit: Commit; readonly lastRun: string },
): string {
  const old = before.split('\n');
  const lines = BATTERIES.flatMap(({ name }) => {
    const result = results.find(({ battery }) => battery.name === name);
    if (result !== undefined) return linesOf(result, commit);
    return old.filter((line) => line.startsWith(`| ${name} |`) || line.startsWith(`- ${name}:`));
  });
  return `# Proof

The last results of \`npm run prove\`, which writes this page; \`npm run prove laws\` runs one
battery and replaces its lines. So each row has the commit that it ran on, with that commit's date,
and says nothing of later ones. Each ends with the laws of the books as queries; one wrong cent
fails it.

The last run: ${lastRun}.

| Battery | What it does | Passed | Failed | Seconds | Commit | Of | Seed |
| :-- | :-- | --: | --: | --: | :-- | :-- | :-- |
${lines.filter((line) => line.startsWith('|')).join('\n')}

${lines.filter((line) => line.startsWith('-')).join('\n')}
`;
}
