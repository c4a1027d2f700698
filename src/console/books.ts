// The books: the trial balance at the end of a day, the statement of a month and the sellers of a
// year, also as files for a spreadsheet, with amounts in minor units. [G-99]
import {
  MONTH,
  readSellerTotals,
  readStatement,
  readTrialBalance,
  refusals as no,
  type MonthlyStatement,
  type TrialBalance,
} from '../product/money/books/index.ts';
import { isDay } from '../core/time.ts';
import { html, type Html } from '../markup/html.ts';
import { card, empty, moment, money, table } from './blocks.ts';
import { field } from './frame.ts';
import { get, NotThere, type ConsoleApp, type PageRequest } from './routes.ts';
import { inputRefusals } from '../core/input-refusals.ts';
import { refuse } from '../core/refusal.ts';
import type { Services } from '../product/context.ts';
import { audit } from '../product/tell/audit/index.ts';
import { csvField, FORMATS } from '../product/tell/list/index.ts';

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

type Rows = readonly (readonly (string | number)[])[];

/** What a file has; its rows come in pieces, each named by what follows it. */
interface BookFile {
  readonly head: readonly string[];
  /** What of the address says which, and its shape. */
  readonly of: readonly [name: string, shape: RegExp];
  read(
    db: Services['db'],
    workspace: number,
    of: string,
    after: string,
  ): Promise<{ readonly rows: Rows; readonly next: string }>;
}

const FILES: Readonly<Record<string, BookFile>> = {
  'trial-balance': {
    head: ['as_of', 'currency', 'account', 'debit', 'credit'],
    of: ['day', /^(?:20|21)\d\d-\d\d-\d\d$|^$/],
    async read(db, workspace, day) {
      const trial = orTooLarge(await readTrialBalance(db, workspace, endOfDay(day)));
      const rows = trial.currencies.flatMap(({ currency, accounts }) => accounts.map((one) => {
        return [trial.as_of, currency, one.kind, one.debit, one.credit];
      }));
      return { rows, next: '' };
    },
  },
  statement: {
    head: ['account', 'currency', 'resource', 'event', 'entries', 'debit', 'credit', 'balance'],
    of: ['month', MONTH],
    async read(db, workspace, month) {
      const { accounts } = orTooLarge(await readStatement(db, workspace, month));
      const rows = accounts.flatMap(({ kind, currency, opening, movements, closing }) => [
        [kind, currency, '', 'opening', '', '', '', opening],
        ...movements.map(({ resource, event, count, debit, credit }) => {
          return [kind, currency, resource, event, count, debit, credit, ''];
        }),
        [kind, currency, '', 'closing', '', '', '', closing],
      ]);
      return { rows, next: '' };
    },
  },
  sellers: {
    head: ['account_id', 'currency', 'period', 'sales', 'gross', 'fees', 'refunds'],
    of: ['year', /^(?:20|21)\d\d$/],
    async read(db, workspace, year, after) {
      const asked = { year: Number(year), after, limit: 100 };
      const { sellers, next } = orTooLarge(await readSellerTotals(db, workspace, asked));
      const rows = sellers.flatMap(({ account_id, currency, quarters, months, ...whole }) => {
        const spans = [
          [year, whole] as const,
          ...quarters.map((one, at) => [`${year}-Q${at + 1}`, one] as const),
          ...months.map((one, at) => [`${year}-${String(at + 1).padStart(2, '0')}`, one] as const),
        ];
        return spans.map(([period, { sales, gross, fees, refunds }]) => {
          return [account_id, currency, period, sales, gross, fees, refunds];
        });
      });
      return { rows, next };
    },
  },
};

/** Registers the files. */
export function bookFilePages(app: ConsoleApp): void {
  get(app, '/books/files/:name', 'read', save);
}

function orTooLarge<T>(read: T | null): T {
  if (read === null) throw refuse(no.BOOKS_TOO_LARGE);
  return read;
}

const lines = (rows: Rows): string => rows.map((row) => {
  const fields = row.map((value) => {
    return csvField({ kind: typeof value === 'number' ? 'number' : 'text' }, value);
  });
  return `${fields.join(',')}\r\n`;
}).join('');

async function save({ services: { db }, session, tenant, params, query }: PageRequest) {
  const file = FILES[params['name'] ?? ''];
  if (tenant === null || file === undefined) throw new NotThere();
  const { head, of: [asked, shape] } = file;
  const of = query[asked] ?? '';
  if (!shape.test(of)) {
    throw refuse(inputRefusals.INVALID_FIELD, { [asked]: `must be a ${asked}` });
  }
  const { workspace } = tenant;
  // What takes too long is refused before a file begins.
  const first = await file.read(db, workspace, of, '');
  const detail = { list: params['name'] ?? '', format: 'csv', of };
  const actor = `operator:${session.operatorId}`;
  await audit(db, { workspace, actor, act: 'exported', subject: '', detail });
  async function* texts(): AsyncGenerator<string> {
    yield lines([head]) + lines(first.rows);
    for (let { next } = first; next !== ''; ) {
      const piece = await file?.read(db, workspace, of, next);
      yield lines(piece?.rows ?? []);
      next = piece?.next ?? '';
    }
  }
  return { stream: texts(), type: FORMATS.csv, name: `${params['name']}-${of || 'now'}.csv` };
}
