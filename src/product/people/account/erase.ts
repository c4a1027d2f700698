// What erasing a person does to the account: the key is destroyed, all that it opened is emptied,
// the username can never be used again, and a block that nobody can lift stays. The account itself
// stays, so that books and history keep their meaning. [PD3]
import type { Decision, ReadSet } from '../../../engine/index.ts';
import { barErased, needBlocks } from './block.ts';
import { ERASED } from './person.ts';
import { accountBlockTable, accountPersonTable, accountTable, blocksOfAccount } from './tables.ts';

/** Locks what the erasure of an account touches. */
export function needAccountErasure(rows: ReadSet, account: string): void {
  needBlocks(rows, account);
  rows.lock(accountPersonTable, account);
}

/** True once the person was erased. */
export function isErased(decision: Decision, account: string): boolean {
  return decision.get(accountPersonTable, account)?.wrapped_key === ERASED;
}

/** Erases. `barredKey` replaces the username's key; `reason` is a code for the history. */
export function eraseAccount(
  decision: Decision,
  account: string,
  request: { readonly barredKey: string; readonly blockId: string; readonly reason: string },
): void {
  const updated = decision.now;
  for (const { id } of decision.find(blocksOfAccount, account)) {
    decision.update(accountBlockTable, id, { sealed_note: null });
  }
  decision.update(accountPersonTable, account, {
    wrapped_key: ERASED,
    sealed: '',
    has_email: false,
    language: null,
    updated,
  });
  decision.update(accountTable, account, { username_key: request.barredKey });
  barErased(decision, account, request.blockId, request.reason);
}
