// The refusals of bank accounts, statement files and incoming transfers, in order of precedence.
import { defineRefusals, no } from '../../../core/refusal.ts';

export const refusals = defineRefusals({
  BANK_ACCOUNT_NOT_CONFIGURED: no(400, 'operator', 'G-91',
    'The tenant has no bank account in this currency.'),
  BANK_FILE_UNREADABLE: no(400, 'operator', 'G-91',
    'The file is not a whole bank statement in the expected format; nothing was stored.'),
  BANK_FILE_OTHER_ACCOUNT: no(400, 'operator', 'G-91',
    'The statement is of another bank account than the tenant has configured.'),
  BANK_FILE_OTHER_CURRENCY: no(400, 'operator', 'G-91',
    'The statement is in another currency than its bank account.'),
  BANK_FILE_OTHER_FORMAT: no(400, 'operator', 'G-91',
    'These days were imported from files of another format; the rows would be counted twice.'),
  BANK_FILE_SUM_WRONG: no(400, 'operator', 'G-91',
    'Opening balance and entries do not add up to the closing balance; nothing was stored.'),
  BANK_TRANSFER_NOT_FOUND: no(404, 'operator', 'G-91', 'There is no such bank transfer.'),
  BANK_WALLET_NOT_FOUND: no(400, 'operator', 'G-91',
    'No wallet in this currency has this reference or belongs to this account.'),
  BANK_REFERENCE_USED: no(409, 'operator', 'G-91',
    'A transfer with this bank reference has already been recorded.'),
  BANK_TRANSFER_CHANGED: no(409, 'operator', 'G-91',
    'The transfer has changed since you opened it. Look at it again.'),
  BANK_SAME_PERSON: no(403, 'operator', 'G-91',
    'A second operator must confirm what the first one recorded.'),
  BANK_NOT_INDEPENDENT: no(403, 'operator', 'G-91',
    'One of the two operators created the other or reset their access. Ask a third operator.'),
});
