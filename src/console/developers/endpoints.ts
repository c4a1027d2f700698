// Forms of webhook endpoints: create, change, disable, enable, a new secret, and a test event. All
// but the test are operations of the API. A secret is in the one answer that made it. [G-64]
import { events } from '../../catalogue.ts';
import { isUuid } from '../../core/ids.ts';
import { exampleOf } from '../../http/openapi-examples.ts';
import { schemaOf } from '../../http/openapi-schema.ts';
import { html, type Html } from '../../markup/html.ts';
import { signWebhookToken } from '../../product/access/oauth/index.ts';
import { operatorActor } from '../../product/access/operator/index.ts';
import { findEndpoint, sendTest, type EndpointRow } from '../../product/tell/webhook/index.ts';
import { badge, card, definitions, verbatim } from '../blocks.ts';
import { choice, field, notice, postForm } from '../frame.ts';
import { backTo, get, NotThere, post, tenantOf, there } from '../routes.ts';
import type { ConsoleApp, PageRequest } from '../routes.ts';
import { actOnce, claimOf, onceField, refusalText, runOperation } from './act.ts';
import { box, secretPage, sentBefore, ticked } from './parts.ts';

const active = '/webhooks';
const AT = '/webhooks/:id';
const KEEP = 'The receiver verifies with it that a delivery is ours. It is stored sealed.';
const SIGNINGS = [
  ['v1', 'HMAC-SHA256 with a shared secret (v1)'],
  ['v1a', 'ed25519 with a public key (v1a)'],
] as const;

/** Registers the forms of endpoints. */
export function endpointForms(app: ConsoleApp): void {
  get(app, '/webhooks/new', 'develop', async (request) => newPage(request, null));
  post(app, '/webhooks/new', 'develop', create);
  get(app, `${AT}/change`, 'develop', async (request) =>
    changePage(request, await endpointOf(request), null),
  );
  post(app, `${AT}/change`, 'develop', change);
  post(app, `${AT}/disable`, 'develop', (request) => setState(request, 'disabled'));
  post(app, `${AT}/enable`, 'develop', (request) => setState(request, 'enabled'));
  post(app, `${AT}/rotate`, 'develop', rotate);
  post(app, `${AT}/test`, 'develop', test);
}

/** The endpoint in the path; one of another tenant is not there. */
export async function endpointOf(request: PageRequest): Promise<EndpointRow> {
  const id = request.params['id'] ?? '';
  const { db } = request.services;
  const found = there(isUuid(id) ? await findEndpoint(db, tenantOf(request).workspace, id) : null);
  return found;
}

/** The fields that are given at the start and can be changed. */
function fields({ form }: PageRequest, { url, events: chosen, description }: Wished): Html {
  const isOn = (name: string): boolean =>
    form['url'] === undefined ? chosen.includes(name) : form[`event_${name}`] === 'on';
  return html`${field('Address', 'url', { value: form['url'] ?? url }, 'Must begin with https://')}
${field('Description', 'description', {
  value: form['description'] ?? description,
  optional: true,
})}
<fieldset><legend>Events; none ticked: all</legend>
${events.map(({ name, when }) => box(`event_${name}`, name, isOn(name), when))}</fieldset>`;
}

type Wished = Pick<EndpointRow, 'url' | 'events' | 'description'>;

const wishOf = ({ form }: PageRequest) => ({
  url: (form['url'] ?? '').trim(),
  event_names: ticked(form, 'event_'),
  description: (form['description'] ?? '').trim(),
});

function newPage(request: PageRequest, wrong: string | null) {
  const { session } = request;
  const none = { url: '', events: [], description: '' };
  const form = html`${onceField(request)}${fields(request, none)}
${choice('Signature', 'signing', SIGNINGS, { chosen: request.form['signing'] ?? 'v1' })}
<p><button>Create the endpoint</button></p>`;
  const body = html`${wrong !== null && notice('bad', wrong)}
${card('Endpoint', postForm(session, '/webhooks/new', form))}`;
  const status = wrong === null ? 200 : 400;
  return { title: 'New webhook endpoint', active, body, status };
}

/** What an operation answers that makes a secret. */
interface WithSecret {
  readonly endpoint_id: string;
  readonly secret: string;
  readonly public_key: string;
}

function shownOnce(title: string, { endpoint_id: id, secret, public_key }: WithSecret) {
  const path = `/webhooks/${id}`;
  // A private key is never shown: its receiver has the public one, which is no secret.
  if (secret === '') return backTo(path, `${title}. It signs with a new key.`);
  const shown = [['Signing secret', secret], ['Public key', public_key]] as const;
  return secretPage(title, active, path, shown.filter(([, value]) => value !== ''), KEEP);
}

async function create(request: PageRequest) {
  const body = { ...wishOf(request), signing: request.form['signing'] ?? '' };
  try {
    const made = await actOnce(request, (claim) =>
      runOperation(request, 'createWebhookEndpoint', { body }, claim),
    );
    if (made === null) return sentBefore(active, active);
    return shownOnce('Endpoint created', made as WithSecret);
  } catch (error) {
    return newPage(request, refusalText(error));
  }
}

function changePage(request: PageRequest, endpoint: EndpointRow, wrong: string | null) {
  const { id, updated } = endpoint;
  const path = `/webhooks/${id}/change`;
  const form = html`<input type="hidden" name="seen" value="${updated}">
${fields(request, endpoint)}<p><button>Save</button></p>`;
  const body = html`${wrong !== null && notice('bad', wrong)}
${card('Endpoint', postForm(request.session, path, form))}
<p><a href="/webhooks/${id}">Back to the endpoint</a></p>`;
  const status = wrong === null ? 200 : 400;
  return { title: `Change endpoint ${id}`, active, body, status };
}

async function change(request: PageRequest) {
  const endpoint = await endpointOf(request);
  const { id, updated } = endpoint;
  if (request.form['seen'] !== updated) {
    const why = 'Somebody changed the endpoint since this page was shown. Look at it again.';
    return backTo(`/webhooks/${id}/change`, why, 'bad');
  }
  const given = { params: { endpoint_id: id }, body: wishOf(request) };
  try {
    await runOperation(request, 'changeWebhookEndpoint', given);
  } catch (error) {
    return changePage(request, endpoint, refusalText(error));
  }
  return backTo(`/webhooks/${id}`, 'Saved.');
}

async function setState(request: PageRequest, state: 'enabled' | 'disabled') {
  const { id } = await endpointOf(request);
  const given = { params: { endpoint_id: id }, body: { state } };
  await runOperation(request, 'changeWebhookEndpoint', given);
  return backTo(`/webhooks/${id}`, state === 'enabled' ? 'Enabled.' : 'Disabled.');
}

async function rotate(request: PageRequest) {
  const { id } = await endpointOf(request);
  const body = request.form['overlap'] === 'none' ? { overlap_seconds: 0 } : {};
  try {
    const made = await actOnce(request, (claim) =>
      runOperation(request, 'rotateWebhookSecret', { params: { endpoint_id: id }, body }, claim),
    );
    if (made === null) return sentBefore(active, `/webhooks/${id}`);
    return shownOnce('New signing secret', made as WithSecret);
  } catch (error) {
    return backTo(`/webhooks/${id}`, refusalText(error), 'bad');
  }
}

/** What developers do to an endpoint, for its page. */
export function endpointActs(request: PageRequest, { id, state }: EndpointRow): Html {
  const { session, services: { outbound } } = request;
  const isOn = state === 'enabled';
  const toggle = isOn
    ? html`<button class="danger">Disable</button>`
    : html`<button class="quiet">Enable</button>`;
  const overlaps = [
    ['day', 'signs too for 24 hours'],
    ['none', 'ends at once'],
  ] as const;
  const names = events.map(({ name }) => [name, name] as const);
  const off = 'This process calls nobody.';
  return html`${card('Settings', html`<div class="row">
<a class="button quiet" href="/webhooks/${id}/change">Change</a>
${postForm(session, `/webhooks/${id}/${isOn ? 'disable' : 'enable'}`, toggle)}</div>
${isOn && html`<p class="faint">When it is disabled, pending deliveries become dead letters, which
can be sent again.</p>`}`)}<div class="pair">
${card('New signing secret', postForm(session, `/webhooks/${id}/rotate`, html`${onceField(request)}
${choice('The secret of now', 'overlap', overlaps)}<p><button>Make a new secret</button></p>`))}
${isOn && card('Test event', outbound === null ? off : postForm(session, `/webhooks/${id}/test`,
    html`${onceField(request)}${choice('Event', 'name', names)}
<p>One request with invented content to this endpoint alone, signed as deliveries are. It has
<code>"test": true</code> and the sequence 0, and is no event.</p>
<p><button>Send the test</button></p>`,
  ))}</div>`;
}

async function test(request: PageRequest) {
  const { services, session, form } = request;
  const endpoint = await endpointOf(request);
  const path = `/webhooks/${endpoint.id}`;
  const event = events.find(({ name }) => name === form['name']);
  const { outbound } = services;
  if (event === undefined || outbound === null) throw new NotThere();
  const signer = signWebhookToken(services);
  const sent = await sendTest({ ...services, outbound }, endpoint, {
    name: event.name,
    message: exampleOf(schemaOf(event.message, 'output')),
    actor: operatorActor(session),
    claim: claimOf(request),
    signToken: async (id) => (await signer(id)).token,
  });
  if (sent === null) return backTo(path, 'This test was sent already.', 'bad');
  const { outcome, headers, body } = sent;
  const answered = outcome.status === null ? 'no answer' : `answered ${outcome.status}`;
  const facts = definitions([
    ['Outcome', badge(outcome.verdict === 'delivered' ? 'delivered' : 'failed')],
    ['Receiver', `${answered} ${outcome.reason ?? ''}`],
    ['Milliseconds', outcome.durationMs],
    ['What it answered', html`<code>${outcome.excerpt}</code>`],
  ]);
  const lines = Object.entries(headers).map((one) => one.join(': '));
  const page = html`${card('Test event', facts)}
${card('Headers', html`${verbatim('Headers', lines.join('\n'))}
<p>And <code>authorization</code>, with a bearer token for this endpoint.</p>`)}
${card('Body', verbatim('Body', JSON.stringify(JSON.parse(body), null, 2)))}
<p><a href="${path}">Back to the endpoint</a></p>`;
  return { title: `Test of ${event.name}`, active, body: page };
}
