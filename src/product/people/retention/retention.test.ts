// Each class of data ends when it is due by its workspace's clock, not a day before; a hold keeps
// it, and each end leaves an audit entry with its count. [PD6]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { uuidOfWireId } from '../../../core/ids.ts';
import { ERASED } from '../account/index.ts';
import { openBench, type Bench } from '../../../../test/kit/domain-bench.ts';
import { decided, identityBench, submission } from '../../../../test/kit/identity.ts';
import { endHold, placeHold, RETENTION } from './index.ts';

let bench: Bench;
let id: Awaited<ReturnType<typeof identityBench>>;
before(async () => {
  bench = await openBench();
  id = await identityBench(bench);
});
after(() => bench.close());

const uuidOf = (account: string): string => uuidOfWireId('acct', account) ?? '';

async function number(text: string, ...values: readonly unknown[]): Promise<number> {
  const rows = await bench.db.query<{ n: bigint }>({ text, values });
  return Number(rows[0]?.n ?? -1n);
}

/** Advances the clock of the home workspace. */
async function jump(interval: string): Promise<void> {
  const values = [bench.home.workspace, interval];
  const text = 'update workspace set clock_offset = $2::interval where workspace = $1';
  await bench.db.execute({ text, values });
}

/** Runs one class to its end; gives the count in the audit. */
async function run(name: string): Promise<number> {
  const told = `select coalesce(sum((detail::json ->> 'removed')::int), 0) as n from audit_entry
    where act = 'retention_applied' and detail::json ->> 'class' = $1`;
  const before = await number(told, name);
  const row = RETENTION.find((one) => one.name === name);
  assert.ok(row, name);
  while ((await row.run(bench.services)) > 0);
  return (await number(told, name)) - before;
}

test('documents of denied and cancelled applications go after 30 days', async () => {
  const name = 'documents of denied and cancelled applications';
  const send = async (): Promise<string> => {
    const account = await bench.newAccount();
    const sent = await bench.call('submitKYC', { body: submission(), caller: id.caller(account) });
    assert.equal(sent.status, 200);
    return account;
  };
  const documents = (account: string): Promise<number> =>
    number('select count(*) as n from kyc_document where account_id = $1', uuidOf(account));
  await jump('0');
  const [denied, held, accepted] = [await send(), await send(), await send()];
  id.vendor.says = decided('denied', ['NOT_VERIFIED']);
  await id.ask();
  await bench.must('setAccountKYCState', {
    params: { account_id: accepted },
    body: { state: 'ACCEPT' },
  });
  const hold = { workspace: bench.home.workspace, reason: 'court_order', actor: 'operator' };
  await placeHold(bench.db, { ...hold, account: uuidOf(held) });
  await jump('29 days 23 hours');
  assert.equal(await run(name), 0);
  await jump('30 days 1 hour');
  assert.equal(await run(name), 2);
  assert.deepEqual(
    [await documents(denied), await documents(held), await documents(accepted)],
    [0, 2, 2],
  );
  await endHold(bench.db, { ...hold, account: uuidOf(held) });
  assert.equal(await run(name), 2);
  const again = submission({ document_front: undefined, document_back: undefined });
  const sent = await bench.call('submitKYC', { body: again, caller: id.caller(denied) });
  assert.equal(sent.errors['kyc_pii.document_front'], 'is required');
});

test('who closed the account is erased five years after the last activity', async () => {
  const name = 'identity of closed accounts';
  await jump('0');
  const [closed, held, open, rich] = [
    await bench.newAccount(),
    await bench.newAccount(),
    await bench.newAccount(),
    await bench.newAccount(),
  ];
  await bench.must('sandboxDeposit', {
    body: { account_id: rich, currency: 'USD', amount: 5 },
  });
  for (const account_id of [closed, held, rich]) {
    const body = { account_id, block_capability: 'login', block_reason: 'account_close' };
    await bench.must('blockAccount', { body });
  }
  const hold = { workspace: bench.home.workspace, reason: 'court_order', actor: 'operator' };
  await placeHold(bench.db, { ...hold, account: uuidOf(held) });
  const erased = async (): Promise<boolean[]> => {
    const rows = await bench.db.query<{ id: string; wrapped_key: string }>(
      'select id, wrapped_key from account_person',
    );
    const keys = new Map(rows.map((row) => [row.id, row.wrapped_key]));
    return [closed, held, open, rich].map((account) => keys.get(uuidOf(account)) === ERASED);
  };
  await jump('4 years 364 days');
  await run(name);
  assert.deepEqual(await erased(), [false, false, false, false]);
  await jump('5 years 2 days');
  await run(name);
  assert.deepEqual(await erased(), [true, false, false, false]);
  await bench.proved();
});
