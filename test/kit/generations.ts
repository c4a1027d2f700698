// Turns generations in tests without waiting for weeks.
import assert from 'node:assert/strict';
import { turnGenerations, type Queryable } from '../../src/db/index.ts';

/** Makes the past of a table as old as it has to be, less some seconds. */
export async function age(owner: Queryable, name: string, lessSeconds = 0): Promise<void> {
  await owner.query({
    text: `update generation
      set since = clock_timestamp() - keeps + make_interval(secs => $2) where name = $1`,
    values: [name, lessSeconds],
  });
}

/** Turns a table as when its time has come: like the worker, again while somebody uses it. */
export async function turn(owner: Queryable, name: string): Promise<void> {
  await age(owner, name);
  let turned = 0;
  for (let tries = 0; tries < 100 && turned === 0; tries += 1) {
    turned = await turnGenerations(owner);
  }
  assert.equal(turned, 1);
}
