// Evidence as its command decides it: how much of it a dispute takes, and until when. [G-93]
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryCore, WORKSPACE } from '../../../../test/laws/memory-core.ts';
import { newUuid } from '../../../core/ids.ts';
import { instantFromMillis } from '../../../core/time.ts';
import { addEvidence } from './evidence.ts';
import { disputeTable, evidenceTable } from './tables.ts';

/** An open dispute; `add` gives what becomes of a piece. */
function scene() {
  const core = new MemoryCore();
  const disputeId = newUuid();
  const now = instantFromMillis(core.now);
  const due_by = instantFromMillis(core.now + 3_600_000);
  core.force(disputeTable, {
    ...{ workspace: WORKSPACE, id: disputeId, account_id: newUuid(), reversal_id: newUuid() },
    ...{ resource_id: newUuid(), purpose: 'invoice', escrow_id: null, reference: 'dp' },
    ...{ amount: 500n, currency: 'USD', reason: 'fraudulent', due_by, due: null, fee: 0n },
    ...{ bearer: 'integrator', fee_bearer: 'integrator', created: now, updated: now },
    ...{ state: 'needs_response', version: 1 },
  });
  const add = (mime: 'image/png' | null, size: number): string => {
    const piece = { id: newUuid(), disputeId, kind: 'receipt', mime, size } as const;
    const end = core.run(addEvidence, piece);
    if (end.kind === 'fault') throw end.error;
    return end.kind === 'refusal' ? end.code : 'added';
  };
  return { core, add };
}

test('the files of a dispute have room together, and texts need none', () => {
  const { core, add } = scene();
  const ends = [add('image/png', 3_000_000), add(null, 9_000_000), add('image/png', 1_500_000)];
  assert.deepEqual(ends, ['added', 'added', 'added']);
  assert.equal(add('image/png', 1), 'DISPUTE_TOO_MUCH_EVIDENCE');
  assert.equal(add(null, 1), 'added');
  assert.equal(core.all(evidenceTable).length, 4);
});

test('a dispute takes twenty pieces, up to its deadline', () => {
  const { core, add } = scene();
  for (let n = 0; n < 20; n += 1) assert.equal(add(null, 1), 'added');
  assert.equal(add(null, 1), 'DISPUTE_TOO_MUCH_EVIDENCE');
  core.pass(3_600);
  assert.equal(add(null, 1), 'DISPUTE_OVERDUE');
});
