// The books: the trial balance at the end of a day, and the statement of a month. [G-99]
import {
  MONTH,
  readStatement,
  readTrialBalance,
  type MonthlyStatement,
  type TrialBalance,
} from '../product/money/books/index.ts';
import { isDay } from '../core/time.ts';
import { html, type Html } from '../markup/html.ts';
import { card, empty, moment, money, table } from './blocks.ts';
import { field } from './frame.ts';
import { get, type ConsoleApp, type PageRequest } from './routes.ts';

const [title, active] = ['Books', '/books'];

/** The last moment of a day; null, which is now, for none. */
export const endOfDay = (day: string): string | null =>
  isDay(day) ? `${day}T23:59:59.999999Z` : null;

/** Registers the page of the books. */
export function bookPages(app: ConsoleApp): void {
  get(app, '/books', 'read', books);
}

async function books({ services: { db }, tenant, query }: PageRequest) {
  if (tenant === null) return { title, active, body: empty('There is no tenant yet.') };
  const { day = '', month = '' } = query;
  const { workspace } = tenant;
  const trial = await readTrialBalance(db, workspace, endOfDay(day));
  const statement = MONTH.test(month) ? await readStatement(db, workspace, month) : undefined;
  const optional = true;
  const dayField = { type: 'date', value: day, optional } as const;
  const monthField = { type: 'month', value: month, optional } as const;
  const body = html`<form method="get" action="/books" class="row">
${field('Trial balance at the end of a day (empty: now)', 'day', dayField)}
${field('Statement of a month', 'month', monthField)}
<p><button>Show</button></p></form>
${trial === null ? tooLong() : trialCards(trial)}
${trial !== null && saved('trial-balance', isDay(day) ? { day } : {}, 'Save the trial balance')}
${statement === undefined ? null : statementCard(month, statement)}
${statement && saved('statement', { month }, `Save the statement of ${month}`)}
${card('Files', html`<form method="get" action="/books/files/sellers" class="row">
${field('Year of the sellers', 'year', { value: trial?.as_of.slice(0, 4) ?? '' })}
<p><button class="quiet">Save as CSV</button></p></form>
<p>The whole books, signed, which another machine can prove, are written by
<code>holdfast tenant export</code>.</p>`)}`;
  return { title, active, body };
}

const saved = (file: string, of: Readonly<Record<string, string>>, words: string): Html =>
  html`<p><a href="/books/files/${file}?${String(new URLSearchParams(of))}">${words} as CSV</a></p>
`;

function tooLong(): Html {
  return html`<p>Adding up the books took too long. Try again when there is less load.</p>`;
}

const words = (kind: string): string =>
  kind === 'kept_back' ? 'restricted' : kind.replaceAll('_', ' ');

function trialCards({ as_of, currencies }: TrialBalance): Html {
  if (currencies.length === 0) return empty('No money has moved until then.');
  const cards = currencies.map(({ currency, accounts, total }) => {
    const caption = `Trial balance in ${currency}`;
    const side = (amount: number): string => (amount === 0 ? '' : money(BigInt(amount), currency));
    const rows = [...accounts, { kind: 'total', ...total }];
    const shown = table({
      caption,
      head: ['Account', { number: 'Debit' }, { number: 'Credit' }],
      rows: rows.map(({ kind, debit, credit }) => [words(kind), side(debit), side(credit)]),
      empty: '',
    });
    return card(caption, shown);
  });
  return html`<p>As of ${moment(as_of)}</p>${cards}`;
}

function statementCard(month: string, statement: MonthlyStatement | null): Html {
  if (statement === null) return tooLong();
  const rows = statement.accounts.flatMap(({ kind, currency, opening, movements, closing }) => {
    const line = (says: string, count: string, amount: number) =>
      [words(kind), says, count, money(BigInt(amount), currency)] as const;
    const moved = movements.map(({ resource, event, count, debit, credit }) => {
      return line(`${words(resource)}: ${words(event)}`, String(count), credit - debit);
    });
    return [line('opening', '', opening), ...moved, line('closing', '', closing)];
  });
  const shown = table({
    caption: `Statement of ${month}`,
    head: ['Account', 'Movement', { number: 'Entries' }, { number: 'Amount' }],
    rows,
    empty: 'No money has moved until then.',
  });
  return card(`Statement of ${month}`, shown);
}
