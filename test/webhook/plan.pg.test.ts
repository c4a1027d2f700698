// How a delivery finds its event, planned where every world has had one event so far: by its key.
// An index that serves a world alone looks as good there, and reads the world once it has grown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENGINE_SETTINGS } from '../../src/engine/index.ts';
import { testDatabase } from '../kit/database.ts';

test('an event is looked up by world and sequence, whatever the statistics say', async () => {
  const base = await testDatabase();
  try {
    await base.db.execute(`insert into tenant (integrator, name)
      select gen_random_uuid(), 'small' from generate_series(1, 300)`);
    await base.db.execute('insert into world (integrator) select integrator from tenant');
    await base.db.execute(`insert into event (world, sequence, event_id, name, resource_id,
        resource_version, at, body)
      select world, 1, gen_random_uuid(), 'toy', gen_random_uuid(), 1, now(), '{}' from world`);
    await base.db.execute('analyze event');
    const plan = await base.pool(1, ENGINE_SETTINGS).query<{ 'QUERY PLAN': string }>(`explain
      select v.at from (values (1, 1::bigint), (2, 1)) as t(world, sequence)
      join event v on v.world = t.world and v.sequence = t.sequence`);
    const text = plan.map((line) => line['QUERY PLAN']).join('\n');
    assert.match(text, /Scan using event_pkey on event/, text);
  } finally {
    await base.drop();
  }
});
