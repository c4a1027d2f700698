// The one page of every list: its filters, which live in the address, the rows with their totals,
// and the way on.
import { lists } from '../catalogue.ts';
import { timeFilters, type List, type ListColumn } from '../core/list.ts';
import { Refusal } from '../core/refusal.ts';
import { millisOf, type Instant } from '../core/time.ts';
import { html, type Html, type Shown } from '../markup/html.ts';
import {
  exportRows,
  FORMATS,
  questionOf,
  readList,
  type ListPage,
  type ListRow,
} from '../product/tell/list/index.ts';
import { audit } from '../product/tell/audit/index.ts';
import { age, badge, card, empty, moment, money, objectLink, table } from './blocks.ts';
import { choice } from './frame.ts';
import { get, NotThere, there, type ConsoleApp, type PageRequest } from './routes.ts';

const active = '/lists';
const ROWS = 50;
/** Columns from which the age of a row is told. */
const BORN = ['created', 'at', 'updated'];
const WORDS: Readonly<Record<string, string>> = {
  created_from: 'Created from',
  created_before: 'Created before',
  account_id: 'Account',
  seller_account_id: 'Seller',
  age_seconds: 'Age',
};

/** Registers the pages of lists. */
export function listPages(app: ConsoleApp): void {
  get(app, '/lists', 'read', async () => {
    const links = lists.map(({ name, title }) => html`<li><a href="/lists/${name}">${title}</a></li>
`);
    return { title: 'Lists', active, body: card('All lists', html`<ul>${links}</ul>`) };
  });
  get(app, '/lists/:name', 'read', show);
  get(app, '/lists/:name/export', 'read', exported);
}

const titleOf = (name: string): string => {
  const words = name.replace(/_id$/, '').replaceAll('_', ' ');
  return WORDS[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
};

function listOf({ params }: PageRequest): List {
  const list = there(lists.find(({ name }) => name === params['name']));
  return list;
}

/** The whole list as a file. A wrong filter is refused. */
async function exported(request: PageRequest) {
  const { services: { db }, session, tenant, query: { format = 'csv', ...query } } = request;
  const list = listOf(request);
  if (tenant === null || (format !== 'csv' && format !== 'jsonl')) throw new NotThere();
  const { workspace } = tenant;
  const stream = exportRows(db, workspace, list, questionOf(list, query), format);
  const actor = `operator:${session.operatorId}`;
  const detail = { list: list.name, format };
  await audit(db, { workspace, actor, act: 'exported', subject: '', detail });
  return { stream, type: FORMATS[format], name: `${list.name}.${format}` };
}

async function show(request: PageRequest) {
  const { services: { db }, tenant } = request;
  const list = listOf(request);
  const { title } = list;
  if (tenant === null) return { title, active, body: empty('There is no tenant yet.') };
  // A field that was left empty is no filter.
  const query = Object.fromEntries(Object.entries(request.query).filter(([, text]) => text !== ''));
  try {
    const asked = questionOf(list, { limit: String(ROWS), ...query });
    const page = await readList(db, tenant.workspace, list, asked);
    const body = html`${card('Filter', filterForm(list, query))}
${card(title, pageOf(list, page, query))}`;
    return { title, active, body };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const body = card('Filter', filterForm(list, query, error.fields));
    return { title, active, body, status: 400 };
  }
}

type Texts = Readonly<Record<string, string>>;

function filterForm(list: List, query: Texts, problems: Texts = {}): Html {
  const { name, filters } = list;
  const times = timeFilters(list);
  const fields = [...Object.keys(filters), ...times].map((field) => {
    const value = query[field] ?? '';
    const wrong = field in problems;
    const marks = wrong && html` aria-invalid="true" aria-describedby="${field}-problem"`;
    const after = wrong
      && html`<span class="problem" id="${field}-problem">This ${problems[field]}.</span>`;
    const { kind, words = ['true', 'false'] } = filters[field] ?? { kind: 'time' };
    if (kind === 'state' || kind === 'flag') {
      const known = value === '' || words.includes(value) ? words : [value, ...words];
      const options = ['', ...known].map((one) => [one, one || 'any'] as const);
      return choice(titleOf(field), field, options, { chosen: value, marks, after });
    }
    // A browser would empty a date field that holds no date.
    const type = kind === 'time' && !wrong && value.length <= 10 ? 'date' : 'text';
    return html`<p class="field"><label for="${field}">${kind === 'amount'
      ? 'Amount in minor units'
      : titleOf(field)}</label>
<input id="${field}" name="${field}" type="${type}" value="${value}" autocomplete="off"${marks}>
${after}</p>
`;
  });
  const own = [...Object.keys(filters), ...times];
  const other = Object.entries(problems).filter(([field]) => !own.includes(field));
  return html`${other.map(([field, why]) => html`<p class="problem">${titleOf(field)} ${why}.</p>
`)}<form method="get" action="/lists/${name}" class="filters">${fields}
<p class="row"><button>Show</button> <a href="/lists/${name}">All</a></p></form>`;
}

function pageOf(list: List, { rows, next, now }: ListPage, query: Texts): Html {
  const { name, title, columns, hint } = list;
  const { cursor, ...filters } = query;
  const to = (more: Texts, page = ''): string => {
    return `/lists/${name}${page}?${new URLSearchParams({ ...filters, ...more })}`;
  };
  const born = BORN.find((one) => one in columns);
  const shown = Object.entries(columns).filter(([, { kind }]) => kind !== 'currency');
  const sums = totals(list, rows);
  const none = next !== null
    ? 'None of the 20,000 rows that were looked at fits.'
    : Object.keys(query).length === 0 ? `There are none yet. ${hint}` : 'No row fits the filter.';
  const head = shown.map(([column, { kind }]) => {
    const words = titleOf(column);
    return ['amount', 'number'].includes(kind) ? { number: words } : words;
  });
  const body = table({
    caption: title,
    head: born === undefined ? head : [...head, { number: 'Age' }],
    rows: rows.map((row) => [
      ...shown.map(([column, of]) => cellOf(column, of, row)),
      ...(born === undefined ? [] : [ageOf(row[born], now)]),
    ]),
    empty: none,
  });
  return html`${body}
${rows.length > 0 && html`<p class="faint">Rows on this page: ${rows.length}${sums}</p>`}
<nav class="pages" aria-label="Pages">
${cursor !== undefined && html`<a href="${to({})}">${list.up ? 'The soonest' : 'The newest'}</a>`}
${next !== null && html`<a rel="next" href="${to({ cursor: next })}">${list.up ? 'Later' : 'Older'}
</a>`}
<a href="${to({ format: 'csv' }, '/export')}">All as CSV</a>
<a href="${to({ format: 'jsonl' }, '/export')}">All as JSON lines</a></nav>`;
}

function ageOf(at: ListRow[string] | undefined, now: Instant | null): string {
  if (typeof at !== 'string' || now === null) return '';
  return age((millisOf(now) - millisOf(at)) / 1_000);
}

function cellOf(name: string, { kind }: ListColumn, row: ListRow): Shown {
  const value = row[name] ?? null;
  if (value === null) return '';
  if (kind === 'id' || kind === 'party') return objectLink(String(value));
  if (kind === 'amount') return money(BigInt(value), String(row['currency']));
  if (kind === 'time') return moment(String(value));
  if (kind === 'state') return badge(String(value));
  if (kind === 'flag') return value === true ? 'yes' : 'no';
  return name === 'age_seconds' ? age(Number(value)) : String(value);
}

/** The sum of the first amount of each row, by currency. */
function totals({ columns }: List, rows: readonly ListRow[]): string {
  const name = Object.keys(columns).find((one) => columns[one]?.kind === 'amount');
  if (name === undefined) return '';
  const sums = new Map<string, bigint>();
  for (const row of rows) {
    const currency = String(row['currency']);
    sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(row[name] ?? 0));
  }
  return [...sums].map(([currency, sum]) => `, ${money(sum, currency)}`).join('');
}
