// Finds where the sources cite a rule of the interface, a choice of ours (G-33) or a rule of
// reliability (M3): in brackets, in a `cites` field, or in the row of a refusal, a lifecycle or an
// event. Prints both directions.
import { filesOf, isTest } from '../../test/tidy/tree.ts';
import { table } from './markdown.ts';

/** One citation in one file. */
export interface Citation {
  /** `G-33`, `M3`, or `seed: Escrow status`. */
  readonly rule: string;
  readonly file: string;
}

const BRACKETS = /\[((?:seed: |G-\d\d|(?:M|R|EV|ID)\d{1,2}\b)[^\]]*)\]/;
const FIELD = /\bcites(?::| =) '([^']+)'/;
const REFUSAL = /\b(?:no|notYet)\(\d{3}, '\w+', '([^']+)'/;
const ROW = /\b(?:move|event)\(.*'(seed: [^']+|(?:G-|M|R|EV|ID)\d+)',/;
const KINDS = [BRACKETS, FIELD, REFUSAL, ROW];
const PLACES = new RegExp(KINDS.map(({ source }) => source).join('|'), 'g');
const RULE = /G-\d\d|\b(?:M|R|EV|ID)\d{1,2}\b|seed: [^,;\]]+/g;

/** Every citation in the sources and migrations, once per file. */
export function citations(): Citation[] {
  const files = filesOf('src/**/*.ts', 'migrations/*.sql').filter(({ path }) => !isTest(path));
  return files.flatMap(({ path, text }) => {
    const whole = text.replaceAll(/\n\s*(?:\/\/|\*|--) /g, ' ');
    const rules = [...whole.matchAll(PLACES)].flatMap((found) =>
      [...(found.slice(1).find(Boolean) ?? '').matchAll(RULE)].map(([rule]) => rule.trim()),
    );
    return [...new Set(rules)].toSorted().map((rule) => ({ rule, file: path }));
  });
}

/** Files by rule; rules in order: the interface, ours, reliability. */
export function byRule(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { rule, file } of citations()) found.set(rule, [...(found.get(rule) ?? []), file]);
  const rank = (rule: string): string =>
    rule.startsWith('seed') ? `0${rule}` : rule.startsWith('G') ? `1${rule}` : `2${padded(rule)}`;
  return new Map([...found].toSorted(([a], [b]) => (rank(a) < rank(b) ? -1 : 1)));
}

function padded(rule: string): string {
  return rule.replace(/\d+/, (digits) => digits.padStart(2, '0'));
}

/** The page. */
export function citationsPage(): string {
  const rules = byRule();
  const files = new Map<string, string[]>();
  for (const { rule, file } of citations()) files.set(file, [...(files.get(file) ?? []), rule]);
  return `# Citations

\`seed:\` is the interface that Holdfast implements, by the name of its section. \`G-33\` is
a choice where the interface leaves something open, \`M3\` a rule of reliability: both are
explained in [assumptions](../assumptions.md).

## From rules to files

${table(
  ['Rule', 'Files'],
  [...rules].map(([rule, where]) => [rule, where.map((file) => `\`${file}\``).join(' ')]),
)}
## From files to rules

${table(
  ['File', 'Rules'],
  [...files].map(([file, cited]) => [`\`${file}\``, cited.join(', ')]),
)}`;
}
