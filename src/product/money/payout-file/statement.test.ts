// Payout files against the bank's statements: debits one by one and in one sum, returns, repeated
// and overlapping files, and what does not fit. [G-91]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { camtFile, type TestEntry } from '../../../../test/kit/bank.ts';
import { openBench, type Bench } from '../../../../test/kit/domain-bench.ts';
import { FilePayouts, OWN_IBAN } from '../../../../test/kit/file-payouts.ts';
import { importStatement, openEntries } from '../bank/index.ts';
import { decimal } from './content.ts';
import { oddEntries, settleStatements } from './index.ts';

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

let entries: TestEntry[] = [];
let opening = 0n;

/** A statement of these entries after those before; gives what became of it. */
async function states(...rows: readonly (TestEntry & { readonly cents: bigint })[]) {
  const before = opening;
  for (const { sign, cents } of rows) opening += sign === 'DBIT' ? -cents : cents;
  entries = rows.map((row, at) => ({ reference: `B${before}${at}`, ...row }));
  return imported(camtFile({
    number: OWN_IBAN,
    opening: decimal(before, 'EUR'),
    closing: decimal(opening, 'EUR'),
    entries,
  }));
}

async function imported(file: string) {
  const { workspace } = bench.home;
  const made = await importStatement(
    bench.services,
    workspace,
    { bytes: Buffer.from(file) },
    'operator:test',
  );
  const settled = await settleStatements(bench.services);
  return { ...made, settled };
}

function debit(cents: bigint, refs: string, more: Partial<TestEntry> = {}) {
  const details = `<TxDtls><Refs>${refs}</Refs></TxDtls>`;
  return { cents, amount: decimal(cents, 'EUR'), sign: 'DBIT', details, ...more } as const;
}

function back(cents: bigint, id: string) {
  const details =
    `<TxDtls><Refs><EndToEndId>${id}</EndToEndId></Refs>` +
    '<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf></TxDtls>';
  return { cents, amount: decimal(cents, 'EUR'), sign: 'CRDT', details } as const;
}

test('a debit in one sum names the file, and settles it', async () => {
  await files.sent(1_000);
  await files.sent(2_000);
  const file = await files.handedOver();
  const refs = `<MsgId>${file.message_id}</MsgId><EndToEndId>NOTPROVIDED</EndToEndId>`;
  const first = await states(debit(2_970n, refs));
  assert.deepEqual([first.debits, first.settled], [1, 1]);
  assert.equal((await files.file(file.file_id)).state, 'settled');
  assert.equal(await settleStatements(bench.services), 0, 'and nothing is left to do');
  await bench.proved();
});

test('debits one by one, and one that comes back: it is no deposit of anybody', async () => {
  const [one, two] = [await files.sent(1_000), await files.sent(2_000)];
  const booked = await files.places();
  const file = await files.handedOver();
  const e2e = (id: string): string => `<EndToEndId>${id}</EndToEndId>`;
  await states(debit(990n, e2e(one.endToEnd)), debit(1_980n, e2e(two.endToEnd)));
  assert.equal((await files.file(file.file_id)).state, 'settled');
  const { taken, settled } = await states(back(1_980n, two.endToEnd));
  assert.deepEqual([taken.length, settled], [0, 1]);
  assert.deepEqual(
    [(await one.seen()).status, (await two.seen()).status],
    ['SUCCESS', 'FAILED'],
  );
  assert.equal((await files.places()).bank - booked.bank, 990n);
  const again = camtFile({
    ...{ number: OWN_IBAN, closing: decimal(opening, 'EUR'), entries },
    opening: decimal(opening - 1_980n, 'EUR'),
  });
  const repeated = await imported(again);
  assert.deepEqual([repeated.state, repeated.settled], ['unchanged', 0]);
  await bench.proved();
});

test('a return in capitals, or without a word of returning, is booked once', async () => {
  for (const plainly of [false, true]) {
    const sent = await files.sent(1_000);
    const booked = await files.places();
    await files.handedOver();
    const id = sent.endToEnd.toUpperCase();
    const { details, ...row } = back(990n, id);
    const said = plainly ? details.replace(/<RtrInf>.*<\/RtrInf>/, '') : details;
    await states(debit(990n, `<EndToEndId>${id}</EndToEndId>`));
    const { taken, settled } = await states({ ...row, details: said });
    assert.deepEqual([taken.length, settled], [0, 1]);
    assert.equal((await sent.seen()).status, 'FAILED');
    assert.equal((await files.places()).bank, booked.bank);
  }
  await bench.proved();
});

test('a return before its debit, in one statement with it', async () => {
  const sent = await files.sent(1_000);
  const file = await files.handedOver();
  await states(back(990n, sent.endToEnd));
  assert.equal((await sent.seen()).status, 'FAILED');
  await states(debit(990n, `<MsgId>${file.message_id}</MsgId>`));
  assert.equal((await files.file(file.file_id)).state, 'settled');
  await bench.proved();
});

test('another amount settles nothing and is shown', async () => {
  const sent = await files.sent(1_000);
  const file = await files.handedOver();
  const { workspace } = bench.home;
  const wrong = await states(
    debit(991n, `<EndToEndId>${sent.endToEnd}</EndToEndId>`),
    debit(989n, `<MsgId>${file.message_id}</MsgId>`),
  );
  assert.equal(wrong.settled, 0);
  assert.equal((await sent.seen()).status, 'CREDIT-TRANSFER-INITIATED');
  const odd = await oddEntries(bench.db, workspace);
  assert.deepEqual(odd.map(({ amount }) => amount).toSorted(), [989n, 991n]);
  assert.deepEqual(await oddEntries(bench.db, bench.other.workspace), []);
  const right = `<EndToEndId>${sent.endToEnd}</EndToEndId>`;
  assert.equal((await states(debit(990n, right))).settled, 1);
  assert.equal((await states(debit(990n, right, { text: 'again' }))).settled, 0);
  assert.equal((await oddEntries(bench.db, workspace)).length, 3, 'a second debit is shown too');
  const open = await openEntries(bench.services, workspace);
  assert.equal(open.length, 3, 'and what settled something is not');
});

test('a debit of a payout that was rejected settles nothing and is shown', async () => {
  const sent = await files.sent(1_000);
  await files.handedOver();
  await files.says({ what: 'rejected', id: sent.endToEnd });
  const odd = async () => (await oddEntries(bench.db, bench.home.workspace)).map(({ id }) => id);
  assert.ok(!(await odd()).includes(sent.endToEnd));
  const { settled } = await states(debit(990n, `<EndToEndId>${sent.endToEnd}</EndToEndId>`));
  assert.equal(settled, 0);
  assert.ok((await odd()).includes(sent.endToEnd));
  assert.equal((await sent.seen()).status, 'FAILED');
});
