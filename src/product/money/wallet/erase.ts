// What erasing a person does to their wallets and payment methods: cards and bank accounts end and
// lose their names. Money that is left prevents the erasure. [PD3]
import type { Decision, ReadSet } from '../../../engine/index.ts';
import { accountId } from '../../../core/ids.ts';
import { balanceTable } from '../../../ledger/index.ts';
import { events } from '../../events.ts';
import {
  methodsOfAccount,
  NO_CARD,
  paymentMethodTable,
  payoutDestinationTable,
  walletsOfAccount,
  type WalletRow,
} from './tables.ts';

const GONE = 'INACTIVE';

function balancesOf({ id, kept_back_id }: WalletRow): string[] {
  return kept_back_id === null ? [id] : [id, kept_back_id];
}

/** Locks what the erasure of an account's payment methods touches. */
export function needMethodErasure(rows: ReadSet, account: string): void {
  for (const wallet of rows.find(walletsOfAccount, account)) {
    for (const id of balancesOf(wallet)) rows.lock(balanceTable, id);
  }
  for (const { id } of rows.find(methodsOfAccount, account)) {
    rows.lock(paymentMethodTable, id);
    if (rows.read(payoutDestinationTable, id)) rows.lock(payoutDestinationTable, id);
  }
}

/** True while a wallet of the account, or its restricted account, holds money. */
export function holdsMoney(decision: Decision, account: string): boolean {
  return decision
    .find(walletsOfAccount, account)
    .flatMap(balancesOf)
    .some((id) => (decision.get(balanceTable, id)?.amount ?? 0n) > 0n);
}

/** Ends cards and bank accounts, and announces each. */
export function eraseMethods(decision: Decision, account: string): void {
  for (const { id } of decision.find(methodsOfAccount, account)) {
    const row = decision.get(paymentMethodTable, id);
    if (row === null || row.provider === 'wallet') continue;
    const version = row.version + 1;
    decision.update(paymentMethodTable, id, {
      display_string: 'Erased',
      pm_state: GONE,
      processor_token: '',
      ...NO_CARD,
      version,
      updated: decision.now,
    });
    if (row.provider === 'bank') decision.update(payoutDestinationTable, id, { sealed: '' });
    const message = { account_id: accountId(account), payment_method_id: id, state: GONE };
    decision.announce(events.paymentMethodUpdated, id, version, message);
  }
}
