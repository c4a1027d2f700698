// Changes made by hand in the database break an invariant of identity, which names them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { uuidOfWireId } from '../../../core/ids.ts';
import { openBench, type Bench } from '../../../../test/kit/domain-bench.ts';
import { identityBench, submission, TAX_FORM } from '../../../../test/kit/identity.ts';
import { laws } from './laws.ts';

let bench: Bench;
before(async () => {
  bench = await openBench();
});
after(() => bench.close());

class Undone {}

/** The invariants that a forgery breaks, each with what it names; the forgery is rolled back. */
async function broken(forgery: string): Promise<[string, unknown][]> {
  const found: [string, unknown][] = [];
  const work = bench.db.transaction(async (tx) => {
    await tx.execute('set local session_replication_role = replica');
    await tx.execute(forgery);
    for (const { name, text } of laws) {
      for (const row of await tx.query<{ what: string }>(text)) found.push([name, row.what]);
    }
    throw new Undone();
  });
  await assert.rejects(work, Undone);
  return found;
}

test('level, requirements, documents and what was stated are not changed unseen', async () => {
  const id = await identityBench(bench);
  const account = await bench.newAccount();
  const caller = id.caller(account);
  const full = await bench.call('submitKYC', { body: submission(), caller });
  await id.ask();
  const other = id.caller(await bench.newAccount());
  assert.equal((await bench.call('submitKYC', { body: TAX_FORM, caller: other })).status, 200);
  await bench.proved();
  const mine = uuidOfWireId('acct', account);
  const sent = uuidOfWireId('kyc', (full.payload as { kyc_id: string }).kyc_id);
  const told = [['identity_is_what_was_told', mine]];
  const here = `where id = '${mine}'`;
  assert.deepEqual(await broken(`update kyc set pii_level = 'BASIC' ${here}`), told);
  assert.deepEqual(await broken(`update kyc set requirements = 'FULL_KYC' ${here}`), told);
  const gone = `delete from kyc_document where account_id = '${mine}' and role = 'front'`;
  const stranger = uuidOfWireId('acct', other.accountId ?? '');
  const theirs = `update kyc_document set account_id = '${stranger}'
    where account_id = '${mine}' and role = 'back'`;
  for (const forgery of [gone, theirs]) {
    assert.deepEqual(await broken(forgery), [['named_documents_are_kept', sent]]);
  }
  const blank = `update kyc_application set sealed = null where id = '${sent}'`;
  assert.deepEqual(await broken(blank), [['data_on_file_is_sealed', sent]]);
});
