// The operations of webhook endpoints. [G-64] Each change runs in one transaction with its
// idempotency claim; none moves money, so none goes through the engine.
import type { z } from 'zod';
import { isUuid } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import { targetObjection } from '../../../providers/outbound/port.ts';
import type { TargetObjection } from '../../../providers/outbound/port.ts';
import type { Transaction } from '../../../db/index.ts';
import { operation } from '../../context.ts';
import type { Services } from '../../context.ts';
import {
  changeEndpoint,
  findEndpoint,
  listEndpoints,
  lockEndpoint,
  OVERLAP_SECONDS,
  replaceSecret,
} from './endpoint.ts';
import type { EndpointRow } from './endpoint.ts';
import { once } from './once.ts';
import { readDeliveries } from './read.ts';
import { webhookRefusals as no } from './refusals.ts';
import { endEndpoint, noted, registerEndpoint } from './register.ts';
import { rangeOf, replay } from './replay.ts';
import type { ReplayRequest } from './replay.ts';
import {
  changeEndpointBody,
  createEndpointBody,
  deliveriesQuery,
  deliveryList,
  endpointList,
  endpointPath,
  endpointRecord,
  endpointWithSecret,
  renderEndpoint,
  replayBody,
  replayRecord,
  rotateBody,
} from './schema.ts';

const URL_REFUSALS = {
  malformed: no.WEBHOOK_URL_MALFORMED,
  scheme: no.WEBHOOK_URL_SCHEME,
  credentials: no.WEBHOOK_URL_CREDENTIALS,
  fragment: no.WEBHOOK_URL_FRAGMENT,
  port: no.WEBHOOK_URL_PORT,
  host: no.WEBHOOK_URL_HOST,
  address: no.WEBHOOK_URL_ADDRESS,
} as const satisfies Readonly<Record<TargetObjection, unknown>>;
const urlRefusals = Object.values(URL_REFUSALS);

const access = { client: 'write_webhooks' } as const;
const common = { access, cites: 'G-64' } as const;

function checkUrl(services: Services, url: string): void {
  const objection = targetObjection(url, services.env);
  if (objection === null) return;
  const url_error = objection === 'host' ? 'has an invalid host name' : 'is not allowed';
  throw refuse(URL_REFUSALS[objection], { url: url_error });
}

/** The locked endpoint; 404 alike for an unknown, foreign or deleted one. [G-11] */
async function locked(tx: Transaction, workspace: number, id: string): Promise<EndpointRow> {
  const found = isUuid(id) && (await lockEndpoint(tx, workspace, id));
  const row = found ? await findEndpoint(tx, workspace, id) : null;
  if (row === null) throw refuse(no.WEBHOOK_ENDPOINT_NOT_FOUND);
  return row;
}

async function readOne(services: Services, workspace: number, id: string): Promise<EndpointRow> {
  const row = isUuid(id) ? await findEndpoint(services.db, workspace, id) : null;
  if (row === null) throw refuse(no.WEBHOOK_ENDPOINT_NOT_FOUND);
  return row;
}

async function rendered(tx: Transaction, workspace: number, id: string): Promise<object> {
  const row = await findEndpoint(tx, workspace, id);
  if (row === null) throw new Error('an endpoint vanished under its lock');
  return renderEndpoint(row);
}

const create = operation({
  ...common,
  id: 'createWebhookEndpoint',
  route: 'POST invoicing /v1/webhook_endpoints',
  summary: 'Creates a webhook endpoint; its secret is shown only in this response.',
  body: createEndpointBody,
  answers: { 201: endpointWithSecret },
  refusals: [...urlRefusals, no.WEBHOOK_ENDPOINT_LIMIT],
  async run(services, { caller, body, idempotency }) {
    checkUrl(services, body.url);
    const { workspace } = caller;
    const id = services.random.uuid();
    return once(services, workspace, idempotency, async (tx) => {
      await registerEndpoint(tx, services, caller, id, {
        url: body.url,
        events: body.event_names ?? [],
        description: body.description ?? '',
        signing: body.signing ?? 'v1',
      });
      const payload = await rendered(tx, workspace, id);
      return { status: 201, payload, secret: { endpoint_id: id, number: 1 } };
    });
  },
});

const list = operation({
  ...common,
  id: 'listWebhookEndpoints',
  route: 'GET invoicing /v1/webhook_endpoints',
  summary: 'Lists the webhook endpoints, oldest first.',
  answers: { 200: endpointList },
  async run(services, { caller }) {
    const rows = await listEndpoints(services.db, caller.workspace);
    return { status: 200, payload: { webhook_endpoints: rows.map(renderEndpoint) } };
  },
});

const get = operation({
  ...common,
  id: 'getWebhookEndpoint',
  route: 'GET invoicing /v1/webhook_endpoints/{endpoint_id}',
  summary: 'Retrieves a webhook endpoint without its secret.',
  params: endpointPath,
  answers: { 200: endpointRecord },
  refusals: [no.WEBHOOK_ENDPOINT_NOT_FOUND],
  async run(services, { caller, params }) {
    const row = await readOne(services, caller.workspace, params.endpoint_id);
    return { status: 200, payload: renderEndpoint(row) };
  },
});

const change = operation({
  ...common,
  id: 'changeWebhookEndpoint',
  route: 'PATCH invoicing /v1/webhook_endpoints/{endpoint_id}',
  summary: 'Updates a webhook endpoint; disabling it turns pending deliveries into dead letters.',
  params: endpointPath,
  body: changeEndpointBody,
  answers: { 200: endpointRecord },
  refusals: [no.WEBHOOK_ENDPOINT_NOT_FOUND, ...urlRefusals],
  async run(services, { caller, params, body, idempotency }) {
    const { workspace } = caller;
    const id = params.endpoint_id;
    await readOne(services, workspace, id);
    if (body.url !== undefined) checkUrl(services, body.url);
    return once(services, workspace, idempotency, async (tx) => {
      await locked(tx, workspace, id);
      const { url, event_names: events, description, state } = body;
      await changeEndpoint(tx, workspace, id, { url, events, description, state });
      await noted(tx, caller, 'endpoint_changed', id);
      return { status: 200, payload: await rendered(tx, workspace, id) };
    });
  },
});

const remove = operation({
  ...common,
  id: 'deleteWebhookEndpoint',
  route: 'DELETE invoicing /v1/webhook_endpoints/{endpoint_id}',
  summary: 'Deletes a webhook endpoint and its secrets; pending deliveries become dead letters.',
  params: endpointPath,
  answers: { 204: null },
  refusals: [no.WEBHOOK_ENDPOINT_NOT_FOUND],
  async run(services, { caller, params, idempotency }) {
    return once(services, caller.workspace, idempotency, async (tx) => {
      const { endpoint_id: id } = params;
      const ended = isUuid(id) && (await endEndpoint(tx, caller, id));
      if (!ended) throw refuse(no.WEBHOOK_ENDPOINT_NOT_FOUND);
      return { status: 204, payload: null };
    });
  },
});

const rotate = operation({
  ...common,
  id: 'rotateWebhookSecret',
  route: 'POST invoicing /v1/webhook_endpoints/{endpoint_id}/rotate_secret',
  summary: 'Creates a new secret, shown once; by default the previous one also signs for 24 hours.',
  cites: 'G-62',
  params: endpointPath,
  body: rotateBody,
  answers: { 200: endpointWithSecret },
  refusals: [no.WEBHOOK_ENDPOINT_NOT_FOUND, no.WEBHOOK_SECRET_ROTATING],
  async run(services, { caller, params, body, idempotency }) {
    const { workspace } = caller;
    const id = params.endpoint_id;
    const overlap = body.overlap_seconds ?? OVERLAP_SECONDS;
    return once(services, workspace, idempotency, async (tx) => {
      const row = await locked(tx, workspace, id);
      // Otherwise a second click would end the only secret that the receiver has.
      if (row.rotating_until !== null && overlap > 0) throw refuse(no.WEBHOOK_SECRET_ROTATING);
      const { number } = await replaceSecret(tx, services, row, overlap);
      await noted(tx, caller, 'endpoint_secret_rotated', id);
      const payload = await rendered(tx, workspace, id);
      return { status: 200, payload, secret: { endpoint_id: id, number } };
    });
  },
});

const deliveries = operation({
  ...common,
  id: 'listWebhookDeliveries',
  route: 'GET invoicing /v1/webhook_endpoints/{endpoint_id}/deliveries',
  summary: 'Lists the deliveries to a webhook endpoint, newest first; state dead: dead letters.',
  cites: 'G-63',
  params: endpointPath,
  query: deliveriesQuery,
  answers: { 200: deliveryList },
  refusals: [no.WEBHOOK_ENDPOINT_NOT_FOUND],
  async run(services, { caller, params, query }) {
    await readOne(services, caller.workspace, params.endpoint_id);
    const payload = await readDeliveries(services.db, caller.workspace, params.endpoint_id, {
      state: query.state ?? null,
      before: query.before === undefined ? null : Number(query.before),
      limit: Number(query.limit ?? 100),
    });
    return { status: 200, payload };
  },
});

/** The replay that a body asks for. Throws a Refusal unless it uses exactly one of the ways. */
function requestOf(body: z.output<typeof replayBody>): ReplayRequest {
  const { sequence, from, to, failed } = body;
  const ranged = from !== undefined || to !== undefined;
  const ways = [sequence !== undefined, ranged, failed === true].filter(Boolean).length;
  if (ways !== 1) throw refuse(no.REPLAY_AMBIGUOUS);
  if (failed === true) return { kind: 'failed' };
  if (sequence !== undefined) return { kind: 'range', from: sequence, to: sequence };
  if (from === undefined || to === undefined) throw refuse(no.REPLAY_AMBIGUOUS);
  return rangeOf(from, to);
}

const replayOperation = operation({
  ...common,
  id: 'replayWebhookDeliveries',
  route: 'POST invoicing /v1/webhook_endpoints/{endpoint_id}/replay',
  summary: 'Replays one event, a range of sequence numbers, or up to 10,000 dead letters.',
  cites: 'G-63',
  params: endpointPath,
  body: replayBody,
  answers: { 200: replayRecord },
  refusals: [
    no.WEBHOOK_ENDPOINT_NOT_FOUND,
    no.WEBHOOK_ENDPOINT_DISABLED,
    no.REPLAY_AMBIGUOUS,
    no.REPLAY_RANGE_TOO_LARGE,
  ],
  async run(services, { caller, params, body, idempotency }) {
    const { workspace } = caller;
    await readOne(services, workspace, params.endpoint_id);
    const request = requestOf(body);
    return once(services, workspace, idempotency, async (tx) => {
      const row = await locked(tx, workspace, params.endpoint_id);
      if (row.state !== 'enabled') throw refuse(no.WEBHOOK_ENDPOINT_DISABLED);
      const queued = await replay(tx, workspace, row.id, request);
      return { status: 200, payload: { queued } };
    });
  },
});

export const endpointOperations = [
  create,
  list,
  get,
  change,
  remove,
  rotate,
  deliveries,
  replayOperation,
];
