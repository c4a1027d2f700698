// Losses for good, mended as docs/high-availability.md says while a node serves: a host does not
// come back, and etcd loses its data on all of them.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Database } from '../../src/db/index.ts';
import { Api, type Ready } from '../kit/api.ts';
import { proved, settled } from '../kit/books.ts';
import { Cluster, pageBlock, type Host } from '../kit/cluster.ts';
import { dataFolder, startNode } from '../kit/platform.ts';
import { endAll, type Launched } from '../start/launch.ts';

const WITHIN_MS = 60_000;

let cluster: Cluster;
let node: Launched;
let api: Api;
const dataDir = dataFolder();
before(async () => {
  cluster = await Cluster.start();
  const settings = {
    DATABASE_URL: cluster.url,
    HOLDFAST_DATA_DIR: dataDir,
    HOLDFAST_KEY_FILE: join(dataDir, 'keys.json'),
  };
  cluster.migrate(settings);
  node = await startNode(settings);
  api = await Api.open((await node.ready()) as unknown as Ready);
});
after(async () => {
  node?.child.kill('SIGTERM');
  await node?.ended;
  endAll();
  cluster?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function sell(): Promise<void> {
  const { wallet_payment_method_id: wallet } = api.ready.accounts.buyer;
  const id = await api.created(api.sale(1, [{ payment_method_id: wallet }]));
  assert.equal((await api.pay(id)).status, 200);
  await api.finished(id);
}

const hostOf = (name: string): Host => cluster.hosts.find((one) => one.name === name) as Host;

/** It is primary no longer, and comes back. */
async function handOver(primary: Host): Promise<void> {
  await primary.switchOver();
  await cluster.handedOver(primary);
  await primary.follow();
}

test('a host that does not come back is replaced by a new one', async () => {
  const lost = hostOf('c');
  if ((await cluster.healthy()) === lost) {
    await handOver(lost);
    await cluster.healthy();
  }
  lost.replace();
  await sell();
  await hostOf('a').type(pageBlock('A host that does not come back', 0));
  await lost.boot();
  await cluster.install(lost, 'A host that does not come back', 1);
  await cluster.healthy();
  await sell();
});

test('etcd loses its data on all hosts, and is made anew while the primary serves', async () => {
  const primary = await cluster.healthy();
  for (const block of [pageBlock('When etcd is lost', 0), pageBlock('When etcd is lost', 1)]) {
    for (const host of cluster.hosts) {
      await host.type(block);
      await sell();
    }
  }
  const next = await cluster.healthy();
  assert.equal(next, primary);
  await sell();
  await handOver(next);
  assert.notEqual(await cluster.healthy(), primary);
  await sell();
});

/** The numbers of the certificates that the hosts' PostgreSQL and Patroni show. */
function shown(): Promise<string[]> {
  const proof = '-cert /etc/holdfast-ha/host.crt -key /etc/holdfast-ha/host.key < /dev/null';
  return Promise.all(cluster.hosts.map(({ address }) => {
    const asked = ['5432 -starttls postgres', '8008'].map((port) => {
      return `openssl s_client -connect ${address}:${port} ${proof} | openssl x509 -serial -noout`;
    });
    return hostOf('a').type(asked.join('\n'));
  }));
}

test('certificates are renewed while the primary serves', async () => {
  const primary = await cluster.healthy();
  const before = await shown();
  await cluster.renew();
  await sell();
  const after = await shown();
  for (const [at, numbers] of after.entries()) {
    for (const number of numbers.trim().split('\n')) {
      assert.match(number, /^serial=[0-9A-F]+$/);
      assert.ok(!before[at]?.includes(number), `${number} is shown as before`);
    }
  }
  assert.equal(await cluster.healthy(), primary);
  await cluster.backup.type('sudo -u postgres pgbackrest --stanza=holdfast check');
});

test('typed once more on a host that runs, it is refused and stops nothing', async () => {
  const primary = await cluster.healthy();
  await assert.rejects(cluster.install(primary, 'The database', 0), /Patroni runs here already/);
  assert.equal(await primary.type('systemctl is-active etcd patroni'), 'active\nactive\n');
  await sell();
  assert.equal(await cluster.healthy(), primary);
});

test('nothing was lost or doubled', async () => {
  const db = new Database({ url: cluster.url, max: 1 });
  await settled(db, WITHIN_MS);
  await proved(db).finally(() => db.close());
});
