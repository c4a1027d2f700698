// Ledger accounts as they are opened and listed: the system accounts that a workspace lacks, and
// the lists of accounts and of entries.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openBench, type Bench } from '../../test/kit/domain-bench.ts';
import { SYSTEM_ACCOUNT_KINDS, systemAccountId, type SystemAccountKind } from './chart.ts';
import { openMissing } from './index.ts';

let bench: Bench;
before(async () => {
  bench = await openBench(['USD']);
});
after(() => bench.close());

const KINDS = Object.keys(SYSTEM_ACCOUNT_KINDS) as SystemAccountKind[];

test('the system accounts that a live workspace lacks are opened under their ids', async () => {
  const [live, ended] = [bench.home.workspace, bench.other.workspace];
  const enable = 'insert into workspace_currency (workspace, currency, digits) values ($1, $2, 2)';
  await bench.db.execute({ text: enable, values: [live, 'CHF'] });
  await bench.db.execute({ text: enable, values: [ended, 'CHF'] });
  await bench.db.execute({
    text: 'update workspace set ended = clock_timestamp() where workspace = $1',
    values: [ended],
  });
  await openMissing(bench.db);
  await openMissing(bench.db);
  const opened = await bench.db.query<{ workspace: number; id: string; kind: string }>({
    text: `select workspace, id, kind from ledger_account where currency = 'CHF' order by kind`,
  });
  assert.deepEqual(opened, KINDS.toSorted().map((kind) => {
    return { workspace: live, id: systemAccountId(live, kind, 'CHF'), kind };
  }));
});

type Row = Readonly<Record<string, unknown>>;

async function listed(id: string, query: Readonly<Record<string, string>> = {}): Promise<Row[]> {
  return (await bench.must<{ rows: Row[] }>(id, { query })).rows;
}

test('entries are listed with the kind of their account and the time of their step', async () => {
  const account_id = await bench.newAccount();
  const of = async (amount: number): Promise<string> => {
    const body = { account_id, currency: 'USD', amount };
    return (await bench.must<{ deposit_id: string }>('sandboxDeposit', { body })).deposit_id;
  };
  await of(100);
  const resource_id = await of(30);
  const entries = await listed('searchLedgerEntries', { resource_id });
  const said = entries.map(({ kind, amount, balance_after }) => [kind, amount, balance_after]);
  assert.deepEqual(said.toSorted(), [['sandbox_funding', -30, null], ['wallet', 30, 130]]);
  const steps = await bench.db.query<{ version: number; at: string }>({
    text: 'select version, at from history where resource_id = $1',
    values: [resource_id],
  });
  for (const { version, at } of entries) {
    const step = steps.find((one) => one.version === Number(version));
    assert.equal(Date.parse(String(at)), Date.parse(step?.at ?? ''));
  }
  const wallet = entries.find(({ kind }) => kind === 'wallet')?.['ledger_account_id'];
  const asked = { ledger_account_id: String(wallet) };
  const sums = (await listed('searchLedgerEntries', asked)).map(({ amount }) => amount);
  assert.deepEqual(sums, [30, 100], 'the newest first');
  const accounts = await listed('searchLedgerAccounts', { limit: '100' });
  assert.equal(accounts.find(({ id }) => id === wallet)?.['balance'], 130);
  const house = accounts.filter(({ kind }) => KINDS.includes(kind as SystemAccountKind));
  assert.ok(house.length > 0 && house.every(({ balance }) => balance === null));
});
