// Holdfast behind pgbouncer: in session mode it works, in transaction mode it says what to set and
// does not start. And a database without room, told in a sentence.
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Database } from '../../src/db/index.ts';
import { Api, type Ready } from '../kit/api.ts';
import { proved, settled } from '../kit/books.ts';
import { sandboxDatabase, startNode } from '../kit/platform.ts';
import type { TestDatabase } from '../kit/database.ts';
import { endAll, freeBlock, launch, type Launched } from '../start/launch.ts';

let base: TestDatabase;
let folder: string;
const keyFile = (): string => join(folder, 'keys.json');
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-pooler-'));
  chmodSync(folder, 0o755);
  base = await sandboxDatabase(keyFile());
});
after(async () => {
  endAll();
  await base?.drop();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

/** Starts pgbouncer in front of the database; its URL. */
async function pooler(mode: 'session' | 'transaction'): Promise<string> {
  const port = await freeBlock();
  const { hostname, port: server, username, password, pathname } = new URL(base.url);
  const file = join(folder, `${mode}.ini`);
  const users = join(folder, 'users.txt');
  writeFileSync(users, `"${username}" "${password}"\n`);
  writeFileSync(file, `[databases]
* = host=${hostname} port=${server} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = 40
`);
  chmodSync(users, 0o644);
  const account = { uid: 65_534, gid: 65_534 };
  const started = launch({ command: 'pgbouncer', args: [file], account });
  const url = `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`;
  for (const db = new Database({ url, max: 1 }), end = Date.now() + 10_000; ; await pause(50)) {
    if (await db.query('select').then(() => true, () => false)) return db.close().then(() => url);
    assert.ok(Date.now() < end, started.stderr());
  }
}

const start = (url: string, more: Record<string, string> = {}): Promise<Launched> => {
  const place = { HOLDFAST_DATA_DIR: join(folder, 'data'), HOLDFAST_KEY_FILE: keyFile() };
  return startNode({ DATABASE_URL: url, ...place, ...more });
};

test('pgbouncer in session mode: it sells, and the books hold', async () => {
  const node = await start(await pooler('session'));
  const api = await Api.open((await node.ready()) as unknown as Ready);
  const { wallet_payment_method_id: wallet } = api.ready.accounts.buyer;
  const sell = async (n: number): Promise<void> => {
    const id = await api.created(api.sale(1, [{ payment_method_id: wallet }]), `made-${n}`);
    assert.equal((await api.pay(id, `paid-${n}`)).status, 200);
  };
  await Promise.all(Array.from({ length: 40 }, (_, n) => sell(n)));
  await settled(base.db, 10_000);
  await proved(base.db);
  const [kept] = await base.db.query<{ count: number }>(`select count(*)::int from pg_stat_activity
    where application_name = 'holdfast engine' and datname = current_database()`);
  assert.ok((kept?.count ?? 0) > 0, 'settings reach the server by way of the pooler');
  node.child.kill('SIGTERM');
  assert.equal(await node.ended, 0, node.stderr());
});

test('pgbouncer in transaction mode is refused with a sentence', async () => {
  const node = await start(await pooler('transaction'));
  assert.equal(await node.ended, 1);
  assert.match(node.stderr(), /^holdfast: DATABASE_URL leads to a pooler .*pool_mode = session/);
});

test('a role without connections left is told so, and what to do', async () => {
  await base.db.execute(`create role cramped login password 'cramped' connection limit 0`);
  const cramped = base.url.replace(/\/\/[^@]+@/, '//cramped:cramped@');
  try {
    const full = await start(cramped);
    assert.equal(await full.ended, 1);
    assert.match(full.stderr(), /^holdfast: The database accepts no more connections: raise/);
  } finally {
    await base.db.execute('drop role cramped');
  }
});
