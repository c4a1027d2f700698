// What holds where a buyer pays once on the processor's own page, and that a processor without such
// a page takes nothing under such an order. Declared beside the rest of the processor's contract.
import assert from 'node:assert/strict';
import { newUuid } from '../../core/ids.ts';
import { ONCE_KINDS, onceToken, type ChargeOrder, type OnceKind } from './port.ts';
import {
  AMOUNT,
  NO_EFFECT,
  shown,
  TAKEN,
  type Law,
  type ProcessorBench,
} from './processor.contract.ts';

/** An order that is paid once, in the currency that every kind takes. */
export function once(workspace: number, kind: OnceKind): ChargeOrder {
  const token = onceToken(kind);
  return { workspace, key: newUuid(), token, amount: AMOUNT, currency: 'EUR' };
}

const held = (state: string): object => ({ state, amount: AMOUNT, currency: 'EUR' });

/** The page of an order, as the processor shows it each time. */
async function paged({ processor }: ProcessorBench, order: ChargeOrder): Promise<string> {
  assert.deepEqual(await processor.retrieve(order), { state: 'absent' });
  const asked = await processor.authorize(order);
  assert.ok(asked.state === 'challenged', asked.state);
  const { url, ...rest } = asked;
  assert.deepEqual(shown(rest as typeof asked), held('challenged'));
  assert.deepEqual(await processor.authorize(order), asked);
  assert.deepEqual(await processor.retrieve(order), asked);
  return url;
}

/** The kinds that a bench's processor offers in its first workspace. */
async function offered(bench: ProcessorBench): Promise<readonly OnceKind[]> {
  const kinds = await bench.processor.onceKinds(bench.workspaces[0]);
  assert.deepEqual(kinds.filter((kind) => !ONCE_KINDS.includes(kind)), []);
  return kinds;
}

export function declareOnce(law: Law): void {
  law('what is paid once is held or taken once the buyer has paid, never twice', async (bench) => {
    const { processor, workspaces } = bench;
    for (const kind of await offered(bench)) {
      const order = once(workspaces[0], kind);
      const url = await paged(bench, order);
      assert.ok(['unknown', 'challenged'].includes((await processor.capture(order)).state));
      assert.equal(await bench.decide(url, 'confirm'), 200);
      const paid = await processor.retrieve(order);
      assert.ok(paid.state === 'authorized' || paid.state === 'captured', paid.state);
      const known = { ...order, reference: paid.reference };
      assert.deepEqual(shown(await processor.capture(known)), held('captured'));
      assert.deepEqual(shown(await processor.capture(order)), held('captured'));
      assert.deepEqual(shown(await processor.authorize(order)), held('captured'));
      assert.deepEqual(await bench.effects(order.workspace, order.key), TAKEN);
      assert.notEqual(await bench.decide(url, 'confirm'), 200, 'nobody pays twice');
    }
  });

  law('a page that was given up cannot be paid', async (bench) => {
    for (const kind of await offered(bench)) {
      const order = once(bench.workspaces[0], kind);
      const url = await paged(bench, order);
      assert.deepEqual(shown(await bench.processor.reverse(order)), held('reversed'));
      assert.notEqual(await bench.decide(url, 'confirm'), 200);
      assert.deepEqual(shown(await bench.processor.retrieve(order)), held('reversed'));
      assert.deepEqual(await bench.effects(order.workspace, order.key), NO_EFFECT);
    }
  });

  law('what was paid once and is given up goes back, whether taken yet or not', async (bench) => {
    for (const kind of await offered(bench)) {
      for (const taken of [true, false]) {
        const order = once(bench.workspaces[0], kind);
        await bench.decide(await paged(bench, order), 'confirm');
        if (taken) await bench.processor.capture(order);
        assert.deepEqual(shown(await bench.processor.reverse(order)), held('reversed'));
        assert.deepEqual(shown(await bench.processor.reverse(order)), held('reversed'));
        const { captures, refunds } = await bench.effects(order.workspace, order.key);
        assert.equal(captures, refunds);
      }
    }
  });

  declareNone(law);
}

/** Orders without a page. */
function declareNone(law: Law): void {
  law('a key given up before its page was made has none for good', async (bench) => {
    const [kind] = await offered(bench);
    const order = once(bench.workspaces[0], kind ?? 'card');
    await bench.processor.reverse(order);
    const late = await bench.processor.authorize(order);
    assert.equal(late.state, 'declined');
    assert.deepEqual(await bench.effects(order.workspace, order.key), NO_EFFECT);
  });

  law('a page is of one order and of one workspace', async (bench) => {
    const { processor, workspaces } = bench;
    for (const kind of await offered(bench)) {
      const order = once(workspaces[0], kind);
      const asked = await processor.authorize(order);
      const other = { ...order, amount: AMOUNT + 1n };
      assert.deepEqual(await processor.authorize(other), { state: 'unknown' });
      assert.deepEqual(await processor.reverse(other), { state: 'unknown' });
      const apart = { ...order, workspace: workspaces[1] };
      assert.deepEqual(await processor.retrieve(apart), { state: 'absent' });
      assert.deepEqual(await processor.retrieve(order), asked);
    }
  });

  law('what the processor does not offer is declined', async (bench) => {
    const kinds = await offered(bench);
    for (const kind of ONCE_KINDS.filter((one) => !kinds.includes(one))) {
      const order = once(bench.workspaces[0], kind);
      const outcome = await bench.processor.authorize(order);
      assert.equal(outcome.state, 'declined');
      assert.deepEqual(await bench.effects(order.workspace, order.key), NO_EFFECT);
    }
  });
}
