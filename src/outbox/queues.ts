// What waits to be sealed.
import type { Queue } from '../core/queue.ts';

export const streamQueues: readonly Queue[] = [
  {
    name: 'outbox',
    title: 'Unpublished events',
    table: 'outbox',
    by: 'worker',
    path: '/lists/unpublished_events',
    rows: 'select at from outbox where workspace = w.workspace order by at',
  },
];
