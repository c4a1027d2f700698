// Restores as docs/high-availability.md has them: a drill to a moment beside a host, where nobody
// is called; then all hosts are lost, and made anew from the backups. The books hold, what was sold
// until then is there and nothing later, and readers of events learn of the epoch.
import assert from 'node:assert/strict';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Database } from '../../src/db/index.ts';
import { run } from '../cli/terminal.ts';
import { Api, type Ready } from '../kit/api.ts';
import { proved, sealed, settled } from '../kit/books.ts';
import { Cluster, pageBlock, type Host } from '../kit/cluster.ts';
import { dataFolder, startNode } from '../kit/platform.ts';
import { endAll } from '../start/launch.ts';

const WITHIN_MS = 30_000;

let cluster: Cluster;
const dataDir = dataFolder();
const copyDir = dataFolder();
before(async () => {
  cluster = await Cluster.start();
});
after(() => {
  endAll();
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
async function archived(leader: Host): Promise<void> {
  const asked = async (text: string): Promise<string> =>
    (await leader.type(`psql -Atc "${text}"`, 'postgres')).trim();
  const segment = await asked('select pg_walfile_name(pg_switch_wal())');
  const text = `select count(*) from pg_stat_archiver where last_archived_wal >= '${segment}'`;
  for (const end = Date.now() + WITHIN_MS; (await asked(text)) === '0'; await pause(100)) {
    assert.ok(Date.now() < end, `${segment} is not archived`);
  }
}

/** Waits until a restored server takes commits. */
async function opened(url: string): Promise<void> {
  const db = new Database({ url, max: 1, primary: true });
  for (const end = Date.now() + WITHIN_MS; ; await pause(100)) {
    if (await db.query('select').then(() => true, () => false)) return db.close();
    assert.ok(Date.now() < end, 'the restored server does not leave its recovery');
  }
}

/** What the page says to do after any restore. */
async function told(settings: Record<string, string>): Promise<void> {
  for (const command of [['verify', '--whole'], ['restored']]) {
    const { code, out, err } = await run(settings, ...command);
    assert.equal(code, 0, `${command.join(' ')}: ${out}${err}`);
  }
}

type Reader = { readonly epoch: string; readonly next_after: number };

const readEvents = (api: Api, query: string): ReturnType<Api['send']> =>
  api.send('invoicing', 'GET', `/v1/events?${query}`);

/** Starts a node; what ends it. */
async function node(settings: Record<string, string>, more: string[] = []): Promise<{
  readonly ready: Ready & { readonly outbound: boolean };
  end(): Promise<void>;
}> {
  const started = await startNode(settings, more);
  return {
    ready: (await started.ready()) as never,
    async end() {
      started.child.kill('SIGTERM');
      assert.equal(await started.ended, 0, started.stderr());
    },
  };
}

/** Of a restored database: what was sold is there, the books hold, and a reader is told. */
async function holds(api: Api, url: string, sold: string[], reader: Reader): Promise<void> {
  for (const id of sold) assert.equal((await api.read(id)).state, 'success');
  const { epoch, next_after } = reader;
  const { code } = await readEvents(api, `after=${next_after}&epoch=${epoch}`);
  assert.equal(code, 'EVENTS_EPOCH_CHANGED');
  const books = new Database({ url, max: 1 });
  await proved(books).finally(() => books.close());
}

let api: Api;
const sold: string[] = [];
let later: string[];
let reader: Reader;
test('a full backup and an incremental one, and a drill to a moment beside a host', async () => {
  const leader = await cluster.healthy();
  cluster.migrate(settingsOf(cluster.url, dataDir));
  const original = await node(settingsOf(cluster.url, dataDir));
  api = await Api.open(original.ready);
  const db = new Database({ url: cluster.url, max: 1 });
  for (const line of pageBlock('Backups', 1).trim().split('\n')) {
    sold.push(...(await sell(api, 3)));
    await cluster.backup.type(line);
  }
  await settled(db, WITHIN_MS);
  await sealed(db);
  const [now] = await db.query<{ moment: string }>('select clock_timestamp()::text as moment');
  await pause(1_100);
  later = await sell(api, 3);
  await settled(db, WITHIN_MS);
  await sealed(db);
  reader = (await readEvents(api, 'after=0&limit=1000')).payload as Reader;
  await original.end();
  await db.close();
  await archived(leader);

  const beside = cluster.hosts.find((host) => host !== leader) as Host;
  const here = { '2026-03-01 12:00:00+00': now?.moment ?? '' };
  await beside.type(pageBlock('Restore drill', 0, here), 'postgres');
  const url = cluster.urlOf(beside, 5433);
  await opened(url);
  copyFileSync(join(dataDir, 'keys.json'), join(copyDir, 'keys.json'));
  const copy = settingsOf(url, copyDir);
  await told(copy);
  const drill = await node(copy, ['--no-outbound']);
  assert.equal(drill.ready.outbound, false);
  const restored = await Api.open({ ...api.ready, ...drill.ready });
  for (const id of later) {
    const { status } = await restored.send('invoicing', 'GET', `/v2/invoice/${id}`);
    assert.equal(status, 404);
  }
  await holds(restored, url, sold, reader);
  await drill.end();
  await beside.type(pageBlock('Restore drill', 1), 'postgres');
  await cluster.healthy();
});

test('all hosts are lost: new ones are made from the backups, and serve on', async () => {
  for (const host of cluster.hosts) host.replace();
  await Promise.all(cluster.hosts.map((host) => host.boot()));
  for (const host of cluster.hosts) await cluster.install(host, 'When all hosts are lost', 0);
  await cluster.healthy();
  const settings = settingsOf(cluster.url, dataDir);
  await told(settings);
  const next = await node(settings);
  const again = await Api.open({ ...api.ready, ...next.ready });
  await holds(again, cluster.url, [...sold, ...later], reader);
  await sell(again, 3);
  const leader = await cluster.healthy();
  await archived(leader);
  await cluster.backup.type(pageBlock('Backups', 1).split('\n')[1] ?? '');
  await next.end();
});
