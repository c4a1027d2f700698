// The restore drill of docs/high-availability.md with pgbackrest: a full backup, an incremental
// one, and a restore to a moment in another place. There the books hold, what was sold until the
// moment is there and nothing later, nobody is called, and readers of events learn of the epoch.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Database } from '../../src/db/index.ts';
import { run } from '../cli/terminal.ts';
import { Api, type Ready } from '../kit/api.ts';
import { proved, sealed, settled } from '../kit/books.ts';
import { AS_POSTGRES, backupSettings, Cluster, done, pageLines } from '../kit/cluster.ts';
import { dataFolder, startNode } from '../kit/platform.ts';
import { endAll, freeBlock } from '../start/launch.ts';

const WITHIN_MS = 30_000;

let cluster: Cluster;
const dataDir = dataFolder();
const copyDir = dataFolder();
let stopCopy = (): void => {};
before(async () => {
  cluster = await Cluster.start();
});
after(() => {
  endAll();
  stopCopy();
  cluster?.stop();
  for (const folder of [dataDir, copyDir]) rmSync(folder, { recursive: true, force: true });
});

const settingsOf = (url: string, folder: string): Record<string, string> => ({
  DATABASE_URL: url,
  HOLDFAST_DATA_DIR: folder,
  HOLDFAST_KEY_FILE: join(folder, 'keys.json'),
});

/** Sells so many times; the invoices. */
async function sell(api: Api, count: number): Promise<string[]> {
  const { wallet_payment_method_id: wallet } = api.ready.accounts.buyer;
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const id = await api.created(api.sale(1, [{ payment_method_id: wallet }]));
    assert.equal((await api.pay(id)).status, 200);
    await api.finished(id);
    ids.push(id);
  }
  return ids;
}

/** Waits until what is in the write-ahead log now is in the repository. */
async function archived(db: Database): Promise<void> {
  type Segment = { segment: string };
  const [last] = await db.query<Segment>('select pg_walfile_name(pg_switch_wal()) as segment');
  const text = 'select from pg_stat_archiver where last_archived_wal >= $1';
  for (const end = Date.now() + WITHIN_MS; ; await pause(100)) {
    if ((await db.query({ text, values: [last?.segment] })).length > 0) return;
    assert.ok(Date.now() < end, `${last?.segment} is not archived`);
  }
}

/** Restores into a directory of its own and starts PostgreSQL there; its URL. */
async function restore(moment: string): Promise<string> {
  const data = join(cluster.folder, 'restored');
  mkdirSync(data, { mode: 0o700 });
  done('chown', ['postgres', data]);
  const env = backupSettings(cluster.folder, data, data);
  const port = await freeBlock();
  const own = `"-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${data}`;
  const here = {
    '/var/lib/postgresql/15/restored': data,
    '2026-03-01 12:00:00+00': moment,
    '"-p 5433': own,
  };
  const [program = '', ...as] = AS_POSTGRES;
  const lines = ['pgbackrest --stanza=holdfast --pg1-path', '/usr/lib/postgresql/'];
  for (const line of lines.flatMap((start) => pageLines(start, here))) {
    done(program, [...as, 'bash', '-c', line], env);
  }
  const control = ['/usr/lib/postgresql/15/bin/pg_ctl', '-D', data, '-m', 'immediate', 'stop'];
  stopCopy = () => void spawnSync(program, [...as, ...control]);
  const url = `postgres://holdfast:secret@127.0.0.1:${port}/holdfast`;
  const db = new Database({ url, max: 1, primary: true });
  for (const end = Date.now() + WITHIN_MS; ; await pause(100)) {
    const isOpen = await db.query('select').then(() => true, () => false);
    if (isOpen) break;
    assert.ok(Date.now() < end, 'the restored server does not leave its recovery');
  }
  await db.close();
  return url;
}

test('full, incremental, restored to a moment: the books hold, readers are told', async () => {
  const leader = await cluster.healthy();
  cluster.migrate(settingsOf(cluster.url, dataDir));
  const node = await startNode(settingsOf(cluster.url, dataDir));
  const api = await Api.open((await node.ready()) as unknown as Ready);
  const db = new Database({ url: cluster.url, max: 1 });
  const sold = await sell(api, 3);
  leader.commands('pgbackrest --stanza=holdfast --type=full');
  sold.push(...(await sell(api, 3)));
  leader.commands('pgbackrest --stanza=holdfast --type=incr');
  sold.push(...(await sell(api, 3)));
  await settled(db, WITHIN_MS);
  await sealed(db);
  const [now] = await db.query<{ moment: string }>('select clock_timestamp()::text as moment');
  await pause(1_100);
  const later = await sell(api, 3);
  await sealed(db);
  const read = (one: Api, query: string) => one.send('invoicing', 'GET', `/v1/events?${query}`);
  const page = (await read(api, 'after=0&limit=1000')).payload;
  const { epoch, next_after } = page as { epoch: string; next_after: number };
  node.child.kill('SIGTERM');
  assert.equal(await node.ended, 0, node.stderr());
  await db.close();
  const administrator = new Database({ url: cluster.administrator(), max: 1 });
  await archived(administrator);
  await administrator.close();

  const url = await restore(now?.moment ?? '');
  copyFileSync(join(dataDir, 'keys.json'), join(copyDir, 'keys.json'));
  const copy = settingsOf(url, copyDir);
  for (const command of ['verify', 'restored']) {
    const { code, out, err } = await run(copy, command);
    assert.equal(code, 0, `${command}: ${out}${err}`);
  }
  const drill = await startNode(copy, ['--no-outbound']);
  const ready = (await drill.ready()) as unknown as Ready & { readonly outbound: boolean };
  assert.equal(ready.outbound, false);
  const restored = await Api.open({ ...api.ready, ...ready });
  for (const id of sold) assert.equal((await restored.read(id)).state, 'success');
  for (const id of later) {
    const { status } = await restored.send('invoicing', 'GET', `/v2/invoice/${id}`);
    assert.equal(status, 404);
  }
  const reader = await read(restored, `after=${next_after}&epoch=${epoch}`);
  assert.equal(reader.code, 'EVENTS_EPOCH_CHANGED');
  drill.child.kill('SIGTERM');
  assert.equal(await drill.ended, 0, drill.stderr());
  const books = new Database({ url, max: 1 });
  await proved(books).finally(() => books.close());
});
