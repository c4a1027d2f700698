// The table of docs/matching.md.
import type { Paired } from './matching-pairs.ts';
import { percentile, rates, type Measured, type Row } from './matching-peoples.ts';
import type { RangeRow, Reliabilities } from './matching-reliability.ts';
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
  japan: 'Japan',
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
  const groups = Map.groupBy(rows, ({ population, inCity, stored, inDatabase }) => {
    const where = `${inCity ? 'one city' : 'many towns'}${inDatabase ? ', in the database' : ''}`;
    return [`${NAMES[population]}, ${where}`, stored.toLocaleString('en')].join('|');
  });
  const lines = [...groups].map(([key, of]) => {
    const by = (tax: boolean): string => {
      const scores = of.find((one) => one.tax === tax)?.looked.strangers ?? [];
      return scores.length === 0 ? '' : rate(scores);
    };
    const most = (values: readonly number[], unit: string): string => {
      const value = Math.max(...values);
      return value === 0 ? '' : `${value.toFixed(unit === 'ms' ? 1 : 0)} ${unit}`;
    };
    const time = most(of.map((row) => percentile(row, 0.99)), 'ms');
    const memory = most(of.map(({ looked }) => looked.memory), 'MB');
    return [...key.split('|'), by(false), by(true), time, memory];
  });
  const head = ['matched / to review of 1,000 strangers', 'stored', 'no tax digits', 'tax digits'];
  return table([...head, 'p99 of a look-up', 'memory'], lines);
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

/** Those whose population the weights come from beside those whose it does not. */
function reliabilityLines({ trained, others }: Reliabilities): string[] {
  const seen = trained.rows();
  const cells = ({ count, said, true: real }: RangeRow): string[] =>
    count === 0 ? ['0', '', ''] : [String(count), said.toFixed(3), real.toFixed(3)];
  const rows = others.rows().map((row, at) => {
    return [`${row.from} to ${row.to}`, ...cells(row), ...cells(seen[at] as RangeRow)];
  });
  const head = ['look-ups', 'mean score', 'truly one person'];
  return table(['score', ...head, ...head.map((text) => `${text}, estimated from`)], rows);
}

/** Everything measured, as Markdown. */
export function matchingBlock(
  pairs: readonly Paired[],
  { rows, reliability }: Measured,
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
