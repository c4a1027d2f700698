// What stands on a bank's paper finds what it is about: incoming transfers, payouts and their
// files, by the ids and references that the bank knows; in one's own workspace alone. [G-91]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { machines } from '../../../catalogue.ts';
import { newUuid } from '../../../core/ids.ts';
import { camtFile } from '../../../../test/kit/bank.ts';
import { openBench, type Bench } from '../../../../test/kit/domain-bench.ts';
import { FilePayouts, OWN_IBAN } from '../../../../test/kit/file-payouts.ts';
import { importStatement } from '../../money/bank/index.ts';
import type { Explanation } from './index.ts';
import { explain } from './timeline.ts';

let bench: Bench;
let files: FilePayouts;
before(async () => {
  bench = await openBench();
  files = new FilePayouts(bench);
  await files.ownAccount();
});
after(() => bench.close());

async function told(id: string): Promise<Explanation> {
  assert.equal(await explain(bench.db, bench.other.workspace, id, machines), null);
  const found = await explain(bench.db, bench.home.workspace, id, machines);
  assert.ok(found, `nothing is known of ${id}`);
  return found;
}

/** The arrows of a timeline. */
function arrows({ timeline }: Explanation): string[] {
  const moves = timeline.filter((one) => one.kind === 'transition');
  return moves.map(({ about, to }) => `${about.kind} ${to}`);
}

test('a payout file is found by its ids and its digest, with its payouts', async () => {
  const { transfer, endToEnd, payout } = await files.sent(1_000);
  const { file } = await files.make();
  await files.confirm(file);
  for (const id of [file.file_id, file.message_id, file.message_id.toUpperCase(), file.sha256]) {
    const seen = await told(id);
    assert.deepEqual([seen.kind, seen.state], ['payout_file', 'confirmed']);
    assert.deepEqual(arrows(seen), [
      ...['transfer waiting', 'payout_file collected', 'payout_file confirmed'],
    ]);
  }
  for (const id of [transfer, endToEnd]) {
    const seen = await told(id);
    assert.deepEqual([seen.kind, seen.state], ['transfer', 'waiting']);
    assert.deepEqual(seen.belongs_to, [
      { kind: 'payout', id: payout },
      { kind: 'payout_file', id: file.file_id },
    ]);
  }
  await files.handOver(file.file_id);
  await files.says({ what: 'debited', id: endToEnd, reference: 'NX/24 116' });
  const paid = await told('NX/24 116');
  assert.deepEqual([paid.kind, paid.id, paid.state], ['transfer', transfer, 'paid']);
});

test('an incoming transfer is found by the reference of the bank, or of its wallet', async () => {
  const account_id = await bench.newAccount();
  type Method = { processing_currency: string; psp_reference: string };
  const methods = await bench.must<Method[]>('listPaymentMethods', { params: { account_id } });
  const wallet = methods.find((one) => one.processing_currency === 'EUR')?.psp_reference ?? '';
  const told_to = { params: { wallet_id: wallet } };
  type Told = { reference: string; reference_display: string };
  const instructions = await bench.must<Told>('getDepositInstructions', told_to);
  const { reference } = instructions;
  const entries = [{ amount: '5.00', text: reference, reference: 'NX/24 117' }];
  const file = camtFile({ number: OWN_IBAN, opening: '0', closing: '5', entries });
  const { services, home: { workspace } } = bench;
  const bytes = Buffer.from(file);
  const { taken } = await importStatement(services, workspace, { bytes }, 'operator');
  for (const id of ['NX/24 117', taken[0]?.transfer_id ?? '']) {
    const seen = await told(id);
    assert.deepEqual([seen.kind, seen.state], ['incoming_transfer', 'credited']);
    assert.deepEqual(seen.belongs_to, [{ kind: 'wallet', id: wallet }]);
    assert.ok(arrows(seen).includes('deposit success'));
    assert.doesNotMatch(JSON.stringify(seen), new RegExp(reference));
  }
  for (const id of [reference, instructions.reference_display]) {
    assert.deepEqual([(await told(id)).kind, (await told(id)).id], ['wallet', wallet]);
  }
});

test('a text of such a form that names nothing is unknown', async () => {
  const { workspace } = bench.home;
  const digits = newUuid().replaceAll('-', '');
  for (const text of ['NX/24 118', digits, 'f'.repeat(64), 'RF18539007547034', '']) {
    assert.equal(await explain(bench.db, workspace, text, machines), null, text);
  }
});
