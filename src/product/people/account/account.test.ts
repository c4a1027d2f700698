// Accounts: reading, searching, updating and blocking.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newUuid, uuidOfWireId, wireId } from '../../../core/ids.ts';
import { systemRandom } from '../../../core/random.ts';
import { Refusal } from '../../../core/refusal.ts';
import { benchKeys, openBench, type Bench } from '../../../../test/kit/domain-bench.ts';
import { blockAccount } from './block.ts';
import { openPerson, type Person } from './person.ts';
import { updatePerson } from './update.ts';

let bench: Bench;
const parts = { keys: benchKeys, random: systemRandom };
before(async () => {
  bench = await openBench(['USD']);
});
after(() => bench.close());

interface Info {
  readonly account_id: string;
  readonly is_blocked: boolean;
  readonly blocked_capabilities: object;
  readonly integrator: string;
}

async function sealedOf(id: string): Promise<{ wrapped_key: string; sealed: string }> {
  const rows = await bench.db.query<{ wrapped_key: string; sealed: string }>({
    text: 'select wrapped_key, sealed from account_person where id = $1',
    values: [id],
  });
  return rows[0] ?? { wrapped_key: '', sealed: '' };
}

/** The stored person of an account. */
async function personOf(account_id: string): Promise<Person> {
  const id = uuidOfWireId('acct', account_id) ?? '';
  return openPerson(parts, bench.home.workspace, id, await sealedOf(id));
}

test('an account is read by id and by username in any normal form', async () => {
  const email = { address: 'jose@a.example', requires_verification: false };
  const body = { username: 'Jos\u00e9', email };
  const made = await bench.must<{ account_id: string; email: object }>('registerAccount', { body });
  const info = await bench.must<Info>('getUserInfo', { params: { account_id: made.account_id } });
  assert.deepEqual(info, {
    ...info,
    account_id: made.account_id,
    username: 'Jos\u00e9',
    email: { ...made.email, is_verified: true },
    is_blocked: false,
    blocked_capabilities: {},
    integrator: bench.home.integrator,
    tags: [],
  });
  for (const username of ['Jos\u00e9', 'Jose\u0301']) {
    assert.deepEqual(await bench.must('searchUserInfo', { query: { username } }), info);
  }
});

test('unknown, malformed and foreign accounts answer the same 404', async () => {
  const caller = bench.caller(bench.other);
  const account_id = await bench.newAccount('only here');
  const replies = [
    await bench.call('getUserInfo', { params: { account_id: wireId('acct', newUuid()) } }),
    await bench.call('getUserInfo', { params: { account_id: 'x' } }),
    await bench.call('getUserInfo', { params: { account_id }, caller }),
    await bench.call('searchUserInfo', { query: { username: 'only here' }, caller }),
    await bench.call('searchUserInfo', { query: { username: 'Only here' } }),
    await bench.call('updateUserInfo', { params: { account_id }, body: { city: 'A' }, caller }),
    await bench.call('getAccountBlocks', { params: { account_id }, caller }),
  ];
  for (const reply of replies) assert.deepEqual(reply, replies[0]);
  assert.deepEqual([replies[0]?.status, replies[0]?.code], [404, 'ACCOUNT_NOT_FOUND']);
});

test('an update changes what it names and leaves the rest', async () => {
  const body = { username: 'updated', city: 'Old', full_name: 'Full Name' };
  const made = await bench.must<{ account_id: string }>('registerAccount', { body });
  const params = { account_id: made.account_id };
  const update = { city: 'New', email: { address: 'new@a.example' } };
  type Shown = Record<string, unknown>;
  const caller = { ...bench.caller(bench.home), scopes: new Set(['search_accounts']) };
  const named = { params, body: update, key: 'u1', caller };
  const first = await bench.must<Shown>('updateUserInfo', named);
  assert.deepEqual(first, await bench.must('getUserInfo', { params }));
  const { city, full_name } = await personOf(made.account_id);
  assert.deepEqual([city, full_name], ['New', 'Full Name']);
  const email = first['email'] as { email_id: string; address: string };
  assert.equal(email.address, 'new@a.example');
  const third = { city: 'Third', email: { address: 'new@a.example' } };
  const again = await bench.must<Shown>('updateUserInfo', { params, body: third, caller });
  assert.deepEqual(again['email'], email, 'the same address keeps its id');
  assert.deepEqual(await bench.must('updateUserInfo', named), first);
  const bad = { email: { address: 'no address' } };
  assert.equal((await bench.call('updateUserInfo', { params, body: bad })).code, 'EMAIL_INVALID');
  const renamed = await bench.call('updateUserInfo', { params, body: { username: 'other' } });
  assert.equal(renamed.code, 'UNKNOWN_FIELD');
});

test('a scope to write reads nothing', async () => {
  const body = { username: 'unread', full_name: 'Full Name', email: { address: 'a@a.example' } };
  const { account_id } = await bench.must<{ account_id: string }>('registerAccount', { body });
  for (const update of [{ city: 'New' }, {}]) {
    const answer = { params: { account_id }, body: update };
    assert.deepEqual(await bench.must('updateUserInfo', answer), { account_id });
  }
});

test('an update that changes nothing writes nothing', async () => {
  const body = { username: 'unchanged', city: 'Here' };
  const { account_id } = await bench.must<{ account_id: string }>('registerAccount', { body });
  const rows = async (): Promise<unknown> =>
    bench.db.query({
      text: `select a.xmin::text as account, p.xmin::text as person
        from account a join account_person p on p.id = a.id where a.id = $1`,
      values: [uuidOfWireId('acct', account_id)],
    });
  const before = await rows();
  for (const update of [{}, { city: 'Here' }]) {
    await bench.must('updateUserInfo', { params: { account_id }, body: update });
    assert.deepEqual(await rows(), before);
  }
});

test('two updates at once both count', async () => {
  const account_id = await bench.newAccount();
  const params = { account_id };
  await Promise.all([
    bench.must('updateUserInfo', { params, body: { city: 'Both' } }),
    bench.must('updateUserInfo', { params, body: { first_name: 'Counted' } }),
  ]);
  const { city, first_name } = await personOf(account_id);
  assert.deepEqual([city, first_name], ['Both', 'Counted']);
});

test('an update of what was read before another update is refused', async () => {
  const account = uuidOfWireId('acct', await bench.newAccount()) ?? '';
  const read = async (): Promise<string> => {
    const text = 'select sealed from account_person where id = $1';
    const rows = await bench.db.query<{ sealed: string }>({ text, values: [account] });
    return rows[0]?.sealed ?? '';
  };
  const before = await read();
  const submission = { workspace: bench.home.workspace, actor: 'test' };
  const swap = (after: string): Promise<unknown> => {
    const input = { account, before, after, has_email: false, sealed_answer: '' };
    return bench.services.engine.run(updatePerson, input, submission);
  };
  await swap('first');
  await assert.rejects(
    swap('second'),
    (error) => error instanceof Refusal && error.spec.code === 'ACCOUNT_CHANGED_MEANWHILE',
  );
  assert.equal(await read(), 'first');
});

test('a blob that was moved to another account does not open', async () => {
  const ids = [await bench.newAccount(), await bench.newAccount()];
  const uuids = ids.map((id) => uuidOfWireId('acct', id) ?? '');
  const row = await sealedOf(uuids[0] ?? '');
  const { workspace } = bench.home;
  assert.ok(await openPerson(parts, workspace, uuids[0] ?? '', row));
  await assert.rejects(openPerson(parts, workspace, uuids[1] ?? '', row));
  await assert.rejects(openPerson(parts, workspace + 1, uuids[0] ?? '', row));
});

test('a block is told once, lifted once, and set again under the same id', async () => {
  const account_id = await bench.newAccount();
  const body = { account_id, block_capability: 'login', block_reason: 'account_close' };
  const lift = { account_id, block_capability: 'login' };
  type Blocks = { blocks: Record<string, { block_id: string }> };
  const first = await bench.must<Blocks>('blockAccount', { body });
  const [id] = Object.keys(first.blocks);
  assert.match(id ?? '', /^blk_[0-9a-z]{26}$/);
  assert.deepEqual(await bench.must('blockAccount', { body }), first);
  const params = { account_id };
  assert.deepEqual(await bench.must('getAccountBlocks', { params }), first);
  assert.equal((await bench.must<Info>('getUserInfo', { params })).is_blocked, true);
  assert.deepEqual(await bench.must('unblockAccount', { body: lift }), { account_id, blocks: {} });
  assert.deepEqual(await bench.must('unblockAccount', { body: lift }), { account_id, blocks: {} });
  assert.equal((await bench.must<Info>('getUserInfo', { params })).is_blocked, false);
  assert.deepEqual(await bench.must('blockAccount', { body }), first);
  const told = await bench.events('account-block-unblock-webhook');
  const mine = told.filter((message) => message['account_id'] === account_id);
  assert.deepEqual(mine, [
    { account_id, is_blocked: true, blocks: first.blocks },
    { account_id, is_blocked: false, blocks: {} },
    { account_id, is_blocked: true, blocks: first.blocks },
  ]);
  await bench.proved();
});

test('twenty blocks at once make one', async () => {
  const account_id = await bench.newAccount();
  const body = { account_id, block_capability: 'login', block_reason: 'account_close' };
  await Promise.all(Array.from({ length: 20 }, () => bench.must('blockAccount', { body })));
  const told = await bench.events('account-block-unblock-webhook');
  assert.equal(told.filter((message) => message['account_id'] === account_id).length, 1);
  await bench.proved();
});

test('an integrator cannot lift the operator\'s block', async () => {
  const account_id = await bench.newAccount();
  const account = uuidOfWireId('acct', account_id) ?? '';
  const request = { account, capability: 'login', issuer: 'operator', reason: 'fraud' } as const;
  const input = { ...request, sealed_note: null, fresh_id: newUuid() };
  const submission = { workspace: bench.home.workspace, actor: 'operator' };
  await bench.services.engine.run(blockAccount, input, submission);
  const body = { account_id, block_capability: 'login' };
  const reply = await bench.call('unblockAccount', { body });
  assert.deepEqual([reply.status, reply.code], [403, 'ACCOUNT_BLOCK_NOT_YOURS']);
});
