// The table of docs/matching.md.
import type { Paired } from './matching-pairs.ts';
import { percentile, rates, type Row } from './matching-peoples.ts';
import type { Reliability } from './matching-reliability.ts';
import { KIN } from './peoples/index.ts';
import type { Scores } from './peoples/looks.ts';
import { WRONGS } from './peoples/wrongs.ts';

const NAMES: Readonly<Record<string, string>> = {
  vietnam: 'Vietnam',
  mexico: 'Mexico',
  india: 'India',
  korea: 'Korea',
  unitedStates: 'United States',
  germany: 'Germany',
  dataset1: 'Febrl data set 1',
  dataset2: 'Febrl data set 2',
};

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, at) => (at === 0 ? ':--' : '--:'));
  return [line(head), line(rule), ...rows.map(line)];
}

function rate(scores: Scores): string {
  return rates(scores)
    .map((one) => one.toFixed(1))
    .join(' / ');
}

function pairLines(pairs: readonly Paired[]): string[] {
  const rows = pairs.map(({ name, pairs: count, listed, matched, splink }) => [
    NAMES[name] ?? name,
    String(count),
    ...[listed.precision, listed.recall, listed.f1, matched.f1].map((value) => value.toFixed(4)),
    splink === null ? '' : `${splink.listed.toFixed(4)}, ${splink.matched.toFixed(4)}`,
  ]);
  const head = ['pairs of one person', 'pairs', 'precision', 'recall', 'F1 of what is listed'];
  return table([...head, 'F1 of matches', 'F1 of Splink'], rows);
}

/** Matched and to review of 1,000 strangers, for each population in the city and in towns. */
function strangerLines(rows: readonly Row[]): string[] {
  const groups = Map.groupBy(rows, ({ population, inCity, stored }) =>
    [NAMES[population], inCity ? 'one city' : 'many towns', stored.toLocaleString('en')].join('|'),
  );
  const lines = [...groups].map(([key, of]) => {
    const [name = '', where = '', stored = ''] = key.split('|');
    const by = (tax: boolean): string => {
      const row = of.find((one) => one.tax === tax);
      return row === undefined ? '' : rate(row.looked.strangers);
    };
    const p99 = Math.max(...of.map((row) => percentile(row, 0.99)));
    const time = p99 === 0 ? '' : `${p99.toFixed(1)} ms`;
    return [`${name}, ${where}`, stored, by(false), by(true), time];
  });
  const head = ['matched / to review of 1,000 strangers', 'stored', 'no tax digits', 'tax digits'];
  return table([...head, 'p99'], lines);
}

/** Relatives and persons with mistakes, over all populations in the city. */
function kindLines(rows: readonly Row[], of: 'kin' | 'wrong'): string[] {
  const kinds: readonly string[] = of === 'kin' ? KIN : WRONGS;
  const scores = (kind: string, tax: boolean): number[] =>
    rows.filter((row) => row.tax === tax).flatMap(({ looked }) => looked[of][kind] ?? []);
  const lines = kinds.map((kind) => [kind, rate(scores(kind, false)), rate(scores(kind, true))]);
  const what = of === 'kin' ? 'relatives' : 'persons stated again';
  return table([`matched / to review of 1,000 ${what}`, 'no tax digits', 'tax digits'], lines);
}

function reliabilityLines(reliability: Reliability): string[] {
  const rows = reliability
    .rows()
    .map(({ from, to, count, said, true: real }) => [
      `${from} to ${to}`,
      String(count),
      said.toFixed(3),
      real.toFixed(3),
    ]);
  return table(['score', 'look-ups', 'mean score', 'truly one person'], rows);
}

/** Everything measured, as Markdown. */
export function matchingBlock(
  pairs: readonly Paired[],
  rows: readonly Row[],
  reliability: Reliability,
): string {
  return [
    pairLines(pairs),
    strangerLines(rows),
    kindLines(rows, 'kin'),
    kindLines(rows, 'wrong'),
    reliabilityLines(reliability),
  ]
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}
