// The part of the processor's contract suite about payments that wait: for a buyer to confirm at
// the bank (one page, one decision, no money once given up), and for a bank debit to settle. [G-39]
import assert from 'node:assert/strict';
import type { ChargeOrder, ChargeOutcome } from './processor/port.ts';
import {
  AMOUNT,
  held,
  NO_EFFECT,
  payment,
  shown,
  TAKEN,
  type Law,
  type ProcessorBench,
} from './processor/processor.contract.ts';

/** A charge that waits for its buyer. */
async function challenged(
  bench: ProcessorBench,
): Promise<{ readonly order: ChargeOrder; readonly url: string; readonly first: ChargeOutcome }> {
  const [workspace] = bench.workspaces;
  const order = payment(workspace, await bench.challengedCard(workspace));
  const first = await bench.processor.authorize(order);
  assert.ok(first.state === 'challenged', first.state);
  return { order, url: first.url, first };
}

/** Declares the laws of waiting payments, for `processorContract`. */
export function declareWaiting(law: Law): void {
  declareChallenge(law);
  declareLate(law);
  declarePending(law);
}

function declareChallenge(law: Law): void {
  law('a buyer is asked once, at one URL, and nothing is captured before', async (bench) => {
    const { processor } = bench;
    const { order, url, first } = await challenged(bench);
    assert.deepEqual(shown(first), { state: 'challenged', url, amount: AMOUNT, currency: 'USD' });
    assert.deepEqual(await processor.authorize(order), first);
    assert.deepEqual(await processor.retrieve(order), first);
    assert.deepEqual(await processor.capture(order), first);
    assert.notEqual((await challenged(bench)).url, url);
    assert.equal(await bench.decide(url, 'confirm'), 200);
    assert.deepEqual(shown(await processor.retrieve(order)), held('authorized'));
    assert.deepEqual(shown(await processor.authorize(order)), held('authorized'));
    assert.deepEqual(shown(await processor.capture(order)), held('captured'));
    assert.deepEqual(await bench.effects(order.workspace, order.key), TAKEN);
    assert.equal(await bench.decide(url, 'refuse'), 409);
    assert.equal((await processor.retrieve(order)).state, 'captured');
  });

  law("a buyer's refusal is a final decline", async (bench) => {
    const { order, url } = await challenged(bench);
    assert.equal(await bench.decide(url, 'refuse'), 200);
    const declined = { state: 'declined', code: 'authentication_required' };
    assert.deepEqual(shown(await bench.processor.retrieve(order)), declined);
    assert.equal(await bench.decide(url, 'confirm'), 409);
    assert.deepEqual(shown(await bench.processor.capture(order)), declined);
    assert.deepEqual(shown(await bench.processor.reverse(order)), declined);
    assert.deepEqual(await bench.effects(order.workspace, order.key), NO_EFFECT);
  });
}

function declareLate(law: Law): void {
  law('a payment given up can no longer be confirmed', async (bench) => {
    const { order, url } = await challenged(bench);
    assert.deepEqual(shown(await bench.processor.reverse(order)), held('reversed'));
    assert.equal(await bench.decide(url, 'confirm'), 409);
    assert.deepEqual(shown(await bench.processor.retrieve(order)), held('reversed'));
    assert.deepEqual(await bench.effects(order.workspace, order.key), NO_EFFECT);
  });

  law('a confirmation racing a reverse leaves nothing captured', async (bench) => {
    for (let round = 0; round < 20; round += 1) {
      const { order, url } = await challenged(bench);
      await Promise.all([bench.processor.reverse(order), bench.decide(url, 'confirm')]);
      assert.deepEqual(shown(await bench.processor.retrieve(order)), held('reversed'));
      assert.deepEqual(shown(await bench.processor.capture(order)), held('reversed'));
      assert.deepEqual(await bench.effects(order.workspace, order.key), NO_EFFECT);
    }
  });

  law('twenty decisions at once: one counts', async (bench) => {
    const { order, url } = await challenged(bench);
    const said = await Promise.all(
      Array.from({ length: 20 }, (_none, n) => bench.decide(url, n % 2 ? 'confirm' : 'refuse')),
    );
    assert.deepEqual(said.toSorted().slice(0, 2), [200, 409]);
    const ended = (await bench.processor.retrieve(order)).state;
    assert.equal(ended, said.indexOf(200) % 2 ? 'authorized' : 'declined');
  });
}

function declarePending(law: Law): void {
  law('a bank debit is pending until it settles', async ({ processor, workspaces, ...rest }) => {
    const order = payment(workspaces[0], await rest.bankAccount(workspaces[0]));
    assert.deepEqual(shown(await processor.authorize(order)), held('authorized'));
    assert.deepEqual(shown(await processor.capture(order)), held('pending'));
    assert.deepEqual(shown(await processor.capture(order)), held('pending'));
    assert.deepEqual(shown(await processor.retrieve(order)), held('pending'));
    assert.deepEqual(await rest.effects(workspaces[0], order.key), NO_EFFECT);
    assert.equal(await rest.happen(workspaces[0], order.key, 'settle'), 'done');
    assert.deepEqual(shown(await processor.retrieve(order)), held('captured'));
    assert.deepEqual(await rest.effects(workspaces[0], order.key), TAKEN);
    assert.equal(await rest.happen(workspaces[0], order.key, 'fail'), 'refused');
  });

  law('a bank debit that fails takes nothing', async ({ processor, workspaces, ...rest }) => {
    const order = payment(workspaces[0], await rest.bankAccount(workspaces[0]));
    await processor.authorize(order);
    await processor.capture(order);
    assert.equal(await rest.happen(workspaces[0], order.key, 'fail'), 'done');
    assert.equal((await processor.retrieve(order)).state, 'declined');
    assert.deepEqual(await rest.effects(workspaces[0], order.key), NO_EFFECT);
  });

  law('a pending debit can be given up', async ({ processor, workspaces, ...rest }) => {
    const order = payment(workspaces[0], await rest.bankAccount(workspaces[0]));
    await processor.authorize(order);
    await processor.capture(order);
    assert.deepEqual(shown(await processor.reverse(order)), held('reversed'));
    assert.equal(await rest.happen(workspaces[0], order.key, 'settle'), 'refused');
    assert.deepEqual(await rest.effects(workspaces[0], order.key), NO_EFFECT);
  });
}
