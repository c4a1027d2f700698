// Webhooks for the people who build the integration: the endpoints of the tenant, what was sent to
// each and with what answer, and the forms that send again.
import { html, type Html } from '../markup/html.ts';
import { hasRight, operatorActor } from '../product/access/operator/index.ts';
import {
  DELIVERY_STATES,
  listEndpoints,
  rangeOf,
  readDeliveries,
  sendAgain,
  type EndpointRow,
  type ReplayRequest,
} from '../product/tell/webhook/index.ts';
import { badge, card, definitions, empty, moment, table } from './blocks.ts';
import { claimOf, onceField } from './developers/act.ts';
import { endpointActs, endpointOf } from './developers/endpoints.ts';
import { ticked } from './developers/parts.ts';
import { choice, field, postForm } from './frame.ts';
import { backTo, get, NotThere, post, type ConsoleApp, type PageRequest } from './routes.ts';

const active = '/webhooks';
const ROWS = 50;

/** Registers the pages of webhooks. */
export function webhookPages(app: ConsoleApp): void {
  get(app, '/webhooks', 'read', list);
  get(app, '/webhooks/:id', 'read', one);
  post(app, '/webhooks/:id/again', 'develop', again);
}

/** The address without its path, which may hold a secret of the receiver. */
const hostOf = ({ url }: EndpointRow): string => new URL(url).origin;

async function list({ services: { db }, session, tenant }: PageRequest) {
  const title = 'Webhooks';
  if (tenant === null) return { title, active, body: empty('There is no tenant yet.') };
  const rows = await listEndpoints(db, tenant.workspace);
  const may = hasRight(session, 'develop');
  const body = html`${may && html`<p class="row">
<a class="button" href="/webhooks/new">Create an endpoint</a>
<a href="/developers">For developers</a></p>`}${card('Endpoints', table({
    caption: 'Endpoints',
    head: ['Endpoint', 'Receiver', 'State', 'Events', 'Description', 'Created'],
    rows: rows.map((row) => [
      html`<a class="id" href="/webhooks/${row.id}">${row.id}</a>`,
      hostOf(row),
      badge(row.state),
      row.events.length === 0 ? 'all' : row.events.join(', '),
      row.description,
      moment(row.created),
    ]),
    empty: 'There are none yet. A developer creates one here, or with POST /v1/webhook_endpoints.',
  }))}`;
  return { title, active, body };
}

async function one(request: PageRequest) {
  const { services: { db }, session, query } = request;
  const endpoint = await endpointOf(request);
  const { id, workspace, state, disabled_reason, description, rotating_until } = endpoint;
  const facts = definitions([
    ['Receiver', hostOf(endpoint)],
    ['State', html`${badge(state)} ${disabled_reason === 'gone' && 'It answered 410.'}`],
    ['Description', description],
    ['Signature', endpoint.signing],
    ['Old secret signs until', rotating_until === null ? '' : moment(rotating_until)],
  ]);
  const chosen = DELIVERY_STATES.find((name) => name === query['state']) ?? null;
  const before = /^\d{1,15}$/.test(query['before'] ?? '') ? Number(query['before']) : null;
  const page = { state: chosen, before, limit: ROWS };
  const { deliveries, next_before } = await readDeliveries(db, workspace, id, page);
  const develops = hasRight(session, 'develop');
  const may = develops && state === 'enabled';
  const rows = table({
    caption: 'Deliveries, newest first',
    head: [
      ...(['Event', { number: 'Number' }, 'State', { number: 'Attempts' }, 'Last answer'] as const),
      ...(['Next attempt', ...(may ? ['Send again'] : [])] as const),
    ],
    rows: deliveries.map((row) => [
      develops
        ? html`<a href="/webhooks/${id}/events/${row.event_id}">${row.event_name}</a>`
        : row.event_name,
      row.sequence,
      badge(row.state),
      row.attempts,
      html`${row.last_status ?? ''} ${row.last_reason}`,
      row.next_attempt === null ? '' : moment(row.next_attempt),
      ...(may ? [againCell(row.sequence)] : []),
    ]),
    empty: chosen === null ? 'Nothing was sent yet.' : 'No delivery is in this state.',
  });
  const states = [['', 'any'] as const, ...DELIVERY_STATES.map((name) => [name, name] as const)];
  const older = { state: chosen ?? '', before: String(next_before ?? '') };
  const way = String(new URLSearchParams(older));
  const body = html`${card('Endpoint', facts)}${develops && endpointActs(request, endpoint)}
${may && card('Send again', html`<p>At the usual pace. What was delivered comes once more.</p>
${againForm(request, id, html`<input type="hidden" name="failed" value="yes">
<p><button>Send all failed again</button></p>`)}
${againForm(request, id, html`<div class="filters">${field('From number', 'from')}
${field('To number', 'to')}<p class="field"><button class="quiet">Send these again</button></p>
</div>`)}`)}
${card('Deliveries', html`<form method="get" action="/webhooks/${id}" class="row">
${choice('State', 'state', states, { chosen: chosen ?? '' })}
<p><button class="quiet">Show</button></p></form>${may
  ? againForm(request, id, html`${deliveries.length > 0 && html`<p>
<button class="quiet">Send the ticked again</button></p>`}${rows}`)
  : rows}
${next_before !== null && html`<nav class="pages" aria-label="Pages">
<a rel="next" href="/webhooks/${id}?${way}">Older</a></nav>`}`)}`;
  return { title: `Endpoint ${id}`, active, body };
}

function againForm(request: PageRequest, id: string, what: Html): Html {
  return postForm(request.session, `/webhooks/${id}/again`, html`${onceField(request)}${what}`);
}

/** Sends this one at once, or ticks it to be sent with others. */
function againCell(sequence: number): Html {
  return html`<div class="row"><input type="checkbox" name="tick_${sequence}" value="on"
 aria-label="Number ${sequence}"><button class="quiet" name="sequence"
 value="${sequence}">Send again</button></div>`;
}

const isNumber = (text: string): boolean => /^\d{1,15}$/.test(text);

/** What a form asks to be sent again. */
function requestsOf(form: PageRequest['form']): readonly ReplayRequest[] {
  const { failed, sequence, from, to } = form;
  if (failed === 'yes') return [{ kind: 'failed' }];
  const single = sequence === undefined ? ticked(form, 'tick_') : [sequence];
  const pairs = from === undefined && to === undefined
    ? single.map((one) => [one, one] as const)
    : [[(from ?? '').trim(), (to ?? '').trim()] as const];
  if (!pairs.flat().every(isNumber)) throw new NotThere();
  return pairs.map(([first, last]) => rangeOf(Number(first), Number(last)));
}

async function again(request: PageRequest) {
  const { services: { db }, session, form } = request;
  const { id, workspace } = await endpointOf(request);
  const asked = requestsOf(form);
  if (asked.length === 0) return backTo(`/webhooks/${id}`, 'Nothing is ticked.', 'bad');
  const by = { actor: operatorActor(session), claim: claimOf(request) };
  const queued = await sendAgain(db, { workspace, id }, asked, by);
  const words = queued === 1 ? 'One delivery is' : `${queued} deliveries are`;
  return backTo(`/webhooks/${id}`, `${words} sent again.`, queued === 0 ? 'bad' : 'good');
}
