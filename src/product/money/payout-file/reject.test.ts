// A payout that waits and cannot be paid to its account: an operator rejects it and the money goes
// back, unless a file that was not handed over lists it, also in the very moment of collecting.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newUuid } from '../../../core/ids.ts';
import { Refusal } from '../../../core/refusal.ts';
import { openBench, type Bench } from '../../../../test/kit/domain-bench.ts';
import { FilePayouts, type SentPayout } from '../../../../test/kit/file-payouts.ts';
import { waitingPayouts } from './index.ts';

let bench: Bench;
let files: FilePayouts;
before(async () => {
  bench = await openBench();
  files = new FilePayouts(bench);
  await files.ownAccount();
});
after(async () => {
  await bench.proved();
  await bench.close();
});

/** What came of rejecting it, or of another word, as an operator. */
async function rejected({ endToEnd: id }: SentPayout, more: object = {}): Promise<string> {
  const actor = `operator:${newUuid()}`;
  return files.says({ what: 'rejected', id, actor, ...more }).catch((error: unknown) => {
    if (error instanceof Refusal) return error.spec.code;
    throw error;
  });
}

test('a waiting payout is rejected: the seller reads why and has the money at once', async () => {
  const one = await files.sent(1_000);
  const booked = await files.places();
  assert.equal(await rejected(one), 'settled');
  const failed = await one.seen();
  assert.deepEqual([failed.status, failed.failure_code], ['FAILED', 'bank_account_unreachable']);
  assert.match(failed.failure_reason, /cannot reach this bank account/);
  await files.pass(1);
  const back = await one.seen();
  assert.deepEqual([back.status, back.failure_code], ['SYSTEM-REJECTED', failed.failure_code]);
  assert.equal(await one.spendable(), 10_000);
  const now = await files.places();
  assert.equal(now.payout_pending - booked.payout_pending, -1_000n);
  assert.equal(await rejected(one), 'known');
  assert.equal(await rejected(one, { what: 'debited' }), 'PAYOUT_NOT_IN_FILE');
  const audited = await bench.db.query({
    text: `select from audit_pending where id = $1 union all
      select from audit_line where id = $1`,
    values: [one.transfer],
  });
  assert.equal(audited.length, 1);
  await bench.proved();
});

test('in a file that was not handed over it is refused, until the file is cancelled', async () => {
  const one = await files.sent(1_000);
  const { file } = await files.make();
  assert.equal(await rejected(one), 'PAYOUT_IN_OPEN_FILE');
  await files.confirm(file);
  assert.equal(await rejected(one), 'PAYOUT_IN_OPEN_FILE');
  assert.equal((await one.seen()).status, 'CREDIT-TRANSFER-INITIATED');
  await files.cancel(file.file_id);
  const { workspace } = bench.other;
  assert.equal(await rejected(one, { workspace }), 'PAYOUT_NOT_IN_FILE');
  assert.equal(await rejected(one), 'settled');
});

test('collected and rejected at the same moment: exactly one of them happens', async () => {
  for (let round = 0; round < 4; round += 1) {
    const one = await files.sent(1_000);
    const collect = files.make().then(
      ({ file }) => file,
      (error: unknown) => {
        if (error instanceof Refusal) return null;
        throw error;
      },
    );
    const [file, word] = await Promise.all([collect, rejected(one)]);
    assert.equal(word, file === null ? 'settled' : 'PAYOUT_IN_OPEN_FILE');
    if (file === null) continue;
    await files.cancel(file.file_id);
    assert.equal(await rejected(one), 'settled');
  }
});

test('the database itself refuses to decline what a live file lists', async () => {
  const one = await files.sent(1_000);
  const { file } = await files.make();
  const past = bench.db.execute({
    text: `update transfer set state = 'declined' where id = $1`,
    values: [one.transfer],
  });
  await assert.rejects(past, /stands in a live payout file/);
  await files.cancel(file.file_id);
  assert.equal(await rejected(one), 'settled');
});

test('what keeps a payout out of the next file is said of each', async () => {
  const waits = async (one: SentPayout): Promise<string | null | undefined> => {
    const rows = await waitingPayouts(files.parts, bench.home.workspace, 100);
    return rows.find(({ transfer_id }) => transfer_id === one.transfer)?.hindrance;
  };
  const iban = 'BR1800360305000010009795493C1';
  const [near, far, lost] = [
    await files.sent(1_000),
    await files.sent(1_000, { iban }),
    await files.sent(1_000),
  ];
  assert.deepEqual([await waits(near), await waits(far)], [null, 'other_format']);
  const block = { account_id: near.who, block_capability: 'login' };
  await bench.must('blockAccount', { body: { ...block, block_reason: 'account_close' } });
  assert.equal(await waits(near), 'blocked');
  await bench.must('unblockAccount', { body: block });
  await bench.db.execute({
    text: `update payout_destination set sealed = '' where id = (select payment_method_id
      from transfer where id = $1)`,
    values: [lost.transfer],
  });
  assert.equal(await waits(lost), 'erased');
  const { file, left } = await files.make();
  assert.deepEqual([file.transactions, left, await waits(near)], [1, 2, undefined]);
  const others = await waitingPayouts(files.parts, bench.other.workspace, 100);
  assert.deepEqual(others, []);
  for (const one of [far, lost]) assert.equal(await rejected(one), 'settled');
  await files.cancel(file.file_id);
});
