// The building blocks of the console's pages: states, times, amounts, tables, cards and the like.
import { digitsOf } from '../core/currency.ts';
import type { Instant } from '../core/time.ts';
import { html, type Html, type Shown } from '../markup/html.ts';

const TONES: readonly (readonly [string, readonly string[]])[] = [
  [
    'good',
    [
      ...['accept', 'paid', 'captured', 'credited', 'complete', 'done', 'delivered', 'explained'],
      ...['active', 'covered', 'clear', 'settled', 'passed', 'released'],
    ],
  ],
  [
    'bad',
    [
      ...['deny', 'den', 'fail', 'reject', 'declin', 'dead', 'disabled', 'blocked', 'lost'],
      ...['uncovered', 'unreadable', 'refused', 'missing'],
    ],
  ],
  [
    'wait',
    [
      ...['manual', 'pending', 'parked', 'waiting', 'processing', 'open', 'review', 'held'],
      ...['reverify', 'assigned', 'proposed', 'unallocated', 'allocating', 'returning'],
      ...['collected', 'confirmed', 'handed over', 'needs'],
    ],
  ],
];

/** A state as a badge; the word carries the meaning, not the colour. */
export function badge(state: string): Html {
  const word = state.toLowerCase().replaceAll(/[_-]/g, ' ').replace(/^nodata$/, 'no data');
  const begins = (start: string): boolean => word.startsWith(start);
  const tone = TONES.find(([, states]) => states.some(begins))?.[0] ?? 'plain';
  return html`<span class="badge badge-${tone}">${word}</span>`;
}

/** A time in UTC, to the second; a script of the page shows it in the reader's time zone. */
export function moment(at: Instant | string | null): Html {
  if (at === null) return html`<span class="faint">never</span>`;
  const text = `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;
  return html`<time datetime="${at}">${text}</time>`;
}

/** A calendar day, which no line break divides. */
export function day(text: string): Html {
  return html`<time datetime="${text}">${text}</time>`;
}

/** Seconds as the largest unit that fits. */
export function age(seconds: number | null): string {
  if (seconds === null) return '–';
  if (seconds < 90) return `${Math.max(0, Math.round(seconds))} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

/** Minor units with the currency's digits, such as `1,234.50 USD`. */
export function money(amount: bigint, currency: string, digits = digitsOf(currency) ?? 0): string {
  const minor = (amount < 0n ? -amount : amount).toString().padStart(digits + 1, '0');
  const whole = minor.slice(0, minor.length - digits).replaceAll(/\B(?=(\d{3})+$)/g, ',');
  const part = digits === 0 ? '' : `.${minor.slice(-digits)}`;
  return `${amount < 0n ? '−' : ''}${whole}${part} ${currency}`;
}

/** A table. Columns by heading; numbers are right-aligned. */
export interface TableView {
  /** Describes the table to screen readers. */
  readonly caption: string;
  readonly head: readonly (string | { readonly number: string })[];
  readonly rows: readonly (readonly Shown[])[];
  /** Shown without rows. */
  readonly empty: string;
}

/** A table that scrolls sideways on a narrow screen. */
export function table({ caption, head, rows, empty: sentence }: TableView): Html {
  if (rows.length === 0) return empty(sentence);
  const side = (at: number): string => (typeof head[at] === 'string' ? 'text' : 'number');
  const heading = (one: TableView['head'][number]): string =>
    typeof one === 'string' ? one : one.number;
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table>
<caption class="unseen">${caption}</caption>
<thead><tr>${head.map((one, at) => html`<th scope="col" class="${side(at)}">${heading(one)}</th>`)}
</tr></thead>
<tbody>${rows.map(
    (row) => html`<tr>${row.map((cell, at) => html`<td class="${side(at)}">${cell}</td>`)}</tr>
`,
  )}</tbody></table></div>`;
}

/** A list of labels and values; an empty text is shown as a dash. */
export function definitions(pairs: readonly (readonly [string, Shown])[]): Html {
  return html`<dl>${pairs.map(([label, value]) => html`<dt>${label}</dt><dd>${value === ''
    ? '–'
    : value}</dd>
`)}</dl>`;
}

/** A history, oldest first. */
export function timeline(
  steps: readonly { readonly at: Instant; readonly title: Shown; readonly detail?: Shown }[],
): Html {
  if (steps.length === 0) return empty('Nothing has happened yet.');
  return html`<ol class="timeline">${steps.map(
    ({ at, title, detail }) => html`<li>${moment(at)}<div><strong>${title}</strong>${
      detail === undefined ? null : html`<div class="faint">${detail}</div>`
    }</div></li>
`,
  )}</ol>`;
}

/** A message in place of missing content. */
export function empty(sentence: string): Html {
  return html`<p class="empty">${sentence}</p>`;
}

/** An account's id, leading to its page; null for none. */
export function accountLink(id: string | undefined): Html | null {
  return id === undefined ? null : html`<a class="id" href="/accounts/${id}">${id}</a>`;
}

/** An id of any kind, leading to the page of its object. */
export function objectLink(id: string): Html {
  return html`<a class="id" href="/objects/${encodeURIComponent(id)}">${id}</a>`;
}

/** A text that programs read, to the letter; it scrolls where it is long. */
export function verbatim(label: string, text: string): Html {
  return html`<pre role="region" aria-label="${label}" tabindex="0">${text}</pre>`;
}

/** A section with a heading. */
export function card(title: string, body: Shown): Html {
  return html`<section class="card"><h2>${title}</h2>${body}</section>
`;
}

/** Position in a list. */
export interface Paged {
  readonly path: string;
  /** Filters kept from page to page. */
  readonly query: Readonly<Record<string, string>>;
  readonly offset: number;
  readonly limit: number;
  readonly count: number;
}

/** Links to the pages before and after. */
export function pagination({ path, query, offset, limit, count }: Paged): Html | null {
  if (count === 0) return null;
  const to = (start: number): string =>
    `${path}?${new URLSearchParams({ ...query, offset: String(start), limit: String(limit) })}`;
  const [before, after] = [offset - limit, offset + limit];
  return html`<nav class="pages" aria-label="Pages">
<span>${offset + 1}–${Math.min(after, count)} of ${count}</span>
${offset > 0 && html`<a rel="prev" href="${to(Math.max(0, before))}">Previous</a>`}
${after < count && html`<a rel="next" href="${to(after)}">Next</a>`}</nav>`;
}
