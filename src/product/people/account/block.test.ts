// Blocks of an account as commands decide them: several at once, each lifted by who may, and
// told with all that are left. [G-20]
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryCore, WORKSPACE } from '../../../../test/laws/memory-core.ts';
import { accountId, newUuid, wireId } from '../../../core/ids.ts';
import { blockAccount, unblockAccount, type BlockInput, type Issuer } from './block.ts';
import { accountBlockTable, accountTable, type AccountRow } from './tables.ts';

interface Told {
  readonly account_id: string;
  readonly is_blocked: boolean;
  readonly blocks: Record<string, { readonly capability: string; readonly reason: string }>;
}

function scene(more: Partial<AccountRow> = {}) {
  const core = new MemoryCore();
  const account = newUuid();
  const row = {
    workspace: WORKSPACE,
    id: account,
    username_key: 'k',
    blocked: false,
    merged_to: null,
  };
  core.force(accountTable, { ...row, created: 'then', updated: 'then', ...more });
  const input = (capability: string, issuer: Issuer, id = newUuid()): BlockInput => {
    const what = { account, capability, issuer, reason: `because of ${capability}` };
    return { ...what, sealed_note: null, fresh_id: id };
  };
  const run = (command: typeof blockAccount, request: BlockInput): string => {
    const outcome = core.run(command, request);
    if (outcome.kind === 'fault') throw outcome.error;
    if (outcome.kind === 'refusal') return outcome.code;
    const { blocks } = outcome.answer.payload as Told;
    return Object.values(blocks)
      .map(({ capability }) => capability)
      .toSorted()
      .join(' ');
  };
  const last = (): Told => JSON.parse(core.outbox.at(-1)?.message ?? 'null') as Told;
  const isBlocked = (): boolean | undefined => core.get(accountTable, account)?.blocked;
  return { core, account, input, run, last, isBlocked };
}

test('blocks add up, and an account is blocked until the last one is lifted', () => {
  const { core, account, input, run, last, isBlocked } = scene();
  assert.equal(run(blockAccount, input('pay', 'integrator')), 'pay');
  assert.equal(run(blockAccount, input('receive', 'operator')), 'pay receive');
  assert.equal(isBlocked(), true);
  const told = last();
  const shown = Object.values(told.blocks).map(({ capability }) => capability);
  assert.deepEqual([told.account_id, told.is_blocked], [accountId(account), true]);
  assert.deepEqual(shown.toSorted(), ['pay', 'receive']);
  assert.equal(run(unblockAccount, input('pay', 'integrator')), 'receive');
  assert.deepEqual([isBlocked(), last().is_blocked], [true, true]);
  assert.equal(run(unblockAccount, input('receive', 'operator')), '');
  assert.deepEqual([isBlocked(), last().is_blocked, last().blocks], [false, false, {}]);
  assert.deepEqual(
    core.outbox.map(({ name }) => name),
    Array(4).fill(core.outbox[0]?.name),
  );
});

test('a block is shown by its ids, its issuer and its reason', () => {
  const { account, input, run, last } = scene();
  const id = newUuid();
  run(blockAccount, input('pay', 'operator', id));
  assert.deepEqual(last().blocks, {
    [wireId('blk', id)]: {
      account_id: accountId(account),
      block_id: wireId('blk', id),
      capability: 'pay',
      issuer: 'operator',
      reason: 'because of pay',
    },
  });
});

test('blocking what is blocked and lifting what is not change nothing', () => {
  const { core, input, run } = scene();
  assert.equal(run(unblockAccount, input('pay', 'integrator')), '');
  run(blockAccount, input('pay', 'integrator'));
  const { writes } = core;
  assert.equal(run(blockAccount, input('pay', 'operator')), 'pay');
  assert.equal(run(unblockAccount, input('receive', 'integrator')), 'pay');
  assert.equal(core.writes, writes);
  run(unblockAccount, input('pay', 'integrator'));
  assert.equal(run(blockAccount, input('pay', 'operator')), 'pay', 'the same block, once more');
  assert.equal(core.all(accountBlockTable).length, 1);
  assert.equal(core.all(accountBlockTable)[0]?.issuer, 'operator');
});

test('an integrator lifts its own blocks only, and nobody those of a merged account', () => {
  const { input, run, isBlocked } = scene();
  run(blockAccount, input('pay', 'operator'));
  assert.equal(run(unblockAccount, input('pay', 'integrator')), 'ACCOUNT_BLOCK_NOT_YOURS');
  assert.equal(isBlocked(), true);
  run(blockAccount, input('receive', 'integrator'));
  assert.equal(run(unblockAccount, input('receive', 'operator')), 'pay');
  const merged = scene({ merged_to: newUuid() });
  assert.equal(merged.run(unblockAccount, merged.input('pay', 'operator')), 'ACCOUNT_MERGED');
});
