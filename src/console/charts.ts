// Charts as SVG, made here: nothing of them runs in the browser, and style.css colours them.
// Scales, ticks and lines are d3's. Whoever cannot see a chart reads its table.
import { scaleBand, scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { html, type Html } from '../markup/html.ts';
import { table } from './blocks.ts';

const [WIDTH, HEIGHT, LEFT, TOP, BOTTOM] = [400, 180, 46, 8, 156];
const TICKS = 4;
/** Of a scale that nothing would stretch. */
const FLAT = 1;

/** What a chart shows. */
export interface ChartView {
  /** Says what the values are, for the table and for screen readers. */
  readonly caption: string;
  /** Heading of the places, and the places from left to right. */
  readonly by: string;
  readonly places: readonly string[];
  /** Each with a value for each place; null where there is none. One: bars; more: lines. */
  readonly series: readonly {
    readonly name: string;
    readonly values: readonly (number | null)[];
  }[];
  /** A value as text, and shortly beside the axis. */
  readonly text: (value: number) => string;
  readonly short: (value: number) => string;
}

/** A chart, with its values as a table that is folded away. */
export function chart(view: ChartView): Html {
  const { caption, by, places, series, text, short } = view;
  const values = series.flatMap((one) => one.values).map((value) => value ?? 0);
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  const y = scaleLinear([least, most > least ? most : FLAT], [BOTTOM, TOP]).nice(TICKS);
  const x = scaleBand(places, [LEFT, WIDTH]).padding(0.2);
  const shown = (value: number | null | undefined): string =>
    value === null || value === undefined ? 'none' : text(value);
  const grid = y.ticks(TICKS).map((tick) => html`<line class="grid" x1="${LEFT}" x2="${WIDTH}"
 y1="${y(tick)}" y2="${y(tick)}"/><text class="short" x="${LEFT - 6}" y="${y(tick) + 4}">${
   short(tick)}</text>`);
  const hover = places.map((place, at) => html`<rect class="hover" x="${round(x(place) ?? 0)}"
 y="${TOP}" width="${round(x.bandwidth())}" height="${BOTTOM - TOP}"><title>${place}${series.map(
   ({ name, values: of }) => ` · ${name}: ${shown(of[at])}`)}</title></rect>`);
  const rows = places.map((place, at) => [place, ...series.map((one) => shown(one.values[at]))]);
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img"
 aria-label="${caption}. Its table follows.">${grid}${
   series.length === 1 ? bars(view, x, y) : lines(view, x, y)}${endsOf(places)}${hover}</svg>
${series.length > 1 && html`<p class="legend">${series.map(({ name }, at) => html`<span
 class="key line-${at}">${name}</span> `)}</p>`}
<details><summary>As a table</summary>${table({
  caption,
  head: [by, ...series.map(({ name }) => ({ number: name }))],
  rows: rows.toReversed(),
  empty: '',
})}</details>`;
}

type Across = (place: string) => number | undefined;
type Scale = (value: number) => number;

const round = (value: number): number => Math.round(value * 10) / 10;

function bars({ places, series }: ChartView, x: Across & Banded, y: Scale): Html[] {
  return places.map((place, at) => {
    const ends = [y(series[0]?.values[at] ?? 0), y(0)];
    return html`<rect class="bar" x="${round(x(place) ?? 0)}" width="${round(x.bandwidth())}"
 y="${round(Math.min(...ends))}" height="${round(Math.abs((ends[0] ?? 0) - y(0)))}"/>`;
  });
}

interface Banded {
  bandwidth(): number;
}

function lines({ places, series }: ChartView, x: Across & Banded, y: Scale): Html[] {
  const path = line<number | null>((_, at) => (x(places[at] ?? '') ?? 0) + x.bandwidth() / 2,
    (value) => y(value ?? 0)).defined((value) => value !== null).digits(1);
  return series.map(({ values }, at) => {
    return html`<path class="line line-${at}" d="${path(values)}"/>`;
  });
}

/** The first and the last place below the axis. */
function endsOf(places: readonly string[]): Html {
  return html`<text x="${LEFT}" y="${HEIGHT - 6}">${places[0]}</text>
<text class="short" x="${WIDTH}" y="${HEIGHT - 6}">${places.at(-1)}</text>`;
}

/** How much of the most something is, in a row of a table that has the number beside it. */
export function share(value: number, most: number): Html {
  return html`<svg class="share" viewBox="0 0 100 10" preserveAspectRatio="none"
 aria-hidden="true"><rect class="bar" width="${round((100 * value) / most)}" height="10"/></svg>`;
}
