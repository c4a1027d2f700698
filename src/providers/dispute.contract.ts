// The part of the processor's contract suite about answers to disputes: each key once, only while
// the bank waits for one, and no outcome beside the statement. [G-93]
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { AnswerOrder, ChargeOrder } from './processor/port.ts';
import { payment, type Law, type ProcessorBench } from './processor/processor.contract.ts';

async function disputed(
  bench: ProcessorBench,
): Promise<{ readonly charge: ChargeOrder; readonly order: AnswerOrder }> {
  const { processor, workspaces } = bench;
  const charge = payment(workspaces[0], await bench.goodCard(workspaces[0]));
  await processor.authorize(charge);
  await processor.capture(charge);
  assert.equal(await bench.happen(charge.workspace, charge.key, 'chargeback'), 'done');
  const line = (await linesOf(bench, charge)).find(({ kind }) => kind === 'chargeback');
  const order: AnswerOrder = {
    workspace: charge.workspace,
    key: randomUUID(),
    reference: line?.reference ?? '',
    charge: charge.key,
    texts: [{ kind: 'product_description', text: 'A lamp, ünlit.' }],
    files: [{ kind: 'receipt', mime: 'image/png', bytes: Buffer.from('four') }],
  };
  return { charge, order };
}

async function linesOf({ processor }: ProcessorBench, { workspace, key }: ChargeOrder) {
  const page = await processor.statement(workspace, null);
  return (page?.lines ?? []).filter((line) => line.key === key);
}

/** Declares the laws of answers to disputes, for `processorContract`. */
export function declareDisputes(law: Law): void {
  law('a dispute is answered once, and the statement says so', async (bench) => {
    const { processor } = bench;
    const { charge, order } = await disputed(bench);
    assert.deepEqual(await processor.retrieveAnswer(order), { state: 'absent' });
    const all = await Promise.all([1, 2, 3, 4].map(() => processor.answerDispute(order)));
    const [first] = all;
    assert.equal(first?.state, 'accepted');
    for (const outcome of all) assert.deepEqual(outcome, first);
    assert.deepEqual(await processor.retrieveAnswer(order), first);
    const other = { ...order, texts: [] };
    assert.deepEqual(await processor.answerDispute(other), { state: 'unknown' });
    const again = await processor.answerDispute({ ...order, key: randomUUID() });
    assert.equal(again.state, 'declined');
    const kinds = (await linesOf(bench, charge)).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['capture', 'chargeback', 'dispute_under_review']);
    const apart = { ...order, workspace: bench.workspaces[1] };
    assert.deepEqual(await processor.retrieveAnswer(apart), { state: 'absent' });
    assert.equal((await processor.answerDispute(apart)).state, 'declined');
  });

  law('an ended dispute, a wrong reference and no dispute decline an answer', async (bench) => {
    const { processor } = bench;
    const { charge, order } = await disputed(bench);
    const wrong = await processor.answerDispute({ ...order, reference: 'another' });
    assert.equal(wrong.state, 'declined');
    assert.equal(await bench.happen(charge.workspace, charge.key, 'dispute_lost'), 'done');
    const late = { ...order, key: randomUUID() };
    const declined = await processor.answerDispute(late);
    assert.equal(declined.state, 'declined');
    assert.deepEqual(await processor.retrieveAnswer(late), declined);
    const none = payment(charge.workspace, charge.token);
    const about = { ...order, key: randomUUID(), charge: none.key };
    assert.equal((await processor.answerDispute(about)).state, 'declined');
  });
}
