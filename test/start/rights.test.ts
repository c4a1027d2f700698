// What somebody can do who got hold of the server's database credentials: with them nobody changes
// history, and no trigger can be switched off. And what a start says of schemas and roles.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Database, sqlState, turnGenerations } from '../../src/db/index.ts';
import { bringSchema, readySchema } from '../../src/schema.ts';
import { productionDatabase, testDatabase, type TestDatabase } from '../kit/database.ts';
import { age } from '../kit/generations.ts';

let base: TestDatabase;
let server: Database;
before(async () => {
  base = await productionDatabase();
  server = new Database({ url: base.served, max: 2 });
});
after(async () => {
  await server?.close();
  await base?.drop();
});

const ATTACKS = [
  'alter table posting disable trigger all',
  'alter table step disable trigger step_legal',
  'drop trigger posting_balanced on posting',
  'create trigger mine before insert on posting for each row execute function refuse_change()',
  "select append_only('tenant')",
  'drop table posting',
  'truncate posting',
  'truncate delivery_past',
  'alter table delivery_past disable trigger all',
  "select keep_generations('posting', '0')",
  "update generation set keeps = '0'",
  'truncate audit_block cascade',
  'update posting set amount = amount + 1',
  'delete from posting',
  'update step set actor = actor',
  'delete from step',
  'delete from event',
  "update audit_block set hash = ''",
  'delete from audit_block',
  'delete from audit_entry',
  'delete from balance',
  'update balance set id = gen_random_uuid()',
  "update workspace set clock_offset = interval '1 year'",
  "insert into machine_move values ('payout', 'held', 'send', 'sent')",
  'delete from migration',
  "update migration set digest = ''",
  'create function mine() returns int language sql as $$ select 1 $$',
  "create or replace function refuse_change() returns trigger language plpgsql as 'begin end'",
  'create table mine (n int)',
  'create temporary table machine_move (n int)',
  'create schema mine',
  'create extension dblink',
  'create role mine',
  "set session_replication_role = 'replica'",
  'alter role current_user superuser',
  'set role holdfast',
  "select setval('workspace_copy', 1000000005)",
  'alter database holdfast owner to current_user',
  'lock table posting in access exclusive mode',
  "copy posting to program 'cat'",
  "select pg_read_file('/etc/passwd')",
];

for (const attack of ATTACKS) {
  test(`the server's role is refused: ${attack}`, async () => {
    // Whatever it would do is undone; only the refusal counts.
    const trying = server.transaction(async (tx) => {
      await tx.execute(attack);
      throw new Error('it was done');
    });
    await assert.rejects(trying, (error) => {
      assert.equal(sqlState(error), '42501', String(error));
      return true;
    });
  });
}

test('the server turns a generation when it is time, and writes to both', async () => {
  for (const key of ['first', 'second', 'third']) {
    await server.execute({
      text: `insert into idempotency (workspace, scope, fingerprint, status) values (1, $1, '', 0)`,
      values: [key],
    });
    const known = await server.execute('update idempotency set status = 200');
    assert.equal(known, key === 'first' ? 1 : 2);
    assert.equal(await turnGenerations(server), 0);
    await age(base.db, 'idempotency');
    assert.equal(await turnGenerations(server), 1);
  }
});

const place = (env: 'staging' | 'production') => {
  return { env, databaseUrl: base.served, ownerUrl: null, look: async () => 'seen' } as const;
};

test('a start as the server checks the schema and has nothing to say', async () => {
  assert.deepEqual(await readySchema(server, place('production')), { seen: 'seen', says: [] });
});

test('a start on other legal moves than those of the program is refused', async () => {
  const ready = () => readySchema(server, place('production'));
  const asOwner = { ...place('production'), ownerUrl: base.url };
  const staging = readySchema(server, place('staging'));
  await assert.rejects(staging, /not those of this program in staging \(entity set and \d+ more /);
  const planted = {
    'invoice pay': "delete from machine_move where machine = 'invoice' and event = 'pay'",
    'payout execute': `insert into machine_move
      values ('payout', 'FUNDS-IN-ESCROW', 'execute', 'CREDIT-TRANSFER-INITIATED')`,
  };
  for (const [what, sql] of Object.entries(planted)) {
    await base.db.execute(sql);
    const says = new RegExp(`in production \\(${what}.* differ\\): run \`holdfast migrate\``);
    await assert.rejects(ready, says);
    await bringSchema(asOwner);
    assert.deepEqual(await ready(), { seen: 'seen', says: [] });
  }
  // As a newer release adds them.
  await base.db.execute("insert into machine_move values ('invoice', 'open', 'later', 'later')");
  assert.deepEqual(await ready(), { seen: 'seen', says: [] });
});

test('a production that starts as the owner of the tables is told so', async () => {
  const { says } = await readySchema(base.db, place('production'));
  assert.match(says.join(), /^the role holdfast owns the tables, so it could rewrite history/);
});

test('rights are never given to a role that owns the tables by membership', async () => {
  await base.db.execute("create role test_twin login password 'twin' in role holdfast");
  try {
    const url = new URL(base.url);
    Object.assign(url, { username: 'test_twin', password: 'twin' });
    const twin = { ...place('production'), databaseUrl: url.href, ownerUrl: base.url };
    await assert.rejects(bringSchema(twin), /role test_twin of DATABASE_URL is a superuser, owns/);
  } finally {
    await base.db.execute('drop role test_twin');
  }
});

test('a role without rights and an older schema are refused with what to do', async () => {
  const other = await testDatabase();
  const stranger = new Database({ url: other.served, max: 2 });
  try {
    const without = readySchema(stranger, place('production'));
    await assert.rejects(without, /holdfast_server has no rights in the database yet: run `holdf/);
    await other.db.execute("delete from migration where name like '003%'");
    const older = readySchema(other.db, place('production'));
    await assert.rejects(older, /older than this program \(\d+ migrations are missing\): run/);
  } finally {
    await stranger.close();
    await other.drop();
  }
});
