// The search of applications, as a page and as JSON. Only exact ids, states and times can be
// searched, never a person's fields. [G-57]
import { KYC_STATES } from '../../product/people/identity/index.ts';
import { searchApplications, type SearchFilter } from '../../product/people/review/index.ts';
import { uuidOfWireId } from '../../core/ids.ts';
import { inputRefusals } from '../../core/input-refusals.ts';
import { Refusal, refuse } from '../../core/refusal.ts';
import { instantFromMillis, type Instant } from '../../core/time.ts';
import { choice } from '../frame.ts';
import { html } from '../../markup/html.ts';
import { accountLink, badge, card, moment, pagination, table } from '../blocks.ts';
import { get, type ConsoleApp, type PageRequest } from '../routes.ts';
import { numberOf } from './queue.ts';
import { reviewerOf } from './parts.ts';

const LIMIT = 50;
const MOST = 1_000_000;
const FIELDS = [
  'state',
  'initiator',
  'account_id',
  'kyc_id',
  'created_from',
  'created_to',
] as const;

/** Registers the search. */
export function searchPages(app: ConsoleApp): void {
  get(app, '/search', 'review', searchPage);
  get(app, '/v1/kyc_applications', 'review', async ({ services, session, query }) => {
    const filter = filterOf(query);
    return { json: await searchApplications(services.db, reviewerOf(session), filter) };
  });
}

function dayOf(field: string, text: string): Instant {
  const day = /^([1-9]\d{3}-\d{2}-\d{2})(?:T[\d:.]+Z)?$/.exec(text)?.[1];
  const whole = day === undefined ? Number.NaN : Date.parse(text);
  const instant = Number.isNaN(whole) ? null : instantFromMillis(whole);
  // A day that the month does not have would be read as one of the next month.
  if (instant?.startsWith(day ?? '')) return instant;
  throw refuse(inputRefusals.INVALID_FIELD, { [field]: 'must be a date such as 2030-01-31' });
}

function idOf(field: string, prefix: 'acct' | 'kyc', text: string): string {
  const id = uuidOfWireId(prefix, text);
  if (id !== null) return id;
  throw refuse(inputRefusals.INVALID_FIELD, { [field]: 'is not a valid id' });
}

type Problems = Readonly<Record<string, string>>;

/** The filter in a query, or its errors by field. */
function readFilter(query: PageRequest['query']): SearchFilter | { readonly problems: Problems } {
  try {
    return filterOf(query);
  } catch (error) {
    if (error instanceof Refusal) return { problems: error.fields };
    throw error;
  }
}

/** The filter in a query. Refuses an invalid one, by field. */
function filterOf(query: PageRequest['query']): SearchFilter {
  const said = (name: (typeof FIELDS)[number]): string => (query[name] ?? '').trim();
  const [state, initiator] = [said('state'), said('initiator')];
  if (state !== '' && !(KYC_STATES as readonly string[]).includes(state)) {
    throw refuse(inputRefusals.INVALID_FIELD, { state: 'is not a known state' });
  }
  if (initiator !== '' && initiator !== 'user' && initiator !== 'compliance') {
    throw refuse(inputRefusals.INVALID_FIELD, { initiator: 'must be user or compliance' });
  }
  const [account, application] = [said('account_id'), said('kyc_id')];
  const [from, to] = [said('created_from'), said('created_to')];
  return {
    ...(state === '' ? {} : { state }),
    ...(initiator === '' ? {} : { initiator }),
    ...(account === '' ? {} : { account: idOf('account_id', 'acct', account) }),
    ...(application === '' ? {} : { application: idOf('kyc_id', 'kyc', application) }),
    ...(from === '' ? {} : { from: dayOf('created_from', from) }),
    ...(to === '' ? {} : { to: dayOf('created_to', to) }),
    limit: Math.max(1, numberOf(query['limit'], LIMIT, 200)),
    offset: numberOf(query['offset'], 0, MOST),
  };
}

async function searchPage({ services, session, query, tenant }: PageRequest) {
  const read = readFilter(query);
  if ('problems' in read) {
    const body = html`${card('Search', searchForm(query, read.problems))}`;
    return { title: 'Search', active: '/reviews', body, status: 400 };
  }
  const filter = { ...read, ...(tenant === null ? {} : { workspace: tenant.workspace }) };
  const found = await searchApplications(services.db, reviewerOf(session), filter);
  const list = table({
    caption: 'Applications',
    head: ['Application', 'Account', 'State', 'Started by', 'Created', 'Vendor reference'],
    rows: found.applications.map((one) => [
      html`<a class="id" href="/reviews/${one.kyc_id}">${one.kyc_id}</a>`,
      accountLink(one.account_id),
      badge(one.state),
      one.initiator,
      moment(one.created),
      one.vendor_reference_id && html`<span class="id">${one.vendor_reference_id}</span>`,
    ]),
    empty: 'No applications found.',
  });
  const kept = Object.fromEntries(FIELDS.map((name) => [name, query[name] ?? '']));
  const { limit, offset } = filter;
  const count = found.record_count;
  const pages = pagination({ path: '/search', query: kept, limit, offset, count });
  const body = html`${card('Search', searchForm(query))}
${card(`${count} found`, html`${list}${pages}`)}`;
  return { title: 'Search', active: '/reviews', body };
}

/** The form with what was typed, and the errors beside it. */
function searchForm(query: PageRequest['query'], problems: Problems = {}) {
  const marks = (name: string) =>
    name in problems && html` aria-invalid="true" aria-describedby="${name}-problem"`;
  const problem = (name: string) =>
    name in problems &&
    html`<span class="problem" id="${name}-problem">This ${problems[name]}.</span>`;
  // A browser would empty a date field that holds no date.
  const line = (name: string, label: string, type = 'text') => html`<p class="field">
<label for="${name}">${label}</label><input id="${name}" name="${name}"
 type="${name in problems ? 'text' : type}" value="${query[name] ?? ''}"
 autocomplete="off"${marks(name)}>${problem(name)}</p>
`;
  const list = (name: string, label: string, known: readonly string[]) => {
    const options = name in problems ? [query[name] ?? '', ...known] : known;
    const pairs = ['', ...options].map((one) => [one, one || 'any'] as const);
    const more = { chosen: query[name], marks: marks(name), after: problem(name) };
    return choice(label, name, pairs, more);
  };
  return html`<form method="get" action="/search">${list('state', 'State', KYC_STATES)}
${list('initiator', 'Started by', ['user', 'compliance'])}${line('account_id', 'Account')}
${line('kyc_id', 'Application')}${line('created_from', 'Created from', 'date')}
${line('created_to', 'Created before', 'date')}<p><button>Search</button></p></form>`;
}
