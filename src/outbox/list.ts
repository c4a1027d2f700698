// The list of events that wait for their number.
import { column, defineLists } from '../core/list.ts';

export const streamLists = defineLists([
  {
    name: 'unpublished_events',
    title: 'Unpublished events',
    hint: 'Every event has its number: nothing waits.',
    from: 'outbox',
    key: { at: 'timestamptz', resource_id: 'uuid', resource_version: 'bigint', event_id: 'uuid' },
    columns: {
      event_id: column.id(),
      name: column.text(),
      resource_id: column.id(),
      at: column.time(),
    },
    filters: {},
  },
]);
