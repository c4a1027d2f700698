// A person's decision about money in manual review against what the processor's book says of it:
// nothing is settled that the book contradicts, and nothing is looked up in vain. [M13]
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Refusal } from '../../../core/refusal.ts';
import type { Processor } from '../../../providers/processor/port.ts';
import { requireBook, type Decided, type DecidedItem } from './resolve.ts';

const common = {
  id: 'key-1',
  state: 'parked',
  purpose: 'invoice',
  remitted: 'payout',
  target: 'method-1',
  connection: 'connection-1',
  reference: 'pi_1',
  currency: 'USD',
  amount: 500n,
} as const;

/** What becomes of the decision; `looks` is what the processor was asked. */
async function end(
  item: Partial<DecidedItem>,
  decision: Decided,
  seen: Record<string, unknown>,
): Promise<[string, unknown[]]> {
  const looks: unknown[] = [];
  const answer = (kind: string) => async (order: object) => {
    looks.push([kind, order]);
    return seen;
  };
  const processor = { retrieve: answer('charge'), retrieveTransfer: answer('out') };
  const whole = { ...common, kind: 'parked_charge', ...item } as DecidedItem;
  try {
    await requireBook(processor as unknown as Processor, 7, whole, decision);
    return ['agreed', looks];
  } catch (error) {
    return [(error as Refusal).spec.code, looks];
  }
}

const at = { workspace: 7, connection: 'connection-1' };
const order = { ...at, key: 'key-1', amount: 500n, currency: 'USD' };
const captured = { state: 'captured', amount: 500n, currency: 'USD' };

test('a charge is accepted as the book has it: captured, in its amount and currency', async () => {
  const asked = [['charge', { ...order, token: 'method-1', reference: 'pi_1' }]];
  assert.deepEqual(await end({}, 'accept', captured), ['agreed', asked]);
  for (const wrong of [{ state: 'declined' }, { amount: 499n }, { currency: 'EUR' }]) {
    const [code] = await end({}, 'accept', { ...captured, ...wrong });
    assert.equal(code, 'PARKED_NOT_AS_AGREED');
  }
  assert.deepEqual(await end({}, 'accept', { state: 'unknown' }), ['PROCESSOR_SILENT', asked]);
});

test('what has left is not sent a second time', async () => {
  const item = { kind: 'parked_remittance', remitted: 'refund' } as const;
  const asked = [['out', { ...order, kind: 'refund', target: 'method-1', charge: 'pi_1' }]];
  assert.deepEqual(await end(item, 'retry', { state: 'refused' }), ['agreed', asked]);
  for (const state of ['paid', 'pending']) {
    assert.deepEqual(await end(item, 'retry', { state }), ['PARKED_NOT_AS_AGREED', asked]);
  }
  assert.equal((await end(item, 'retry', { state: 'unknown' }))[0], 'PROCESSOR_SILENT');
});

test('nothing is looked up for what needs no book or is not in review any more', async () => {
  assert.deepEqual(await end({}, 'give_back', captured), ['agreed', []]);
  assert.deepEqual(await end({ kind: 'parked_remittance' }, 'accept', captured), ['agreed', []]);
  assert.deepEqual(await end({ state: 'captured' }, 'accept', captured), ['agreed', []]);
});
