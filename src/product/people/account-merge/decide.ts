// The command that merges an account into another. Both accounts and all of their balances are
// locked when it is decided, so that nothing is moved twice or left behind. Pure. [G-22]
import { EngineFault } from '../../../engine/index.ts';
import type {
  Command,
  CommandAnswer,
  Decision,
  LedgerEntry,
  ReadSet,
} from '../../../engine/index.ts';
import { accountId } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import {
  accountTable,
  barMerged,
  followMerged,
  namesNoAccount,
  needBlocks,
  type AccountRow,
  type MergeStep,
} from '../account/index.ts';
import { kycTable } from '../identity/index.ts';
import type { UnderWay } from '../retention/index.ts';
import { creditLine, needCredit, walletsOfAccount } from '../../money/wallet/index.ts';
import type { WalletRow } from '../../money/wallet/index.ts';
import { refusals as no } from './refusals.ts';
import { balanceTable, tracked } from '../../../ledger/index.ts';

/** An amount in minor units. */
interface Moved {
  readonly currency: string;
  readonly amount: bigint;
}

/**
 * All that is in the source's wallets, and the ledger entries that move it; balances must be
 * locked. A destination that is not eligible for credits gets it as restricted funds. [G-38]
 */
function moveBalances(
  decision: Decision,
  source: string,
  destination: string,
): { readonly moved: readonly Moved[]; readonly lines: readonly LedgerEntry[] } {
  const moved: Moved[] = [];
  const lines: LedgerEntry[] = [];
  const targets = decision.find(walletsOfAccount, destination);
  for (const wallet of decision.find(walletsOfAccount, source)) {
    const { id, currency } = wallet;
    const amount = heldIn(decision, id);
    if (amount === 0n) continue;
    const target = targets.find((one) => one.currency === currency);
    if (target === undefined) throw new EngineFault('an account lacks a wallet');
    moved.push({ currency, amount });
    lines.push(tracked(id, currency, -amount), creditLine(decision, target, amount));
  }
  moved.sort((a, b) => (a.currency < b.currency ? -1 : 1));
  return { moved, lines };
}

/** True while the account has restricted funds. */
function keepsBack(decision: Decision, account: string): boolean {
  const kept = ({ kept_back_id }: WalletRow): bigint => heldIn(decision, kept_back_id);
  return decision.find(walletsOfAccount, account).some((wallet) => kept(wallet) > 0n);
}

function heldIn(decision: Decision, id: string | null): bigint {
  return id === null ? 0n : (decision.get(balanceTable, id)?.amount ?? 0n);
}

/** UUIDs of both accounts. */
export interface MergeInput {
  readonly source: string;
  readonly destination: string;
  /** What of the source was still in progress when it was read. */
  readonly open: readonly UnderWay[];
  /** The id of the block that closes the source. */
  readonly block_id: string;
}

type Side = 'source' | 'destination';

/** Identity states in which an account cannot be merged away. */
const UNSETTLED = ['DENY', 'PROCESSING', 'MANUAL_REVIEW'];

function needSide(rows: ReadSet, account: string): void {
  needBlocks(rows, account);
  for (const wallet of rows.find(walletsOfAccount, account)) needCredit(rows, wallet.id);
}

/**
 * Closes the source and moves its money. Repeating the same merge moves what reached the closed
 * account since, such as a refund; with nothing to move it is refused.
 */
export const mergeAccounts: Command<MergeInput> = {
  name: 'merge_accounts',
  load(rows, { source, destination }) {
    needSide(rows, source);
    needSide(rows, destination);
    if (rows.read(kycTable, source)) rows.lock(kycTable, source);
  },
  decide(decision, input) {
    const { source, destination, block_id } = input;
    if (source === destination) {
      throw refuse(no.MERGE_SAME_ACCOUNT, {
        destination_account_id: 'must be a different account than the source',
      });
    }
    const from = sideOf(decision, input, 'source');
    const to = sideOf(decision, input, 'destination');
    if (from.merged_to === destination) return follow(decision, input);
    for (const [row, side] of [[from, 'source'], [to, 'destination']] as const) {
      const field = `${side}_account_id`;
      if (row.merged_to !== null) {
        throw refuse(no.ACCOUNT_MERGED, { [field]: 'was merged into another account' });
      }
      if (row.blocked) throw refuse(no.ACCOUNT_BLOCKED, { [field]: 'is blocked' });
    }
    requireRest(decision, input);
    return carry(decision, input, barMerged(decision, source, destination, block_id));
  },
};

function sideOf(decision: Decision, input: MergeInput, side: Side): AccountRow {
  const row = decision.get(accountTable, input[side]);
  if (row === null) throw namesNoAccount(`${side}_account_id`);
  return row;
}

function requireRest(decision: Decision, { source, open }: MergeInput): void {
  const kinds = keepsBack(decision, source) ? [...open, 'restricted funds'] : open;
  if (kinds.length > 0) {
    const what = `has in progress: ${kinds.join(', ')}`;
    throw refuse(no.MERGE_SOURCE_NOT_AT_REST, { source_account_id: what });
  }
  if (UNSETTLED.includes(decision.get(kycTable, source)?.state ?? '')) {
    throw refuse(no.MERGE_SOURCE_IDENTITY);
  }
}

/** The money follows the merge, whatever has happened to the destination since. */
function follow(decision: Decision, input: MergeInput): CommandAnswer {
  const { moved } = moveBalances(decision, input.source, input.destination);
  const step = moved.length === 0 ? null : followMerged(decision, input.source);
  if (step === null) {
    throw refuse(no.ACCOUNT_MERGED, { source_account_id: 'was merged into another account' });
  }
  return carry(decision, input, step);
}

function carry(decision: Decision, input: MergeInput, step: MergeStep): CommandAnswer {
  const { source, destination } = input;
  const { moved, lines } = moveBalances(decision, source, destination);
  decision.post(step.id, step.version, lines);
  const payload = {
    source_account_id: accountId(source),
    destination_account_id: accountId(destination),
    balances: moved.map(({ currency, amount }) => ({ currency, amount: Number(amount) })),
  };
  return { status: 200, payload };
}
