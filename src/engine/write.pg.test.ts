// A row of its own decides whether a commit took place, even if the database's transaction status
// is wrong: here `pg_xact_status` is replaced and lies both ways.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { testDatabase, type TestDatabase } from '../../test/kit/database.ts';
import type { Database } from '../db/index.ts';
import { newUuid } from '../core/ids.ts';
import { CommitUnknown } from './options.ts';
import { type CommitWait, wasCommitted } from './write.ts';
import { tableOf, type IdRow, type Table } from '../core/table.ts';

const thingTable = tableOf('thing', 5, { id: 'uuid' });

let base: TestDatabase;
let liar: Database;
before(async () => {
  base = await testDatabase();
  await base.db.execute(`create table thing (workspace int, id uuid);
    create schema lies;
    create table lies.told (status text);
    insert into lies.told values (null);
    create function lies.pg_xact_status(xid8) returns text language sql volatile
      as 'select status from lies.told'`);
  liar = base.pool(1, { search_path: 'lies,pg_catalog,public' });
});
after(() => base?.drop());

/** Asks for the outcome under this status; the time limit is reached at the second pause. */
async function outcome(status: string | null, id: string | null, look?: () => Promise<unknown>) {
  await base.db.execute({ text: 'update lies.told set status = $1', values: [status] });
  const inserts = new Map<Table, IdRow[]>();
  if (id !== null) inserts.set(thingTable as unknown as Table, [{ workspace: 1, id }]);
  let looks = 0;
  const queueTimeout: CommitWait = {
    now: () => looks * 4_000,
    pause: async () => {
      looks += 1;
      await look?.();
    },
  };
  return wasCommitted(liar, '1', { inserts }, queueTimeout);
}

async function kept(): Promise<string> {
  const id = newUuid();
  await base.db.execute({ text: 'insert into thing values (1, $1)', values: [id] });
  return id;
}

test('a row that exists means committed, whatever the transaction status says', async () => {
  const id = await kept();
  for (const status of ['committed', 'aborted', 'in progress', null]) {
    assert.equal(await outcome(status, id), true, String(status));
  }
});

test('a row that does not exist means not committed, whatever the status says', async () => {
  for (const status of ['committed', 'aborted', null]) {
    assert.equal(await outcome(status, newUuid()), false, String(status));
  }
});

test('a transaction in progress is awaited, and its row looked up again', async () => {
  const id = newUuid();
  const later = (): Promise<unknown> =>
    base.db.execute({ text: 'insert into thing values (1, $1)', values: [id] });
  assert.equal(await outcome('in progress', id, later), true);
  await assert.rejects(outcome('in progress', newUuid()), CommitUnknown);
});

test('without a row of its own only "aborted" is trusted', async () => {
  assert.equal(await outcome('aborted', null), false);
  await assert.rejects(outcome('committed', null), CommitUnknown);
});

test('an id that the server has not reached is of another primary: not committed', async () => {
  const inserts = new Map<Table, IdRow[]>();
  inserts.set(thingTable as unknown as Table, [{ workspace: 1, id: newUuid() }]);
  const queueTimeout: CommitWait = { now: () => 0, pause: () => assert.fail('it is known') };
  assert.equal(await wasCommitted(base.db, '4000000000', { inserts }, queueTimeout), false);
});
