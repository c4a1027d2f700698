// Hits of the watch-lists: those of one application or business beside its case, and those of who
// is accepted, which two operators decide one by one. Nobody outside is told. [G-51]
import {
  historyOf,
  hitQueue,
  hitSeen,
  proposalOf,
  type HitSeen,
} from '../../product/people/review/index.ts';
import type { Entry, Hit } from '../../product/people/screening/index.ts';
import { accountId, isUuid, wireId } from '../../core/ids.ts';
import { postForm } from '../frame.ts';
import { html, type Html } from '../../markup/html.ts';
import { accountLink, badge, card, definitions, moment, table } from '../blocks.ts';
import { get, NotThere, type ConsoleApp, type PageRequest } from '../routes.ts';
import { actPages } from './acts.ts';
import { historyCard, namesOf, noteField, proposalCard, reviewerOf } from './parts.ts';
import { percentOf } from './words.ts';

/** Registers the pages of hits. */
export function hitPages(app: ConsoleApp): void {
  get(app, '/hits', 'review', queue);
  get(app, '/hits/:id', 'review', hitPage);
  actPages(app, '/hits/:id', async (request) => {
    const { workspace, id } = await named(request);
    return { workspace, subject: 'hit', id };
  });
}

function verdictsOf({ business }: HitSeen) {
  const what = business ? 'business' : 'person';
  return { accept: `Another ${what}`, deny: `The same ${what}` } as const;
}

async function named({ services, session, params }: PageRequest): Promise<HitSeen> {
  const id = params['id'] ?? '';
  const found = isUuid(id) ? await hitSeen(services.db, reviewerOf(session), id) : null;
  if (found === null) throw new NotThere();
  return found;
}

/** Entries that a business resembles by its name, now. */
export function alikeTable(hits: readonly Hit[]): Html {
  return table({
    caption: 'Watch-list entries with a similar name',
    head: ['Entry', 'List', 'Likeness', 'What it says'],
    rows: hits.map(({ list, list_version, score, listed }) => {
      const { names, schema, countries, sanctions } = JSON.parse(listed) as Entry;
      const says = several([schema, ...countries, ...sanctions]);
      return [several(names), `${list}, version ${list_version}`, percentOf(score), says];
    }),
    empty: 'No entry has a similar name.',
  });
}

function several(values: readonly string[] = []): Html | '' {
  return values.length === 0 ? '' : html`${values.map((value) => html`<div>${value}</div>`)}`;
}

/** Hits in a list. */
export function hitsTable(hits: readonly HitSeen[]): Html {
  return table({
    caption: 'Watch-list hits',
    head: ['Entry', 'List', 'Likeness', 'State', 'Found'],
    rows: hits.map(({ id, listed, list, list_version, score, state, created }) => [
      html`<a href="/hits/${id}">${listed?.names[0] ?? 'erased'}</a>`,
      `${list}, version ${list_version}`,
      percentOf(score),
      badge(state),
      moment(created),
    ]),
    empty: 'No watch-list hits.',
  });
}

async function queue({ services, session }: PageRequest) {
  const hits = await hitQueue(services.db, reviewerOf(session));
  const body = card(
    `${hits.length} waiting`,
    html`<p>These people and businesses are accepted, and a watch-list now has an entry that
resembles them. They stay accepted until two operators have decided.</p>${hitsTable(hits)}`,
  );
  return { title: 'Watch-list hits', active: '/reviews', body };
}

async function hitPage(request: PageRequest) {
  const { services, session } = request;
  const found = await named(request);
  const { workspace, id, version, state } = found;
  const [steps, proposal] = await Promise.all([
    historyOf(services.db, workspace, id),
    proposalOf(services, workspace, id, version),
  ]);
  const actors = steps.map(({ actor }) => actor);
  const names = await namesOf(services, [...actors, `operator:${proposal?.operator ?? ''}`]);
  const path = `/hits/${id}`;
  const body = html`<div class="pair"><div>${listedCard(found)}</div>
<div>${proposal !== null &&
  proposalCard(session, `${path}/second`, version, proposal, names, {}, verdictsOf(found))}
${state === 'open' && proposal === null && decideCard(request, path, found)}
${historyCard(steps, names)}</div></div>`;
  return { title: 'Watch-list hit', active: '/reviews', body };
}

function listedCard({ account, subject, business, tenant, listed, ...hit }: HitSeen): Html {
  const compared = wireId(business ? 'ent' : 'kyc', subject);
  const page = `/${business ? 'businesses' : 'reviews'}/${compared}`;
  return card(
    'Entry of the list',
    definitions([
      ['Names', several(listed?.names)],
      ['Birth date', several(listed?.births)],
      ['Countries', several(listed?.countries)],
      ['Identifiers', several(listed?.identifiers)],
      ['Sanctions', several(listed?.sanctions)],
      ['Kind', listed?.schema ?? ''],
      ['Id in the list', listed?.id ?? ''],
      ['List', `${hit.list}, version ${hit.list_version}`],
      ['Likeness', percentOf(hit.score)],
      ['State', badge(hit.state)],
      ['Tenant', tenant],
      ['Account', accountLink(accountId(account))],
      ['To compare, with notes', html`<a href="${page}">${compared}</a>`],
    ]),
  );
}

function decideCard({ session }: PageRequest, path: string, found: HitSeen): Html {
  const { accept, deny } = verdictsOf(found);
  const then = found.business
    ? 'it is closed for good, and its account is not paid out'
    : 'they must verify again and are not paid out until then';
  const form = postForm(
    session,
    `${path}/decide`,
    html`<p>For who is accepted a second operator must confirm. A case in review is decided on its
own page.</p>
<input type="hidden" name="version" value="${found.version}"><fieldset><legend>Decision</legend>
<label><input type="radio" name="decision" value="accept" required>${accept}</label>
<label><input type="radio" name="decision" value="deny" required>${deny}: ${then}</label></fieldset>
${noteField('hit-note')}<p><button>Decide</button></p>`,
  );
  return card('Decide', form);
}
