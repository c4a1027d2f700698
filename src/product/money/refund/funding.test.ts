// Funding of waiting refunds: a tenant whose funding fails does not delay the others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../../db/index.ts';
import type { Engine } from '../../../engine/index.ts';
import { fundWaiting } from './funding.ts';

test('a queue that fails holds up no other, and is told', async () => {
  const queues = [1, 2, 3].map((workspace) => ({ workspace, currency: 'USD' }));
  const query = async ({ name, values }: { name: string; values?: readonly unknown[] }) =>
    name === 'funding_queues' ? queues : [{ id: `of workspace ${values?.[0]}`, kind: 'refund' }];
  const db = { query, transaction: async () => 0 } as unknown as Database;
  const funded: number[] = [];
  const run = async (_command: unknown, _input: unknown, { workspace }: { workspace: number }) => {
    if (workspace === 1) throw new Error('broken');
    funded.push(workspace);
    return { status: 200, payload: true };
  };
  await assert.rejects(fundWaiting(db, { run } as unknown as Engine), /broken/);
  assert.deepEqual(funded, [2, 3]);
});
