// The event stream under concurrency: twenty writers, two sealing loops, two workspaces. Each
// committed event is sealed once, numbered without a gap, in its resource's order. [G-60, R8]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import { testDatabase, type TestDatabase } from '../../test/kit/database.ts';
import { createWorkspace } from '../product/tenant/tenant/index.ts';
import { newUuid } from '../core/ids.ts';
import {
  EVENT_COLUMNS,
  Records,
  sealBlock,
  startSealing,
  Stream,
  type FanOut,
  type SealLoop,
  type SealOptions,
  type StoredEvent,
} from './index.ts';

const WRITERS = 20;
const EVENTS = 60;

let base: TestDatabase;
const workspaces: number[] = [];
before(async () => {
  base = await testDatabase();
  for (const name of ['one', 'two']) {
    workspaces.push((await createWorkspace(base.db, { name, currencies: ['USD'] })).workspace);
  }
});
after(() => base.drop());

/** Records of a made-up kind: the payload is id and version. */
const records = new Records([
  {
    kind: 'toy',
    schema: z.strictObject({ id: z.string(), version: z.int() }),
    compose: async (_db, keys) => keys.map(({ id, version }) => ({ id, version })),
  },
]);

const NO_DELIVERY = { text: 'select where false' };

function optionsOn(pool: TestDatabase['db'], more: Partial<SealOptions> = {}): SealOptions {
  return { db: pool, environment: 'staging', fanOut: () => NO_DELIVERY, ...more };
}

/** Commits one event; every third with a stored message, the others with a record to render. */
async function write(workspace: number, resource: string, version: number): Promise<void> {
  const whole = version % 3 === 0;
  await base.db.execute({
    text: `insert into outbox
        (workspace, resource_id, resource_version, event_id, name, at, record, message)
      values ($1, $2, $3, $4, 'toy-moved', clock_timestamp(), $5, $6)`,
    values: [
      workspace,
      resource,
      version,
      newUuid(),
      whole ? null : 'toy',
      whole ? JSON.stringify({ id: resource, version }) : null,
    ],
  });
}

interface Sealed {
  readonly workspace: number;
  readonly sequence: bigint;
  readonly event_id: string;
  readonly resource_id: string;
  readonly resource_version: number;
  readonly body: string;
}

async function stream(workspace: number): Promise<Sealed[]> {
  const rows = await base.db.query<StoredEvent>({
    text: `select v.workspace, ${EVENT_COLUMNS} from event v where v.workspace = $1
      order by v.sequence`,
    values: [workspace],
  });
  const bodies = await new Stream(base.db, records, 'staging').bodies(rows);
  return rows.map((row, at) => ({ ...row, body: bodies[at] ?? '' }));
}

function checkStream(events: readonly Sealed[]): void {
  const versions = new Map<string, number>();
  events.forEach((event, at) => {
    assert.equal(event.sequence, BigInt(at + 1), 'a gap');
    const before = versions.get(event.resource_id) ?? 0;
    assert.equal(event.resource_version, before + 1, 'a resource out of order');
    versions.set(event.resource_id, event.resource_version);
    const body = JSON.parse(event.body) as Record<string, unknown>;
    assert.equal(body['sequence'], at + 1);
    assert.equal(body['event_id'], event.event_id);
    assert.equal(body['event_name'], 'toy-moved');
    assert.equal(body['bucket_key'], 'staging');
    assert.equal(body['resource_version'], event.resource_version);
    const message = { id: event.resource_id, version: event.resource_version };
    assert.deepEqual(body['message'], message);
  });
}

test('twenty writers, two sealing loops: no gap, no loss, each resource in order', async () => {
  const faults: unknown[] = [];
  const fannedOut: bigint[] = [];
  const loops: SealLoop[] = [7, 50].map((block) =>
    startSealing({
      ...optionsOn(base.pool(2), { block }),
      fanOut: (sealed) => {
        fannedOut.push(...sealed.map((one) => one.sequence));
        return NO_DELIVERY;
      },
      queued: () => {},
      fault: (error) => faults.push(error),
      beat: 10,
      pause: 1,
    }),
  );
  const writer = async (at: number): Promise<void> => {
    const workspace = workspaces[at % 2] ?? 0;
    const resource = newUuid();
    for (let version = 1; version <= EVENTS; version += 1) {
      await write(workspace, resource, version);
      loops[at % 2]?.wake(new Set([workspace]));
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, at) => writer(at)));
  await Promise.all(loops.map((loop) => loop.drain()));
  await Promise.all(loops.map((loop) => loop.stop()));
  assert.deepEqual(faults, []);
  for (const workspace of workspaces) {
    const events = await stream(workspace);
    assert.equal(events.length, (WRITERS * EVENTS) / 2);
    checkStream(events);
  }
  assert.equal(fannedOut.length, WRITERS * EVENTS);
});

test('a block that cannot be sealed leaves everything as it was, and is sealed later', async () => {
  const { workspace } = await createWorkspace(base.db, { name: 'three', currencies: ['USD'] });
  const resource = newUuid();
  for (let version = 1; version <= 5; version += 1) await write(workspace, resource, version);
  const unmade: FanOut = () => {
    throw new Error('nobody to deliver to');
  };
  const refused: FanOut = () => ({ text: 'select 1 / 0' });
  for (const [fanOut, why] of [[unmade, /nobody to/], [refused, /division by zero/]] as const) {
    await assert.rejects(sealBlock(optionsOn(base.db, { fanOut }), workspace), why);
    assert.deepEqual(await stream(workspace), []);
  }
  assert.equal((await sealBlock(optionsOn(base.db, { block: 3 }), workspace)).events, 3);
  assert.equal((await sealBlock(optionsOn(base.db, { block: 3 }), workspace)).events, 2);
  assert.equal((await sealBlock(optionsOn(base.db), workspace)).events, 0);
  checkStream(await stream(workspace));
});

test('a workspace whose stream is being sealed elsewhere is skipped', async () => {
  const { workspace } = await createWorkspace(base.db, { name: 'four', currencies: ['USD'] });
  await write(workspace, newUuid(), 1);
  const holder = await base.db.connection();
  await holder.execute('begin');
  await holder.execute({ text: 'select from seal where workspace = $1 for update',
  values: [workspace] });
  assert.equal((await sealBlock(optionsOn(base.db), workspace)).events, 0);
  await holder.execute('rollback');
  holder.release();
  assert.equal((await sealBlock(optionsOn(base.db), workspace)).events, 1);
});

test('the delivery loop is woken only if there are deliveries', async () => {
  const { workspace } = await createWorkspace(base.db, { name: 'five', currencies: ['USD'] });
  for (const [deliveries, heard] of [[0, 0], [2, 1]] as const) {
    await write(workspace, newUuid(), 1);
    const fanOut: FanOut = () => ({ text: `select from generate_series(1, ${deliveries})` });
    let told = 0;
    const queued = (): void => void (told += 1);
    const fault = (error: unknown): void => assert.fail(String(error));
    const loop = startSealing({ ...optionsOn(base.db, { fanOut }), queued, fault });
    await loop.drain();
    await loop.stop();
    assert.equal(told, heard);
  }
  assert.equal((await stream(workspace)).length, 2);
});
