// API clients of the tenant: list, create, disable, enable, and a new secret while the one before
// stays valid for a while. A secret is in the one answer that made it, and nowhere else. [G-04]
import { isUuid } from '../../core/ids.ts';
import { name as nameOf, readInput } from '../../core/schema.ts';
import { html, type Html } from '../../markup/html.ts';
import {
  addClient,
  beyondDevelopers,
  isScope,
  listClients,
  proposeClient,
  proposeSecret,
  replaceClientSecret,
  SCOPES,
  scopesIn,
  setClientDisabled,
  type ClientCredentials,
  type ShownClient,
} from '../../product/access/oauth/index.ts';
import { operatorActor } from '../../product/access/operator/index.ts';
import { onlyOnce } from '../../product/idempotent/index.ts';
import { badge, card, definitions, empty, moment, table } from '../blocks.ts';
import { choice, field, notice, postForm } from '../frame.ts';
import { backTo, get, NotThere, post, tenantOf } from '../routes.ts';
import type { ConsoleApp, PageRequest } from '../routes.ts';
import { actOnce, onceField } from './act.ts';
import { active, box, secretPage, sentBefore, ticked, ways } from './parts.ts';

const AT = '/developers/clients/:id';
const NAME = nameOf(255);
const WAITS = 'It works once a second person has confirmed it.';
const KEEP = 'Store the secret where only your server can read it; we keep a hash of it.';

/** How long the secret before stays valid, in hours; the command line takes any up to a month. */
const OVERLAPS = { 0: 'not at all', 1: 'an hour', 24: 'a day', 168: 'a week', 720: '30 days' };
const SECONDS_PER_HOUR = 3600;

/** Registers the pages of clients. */
export function clientPages(app: ConsoleApp): void {
  get(app, '/developers', 'develop', (request) => listPage(request, null));
  post(app, '/developers/clients', 'develop', create);
  get(app, AT, 'develop', async (request) => clientPage(request, await theirs(request)));
  post(app, `${AT}/rotate`, 'develop', rotate);
  post(app, `${AT}/disable`, 'develop', (request) => setDisabled(request, true));
  post(app, `${AT}/enable`, 'develop', (request) => setDisabled(request, false));
}

const pathOf = (id: string): string => `/developers/clients/${id}`;

async function listPage(request: PageRequest, wrong: string | null) {
  const { services: { db }, tenant } = request;
  const title = 'Developers';
  if (tenant === null) return { title, active, body: empty('There is no tenant yet.') };
  const clients = await listClients(db, tenant.workspace);
  const list = table({
    caption: 'API clients',
    head: ['Name', 'Client', 'State', 'Scopes', 'Created'],
    rows: clients.map((one) => [
      html`<a href="${pathOf(one.id)}">${one.name}</a>`,
      html`<code>${one.id}</code>`,
      stateOf(one),
      one.scopes.length,
      moment(one.created),
    ]),
    empty: 'There are none yet.',
  });
  const body = html`${ways('/developers', request.services)}
${wrong !== null && notice('bad', wrong)}
${card('API clients', list)}${card('Create a client', createForm(request))}`;
  return { title, active, body, status: wrong === null ? 200 : 400 };
}

function stateOf({ disabled, rotating_until, pending_since }: ShownClient): Html {
  return html`${badge(disabled ? 'disabled' : 'active')}${
    rotating_until !== null && ' two secrets are valid'
  }${pending_since !== null && ' a secret waits for a second person'}`;
}

function createForm(request: PageRequest): Html {
  const { services: { env }, session, form } = request;
  const hint = 'For your own use, such as the server that has it';
  return postForm(
    session,
    '/developers/clients',
    html`${onceField(request)}${field('Name', 'name', { value: form['name'] ?? '' }, hint)}
<fieldset><legend>Scopes</legend>
${scopesIn(env).map((scope) =>
  box(`scope_${scope}`, scope, form[`scope_${scope}`] === 'on', SCOPES[scope]),
)}</fieldset>
<p>A client acts for the whole tenant: give it no scope that its server does not need.</p>
${env === 'production' && html`<p>With scopes that reach money or people, its secret works once a
second person has confirmed it.</p>`}
<p><button>Create the client</button></p>`,
  );
}

async function create(request: PageRequest) {
  const { services, session, form } = request;
  const { workspace } = tenantOf(request);
  const name = readInput(NAME, (form['name'] ?? '').trim());
  const there = scopesIn(services.env);
  const scopes = ticked(form, 'scope_').filter((one) => isScope(one) && there.includes(one));
  if (!name.ok) return listPage(request, `The name ${Object.values(name.errors).join(', ')}.`);
  if (scopes.length === 0) return listPage(request, 'Choose at least one scope.');
  const wish = { workspace, name: name.value, scopes };
  const waits = needsSecond(request, scopes);
  const made = await actOnce(request, (claim) =>
    onlyOnce(services.db, workspace, claim, (tx) =>
      waits
        ? proposeClient(tx, services, wish, session.operatorId)
        : addClient(tx, services, wish, operatorActor(session)),
    ),
  );
  if (made === null) return sentBefore(active, active);
  return credentialsPage('Client created', made, waits);
}

/** True in production, where a secret reaches further than a developer's role. [G-04] */
function needsSecond({ services: { env } }: PageRequest, scopes: readonly string[]): boolean {
  return env === 'production' && beyondDevelopers(scopes).length > 0;
}

function credentialsPage(title: string, made: ClientCredentials, waits: boolean) {
  const { client_id, client_secret } = made;
  const shown = [['client_id', client_id], ['client_secret', client_secret]] as const;
  return secretPage(title, active, pathOf(client_id), shown, waits ? `${KEEP} ${WAITS}` : KEEP);
}

/** The client in the path; one of another tenant is not there. */
async function theirs(request: PageRequest): Promise<ShownClient> {
  const { services: { db }, params } = request;
  const id = params['id'] ?? '';
  const { workspace } = tenantOf(request);
  const [found] = isUuid(id) ? await listClients(db, workspace, id) : [];
  if (found === undefined) throw new NotThere();
  return found;
}

function clientPage(request: PageRequest, client: ShownClient) {
  const { session } = request;
  const { id, name, scopes, disabled, created, rotating_until } = client;
  const act = (what: string, label: string, tone: string) =>
    postForm(session, `${pathOf(id)}/${what}`, html`<button class="${tone}">${label}</button>`);
  const facts = definitions([
    ['Client', html`<code>${id}</code>`],
    ['State', stateOf(client)],
    ['Created', moment(created)],
    ['Old secret valid until', rotating_until === null ? '' : moment(rotating_until)],
    ['Requests', html`<a href="${`/developers/requests?client=${id}`}">What it asked</a>`],
  ]);
  const rotation = postForm(
    session,
    `${pathOf(id)}/rotate`,
    html`${onceField(request)}
${choice('The secret of now stays valid', 'overlap_hours', Object.entries(OVERLAPS), {
  chosen: '24',
})}
${rotating_until !== null && html`<p>A rotation is under way: the secret before the one of now ends
with the next.</p>`}<p><button>Make a new secret</button></p>`,
  );
  const list = scopes.map((scope) => {
    return [scope, isScope(scope) ? SCOPES[scope] : 'Not known to this release.'] as const;
  });
  const ends = 'Its tokens, its users’ too, are refused within seconds.';
  const body = html`${ways('', request.services)}${card('Client', facts)}
${card('Scopes', definitions(list))}
${card('New secret', rotation)}
${card('Access', html`${!disabled && html`<p>${ends}</p>`}
${disabled ? act('enable', 'Enable', 'quiet') : act('disable', 'Disable', 'danger')}`)}`;
  return { title: name, active, body };
}

async function rotate(request: PageRequest) {
  const { services, session, form } = request;
  const { id, scopes } = await theirs(request);
  const waits = needsSecond(request, scopes);
  const hours = form['overlap_hours'] ?? '';
  if (!Object.hasOwn(OVERLAPS, hours)) throw new NotThere();
  const seconds = Number(hours) * SECONDS_PER_HOUR;
  const { workspace } = tenantOf(request);
  const made = await actOnce(request, (claim) =>
    onlyOnce(services.db, workspace, claim, (tx) =>
      waits
        ? proposeSecret(tx, services, id, seconds, session.operatorId)
        : replaceClientSecret(tx, services, id, seconds, operatorActor(session)),
    ),
  );
  if (made === null) return sentBefore(active, pathOf(id));
  return credentialsPage('New secret', made, waits);
}

async function setDisabled(request: PageRequest, disabled: boolean) {
  const { services, session } = request;
  const { id } = await theirs(request);
  await setClientDisabled(services, id, disabled, operatorActor(session));
  const done = disabled ? 'Disabled. Nodes follow within seconds.' : 'Enabled.';
  return backTo(pathOf(id), done);
}
