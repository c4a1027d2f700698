// Mails the receipt of a transaction to an address of the caller's choice. [G-66]
import type { Transaction } from '../../../db/index.ts';
import { inputRefusals } from '../../../core/input-refusals.ts';
import { refuse } from '../../../core/refusal.ts';
import { optional, reference, strictObject, wireIdOf } from '../../../core/schema.ts';
import { operation, type DomainOperation } from '../../context.ts';
import { once } from '../../idempotent/index.ts';
import {
  accountAsked,
  historyRefusals,
  onePath,
  receiptAnswer,
  receiptAsked,
  receiptRecordOf,
} from '../../money/history/index.ts';
import { accountNotFoundInBody } from '../../people/account/index.ts';
import { ADDRESS_MAX, askWithin, preparedMail, requireMail } from './ask.ts';
import { refusals } from './refusals.ts';

const send = operation({
  id: 'sendReceipt',
  route: 'POST invoicing /v1/transaction/{transaction_id}/receipt',
  summary: 'Mails the receipt of a transaction, and answers with it.',
  cites: 'G-66',
  access: { client: 'write_invoices', user: null, session: 'read_invoices' },
  params: onePath,
  body: strictObject({
    email_address: reference(ADDRESS_MAX).meta({ format: 'email' }),
    account_id: optional(wireIdOf('acct')).meta({
      description: 'Whose receipt it is; a client must say so.',
      examples: ['acct_01k0epwyggfgz9tmhzde54rbgg'],
    }),
  }),
  answers: { 200: receiptAnswer },
  refusals: [
    ...[inputRefusals.MISSING_FIELD, inputRefusals.INVALID_FIELD, accountNotFoundInBody],
    ...[historyRefusals.TRANSACTION_NOT_FOUND, historyRefusals.RECEIPT_NOT_GIVEN],
    ...[refusals.MAIL_OFF, refusals.TOO_MANY_MAILS],
  ],
  async run(services, { caller, params, body, idempotency }) {
    const { workspace } = caller;
    const { email_address: to, account_id } = body;
    const account = await accountAsked(services, caller, account_id);
    const receipt = await receiptAsked(services, caller, account, params.transaction_id);
    await requireMail(services, workspace, 'email_address', to);
    const { receipt_data } = await receiptRecordOf(services, { workspace, account }, receipt);
    const { template_id, attributes } = receipt_data;
    const { url, sellers } = attributes;
    const mail = await preparedMail(services, caller, account, 'receipt_copy', { to });
    if (mail === null) throw refuse(historyRefusals.TRANSACTION_NOT_FOUND);
    const work = async (tx: Transaction) => {
      await askWithin(tx, { ...mail, transaction_id: receipt.number });
      // Not stored: the address opens the page, and the names are sealed where they are.
      return { status: 200, payload: { ...attributes, url: '', sellers: [] } };
    };
    return once(services.db, workspace, idempotency, work, async (_tx, { payload: kept }) => {
      const whole = { template_id, attributes: { ...kept, url, sellers } };
      return { status: 200, payload: { receipt_data: whole } };
    });
  },
});

export const receiptOperations: readonly DomainOperation[] = [send];
