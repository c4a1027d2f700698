// The part of the processor's contract suite about payouts, for processors that send them: paid
// once, returned once, and only to accounts of the workspace.
import assert from 'node:assert/strict';
import { newUuid } from '../../core/ids.ts';
import type { TransferOrder } from './port.ts';
import {
  AMOUNT,
  captured,
  NO_EFFECT,
  race,
  refund,
  shown,
  type Law,
} from './processor.contract.ts';

/** Declares the laws of payouts, for processors that send them. */
export function declarePayouts(law: Law): void {
  const payout = (workspace: number, target: string): TransferOrder => {
    return {
      workspace,
      key: newUuid(),
      kind: 'payout',
      target,
      amount: AMOUNT,
      currency: 'USD',
    };
  };
  law('a payout is paid once, and returned once', async ({ processor, workspaces, ...rest }) => {
    const [workspace] = workspaces;
    const order = payout(workspace, await rest.payableAccount(workspace));
    assert.equal((await race(() => processor.remit(order))).state, 'paid');
    assert.deepEqual(await rest.effects(workspace, order.key), { ...NO_EFFECT, payouts: 1 });
    assert.equal(await rest.happen(workspace, order.key, 'return'), 'done');
    assert.equal(await rest.happen(workspace, order.key, 'return'), 'refused');
    assert.equal((await processor.remit(order)).state, 'returned');
    assert.deepEqual(await rest.effects(workspace, order.key), { ...NO_EFFECT, payouts: 1 });
  });

  law("a refund's key gives a payout no outcome", async (bench) => {
    const order = refund(await captured(bench), 500n);
    await bench.processor.remit(order);
    const other = await bench.processor.remit({ ...order, kind: 'payout' });
    assert.deepEqual(other, { state: 'unknown' });
  });

  law('a payout cannot go to another workspace', async ({ processor, workspaces, ...rest }) => {
    const [workspace, other] = workspaces;
    const declined = { state: 'declined', code: 'generic_error' };
    const foreign = await rest.payableAccount(other);
    for (const target of [await rest.goodCard(workspace), foreign, 'nobody']) {
      const order = payout(workspace, target);
      assert.deepEqual(shown(await processor.remit(order)), declined);
      assert.deepEqual(shown(await processor.remit(order)), declined);
      assert.deepEqual(await rest.effects(workspace, order.key), NO_EFFECT);
    }
  });
}
