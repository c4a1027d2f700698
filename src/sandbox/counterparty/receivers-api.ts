// Event receivers that the sandbox hosts: real endpoints of the workspace with ordinary deliveries,
// whose answers follow a script. Staging only. [G-64]
import { isUuid } from '../../core/ids.ts';
import { refuse } from '../../core/refusal.ts';
import type { DomainOperation } from '../../product/context.ts';
import { operation, type SandboxServices } from '../services.ts';
import { once } from '../../product/idempotent/index.ts';
import {
  endEndpoint,
  onceWithSecret,
  refusals as webhook,
  registerEndpoint,
} from '../../product/tell/webhook/index.ts';
import { commanded, common, placeIn, questionOf } from './api.ts';
import { refusals } from './refusals.ts';
import {
  madeReceiver,
  pageQuery,
  receiverBody,
  receiverList,
  receiverPath,
  renderRequest,
  requestList,
} from './schema.ts';

const create = operation({
  ...common,
  id: 'sandboxCreateReceiver',
  route: 'POST invoicing /sandbox/receivers',
  summary: 'Creates a webhook receiver at the processor host and registers it; shows its secret.',
  body: receiverBody,
  answers: { 201: madeReceiver },
  refusals: [
    refusals.COUNTERPARTIES_ABSENT,
    refusals.EXCHANGE_UNKNOWN,
    webhook.WEBHOOK_ENDPOINT_LIMIT,
  ],
  async run(services, { caller, body, idempotency }) {
    const { workspace } = caller;
    const { random } = services;
    const parties = commanded(services);
    const orders = (body.script ?? []).map(({ exchange, times = 1 }) => {
      const asked = questionOf(parties, { counterparty: 'receiver', exchange });
      return { counterparty: 'receiver', operation: asked, exchange, times } as const;
    });
    const [receiver_id, endpoint_id] = [random.uuid(), random.uuid()];
    return onceWithSecret(services, workspace, idempotency, async (tx) => {
      const url = parties.receivers.addressOf(receiver_id);
      const request = { events: body.events ?? [], description: 'sandbox receiver' };
      const signing = 'v1' as const;
      await registerEndpoint(tx, services, caller, endpoint_id, { url, ...request, signing });
      await parties.receivers.open(tx, workspace, receiver_id, endpoint_id);
      for (const order of orders) {
        await parties.script(tx, workspace, { ...order, token: receiver_id });
      }
      const payload = { receiver_id, url, endpoint_id };
      return { status: 201, payload, secret: { endpoint_id, number: 1 } };
    });
  },
});

const list = operation({
  ...common,
  id: 'sandboxReceivers',
  route: 'GET invoicing /sandbox/receivers',
  summary: 'Lists the webhook receivers of the sandbox, oldest first.',
  answers: { 200: receiverList },
  async run({ db, counterparties }, { caller: { workspace } }) {
    const hosted = counterparties?.receivers;
    const receivers = (await hosted?.list(db, workspace)) ?? [];
    const shown = receivers.map((one) => ({ ...one, url: hosted?.addressOf(one.receiver_id) }));
    return { status: 200, payload: { receivers: shown } };
  },
});

/** The endpoint of a receiver. Throws the same Refusal for an unknown, foreign or ended one. */
async function endpointOf(
  services: SandboxServices,
  workspace: number,
  id: string,
): Promise<string> {
  const { receivers } = commanded(services);
  const endpoint = isUuid(id) ? await receivers.find(services.db, workspace, id) : null;
  if (endpoint === null) throw refuse(refusals.RECEIVER_NOT_FOUND);
  return endpoint;
}

const requests = operation({
  ...common,
  id: 'sandboxReceiverRequests',
  route: 'GET invoicing /sandbox/receivers/{receiver_id}/requests',
  summary: 'Lists the raw requests of a receiver with each step of their verification.',
  params: receiverPath,
  query: pageQuery,
  answers: { 200: requestList },
  refusals: [
    refusals.COUNTERPARTIES_ABSENT,
    refusals.RECEIVER_NOT_FOUND,
    refusals.BOOK_PAGE_UNKNOWN,
  ],
  async run(services, { caller: { workspace }, params: { receiver_id: id }, query }) {
    await endpointOf(services, workspace, id);
    const after = placeIn('receiver', query.after);
    const { receivers } = commanded(services);
    const { entries, next } = await receivers.requests(services.db, workspace, id, after);
    return { status: 200, payload: { requests: entries.map(renderRequest), next } };
  },
});

const end = operation({
  ...common,
  id: 'sandboxEndReceiver',
  route: 'DELETE invoicing /sandbox/receivers/{receiver_id}',
  summary: 'Deletes a receiver and its endpoint; pending deliveries become dead letters.',
  params: receiverPath,
  answers: { 204: null },
  refusals: [refusals.COUNTERPARTIES_ABSENT, refusals.RECEIVER_NOT_FOUND],
  async run(services, { caller, params: { receiver_id: id }, idempotency }) {
    const { workspace } = caller;
    return once(services.db, workspace, idempotency, async (tx) => {
      // A receiver whose endpoint was deleted through its own operation still exists.
      await endEndpoint(tx, caller, await endpointOf(services, workspace, id));
      await commanded(services).receivers.end(tx, workspace, id);
      return { status: 204, payload: null };
    });
  },
});

export const receiverOperations: readonly DomainOperation[] = [create, list, requests, end];
