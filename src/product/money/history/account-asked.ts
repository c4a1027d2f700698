// Whose history is read.
import { inputRefusals } from '../../../core/input-refusals.ts';
import type { Caller } from '../../../core/operation.ts';
import { refuse } from '../../../core/refusal.ts';
import { accountIs, accountNotFoundInBody, ownAccountOnly } from '../../people/account/index.ts';
import type { Services } from '../../context.ts';

/** The account to read: a client must name it; a checkout's session has none. */
export async function accountAsked(
  { db }: Services,
  caller: Caller,
  named: string | undefined,
): Promise<string> {
  const wire = named ?? caller.accountId;
  if (wire === null) throw refuse(inputRefusals.MISSING_FIELD, { account_id: 'is required' });
  if (caller.authorizedInvoiceId !== undefined) throw refuse(accountNotFoundInBody);
  const account = ownAccountOnly(caller, wire, accountNotFoundInBody);
  if (!(await accountIs(db, caller.workspace, account))) throw refuse(accountNotFoundInBody);
  return account;
}
