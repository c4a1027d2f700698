// Webhooks for the people who build the integration: the endpoints of the tenant, what was sent to
// each and with what answer, one event with every attempt, and the forms that send again.
import { isUuid } from '../core/ids.ts';
import { html, type Html } from '../markup/html.ts';
import { hasRight } from '../product/access/operator/index.ts';
import {
  DELIVERY_STATES,
  findEndpoint,
  listEndpoints,
  readDeliveries,
  readEvent,
  sendAgain,
  type EndpointRow,
} from '../product/tell/webhook/index.ts';
import { badge, card, definitions, empty, moment, objectLink, table } from './blocks.ts';
import { choice, postForm } from './frame.ts';
import { backTo, get, NotThere, post, type ConsoleApp, type PageRequest } from './routes.ts';

const active = '/webhooks';
const ROWS = 50;

/** Registers the pages of webhooks. */
export function webhookPages(app: ConsoleApp): void {
  get(app, '/webhooks', 'read', list);
  get(app, '/webhooks/:id', 'read', one);
  get(app, '/webhooks/:id/events/:event', 'develop', showEvent);
  post(app, '/webhooks/:id/again', 'develop', again);
}

/** The address without its path, which may hold a secret of the receiver. */
const hostOf = ({ url }: EndpointRow): string => new URL(url).origin;

async function list({ services: { db }, tenant }: PageRequest) {
  const title = 'Webhooks';
  if (tenant === null) return { title, active, body: empty('There is no tenant yet.') };
  const rows = await listEndpoints(db, tenant.workspace);
  const body = card('Endpoints', table({
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
    empty: 'There are none yet. Create one with POST /v1/webhook_endpoints.',
  }));
  return { title, active, body };
}

async function endpointOf({ services: { db }, tenant, params }: PageRequest): Promise<EndpointRow> {
  const id = params['id'] ?? '';
  const known = tenant !== null && isUuid(id);
  const found = known ? await findEndpoint(db, tenant.workspace, id) : null;
  if (found === null) throw new NotThere();
  return found;
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
  const may = hasRight(session, 'develop') && state === 'enabled';
  const rows = table({
    caption: 'Deliveries, newest first',
    head: [
      ...(['Event', { number: 'Number' }, 'State', { number: 'Attempts' }, 'Last answer'] as const),
      ...(['Next attempt', 'Send again'] as const),
    ],
    rows: deliveries.map((row) => [
      hasRight(session, 'develop')
        ? html`<a href="/webhooks/${id}/events/${row.event_id}">${row.event_name}</a>`
        : row.event_name,
      row.sequence,
      badge(row.state),
      row.attempts,
      html`${row.last_status ?? ''} ${row.last_reason}`,
      row.next_attempt === null ? '' : moment(row.next_attempt),
      may && againForm(request, id, html`<input type="hidden" name="sequence"
 value="${row.sequence}"><button class="quiet">Send again</button>`),
    ]),
    empty: chosen === null ? 'Nothing was sent yet.' : 'No delivery is in this state.',
  });
  const states = [['', 'any'] as const, ...DELIVERY_STATES.map((name) => [name, name] as const)];
  const older = { state: chosen ?? '', before: String(next_before ?? '') };
  const way = String(new URLSearchParams(older));
  const body = html`${card('Endpoint', facts)}
${may && card('Send again', againForm(request, id, html`<input type="hidden" name="failed"
 value="yes"><p>All deliveries that failed for good are sent once more, at the usual pace.</p>
<p><button>Send all failed again</button></p>`))}
${card('Deliveries', html`<form method="get" action="/webhooks/${id}" class="row">
${choice('State', 'state', states, { chosen: chosen ?? '' })}
<p><button class="quiet">Show</button></p></form>${rows}
${next_before !== null && html`<nav class="pages" aria-label="Pages">
<a rel="next" href="/webhooks/${id}?${way}">Older</a></nav>`}`)}`;
  return { title: `Endpoint ${id}`, active, body };
}

function againForm({ session }: PageRequest, id: string, what: Html): Html {
  return postForm(session, `/webhooks/${id}/again`, what);
}

async function again(request: PageRequest) {
  const { services: { db }, session, form } = request;
  const { id, workspace } = await endpointOf(request);
  const { failed, sequence = '' } = form;
  if (failed !== 'yes' && !/^\d{1,15}$/.test(sequence)) throw new NotThere();
  const at = Number(sequence);
  const what = failed === 'yes' ? { kind: 'failed' } as const
    : { kind: 'range', from: at, to: at } as const;
  const queued = await sendAgain(db, { workspace, id }, what, `operator:${session.operatorId}`);
  const words = queued === 1 ? 'One delivery is' : `${queued} deliveries are`;
  return backTo(`/webhooks/${id}`, `${words} sent again.`, queued === 0 ? 'bad' : 'good');
}

async function showEvent(request: PageRequest) {
  const { services: { db, stream }, params } = request;
  const endpoint = await endpointOf(request);
  const id = params['event'] ?? '';
  const found = isUuid(id) ? await readEvent(db, stream, endpoint.workspace, id) : null;
  const delivery = found?.deliveries.find(({ endpoint_id }) => endpoint_id === endpoint.id);
  if (found === null || delivery === undefined) throw new NotThere();
  const attempts = table({
    caption: 'Attempts',
    head: [
      ...([{ number: 'Attempt' }, 'Sent', { number: 'Status' }, 'Outcome'] as const),
      ...([{ number: 'Milliseconds' }, 'What the receiver answered'] as const),
    ],
    rows: delivery.attempts.map((row) => [
      row.number,
      moment(row.at),
      row.status ?? '',
      row.reason,
      row.duration_ms,
      html`<code>${row.excerpt}</code>`,
    ]),
    empty: 'It was not sent yet.',
  });
  const body = html`${card('Delivery', definitions([
    ['State', badge(delivery.state)],
    ['Event', objectLink(id)],
    ['Next attempt', delivery.next_attempt === null ? '' : moment(delivery.next_attempt)],
  ]))}${card('Attempts', attempts)}
${card('Body', html`<pre>${JSON.stringify(found.event, null, 2)}</pre>`)}
<p><a href="/webhooks/${endpoint.id}">All deliveries to this endpoint</a></p>`;
  return { title: `Event ${id}`, active, body };
}
