// The message of the webhook event of refunds. [G-61]
import { z } from 'zod';
import { accountId } from '../../../core/ids.ts';
import { strictObject, uuid } from '../../../core/schema.ts';
import type { RecordKind } from '../../../outbox/index.ts';
import { refundRecords } from './read.ts';
import { refundRecord, type RefundRecord } from './schema.ts';
import { prepared } from '../../../db/index.ts';

const part = strictObject({ refund_id: uuid(), amount: z.string(), currency: z.string() });

/** The message of refund events: the fields that such receivers know, and the refund. */
const refundMessage = strictObject({
  account_id: z.string(),
  /** The refund invoice; '' where no money moved. */
  invoice_id: z.string(),
  payment_invoice_id: uuid(),
  successful_refunds: z.array(part),
  failed_refunds: z.array(part),
  refund: refundRecord,
});

/** The message of refund-completed at a version of the refund. */
export const refundMessages: RecordKind = {
  kind: 'refund_message',
  schema: refundMessage,
  async compose(db, keys) {
    const refunds = (await refundRecords.compose(db, keys)) as RefundRecord[];
    const rows = await db.query<{ id: string; account_id: string }>(prepared('accounts_of_refunds')`
      select k.id, i.account_id from unnest(${keys.map((key) => key.workspace)}::int4[],
        ${refunds.map((refund) => refund.invoice_id)}::uuid[]) as k(workspace, id)
      join invoice i on i.workspace = k.workspace and i.id = k.id`);
    const accounts = new Map(rows.map((row) => [row.id, accountId(row.account_id)]));
    return refunds.map((refund) => messageOf(refund, accounts.get(refund.invoice_id) ?? ''));
  },
};

function messageOf(refund: RefundRecord, account_id: string): z.output<typeof refundMessage> {
  const { refund_id, currency, status } = refund;
  const parts = [{ refund_id, amount: String(refund.amount), currency }];
  const succeeded = status === 'REFUND-SUCCESS';
  return {
    account_id,
    invoice_id: refund.refund_invoice_id,
    payment_invoice_id: refund.invoice_id,
    successful_refunds: succeeded ? parts : [],
    failed_refunds: succeeded ? [] : parts,
    refund,
  };
}
