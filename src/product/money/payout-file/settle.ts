// What a bank says about files that were handed over: it debited a payout or all of a file, sent
// one back, or rejected one. Said by a statement's entry or by an operator, who may also reject a
// payout that no file can pay. Saying it again changes nothing. [G-91]
import { prepared, type Database } from '../../../db/index.ts';
import type { Engine } from '../../../engine/index.ts';
import { refuse } from '../../../core/refusal.ts';
import { settlePayout } from '../payout/index.ts';
import type { TransferAnswer } from '../wallet/index.ts';
import { uuidOfBankId } from './content.ts';
import { closePayoutFile, rejectWaitingPayout } from './decide.ts';
import { refusals as no } from './refusals.ts';

/** Parts of the installation that settling needs. */
export interface SettleParts {
  readonly db: Database;
  readonly engine: Engine;
}

/** One thing that a bank says. */
export interface BankWord {
  readonly workspace: number;
  /**
   * `debited`: money left for it; `returned`: money came back; `rejected`: nothing was debited, and
   * nothing will be, also of a payout that waits for a file.
   */
  readonly what: 'debited' | 'returned' | 'rejected';
  /** An end-to-end id of a payout; unless it was returned also the message id of a file. */
  readonly id: string;
  /** Minor units, positive; null: an operator says it of the whole amount. */
  readonly amount: bigint | null;
  readonly currency: string | null;
  /** The bank's own. */
  readonly reference: string;
  /** The actor in history. */
  readonly actor: string;
}

/** What came of it: `known`: it was said before. */
export type BankOutcome = 'settled' | 'known';

interface Sent {
  readonly id: string;
  readonly file_id: string;
  readonly state: string;
  readonly file_state: string;
  readonly amount: bigint;
  readonly currency: string;
}

/** Takes one word of the bank. Throws a Refusal where it names nothing of ours or other money. */
export async function settleWord(parts: SettleParts, word: BankWord): Promise<BankOutcome> {
  const id = uuidOfBankId(word.id.replaceAll('-', ''));
  const all = id === null ? [] : await sentUnder(parts.db, word.workspace, id);
  const whole = all.some(({ file_id }) => file_id === id);
  if (whole && word.what === 'returned') throw refuse(no.PAYOUT_NOT_IN_FILE);
  if (all.length === 0 || all.some(({ state }) => state === 'waiting')) {
    if (word.what === 'rejected' && !whole) return rejectUnsent(parts, word, id);
    throw refuse(all.length === 0 ? no.PAYOUT_NOT_IN_FILE : no.PAYOUT_FILE_NOT_HANDED_OVER);
  }
  // What the bank rejected before is not part of a file's debit.
  const said = whole ? all.filter(({ state }) => state !== 'declined') : all;
  if (whole && word.what === 'rejected') known(said.every(({ state }) => state === 'handed_over'));
  const sum = said.reduce((so, { amount }) => so + amount, 0n);
  if ((word.amount ?? sum) !== sum || (word.currency ?? all[0]?.currency) !== all[0]?.currency) {
    throw refuse(no.PAYOUT_FILE_AMOUNT);
  }
  let changed = 0;
  for (const one of said) changed += Number(await settleOne(parts, word, one));
  const fileId = all[0]?.file_id ?? '';
  const { workspace, actor } = word;
  await parts.engine.run(closePayoutFile, { fileId }, { workspace, actor });
  return changed === 0 ? 'known' : 'settled';
}

/** True where the word was new for this payout. */
async function settleOne(
  { engine }: SettleParts,
  { workspace, what, reference, actor }: BankWord,
  { id: transferId, state, amount, currency }: Sent,
): Promise<boolean> {
  const say = (outcome: TransferAnswer['outcome']): Promise<unknown> =>
    engine.run(settlePayout, { transferId, outcome }, { workspace, actor });
  const about = { reference, amount, currency };
  if (what === 'rejected') {
    if (state !== 'handed_over') return known(state === 'declined');
    await say({ state: 'declined', reference, code: 'generic_error' });
    return true;
  }
  // A bank may tell of a return before it tells of the debit; what came back had left.
  const left = state === 'handed_over';
  if (left) await say({ state: 'paid', ...about });
  if (what === 'debited') return left || known(state !== 'declined');
  if (left || state === 'paid') await say({ state: 'returned', ...about });
  return left || state === 'paid' || known(state === 'returned');
}

/** A person found that a payout without a file cannot be paid to its account. */
async function rejectUnsent(
  { db, engine }: SettleParts,
  { workspace, reference, actor }: BankWord,
  transferId: string | null,
): Promise<BankOutcome> {
  const [sent] = await db.query<Pick<Sent, 'state'>>(prepared('payout_without_file')`
    select state from transfer
    where workspace = ${workspace} and id = ${transferId} and rail = 'file' and state in ('waiting',
      'declined')`);
  if (transferId === null || sent === undefined) throw refuse(no.PAYOUT_NOT_IN_FILE);
  const outcome = { state: 'reject_decided', reference } as const;
  const input = { transferId, outcome };
  const { payload } = await engine.run(rejectWaitingPayout, input, { workspace, actor });
  return payload === true ? 'settled' : 'known';
}

/** False for what was said before. Throws a Refusal for the opposite of what was said. */
function known(before: boolean): false {
  if (!before) throw refuse(no.PAYOUT_FILE_CONTRADICTED);
  return false;
}

/** The payouts of a file, or the one, that left under an id. */
function sentUnder(db: Database, workspace: number, id: string): Promise<readonly Sent[]> {
  return db.query(prepared('payouts_under_bank_id')`
    select r.id, i.file_id, r.state, f.state as file_state, r.amount, r.currency
    from payout_file_item i
    join payout_file f on f.workspace = i.workspace and f.id = i.file_id
    join transfer r on r.workspace = i.workspace and r.id = i.transfer_id
    where i.workspace = ${workspace} and i.live and (i.file_id = ${id} or i.transfer_id = $2)
    order by i.number`);
}
