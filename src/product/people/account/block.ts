// Blocks, which keep an account from paying, being paid and opening pages. This file owns
// `account.blocked`, which every other decision reads. [G-14, G-20]
import type { Command, Decision, ReadSet } from '../../../engine/index.ts';
import { accountId } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import { events } from '../../events.ts';
import { blockMachine } from './machine.ts';
import { namesNoAccount, refusals } from './refusals.ts';
import { renderBlock, type BlockRecord } from './schema.ts';
import {
  accountBlockTable,
  accountTable,
  blocksOfAccount,
  type AccountBlockRow,
} from './tables.ts';

/** The capability of the block that closes a merged account. [G-22] */
export const MERGED = 'merged';

export type Issuer = 'integrator' | 'operator';

/** A request to block or unblock. */
export interface BlockInput {
  /** The account's UUID. */
  readonly account: string;
  readonly capability: string;
  readonly issuer: Issuer;
  readonly reason: string;
  readonly sealed_note: string | null;
  /** The id of a new block, for the first of this capability. */
  readonly fresh_id: string;
}

/** Locks the account and its blocks. */
export function needBlocks(rows: ReadSet, account: string): void {
  if (!rows.read(accountTable, account)) return;
  rows.lock(accountTable, account);
  for (const block of rows.find(blocksOfAccount, account)) {
    rows.lock(accountBlockTable, block.id);
  }
}

function blockOf(decision: Decision, account: string, capability: string) {
  return decision.find(blocksOfAccount, account).find((block) => block.capability === capability);
}

/** Active blocks of the account by wire id, as in answers and events. */
function shown(blocks: readonly AccountBlockRow[]): Record<string, BlockRecord> {
  const active = blocks.filter((block) => block.state === 'ACTIVE');
  const records = active.map((block) => renderBlock(block.account_id, block));
  return Object.fromEntries(records.map((record) => [record.block_id, record]));
}

/** Updates account.blocked and announces the change; gives the answer. */
function finish(decision: Decision, changed: AccountBlockRow): object {
  // A new block is not found yet; one that was there is the same row twice.
  const blocks = shown([...decision.find(blocksOfAccount, changed.account_id), changed]);
  const is_blocked = Object.keys(blocks).length > 0;
  decision.update(accountTable, changed.account_id, { blocked: is_blocked, updated: decision.now });
  const account_id = accountId(changed.account_id);
  const message = { account_id, is_blocked, blocks };
  decision.announce(events.blockChanged, changed.id, changed.version, message);
  return { account_id, blocks };
}

function unchanged(decision: Decision, account: string): object {
  return { account_id: accountId(account), blocks: shown(decision.find(blocksOfAccount, account)) };
}

/** Blocks a capability; blocking again changes nothing. */
export const blockAccount: Command<BlockInput> = {
  name: 'block_account',
  load: (rows, { account }) => needBlocks(rows, account),
  decide(decision, input) {
    const { account, capability, issuer, reason, sealed_note } = input;
    if (decision.get(accountTable, account) === null) throw namesNoAccount();
    const found = blockOf(decision, account, capability);
    if (found?.state === 'ACTIVE') return { status: 200, payload: unchanged(decision, account) };
    const id = found?.id ?? input.fresh_id;
    if (found === undefined) {
      const row = { id, account_id: account, capability, issuer, reason, sealed_note };
      decision.create(blockMachine, accountBlockTable, 'block', begun(decision, row));
    } else {
      const patch = { issuer, reason, sealed_note };
      decision.move(blockMachine, accountBlockTable, id, 'block', 'ACTIVE', patch);
    }
    return { status: 200, payload: finish(decision, after(decision, id)) };
  },
};

/** Lifts a block; without one nothing changes. An integrator can lift only its own. */
export const unblockAccount: Command<BlockInput> = {
  name: 'unblock_account',
  load: (rows, { account }) => needBlocks(rows, account),
  decide(decision, { account, capability, issuer, sealed_note }) {
    const row = decision.get(accountTable, account);
    if (row === null) throw namesNoAccount();
    if (row.merged_to !== null) throw refuse(refusals.ACCOUNT_MERGED);
    const found = blockOf(decision, account, capability);
    if (found?.state !== 'ACTIVE') return { status: 200, payload: unchanged(decision, account) };
    if (found.issuer === 'operator' && issuer !== 'operator') {
      throw refuse(refusals.ACCOUNT_BLOCK_NOT_YOURS);
    }
    const patch = { sealed_note };
    decision.move(blockMachine, accountBlockTable, found.id, 'unblock', 'LIFTED', patch);
    return { status: 200, payload: finish(decision, after(decision, found.id)) };
  },
};

/** The row of a new block. */
function begun(
  { workspace, now }: Decision,
  row: Omit<AccountBlockRow, 'workspace' | 'state' | 'version' | 'created' | 'updated'>,
): AccountBlockRow {
  return { ...row, workspace, state: 'ACTIVE', version: 1, created: now, updated: now };
}

/** A block with a capability that no operation offers. */
interface Bar extends Pick<AccountBlockRow, 'id' | 'account_id' | 'capability' | 'reason'> {
  readonly issuer: Issuer;
  readonly on: 'block' | 'merge';
  readonly detail: object;
}

/** Closes an account for good; gives the block. */
function bar(decision: Decision, { on, detail, ...what }: Bar): AccountBlockRow {
  const row = begun(decision, { ...what, sealed_note: null });
  decision.create(blockMachine, accountBlockTable, on, row, detail);
  finish(decision, row);
  return row;
}

/** Closes an account whose person was erased. [PD3] */
export function barErased(decision: Decision, account: string, id: string, why: string): void {
  const what = { capability: 'erased', issuer: 'operator', reason: 'erased' } as const;
  bar(decision, { id, account_id: account, ...what, on: 'block', detail: { erased: why } });
}

/** The step of a merge (resource and version) that its ledger entries belong to. */
export interface MergeStep {
  readonly id: string;
  readonly version: number;
}

/** Closes an account that is merged into another. `id` becomes the block's. */
export function barMerged(
  decision: Decision,
  source: string,
  destination: string,
  id: string,
): MergeStep {
  const what = { capability: MERGED, issuer: 'integrator', reason: 'account_close' } as const;
  const detail = { merged_to: accountId(destination) };
  const row = bar(decision, { id, account_id: source, ...what, on: 'merge', detail });
  decision.update(accountTable, source, { merged_to: destination });
  return row;
}

/** Adds a step to a merged account's block; null where this decision has not read the block yet. */
export function followMerged(decision: Decision, source: string): MergeStep | null {
  const block = blockOf(decision, source, MERGED);
  if (block === undefined) return null;
  const { id } = block;
  return { id, version: decision.move(blockMachine, accountBlockTable, id, 'merge', 'ACTIVE') };
}

function after(decision: Decision, id: string): AccountBlockRow {
  const row = decision.get(accountBlockTable, id);
  if (row === null) throw new Error('a block that was just set is gone');
  return row;
}
