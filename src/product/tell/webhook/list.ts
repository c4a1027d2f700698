// The lists of events and of their deliveries, without what is in the events.
import { byState, column, defineLists } from '../../../core/list.ts';
import { EVENT_NAMES } from '../../events.ts';
import { DELIVERY_STATES } from './outcome.ts';
import { AHEAD, deliveryShown } from './retention.ts';

const HINT = 'Events are sent to the endpoints that choose them.';

export const lists = defineLists([
  {
    name: 'events',
    title: 'Events',
    hint: HINT,
    from: 'event',
    key: { sequence: 'bigint' },
    columns: {
      event_id: column.id(),
      sequence: column.number(),
      name: column.text(),
      resource_id: column.id(),
      at: column.time(),
    },
    filters: { name: byState(EVENT_NAMES) },
  },
  {
    name: 'deliveries',
    title: 'Deliveries',
    hint: HINT,
    from: 'delivery',
    where: `exists (select from event v where v.workspace = $1 and v.sequence = t.sequence
      and ${deliveryShown(AHEAD, 't')})`,
    joined: `left join lateral (select event_id, name, at from event
      where workspace = $1 and sequence = t.sequence) v on true`,
    key: { endpoint_id: 'uuid', sequence: 'bigint' },
    columns: {
      event_id: column.id({ sql: 'v.event_id' }),
      endpoint_id: column.id(),
      sequence: column.number(),
      name: column.text({ sql: 'v.name' }),
      resource_id: column.id(),
      state: column.state(DELIVERY_STATES),
      attempts: column.number(),
      last_status: column.number({ nullable: true }),
      last_reason: column.text({ nullable: true }),
      at: column.time({ sql: 'v.at' }),
    },
    filters: {
      endpoint_id: { kind: 'id', by: 'index' },
      state: byState(DELIVERY_STATES, ['dead']),
    },
  },
]);
