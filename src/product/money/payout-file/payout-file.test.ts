// The life of payout files: what is collected, who confirms, handing over once, and what the bank
// says afterwards. At each moment the money is in exactly one place. [G-91]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newUuid } from '../../../core/ids.ts';
import { Refusal } from '../../../core/refusal.ts';
import { openBench, type Bench } from '../../../../test/kit/domain-bench.ts';
import { FilePayouts } from '../../../../test/kit/file-payouts.ts';
import { bytesOf, fileRow, itemsIn, waitingTotals } from './index.ts';

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

async function code(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Refusal) return error.spec.code;
    throw error;
  }
  return 'nothing';
}

test('payouts are collected, confirmed, handed over and debited in one sum', async () => {
  const sent = [await files.sent(1_000), await files.sent(2_000)];
  const booked = await files.places();
  assert.deepEqual(await waitingTotals(bench.db, bench.home.workspace), [
    { currency: 'EUR', n: 2, total: 2_970n },
  ]);
  const { file, left } = await files.make();
  assert.deepEqual([file.transactions, file.total, file.state, left], [2, 2_970n, 'collected', 0]);
  assert.equal((await files.confirm(file)).state, 'confirmed');
  const { bytes, file: now } = await files.handOver(file.file_id);
  assert.equal(now.state, 'handed_over');
  assert.match(bytes.toString(), /<CtrlSum>29\.70<\/CtrlSum>/);
  const during = await files.places();
  assert.equal(during.payout_handed_over - booked.payout_handed_over, 2_970n);
  assert.equal(during.payout_pending - booked.payout_pending, -2_970n);
  await bench.proved();
  const debit = { what: 'debited', id: file.message_id, amount: 2_970n } as const;
  assert.equal(await files.says(debit), 'settled');
  const after = await files.places();
  assert.equal(after.bank - booked.bank, 2_970n);
  assert.equal(after.payout_handed_over, booked.payout_handed_over);
  for (const one of sent) assert.equal((await one.seen()).status, 'SUCCESS');
  assert.equal((await files.file(file.file_id)).state, 'settled');
  assert.equal(await files.says(debit), 'known');
  assert.deepEqual(await files.places(), after);
  await bench.proved();
});

test('a file handed over twice changes nothing and says so', async () => {
  await files.sent(1_000);
  const { file } = await files.make();
  assert.equal(await code(files.handOver(file.file_id)), 'PAYOUT_FILE_NOT_CONFIRMED');
  await files.confirm(file);
  const first = await files.handOver(file.file_id);
  const state = await files.books();
  for (const again of [1, 2]) {
    assert.equal(await code(files.handOver(file.file_id)), 'PAYOUT_FILE_HANDED_OVER', `${again}`);
  }
  assert.equal(await code(files.cancel(file.file_id)), 'PAYOUT_FILE_HANDED_OVER');
  assert.equal(await code(files.confirm(file)), 'PAYOUT_FILE_CONFIRMED');
  assert.deepEqual(await files.books(), state);
  const { bytes } = await bytesOf(files.parts, bench.home.workspace, file.file_id);
  assert.deepEqual(bytes, first.bytes, 'the bank gets the same bytes again');
  await files.says({ what: 'debited', id: file.message_id });
});

test('nobody takes the bytes of a file that could still be cancelled', async () => {
  await files.sent(1_000);
  const { file } = await files.make();
  const taken = () => code(bytesOf(files.parts, bench.home.workspace, file.file_id));
  assert.equal(await taken(), 'PAYOUT_FILE_NOT_HANDED_OVER');
  await files.confirm(file);
  assert.equal(await taken(), 'PAYOUT_FILE_NOT_HANDED_OVER');
  await files.cancel(file.file_id);
  assert.equal(await taken(), 'PAYOUT_FILE_NOT_HANDED_OVER');
});

test('a bank rejects a whole file: every payout fails, unless one was carried out', async () => {
  const [one, two] = [await files.sent(1_000), await files.sent(2_000)];
  const booked = await files.places();
  const { file } = await files.make();
  const word = { what: 'rejected', id: file.message_id } as const;
  assert.equal(await code(files.says(word)), 'PAYOUT_FILE_NOT_HANDED_OVER');
  await files.confirm(file);
  await files.handOver(file.file_id);
  assert.equal(await files.says(word), 'settled');
  assert.deepEqual([(await one.seen()).status, (await two.seen()).status], ['FAILED', 'FAILED']);
  assert.deepEqual(await files.places(), booked);
  assert.equal((await files.file(file.file_id)).state, 'settled');
  assert.equal(await files.says(word), 'known');
  const [paid, open] = [await files.sent(1_000), await files.sent(2_000)];
  const { message_id: id } = await files.handedOver();
  await files.says({ what: 'debited', id: paid.endToEnd });
  assert.equal(await code(files.says({ what: 'rejected', id })), 'PAYOUT_FILE_CONTRADICTED');
  assert.equal((await open.seen()).status, 'CREDIT-TRANSFER-INITIATED', 'and nothing changed');
  await bench.proved();
});

test('two who hand over or collect at the same moment: one of them does', async () => {
  await files.sent(1_000);
  await files.sent(1_500);
  const made = await Promise.all([files.make, files.make].map((make) => code(make.call(files))));
  const others = made.filter((one) => one !== 'nothing');
  assert.equal(others.length, 1);
  // The later one sees the payouts taken when it decides, or already when it reads.
  assert.match(others[0] ?? '', /^PAYOUT_FILE_(?:OUTDATED|EMPTY)$/);
  const file = await files.newest();
  await files.confirm(file);
  const over = await Promise.all([1, 2, 3].map(() => code(files.handOver(file.file_id))));
  const refused = 'PAYOUT_FILE_HANDED_OVER';
  assert.deepEqual(over.toSorted(), [refused, refused, 'nothing']);
  await files.says({ what: 'debited', id: file.message_id });
  await bench.proved();
});

test('who made a file does not confirm it, nor who depends on them', async () => {
  await files.sent(1_000);
  const { file } = await files.make();
  const state = await files.books();
  const { maker, second } = files;
  const tries: readonly [object, string][] = [
    [{ operator: maker }, 'PAYOUT_FILE_SECOND_PERSON'],
    [{ operator: second, dependent: [maker] }, 'PAYOUT_FILE_SECOND_PERSON'],
    [{ sha256: '0'.repeat(64) }, 'PAYOUT_FILE_DIGEST'],
    [{ fileId: newUuid() }, 'PAYOUT_FILE_NOT_FOUND'],
    [{ fileId: 'x' }, 'PAYOUT_FILE_NOT_FOUND'],
    [{ workspace: bench.other.workspace }, 'PAYOUT_FILE_NOT_FOUND'],
  ];
  for (const [more, expected] of tries) {
    assert.equal(await code(files.confirm(file, more)), expected);
  }
  assert.deepEqual(await files.books(), state);
  await assert.rejects(
    bench.db.execute({
      text: 'update payout_file set confirmed_by = made_by where id = $1',
      values: [file.file_id],
    }),
    /payout_file_second_person/,
  );
  await files.confirm(file);
  await files.handOver(file.file_id);
  await files.says({ what: 'debited', id: file.message_id });
});

test('a cancelled file frees its payouts; no payout is in two live files', async () => {
  const { transfer } = await files.sent(1_000);
  const one = (await files.make()).file;
  assert.equal(await code(files.make()), 'PAYOUT_FILE_EMPTY');
  await files.cancel(one.file_id);
  assert.equal(await code(files.cancel(one.file_id)), 'PAYOUT_FILE_CANCELLED');
  assert.equal(await code(files.confirm(one)), 'PAYOUT_FILE_CONFIRMED');
  const two = (await files.make()).file;
  const items = await itemsIn(bench.db, bench.home.workspace, two.file_id);
  assert.deepEqual(items.map(({ transfer_id }) => transfer_id), [transfer]);
  assert.match(items[0]?.to ?? '', /^Bank account ending in \d{4}$/);
  await assert.rejects(
    bench.db.execute({
      text: 'update payout_file_item set live = true where transfer_id = $1',
      values: [transfer],
    }),
    /payout_file_item_once/,
  );
  await files.confirm(two);
  await files.cancel(two.file_id);
  const three = await files.handedOver();
  assert.equal(three.transactions, 1);
  await files.says({ what: 'debited', id: three.message_id });
  await bench.proved();
});

test('the bank debits each payout by its end-to-end id, and sends one back', async () => {
  const [one, two] = [await files.sent(1_000), await files.sent(1_000)];
  const booked = await files.places();
  const file = await files.handedOver();
  await files.says({ what: 'debited', id: one.endToEnd, amount: 990n, currency: 'EUR' });
  assert.equal((await files.file(file.file_id)).state, 'handed_over');
  await files.says({ what: 'debited', id: two.endToEnd });
  assert.equal((await files.file(file.file_id)).state, 'settled');
  const back = { what: 'returned', id: two.endToEnd, amount: 990n, currency: 'EUR' } as const;
  assert.deepEqual([await files.says(back), await files.says(back)], ['settled', 'known']);
  const failed = await two.seen();
  assert.deepEqual([failed.status, failed.failure_code], ['FAILED', 'generic_error']);
  const now = await files.places();
  assert.deepEqual(
    [now.bank - booked.bank, now.payout_pending - booked.payout_pending, now.payout_handed_over],
    [990n, -1_000n, booked.payout_handed_over],
  );
  await bench.proved();
  await files.pass(8 * 86_400);
  assert.equal((await two.seen()).status, 'SYSTEM-REJECTED');
  assert.equal(await two.spendable(), 10_000, 'the money is back in the wallet');
});

test('a return that comes before its debit, and a rejection, leave the books right', async () => {
  const [early, never, fine] = [
    await files.sent(1_000),
    await files.sent(2_000),
    await files.sent(3_000),
  ];
  const booked = await files.places();
  const file = await files.handedOver();
  await files.says({ what: 'returned', id: early.endToEnd });
  await files.says({ what: 'rejected', id: never.endToEnd });
  assert.equal(await files.says({ what: 'rejected', id: never.endToEnd }), 'known');
  assert.equal((await never.seen()).status, 'FAILED');
  const twist = files.says({ what: 'debited', id: never.endToEnd });
  assert.equal(await code(twist), 'PAYOUT_FILE_CONTRADICTED');
  await bench.proved();
  const all = { what: 'debited', id: file.message_id } as const;
  assert.equal(await code(files.says({ ...all, amount: 5_940n })), 'PAYOUT_FILE_AMOUNT');
  assert.equal(await code(files.says({ ...all, currency: 'USD' })), 'PAYOUT_FILE_AMOUNT');
  await files.says({ ...all, amount: 3_960n });
  assert.deepEqual(
    [(await early.seen()).status, (await fine.seen()).status],
    ['FAILED', 'SUCCESS'],
  );
  const now = await files.places();
  assert.equal(now.bank - booked.bank, 2_970n);
  assert.equal(now.payout_handed_over, booked.payout_handed_over);
});

test('what an operator says the bank did is audited, what a statement says is not', async () => {
  const [by, bank] = [await files.sent(1_000), await files.sent(1_000)];
  await files.handedOver();
  await files.says({ what: 'rejected', id: by.endToEnd, actor: 'operator' });
  await files.says({ what: 'rejected', id: bank.endToEnd });
  const audited = await bench.db.query<{ id: string }>({
    text: `select id from audit_pending where id = any($1)
      union all select id from audit_line where id = any($1)`,
    values: [[by.transfer, bank.transfer]],
  });
  assert.deepEqual(audited, [{ id: by.transfer }]);
});

test('what is not ours, or did not leave, is refused and changes nothing', async () => {
  const { endToEnd } = await files.sent(1_000);
  const state = await files.books();
  const debited = 'debited' as const;
  for (const id of ['', 'x', newUuid(), newUuid().replaceAll('-', ''), endToEnd]) {
    assert.equal(await code(files.says({ what: debited, id })), 'PAYOUT_NOT_IN_FILE', id);
  }
  const { file } = await files.make();
  for (const what of ['debited', 'returned', 'rejected'] as const) {
    const early = files.says({ what, id: endToEnd });
    const expected = what === 'rejected' ? 'PAYOUT_IN_OPEN_FILE' : 'PAYOUT_FILE_NOT_HANDED_OVER';
    assert.equal(await code(early), expected, what);
  }
  const whole = files.says({ what: 'returned', id: file.message_id });
  assert.equal(await code(whole), 'PAYOUT_NOT_IN_FILE');
  const foreign = { what: debited, id: endToEnd, workspace: bench.other.workspace };
  assert.equal(await code(files.says(foreign)), 'PAYOUT_NOT_IN_FILE');
  await files.cancel(file.file_id);
  const { payouts, sent } = state as { payouts: bigint; sent: bigint };
  const now = (await files.books()) as { payouts: bigint; sent: bigint };
  assert.deepEqual([now.payouts, now.sent], [payouts, sent]);
});

test('who was blocked since is left out; another account of the tenant is not', async () => {
  const blocked = await files.sent(1_000);
  const block = { account_id: blocked.who, block_capability: 'login' };
  await bench.must('blockAccount', { body: { ...block, block_reason: 'account_close' } });
  const { file } = await files.make();
  const ids = (await itemsIn(bench.db, bench.home.workspace, file.file_id)).map((one) => {
    return one.transfer_id;
  });
  assert.equal(ids.includes(blocked.transfer), false);
  await files.cancel(file.file_id);
  await bench.must('unblockAccount', { body: block });
  assert.equal((await fileRow(bench.db, bench.home.workspace, file.file_id)).state, 'cancelled');
});

test('the sandbox plays operators and bank: paid, rejected, sent back', async () => {
  const play = (event: string, id: string) =>
    bench.call('sandboxOutsideEvent', { body: { event, id } });
  const [one, two] = [await files.sent(1_000), await files.sent(2_000)];
  assert.equal((await play('settle', one.payout)).status, 201);
  assert.equal((await one.seen()).status, 'SUCCESS');
  assert.equal((await play('return', one.payout)).status, 201);
  assert.equal((await one.seen()).status, 'FAILED');
  assert.equal((await play('fail', two.transfer)).status, 201);
  assert.equal((await two.seen()).status, 'FAILED');
  assert.equal((await play('settle', two.payout)).code, 'OUTSIDE_EVENT_REFUSED');
  assert.equal((await play('chargeback', two.payout)).code, 'OUTSIDE_EVENT_REFUSED');
});

test('a payout by bank waits while no money has come in at the bank', async () => {
  const who = await files.person();
  const destination_payment_method_id = await files.bankAccount(who.account_id);
  const payout = await files.asked(who, { destination_payment_method_id });
  const refused = await files.on('executePayout', who, payout);
  assert.deepEqual([refused.status, refused.code], [400, 'PAYOUT_WAITS_FOR_MONEY']);
});
