// One delivery for the people who build the receiver: every attempt, its signature step by step,
// and the delivery as a test of their own.
import { instantFromMillis, millisOf } from '../../core/time.ts';
import { isUuid } from '../../core/ids.ts';
import { html } from '../../markup/html.ts';
import { WorkspaceTime } from '../../product/tell/explain/index.ts';
import {
  readEvent,
  signedDelivery,
  type EndpointRow,
  type SignedDelivery,
} from '../../product/tell/webhook/index.ts';
import { badge, card, definitions, moment, objectLink, table, verbatim } from '../blocks.ts';
import { field } from '../frame.ts';
import { get, NotThere, there, type ConsoleApp, type PageRequest } from '../routes.ts';
import { endpointOf } from './endpoints.ts';
import { curlOf, stepsOf } from './signature.ts';

const active = '/webhooks';
const AT = '/webhooks/:id/events/:event';

/** Registers the pages of a delivery. */
export function deliveryPages(app: ConsoleApp): void {
  get(app, AT, 'develop', show);
  get(app, `${AT}/body`, 'develop', async (request) => {
    const { body } = await signedNow(request);
    return file(`${request.params['event']}.json`, body);
  });
  get(app, `${AT}/test`, 'develop', async (request) => {
    const { headers, body } = await signedNow(request);
    const text = JSON.stringify({ method: 'POST', headers, body }, null, 2);
    return file(`test-${request.params['event']}.json`, text);
  });
}

const file = (name: string, text: string) =>
  ({ bytes: Buffer.from(text, 'utf8'), type: 'application/json', name }) as const;

const secondsNow = (): number => Math.floor(Date.now() / 1000);

async function signedNow(request: PageRequest): Promise<SignedDelivery> {
  const { endpoint, id } = await deliveryOf(request);
  return signed(request, endpoint, id, secondsNow());
}

/** The event in the path, with its delivery to the endpoint in the path. */
async function deliveryOf(request: PageRequest) {
  const { services: { db, stream }, params } = request;
  const endpoint = await endpointOf(request);
  const id = params['event'] ?? '';
  const found = isUuid(id) ? await readEvent(db, stream, endpoint.workspace, id) : null;
  const delivery = found?.deliveries.find(({ endpoint_id }) => endpoint_id === endpoint.id);
  if (found === null || delivery === undefined) throw new NotThere();
  return { endpoint, id, event: found.event, delivery };
}

async function signed(
  { services }: PageRequest,
  endpoint: EndpointRow,
  id: string,
  seconds: number,
): Promise<SignedDelivery> {
  const made = there(await signedDelivery(services, endpoint, id, seconds));
  return made;
}

async function show(request: PageRequest) {
  const { services: { db }, query } = request;
  const { endpoint, id, event, delivery } = await deliveryOf(request);
  const last = delivery.attempts.at(-1)?.at;
  const time = await WorkspaceTime.read(db, endpoint.workspace);
  const sent = last === undefined ? null : Math.floor(millisOf(time.realOf(last)) / 1000);
  const now = secondsNow();
  const given = /^\d{1,12}$/.test(query['timestamp'] ?? '') ? Number(query['timestamp']) : null;
  // Nothing is signed for a moment to come.
  const at = given !== null && given <= now ? given : (sent ?? now);
  const [then, current] = await Promise.all([
    signed(request, endpoint, id, at),
    signed(request, endpoint, id, now),
  ]);
  const which = given === at ? 'as you asked' : sent === at ? 'the last attempt' : 'now';
  const path = `/webhooks/${endpoint.id}/events/${id}`;
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
${card('Body', html`${verbatim('Body', JSON.stringify(event, null, 2))}
<p><a href="${path}/body">The exact bytes that are sent and signed</a></p>`)}
${card('Signature, step by step', html`<p>As signed at
${moment(instantFromMillis(at * 1000))}, ${which}, by the secrets that are active now.</p>
<form method="get" action="${path}" class="row">${field('webhook-timestamp you got', 'timestamp', {
    value: String(at),
  })}<p><button class="quiet">Sign for it</button></p></form>${stepsOf(then, endpoint)}`)}
${card('Copy as a test', html`<p>This delivery to your own handler, signed now. A receiver takes it
for five minutes; load the page anew for another.</p>
${verbatim('Command', curlOf(current))}
<p><a href="${path}/test">As a JSON file with method, headers and body</a>, for a test that reads
it. Give <code>verifyWebhook</code> there <code>toleranceSeconds: Infinity</code>.</p>`)}
<p><a href="/webhooks/${endpoint.id}">All deliveries to this endpoint</a></p>`;
  return { title: `Event ${id}`, active, body };
}
