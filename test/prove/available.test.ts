// The reference set-up of docs/high-availability.md with two nodes behind HAProxy, under load. Its
// primary is crashed, lost, frozen, cut off and switched over, its standbys and etcd are lost:
// nothing acknowledged is lost or doubled, and service returns within a time for each.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { after, before, test } from 'node:test';
import { Database } from '../../src/db/index.ts';
import { compare, meansOf, STANDING, wish, type Standing } from '../faults/journeys.ts';
import { Customers, rng } from '../faults/load.ts';
import { Api } from '../kit/api.ts';
import { startBalanced, type Balanced } from '../kit/balancer.ts';
import { proved, reconciled, sealed, settled } from '../kit/books.ts';
import { Cluster, type Host } from '../kit/cluster.ts';
import { dataFolder } from '../kit/platform.ts';
import { until } from '../kit/until.ts';
import { endAll } from '../start/launch.ts';

const ROUNDS = Number(process.env['HOLDFAST_HA_ROUNDS'] ?? 5);
const SEED = Number(process.env['HOLDFAST_TEST_SEED'] ?? 20_261_123);
const CUSTOMERS = 4;
const FUNDS = 50_000_000;
const END_WITHIN_MS = 60_000;
/** Nobody waits for the first acknowledgement any longer. */
const GIVEN_UP_MS = 90_000;
/** For so long after etcd was away the hosts keep to their primary. */
const TTL_MS = 20_000;

/** What happens to the primary or the others, what ends it, and how soon calls must be served. */
interface Kind {
  readonly name: string;
  readonly withinMs: number;
  /** The hosts whose etcd it stops or hides are given back. */
  strike(primary: Host): readonly Host[] | Promise<readonly Host[]>;
  heal(struck: readonly Host[]): void | Promise<void>;
}

/** Its power fails, and what it sent last is lost. */
function lose(host: Host): void {
  host.cut();
  host.powerOff();
}

async function comesBack(host: Host): Promise<void> {
  host.join();
  await host.boot();
}

async function allComeBack(struck: readonly Host[]): Promise<void> {
  for (const host of struck) await comesBack(host);
}

const KINDS: readonly Kind[] = [
  {
    name: 'PostgreSQL crashed',
    withinMs: 10_000,
    async strike(primary) {
      await primary.crash();
      return [];
    },
    heal: () => {},
  },
  {
    name: 'host lost',
    withinMs: 30_000,
    strike(primary) {
      lose(primary);
      return [primary];
    },
    heal: allComeBack,
  },
  {
    name: 'host frozen',
    withinMs: 30_000,
    strike(primary) {
      primary.freeze();
      return [primary];
    },
    heal: (struck) => struck.forEach((host) => host.thaw()),
  },
  {
    name: 'host cut off',
    withinMs: 30_000,
    strike(primary) {
      primary.cut();
      return [primary];
    },
    heal: (struck) => struck.forEach((host) => host.join()),
  },
  {
    name: 'switched over by hand',
    withinMs: 5_000,
    async strike(primary) {
      await primary.switchOver();
      return [primary];
    },
    heal: ([primary]) => primary?.follow(),
  },
  {
    name: 'synchronous standby lost',
    withinMs: 30_000,
    async strike(primary) {
      const standby = await primary.standby();
      const host = cluster.hosts.find(({ name }) => name === standby) as Host;
      lose(host);
      return [host];
    },
    heal: allComeBack,
  },
  {
    name: 'both standbys lost, one back after 5 s',
    withinMs: 5_000 + 60_000,
    async strike(primary) {
      const standbys = cluster.hosts.filter((host) => host !== primary);
      for (const host of standbys) lose(host);
      await pause(5_000);
      await comesBack(standbys[0] as Host);
      return standbys;
    },
    heal: ([, second]) => comesBack(second as Host),
  },
  {
    name: 'etcd lost',
    withinMs: 5_000,
    async strike() {
      await Promise.all(cluster.hosts.map((host) => host.type('systemctl stop etcd')));
      return cluster.hosts;
    },
    async heal(struck) {
      const start = 'systemctl start --no-block etcd';
      await Promise.all(struck.map((host) => host.type(start)));
      for (const host of struck) await until('etcd answers', () => host.voted(), END_WITHIN_MS);
      // As the page says: until then a failover takes as long as that of a lost host.
      await pause(TTL_MS);
    },
  },
];

let cluster: Cluster;
let balanced: Balanced;
let db: Database;
let dataDir: string;
before(async () => {
  cluster = await Cluster.start();
  dataDir = dataFolder();
  const settings = {
    DATABASE_URL: cluster.url,
    HOLDFAST_DATA_DIR: dataDir,
    HOLDFAST_KEY_FILE: join(dataDir, 'keys.json'),
  };
  cluster.migrate(settings);
  balanced = await startBalanced({
    ...settings,
    // As in production.
    HOLDFAST_PATIENCE_MS: '1000',
    HOLDFAST_PROCESSOR_TIMEOUT_MS: '500',
    HOLDFAST_ESCROW_WAIT_MS: '300',
  });
  db = new Database({ url: cluster.url, max: 2, answerMs: 30_000 });
});
after(async () => {
  await db?.close();
  await balanced?.stop().finally(() => endAll());
  cluster?.stop();
  if (dataDir !== undefined) rmSync(dataDir, { recursive: true, force: true });
});

test(`${ROUNDS} faults lose nothing that was acknowledged`, async (t) => {
  t.diagnostic(`seed ${SEED}`);
  const roll = rng(SEED);
  const first = Math.floor(roll() * KINDS.length);
  const api = await Api.open(balanced.ready);
  const customers = new Customers(api, wish(() => api, await meansOf(api, FUNDS)), roll);
  for (let n = 0; n < ROUNDS; n += 1) {
    const kind = KINDS[(first + n) % KINDS.length] as Kind;
    const primary = await cluster.healthy();
    const since = customers.journeys.length;
    const load = customers.start(api, CUSTOMERS, true);
    await pause(1_000 + roll() * 2_000);
    const struckAt = performance.now();
    const struck = await kind.strike(primary);
    const away = await longestAway(customers, struckAt);
    await pause(1_000);
    await load.stop();
    const others = cluster.hosts.filter((host) => host !== primary && !struck.includes(host));
    const terms = await Promise.all(others.map((host) => host.term()));
    await kind.heal(struck);
    const next = await cluster.healthy();
    const from = primary === next ? `${primary.name} serves on` : `${primary.name} to ${next.name}`;
    // Else Patroni's failsafe delays a switch-over that comes soon.
    const after = await Promise.all(others.map((host) => host.term()));
    assert.deepEqual(after, terms, `${kind.name}: etcd elected when the host came back`);
    t.diagnostic(`${n + 1} ${kind.name}, ${from}: ${Math.round(away)} ms not served`);
    const different = await customers.askAgain(api, since);
    assert.deepEqual(different, [], `${kind.name}: a key gave another answer`);
    assert.deepEqual(customers.odd, [], kind.name);
    await proved(db);
    assert.ok(away <= kind.withinMs, `${kind.name}: not served for ${Math.round(away)} ms`);
  }
  await settled(db, END_WITHIN_MS);
  await sealed(db);
  await reconciled(db);
  assert.deepEqual(compare(customers.journeys, await db.query<Standing>(STANDING)), []);
  const { journeys, acknowledged } = customers;
  t.diagnostic(`${journeys.length} journeys, ${acknowledged.length} answers, none lost or doubled`);
  assert.ok(journeys.length > ROUNDS * 10, 'there was hardly any load');
});

/** The longest time without an acknowledgement, until one that was asked for afterwards. */
async function longestAway({ acknowledged }: Customers, struckAt: number): Promise<number> {
  const effective = performance.now();
  while (!acknowledged.some(({ asked }) => asked > effective)) {
    assert.ok(performance.now() - effective < GIVEN_UP_MS, 'nothing is served any more');
    await pause(50);
  }
  const times = acknowledged.map(({ answered }) => answered).filter((at) => at > struckAt);
  return Math.max(...times.map((at, n) => at - (times[n - 1] ?? struckAt)));
}
