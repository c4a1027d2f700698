// Clones of workspaces under load and in several processes: acknowledged work is there, running
// work ends in every clone by itself, other tenants notice nothing, and a process killed in the
// middle leaves the old workspace or the new one. [G-64]
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Api } from '../kit/api.ts';
import { reconciled, sealed, settled } from '../kit/books.ts';
import { Bank } from '../kit/challenge.ts';
import { dataFolder, startFleet, startNode, type Fleet } from '../kit/platform.ts';
import { createClient, SCOPE_NAMES } from '../../src/product/access/oauth/index.ts';
import { createWorkspace } from '../../src/product/tenant/tenant/index.ts';
import { systemRandom } from '../../src/core/random.ts';
import { fileKeys } from '../../src/providers/keys/file.ts';
import { proof, statementOf } from '../races/racing.ts';

const TRAFFIC_MS = 3_000;
/** Milliseconds that another tenant's command may take on a busy machine. */
const SLOWEST_MS = 5_000;

interface Clone {
  readonly world_id: string;
  readonly client_id: string;
  readonly client_secret: string;
}

const folder = dataFolder();
const keyFile = join(folder, 'keys.json');
let fleet: Fleet;
before(async () => {
  fleet = await startFleet(2, { HOLDFAST_KEY_FILE: keyFile });
});
after(async () => {
  await proof(fleet);
  await fleet.stop();
  rmSync(folder, { recursive: true, force: true });
});

function home(node = 0): Api {
  return fleet.apis[node] as Api;
}

function post<T>(api: Api, status: number, path: string, body: object = {}): Promise<T> {
  return api.must<T>(status, 'invoicing', 'POST', `/sandbox/${path}`, { body });
}

async function snapshotOf(api: Api): Promise<string> {
  return (await post<{ snapshot_id: string }>(api, 201, 'snapshots')).snapshot_id;
}

/** A clone of the home workspace, reached through a process. */
async function forked(body: object = {}, node = 0): Promise<Api> {
  const { client_id, client_secret } = await post<Clone>(home(node), 201, 'worlds', body);
  return Api.open({ ...home(node).ready, client: { client_id, client_secret } });
}

/** Calls until told to stop; returns what was acknowledged with the time of each answer. */
async function deposits(api: Api, on: () => boolean) {
  const { account_id } = api.ready.accounts.seller;
  const acknowledged: { readonly id: string; readonly at: number; readonly took: number }[] = [];
  const refused: string[] = [];
  while (on()) {
    const asked = performance.now();
    const body = { account_id, currency: 'USD', amount: 1 };
    const reply = await api.send('invoicing', 'POST', '/sandbox/deposits', { body });
    const at = performance.now();
    if (reply.status < 300) {
      const { deposit_id: id } = reply.payload as { deposit_id: string };
      acknowledged.push({ id, at, took: at - asked });
    } else {
      refused.push(`${reply.status} ${reply.codes.join()}`);
    }
  }
  return { acknowledged, refused };
}

async function has(api: Api, id: string): Promise<boolean> {
  return (await api.send('invoicing', 'GET', `/v1/deposits/${id}`)).status === 200;
}

test('a clone during a payment: it ends in each workspace, charged once in each', async () => {
  const { buyer } = home().ready.accounts;
  const method = await home().attach(buyer.account_id, 'slow');
  const sale = home().sale(500, [{ payment_method_id: method }]);
  const id = await home().created(sale);
  await home().pay(id);
  const clones = [await forked(), await forked({}, 1)];
  for (const api of [home(), ...clones]) {
    assert.equal((await api.finished(id)).state, 'success');
  }
  await settled(fleet.db, 30_000);
  const lines = await statementOf(fleet, id);
  assert.deepEqual(lines, ['capture 500', 'capture 500', 'capture 500'], 'one in each book');
  const [one, two] = await Promise.all(clones.map((api) => api.money(buyer.account_id)));
  assert.deepEqual(one, two);
});

test('a buyer who must confirm has one page per active workspace', async () => {
  const { buyer } = home().ready.accounts;
  const method = await home().attach(buyer.account_id, 'three_d_secure');
  const id = await home().created(home().sale(700, [{ payment_method_id: method }]));
  await home().pay(id);
  const path = `/v2/invoice/${id}`;
  const page = await new Bank(home()).pageOf(path);
  const snapshot_id = await snapshotOf(home());
  const other = await forked({ snapshot_id });
  const bank = new Bank(other);
  const its = await bank.pageOf(path);
  assert.notEqual(its, page, 'the original has this page');
  assert.equal(await bank.decide(its, 'refuse'), 200);
  assert.equal((await other.finished(id)).state, 'failed');
  await post(home(), 200, 'rollback', { snapshot_id });
  assert.equal(await new Bank(home()).pageOf(path), page, 'the page goes on in the clone');
  assert.equal(await bank.decide(page, 'confirm'), 200);
  assert.equal((await home().finished(id)).state, 'success');
  assert.equal((await other.read(id)).state, 'failed');
  assert.deepEqual(await statementOf(fleet, id), ['capture 700']);
});

test('a rollback under load: what is answered after it is in the new workspace', async () => {
  const snapshot_id = await snapshotOf(home());
  let open = true;
  const load = [0, 1, 0, 1].map((node) => deposits(home(node), () => open));
  const backs: number[] = [];
  try {
    for (let n = 0; n < 4; n += 1) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      await post(home(n % 2), 200, 'rollback', { snapshot_id });
      backs.push(performance.now());
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  } finally {
    open = false;
  }
  const ends = await Promise.all(load);
  const last = backs.at(-1) ?? 0;
  const acknowledged = ends.flatMap((end) => end.acknowledged);
  // Requested after the last rollback was answered: these must be in the new workspace.
  const since = acknowledged.filter(({ at }) => at > last);
  assert.ok(since.length > 0, 'nothing was acknowledged');
  for (const { id } of since) assert.ok(await has(home(), id), `${id} is lost`);
  const early = acknowledged.filter(({ at }) => at < (backs[0] ?? 0));
  const kept = await Promise.all(early.map(({ id }) => has(home(), id)));
  // An answer in transit while the workspace was archived may belong to either.
  assert.ok(kept.filter(Boolean).length <= load.length, 'what came before is gone');
  for (const refusal of ends.flatMap((end) => end.refused)) {
    assert.match(refusal, /^503 WORLD_ENDED$/);
  }
});

test('a rollback through one process is seen through the other at once', async () => {
  const snapshot_id = await snapshotOf(home());
  for (let n = 0; n < 10; n += 1) {
    const { account_id } = await home(n % 2).register(`seen ${n}`);
    await post(home(n % 2), 200, 'rollback', { snapshot_id });
    const path = `/v1/user-info/${account_id}`;
    const seen = await home((n + 1) % 2).send('accounts', 'GET', path);
    assert.equal(seen.status, 404, 'the old workspace is seen through the other process');
  }
});

test('concurrent rollbacks in two processes leave one workspace to continue in', async (t) => {
  const snapshot_id = await snapshotOf(home());
  const live = () => fleet.db.query('select workspace from workspace where ended is null');
  const before = (await live()).length;
  const met = new Map<string, number>();
  for (let round = 0; round < 6; round += 1) {
    const call = (node: number) =>
      home(node).send('invoicing', 'POST', '/sandbox/rollback', { body: { snapshot_id } });
    for (const { status, codes } of await Promise.all([0, 1, 0, 1].map(call))) {
      const end = `${status} ${codes.join()}`;
      assert.match(end, /^(?:200 |409 WORLD_BUSY|503 WORLD_ENDED)$/);
      met.set(end, (met.get(end) ?? 0) + 1);
    }
    assert.equal((await live()).length, before, 'a workspace that nobody asked for goes on');
  }
  t.diagnostic(JSON.stringify(Object.fromEntries(met)));
  assert.ok((met.get('200 ') ?? 0) >= 6, 'somebody is always first');
});

test('another tenant keeps paying while workspaces are cloned', async () => {
  const other = await otherTenant();
  const snapshot_id = await snapshotOf(home());
  let open = true;
  const { accounts } = other.ready;
  const traffic = [0, 1].map((node) => {
    return deposits(other.through({ ...home(node).ready, accounts }), () => open);
  });
  const until = performance.now() + TRAFFIC_MS;
  try {
    while (performance.now() < until) {
      await Promise.all([snapshotOf(home(1)), forked({ snapshot_id })]);
      await post(home(), 200, 'rollback', { snapshot_id });
    }
  } finally {
    open = false;
  }
  const ends = await Promise.all(traffic);
  assert.deepEqual(ends.flatMap(({ refused }) => refused), []);
  const all = ends.flatMap(({ acknowledged }) => acknowledged);
  assert.ok(all.length > 10, `${all.length} were answered`);
  for (const { took } of all) assert.ok(took < SLOWEST_MS, `${took} ms`);
  for (const { id } of all) assert.ok(await has(other, id), `${id} is lost`);
});

/** A tenant of its own, with an account where the sandbox's ready line has one. */
async function otherTenant(): Promise<Api> {
  const { ready } = home();
  const wish = { name: 'Other', currencies: ['USD'] };
  const { workspace } = await createWorkspace(fleet.db, wish);
  const keys = await fileKeys(keyFile);
  const services = { db: fleet.db, keys, random: systemRandom };
  const client = await createClient(services, { workspace, name: 'Other', scopes: SCOPE_NAMES });
  const api = await Api.open({ ...ready, client });
  const { account_id, wallet_id } = await api.register('other seller');
  const seller = { account_id, wallet_id };
  const accounts = { ...ready.accounts, seller };
  return api.through({ ...ready, client, accounts });
}

test('kill -9 in the middle of a rollback leaves the old workspace or the new one', async (t) => {
  const place = { HOLDFAST_DATA_DIR: folder, HOLDFAST_KEY_FILE: keyFile };
  const began = performance.now();
  await post(home(), 200, 'rollback', { snapshot_id: await snapshotOf(home()) });
  const whole = performance.now() - began;
  let [olds, news] = [0, 0];
  for (let n = 0; n < 6; n += 1) {
    const node = await startNode({ DATABASE_URL: fleet.url, ...place });
    const ready = (await node.ready()) as unknown as Api['ready'];
    const api = home().through(ready);
    // Taken there, so that the process is past its first calls.
    const snapshot_id = await snapshotOf(api);
    const { account_id } = await home().register(`killed ${n}`);
    const back = post(api, 200, 'rollback', { snapshot_id }).catch(() => null);
    // From its beginning to after a whole one on this machine; the last is killed once it answered.
    const moment = new Promise((resolve) => setTimeout(resolve, (n * whole) / 4));
    await (n < 5 ? moment : back);
    node.child.kill('SIGKILL');
    await Promise.all([node.ended, back]);
    // What the killed process had begun ends with its connections.
    const alone = `select from pg_stat_activity where application_name = 'holdfast long'
      and state <> 'idle' and pid <> pg_backend_pid()`;
    while ((await fleet.db.query(alone)).length > 0);
    const seen = await home().send('accounts', 'GET', `/v1/user-info/${account_id}`);
    const listed = await home().must<{ worlds: { current: boolean }[] }>(
      ...([200, 'invoicing', 'GET', '/sandbox/worlds'] as const),
    );
    assert.equal(listed.worlds.filter(({ current }) => current).length, 1);
    assert.ok(seen.status === 200 || seen.status === 404, seen.text);
    if (seen.status === 200) olds += 1;
    else news += 1;
    await home().register(`after ${n}`);
  }
  t.diagnostic(`${olds} in the old workspace, ${news} in the new`);
  assert.ok(news > 0, 'a rollback that was answered stays');
  await settled(fleet.db, 30_000);
  await sealed(fleet.db);
  await reconciled(fleet.db);
});
