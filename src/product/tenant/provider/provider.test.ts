// Connections at rest: credentials open only where they belong, follow a new master key, and appear
// nowhere else.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { testDatabase, type TestDatabase } from '../../../../test/kit/database.ts';
import { systemRandom as random } from '../../../core/random.ts';
import { fileKeys, fileKeyVersions } from '../../../providers/keys/file.ts';
import { countByVersion, rotate } from '../../people/retention/index.ts';
import { createWorkspace } from '../tenant/index.ts';
import { module } from './module.ts';
import { connectionNamed, connectionsOf, connectProvider, disconnectProvider } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-provider-'));
const path = join(folder, 'keys.json');
const keys = await fileKeys(path);
const SECRET = 'sk_live_neverseen';

let base: TestDatabase;
let [one, two] = [0, 0];
before(async () => {
  base = await testDatabase();
  const made = async () => createWorkspace(base.db, { name: 'A', currencies: ['USD'] });
  [one, two] = [(await made()).workspace, (await made()).workspace];
});
after(() => base.drop().finally(() => rmSync(folder, { recursive: true })));

const processor = { kind: 'processor', provider: 'fake', base_url: null, mode: 'live' } as const;

function connect(workspace: number, account: string, more = {}): Promise<string> {
  const credentials = { account, secret_key: SECRET };
  const parts = { db: base.db, keys, random };
  return connectProvider(parts, { workspace, ...processor, credentials, ...more }, 'operator');
}

async function opened(workspace: number): Promise<unknown> {
  const [found] = await connectionsOf(base.db, keys, workspace);
  return found?.open();
}

test('two workspaces have two connections; a change keeps the id, a new provider not', async () => {
  const first = await connect(one, 'a');
  await connect(two, 'b');
  const [before] = await connectionsOf(base.db, keys, one);
  assert.equal(await connect(one, 'c'), first);
  const [changed] = await connectionsOf(base.db, keys, one);
  assert.notEqual(before?.version, changed?.version);
  assert.deepEqual(await opened(one), { account: 'c', secret_key: SECRET });
  assert.deepEqual(await opened(two), { account: 'b', secret_key: SECRET });
  assert.equal((await connectionNamed(base.db, keys, first))?.workspace, one);
  assert.notEqual(await connect(one, 'd', { provider: 'other' }), first);
  const former = await connectionNamed(base.db, keys, first);
  assert.deepEqual([former?.provider, former?.workspace], ['fake', one]);
  assert.deepEqual(await former?.open(), { account: 'c', secret_key: SECRET });
  assert.equal(await connectionNamed(base.db, keys, 'x'), null);
});

test('another account of a provider is another connection; a new key of it is not', async () => {
  const first = await connect(two, 'b', { merchant: 'acct_1' });
  assert.equal(await connect(two, 'c', { merchant: 'acct_1' }), first);
  assert.equal(await connect(two, 'c', { merchant: null }), first, 'nobody could say');
  const second = await connect(two, 'd', { merchant: 'acct_2' });
  assert.notEqual(second, first);
  const [now] = await connectionsOf(base.db, keys, two);
  assert.deepEqual([now?.id, now?.merchant], [second, 'acct_2']);
  assert.equal((await connectionNamed(base.db, keys, first))?.merchant, 'acct_1');
});

test('credentials open neither for another address, nor provider, nor workspace', async () => {
  await connect(one, 'a', { base_url: 'http://127.0.0.1:9' });
  const changes = [
    `base_url = 'https://elsewhere.example'`,
    'base_url = null',
    `provider = 'other'`,
    `(wrapped_key, sealed) = (select wrapped_key, sealed from provider_connection
      where workspace = ${two})`,
  ];
  for (const change of changes) {
    await connect(one, 'a', { base_url: 'http://127.0.0.1:9' });
    const text = `update provider_connection set ${change} where workspace = $1`;
    await base.db.execute({ text, values: [one] });
    await assert.rejects(opened(one), change);
  }
  await connect(one, 'a');
});

test('a new master key covers credentials too', async () => {
  const versions = fileKeyVersions(path);
  const parts = { db: base.db, keys, versions, columns: module.wrapped ?? [] };
  const { current, unreadable } = await rotate(parts);
  assert.deepEqual(unreadable, []);
  // The two present ones, and four that were replaced above.
  assert.deepEqual(await countByVersion(parts), new Map([[current, 6]]));
  assert.deepEqual(await opened(one), { account: 'a', secret_key: SECRET });
});

test('a removal takes the credentials away, and the audit holds no part of them', async () => {
  const removed = () => disconnectProvider(base.db, { workspace: one, kind: 'processor' }, 'o');
  assert.deepEqual([await removed(), await removed()], [true, false]);
  assert.deepEqual(await connectionsOf(base.db, keys, one), []);
  const kept = { text: 'select id from former_connection where workspace = $1', values: [one] };
  assert.deepEqual(await base.db.query(kept), []);
  assert.equal((await connectionsOf(base.db, keys, null)).length, 1);
  const rows = await base.db.query<{ act: string; detail: string }>({
    text: `select act, detail::text from audit_entry where workspace = $1 order by id`,
    values: [one],
  });
  const acts = rows.map(({ act }) => act).filter((act) => act.startsWith('provider_'));
  assert.deepEqual([acts[0], acts.at(-1)], ['provider_connected', 'provider_removed']);
  assert.match(rows.at(-2)?.detail ?? '', /"mode": ?"live"/);
  const everything = await base.db.query<{ text: string }>(
    `select c::text as text from provider_connection c
      union all select f::text from former_connection f
      union all select e::text from audit_entry e`,
  );
  assert.ok(everything.length > 5);
  assert.deepEqual(everything.filter(({ text }) => text.includes('neverseen')), []);
});
