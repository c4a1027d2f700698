// The queues of persons and businesses. Filters persist from page to page; lists hold no personal
// data.
import {
  businessQueue,
  personQueue,
  type RestrictedFunds,
  type QueuedBusiness,
  type QueuedPerson,
  type QueueFilter,
} from '../../product/people/review/index.ts';
import { accountId, wireId } from '../../core/ids.ts';
import { choice } from '../frame.ts';
import { html, type Html } from '../../markup/html.ts';
import { age, badge, card, money, pagination, table } from '../blocks.ts';
import { get, type ConsoleApp, type PageRequest } from '../routes.ts';
import { namesOf, reviewerOf, type Names } from './parts.ts';
import { isTelling, ofPeople, percentOf, PERSON_REASONS, ruleInWords } from './words.ts';

const LIMIT = 50;
const MOST = 100_000;
const HELD = { number: 'Held funds' } as const;

/** Registers the queues. */
export function queuePages(app: ConsoleApp): void {
  get(app, '/reviews', 'review', persons);
  get(app, '/businesses', 'review', businesses);
}

/** A number from the query, within bounds. */
export function numberOf(text: string | undefined, otherwise: number, most: number): number {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Math.min(Number(text), most) : otherwise;
}

function filterOf({ query, tenant }: PageRequest): QueueFilter {
  const { waits, taken, money: held } = query;
  return {
    ...(tenant === null ? {} : { workspace: tenant.workspace }),
    ...(waits === 'us' || waits === 'person' ? { waits } : {}),
    ...(taken === 'free' || taken === 'mine' ? { taken } : {}),
    ...(held === 'kept' ? { money: true } : {}),
    limit: Math.max(1, numberOf(query['limit'], LIMIT, 200)),
    offset: numberOf(query['offset'], 0, MOST),
  };
}

function filters(query: PageRequest['query'], path: string, withWaits: boolean): Html {
  const one = (name: string, label: string, ...options: (readonly [string, string])[]): Html =>
    choice(label, name, options, { chosen: query[name] });
  const waiting = [['', 'us or the applicant'], ['us', 'us'], ['person', 'the applicant']] as const;
  return html`<form method="get" action="${path}" class="row">
${withWaits && one('waits', 'Waiting for', ...waiting)}
${one('taken', 'Assigned to', ['', 'anybody'], ['free', 'nobody'], ['mine', 'me'])}
${one('money', 'Money', ['', 'any'], ['kept', 'held funds'])}
<p><button class="quiet">Filter</button></p></form>`;
}

function keptText(kept: readonly RestrictedFunds[]): Html {
  return html`${kept.map(
    ({ amount, currency, digits }) => html`<div>${money(amount, currency, digits)}</div>`,
  )}`;
}

function holderText(takenBy: string | null, proposed: boolean, names: Names): Html {
  return html`${takenBy !== null && names(`operator:${takenBy}`)}
${proposed && badge('waiting for a second person')}`;
}

async function persons(request: PageRequest) {
  const { services, session, query } = request;
  const filter = filterOf(request);
  const { rows, count } = await personQueue(services, reviewerOf(session), filter);
  const names = await namesOf(services, rows.map(({ taken_by }) => `operator:${taken_by ?? ''}`));
  const list = table({
    caption: 'People waiting for review',
    head: ['Case', 'Waiting', HELD, 'Country', 'Level', 'Why', 'Matches', 'Assigned to'],
    rows: rows.map((row) => [
      caseLink(row),
      age(row.age),
      keptText(row.kept_back),
      row.country,
      row.level,
      why(row),
      row.matches === 0 ? '' : `${row.matches}, best ${percentOf(row.best_score)}`,
      holderText(row.taken_by, row.proposed, names),
    ]),
    empty: 'Nobody is waiting.',
  });
  const body = html`${card('Filter', filters(query, '/reviews', true))}
${card(`${count} waiting`, html`${list}${pages('/reviews', request, filter, count)}`)}
<p><a href="/search">Search all applications</a></p>
<p><a href="/matching">From which score on matches count</a></p>
<p><a href="/hits">Watch-list hits of accepted people</a></p>`;
  return { title: 'Reviews', active: '/reviews', body };
}

function caseLink({ application, account }: QueuedPerson): Html {
  const id = application === null ? accountId(account) : wireId('kyc', application);
  return html`<a href="/${application === null ? 'accounts' : 'reviews'}/${id}">${id}</a>`;
}

function why({ rules, reasons }: QueuedPerson): Html {
  const said = rules.filter(isTelling).map((rule) => html`<div>${ruleInWords(rule)}</div>`);
  const words = (code: string): string => PERSON_REASONS[code] ?? code;
  const asked = reasons.map((code) => html`<div class="faint">${words(code)}</div>`);
  const none = said.length + asked.length === 0;
  return html`${said}${asked}${none && html`<span class="faint">sent to manual review</span>`}`;
}

async function businesses(request: PageRequest) {
  const { services, session, query } = request;
  const filter = filterOf(request);
  const { rows, count } = await businessQueue(services.db, reviewerOf(session), filter);
  const names = await namesOf(services, rows.map(({ taken_by }) => `operator:${taken_by ?? ''}`));
  const says = (rule: string): Html => html`<div>${ruleInWords(ofPeople(rule))}</div>`;
  const list = table({
    caption: 'Businesses waiting for review',
    head: ['Business', 'Waiting', HELD, 'Country', 'Why', 'People', 'Assigned to'],
    rows: rows.map((row: QueuedBusiness) => [
      html`<a href="/businesses/${wireId('ent', row.entity)}">${wireId('ent', row.entity)}</a>`,
      age(row.age),
      keptText(row.kept_back),
      row.country,
      row.state === 'ACCEPT'
        ? 'Accepted, but one of its people is no longer verified'
        : row.rules.filter(isTelling).map(says),
      `${row.people_verified} of ${row.people} verified`,
      holderText(row.taken_by, row.proposed, names),
    ]),
    empty: 'No business is waiting.',
  });
  const body = html`${card('Filter', filters(query, '/businesses', false))}
${card(`${count} waiting`, html`${list}${pages('/businesses', request, filter, count)}`)}`;
  return { title: 'Businesses', active: '/businesses', body };
}

function pages(
  path: string,
  { query }: PageRequest,
  { limit, offset }: QueueFilter,
  count: number,
): Html | null {
  const { limit: _limit, offset: _offset, ...kept } = query;
  return pagination({ path, query: kept, offset, limit, count });
}
