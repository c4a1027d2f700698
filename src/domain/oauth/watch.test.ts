// A client that is met for the first time while it moves to another world.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../db/index.ts';
import type { KeyRing } from './signing-keys.ts';
import { Watch } from './watch.ts';

test('a client read before news of it is as the news says', async () => {
  const id = '01a1fa9d-7256-730c-94fe-2f8786622f1a';
  const first = Promise.withResolvers<void>();
  const row = { client_id: id, integrator: id, scopes: [], disabled: false };
  let asked = 0;
  const query = async ({ name, values }: { name: string; values: string[][] }) => {
    if (name === 'oauth_clock') return [{ seconds: 0 }];
    if (name !== 'oauth_clients' || !values[0]?.includes(id)) return [];
    if (asked++ > 0) return [{ ...row, world: 2 }];
    await first.promise;
    return [{ ...row, world: 1 }];
  };
  const keys = { refresh: async () => {} } as unknown as KeyRing;
  const watch = new Watch({ query } as unknown as Database, keys);
  const meeting = watch.client(id);
  await watch.refreshAnew();
  first.resolve();
  assert.equal((await meeting)?.world, 2);
  assert.equal(watch.knownClient(id)?.world, 2);
});
