// The charts of the overview: what was paid, what is held, why payments failed and how late events
// arrive. Figures are at most a minute old, and no page waits long for them.
import { setTimeout as pause } from 'node:timers/promises';
import { digitsOf } from '../core/currency.ts';
import type { Database } from '../db/index.ts';
import { html, type Html } from '../markup/html.ts';
import { daysOf, type DayOfBooks } from '../product/money/books/index.ts';
import { failuresOf, type FailureCount } from '../product/money/invoice/index.ts';
import { delaysOf, type HourOfDelay } from '../product/tell/webhook/index.ts';
import { card, empty, money, table } from './blocks.ts';
import { chart, share } from './charts.ts';

const TOO_LONG = 'This is being added up. Load the page again in a moment.';
/** How long a page waits for its charts. */
const WAITS_MS = 1_000;
/** Currencies with charts of their own; the others are in the tables of the books. */
const MOST_CURRENCIES = 3;

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });
const seconds = (value: number): string => `${Number(value.toPrecision(3))} s`;

/** What is read soon; else null, and reading goes on for who asks next. */
const soon = <T>(reading: Promise<T | null>): Promise<T | null> =>
  Promise.race([reading, pause(WAITS_MS, null, { ref: false })]);

/** The charts of a tenant. */
export async function trendCards(db: Database, workspace: number): Promise<Html> {
  const [days, failures, delays] = await Promise.all([
    soon(daysOf(db, workspace)),
    soon(failuresOf(db, workspace)),
    soon(delaysOf(db, workspace)),
  ]);
  const named = (title: string, body: Html | null): Html => card(title, body ?? empty(TOO_LONG));
  return html`<div class="pair">${days === null
    ? named('Volume and money held', null)
    : moneyCards(days)}
${named('Failed payments of 30 days', failures && failureTable(failures))}
${named('Delay of webhooks, 24 hours', delays && delayChart(delays))}</div>`;
}

function moneyCards(days: readonly DayOfBooks[]): Html[] {
  const moved = (of: readonly DayOfBooks[]): boolean =>
    of.some(({ volume, held, owed }) => volume !== 0n || held !== 0n || owed !== 0n);
  const currencies = [...Map.groupBy(days, ({ currency }) => currency)];
  const busy = currencies.filter(([, of]) => moved(of)).slice(0, MOST_CURRENCIES);
  return busy.map(([currency, of]) => {
    const unit = 10 ** (digitsOf(currency) ?? 0);
    const view = {
      by: 'Day (UTC)',
      places: of.map(({ day }) => day),
      text: (value: number) => money(BigInt(value), currency),
      short: (value: number) => compact.format(value / unit),
    };
    const values = (name: 'volume' | 'held' | 'owed') => of.map((one) => Number(one[name]));
    const [paid, held] = [`Paid by buyers, ${currency}`, `Held against owed, ${currency}`];
    const lines = [
      { name: 'Held', values: values('held') },
      { name: 'Owed to users', values: values('owed') },
    ];
    const volume = [{ name: 'Paid', values: values('volume') }];
    const bars = of.every((one) => one.volume === 0n)
      ? empty('No buyer paid in the last 30 days.')
      : chart({ ...view, caption: `${paid}, by day`, series: volume });
    return html`${card(paid, bars)}
${card(held, chart({ ...view, caption: `${held}, at the end of each day`, series: lines }))}`;
  });
}

function failureTable(failures: readonly FailureCount[]): Html {
  const most = failures[0]?.count ?? 0;
  return table({
    caption: 'Failed payments of the last 30 days by code',
    head: ['Code', { number: 'Payments' }, 'Share'],
    rows: failures.map(({ code, count }) => {
      return [html`<code>${code}</code>`, count, share(count, most)];
    }),
    empty: 'No payment failed in the last 30 days.',
  });
}

function delayChart(hours: readonly HourOfDelay[]): Html {
  if (hours.every((one) => one.seconds === null)) {
    return empty('No webhook was delivered in the last 24 hours.');
  }
  return chart({
    caption: 'Seconds from a change until 95 of 100 webhooks were accepted, by hour',
    by: 'Hour (UTC)',
    places: hours.map(({ hour }) => `${hour.slice(8, 10)}. ${hour.slice(11, 16)}`),
    series: [{ name: '95 of 100 within', values: hours.map((one) => one.seconds) }],
    text: seconds,
    short: seconds,
  });
}
