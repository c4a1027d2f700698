// A production start on a server whose commits wait for another place: it does not warn. The other
// place is Debian's pg_receivewal, which is a synchronous standby to the server.
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  oldestBinaries,
  startTestServer,
  TEST_URL_VARIABLE,
  type TestServer,
} from '../../src/db/embedded/test-server.ts';
import { Database } from '../../src/db/index.ts';
import { run } from '../cli/terminal.ts';
import { productionDatabase, type TestDatabase } from '../kit/database.ts';
import { startNode } from '../kit/platform.ts';
import { until } from '../kit/until.ts';
import { endAll, launch, remove, temporaryFolder, terminate } from '../start/launch.ts';

const folder = temporaryFolder();
let server: TestServer;
let admin: Database;
let base: TestDatabase;
before(async () => {
  const binaries = oldestBinaries();
  assert.ok(binaries, "Debian's PostgreSQL is missing: apt-get install postgresql");
  server = await startTestServer(binaries);
  // The database of this file is on a server of its own, whose settings it changes.
  process.env[TEST_URL_VARIABLE] = server.url;
  base = await productionDatabase();
  admin = new Database({ url: server.url, max: 1 });
  const log = join(folder, 'log');
  mkdirSync(log);
  chmodSync(log, 0o700);
  const args = ['--directory', log, '--synchronous', '--dbname', server.url];
  launch({ command: join(binaries.bin, 'pg_receivewal'), args });
});
after(async () => {
  endAll();
  await base?.drop();
  await admin?.close();
  await server?.stop();
  remove(folder);
});

async function synchronous(names: string): Promise<void> {
  await admin.execute(`alter system set synchronous_standby_names = '${names}'`);
  await admin.query('select pg_reload_conf()');
}

test('with every commit on a standby production does not warn, and check says so', async () => {
  await synchronous('pg_receivewal');
  await until('the standby is synchronous', async () => {
    const rows = await admin.query<{ state: string }>(
      'select sync_state as state from pg_stat_replication',
    );
    return rows.some(({ state }) => state === 'sync');
  });
  const settings = {
    ...{ DATABASE_URL: base.served, HOLDFAST_ENV: 'production', HOLDFAST_DATA_DIR: folder },
    HOLDFAST_KEY_FILE: join(folder, 'keys.json'),
  };
  const node = await startNode(settings);
  await node.ready();
  assert.doesNotMatch(node.stderr(), /Nothing is synchronous/);
  const { out } = await run(settings, 'check', '--json');
  const { findings } = JSON.parse(out) as { findings: { part: string; says: string }[] };
  const standby = findings.find(({ part }) => part === 'standby');
  assert.equal(standby?.says, 'every commit is on a standby too');
  assert.equal(await terminate(node), 0, node.stderr());
  // The same start on the same server says it once nothing is.
  await synchronous('');
  const alone = await startNode(settings);
  await alone.ready();
  assert.match(alone.stderr(), /^holdfast: Nothing is synchronous: /m);
  assert.equal(await terminate(alone), 0, alone.stderr());
});
