// Whether the write-ahead log reaches its archive and commits wait for a standby, as the role of a
// server reads it from a PostgreSQL whose settings change while it runs.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { archiveOf, Database, isSynchronous } from '../../src/db/index.ts';
import { startEmbedded, type EmbeddedServer } from '../../src/db/embedded/index.ts';
import { remove, temporaryFolder } from '../start/launch.ts';

const folder = temporaryFolder();
let running: EmbeddedServer;
let owner: Database;
let server: Database;

async function start(): Promise<void> {
  running = await startEmbedded({
    ...{ dataDir: folder, ephemeral: false, durable: false, log: () => {} },
    programsDir: `${import.meta.dirname}/../../.holdfast/programs`,
  });
  owner = new Database({ url: running.ownerUrl, max: 1 });
  server = new Database({ url: running.url, max: 1 });
}

async function stop(): Promise<void> {
  await server?.close();
  await owner?.close();
  await running?.stop();
}

before(start);
after(async () => {
  await stop();
  remove(folder);
});

async function set(name: string, value: string): Promise<void> {
  await owner.execute(`alter system set ${name} = '${value}'`);
  await owner.execute('select pg_reload_conf()');
}

/** Waits until the server's role reads what fits. */
async function until(what: string, fits: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 60_000; !(await fits()); await pause(100)) {
    assert.ok(Date.now() < end, what);
  }
}

test('without an archive there is none that fails', async () => {
  assert.equal(await archiveOf(server), null);
});

test('an archive fails from a try that failed until one that went well', async () => {
  await set('archive_mode', 'on');
  await set('archive_command', '/bin/false');
  await stop();
  await start();
  const before = await archiveOf(server);
  assert.ok(before?.last === null && before.ageSeconds >= 0, JSON.stringify(before));
  await owner.execute('create table filled (n int)');
  await owner.execute('select pg_switch_wal()');
  await until('it fails', async () => (await archiveOf(server))?.fails === true);
  await set('archive_command', '/bin/true');
  await until('it goes well', async () => (await archiveOf(server))?.fails === false);
  const { last, ageSeconds = -1 } = (await archiveOf(server)) ?? {};
  assert.ok(typeof last === 'string' && ageSeconds >= 0 && ageSeconds < 60, String(ageSeconds));
});

test('a commit waits for a standby from when one is named until none is', async () => {
  assert.equal(await isSynchronous(server), false);
  await set('synchronous_standby_names', '*');
  await until('it waits', () => isSynchronous(server));
  await set('synchronous_standby_names', '');
  await until('it does not wait', async () => !(await isSynchronous(server)));
});
