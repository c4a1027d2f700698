// What the catalogue lists of this module.
import type { Queue } from '../../../core/queue.ts';
import type { Module } from '../../context.ts';
import { endpointOperations } from './api.ts';
import { eventOperations } from './events-api.ts';
import { lists } from './list.ts';
import { deliveryShown } from './retention.ts';
import { webhookRefusals } from './refusals.ts';
import { wrappedWebhookKeys } from './secret.ts';

/** SQL of the deliveries in a state. */
const deliveries = (state: string, order: string): string => `select v.at
  from delivery d join event v on v.workspace = d.workspace and v.sequence = d.sequence
  where d.workspace = w.workspace and d.state = '${state}'
    and ${deliveryShown('w.clock_offset')} order by ${order}`;

const queues: readonly Queue[] = [
  {
    name: 'delivery',
    title: 'Pending deliveries',
    table: 'delivery',
    by: 'worker',
    path: '/lists/deliveries?state=pending',
    rows: deliveries('pending', 'd.due'),
  },
  {
    name: 'delivery_failed',
    title: 'Failed deliveries',
    table: 'delivery',
    by: 'people',
    path: '/lists/deliveries?state=dead',
    rows: deliveries('dead', 'd.endpoint_id, d.sequence'),
  },
];

export const module: Module = {
  name: 'tell/webhook',
  lists,
  operations: [...endpointOperations, ...eventOperations],
  refusals: webhookRefusals,
  wrapped: [wrappedWebhookKeys],
  queues,
};
