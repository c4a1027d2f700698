// What operators may do with money, as rows: each runs an operation of the interface, by its id. An
// object page shows those that its lifecycle and its amounts allow. [G-88]
import { accountId } from '../../../core/ids.ts';
import { REASONS } from '../refund/index.ts';
import { ESCROW_ACTS } from './escrow-acts.ts';
import type { ActField, MoneyAct } from './row.ts';
import type { Subject } from './subject.ts';

const WHY: ActField = {
  name: 'why',
  label: 'Category',
  options: REASONS.map((one) => [one, one.replaceAll('_', ' ')] as const),
};

const DECISION_WORDS: Readonly<Record<string, string>> = {
  give_back: 'Give it back: the processor did not take what was agreed',
  retry: 'Send it again: it never left',
  accept: 'Accept it: the records of the processor show that it happened',
  explained: 'It is explained: the reason says how',
};

const all = ({ amount }: Subject): bigint => amount;
const refunded = ({ amount, left }: Subject): bigint => amount - left;
const payoutOf = ({ id, accounts: [account = ''] }: Subject) => {
  return { params: { account_id: accountId(account), payout_status_id: id } };
};

export const ACTS: readonly MoneyAct[] = [
  {
    name: 'refund',
    kind: 'invoice',
    operation: 'refundInvoice',
    label: 'Refund all that is left',
    says: 'The buyer gets back what was not refunded yet; your own funds pay it, not the sellers.',
    when: ({ left }) => left > 0n,
    fields: () => [WHY],
    moves: ({ left }) => left,
    before: refunded,
    request: ({ id }, { why }) => ({ body: { invoice_id: id, reason: why } }),
  },
  {
    name: 'refund_part',
    kind: 'invoice',
    operation: 'refundLineItem',
    label: 'Refund a part',
    says: 'The buyer gets back a part of one line item; your own funds pay it, not the sellers.',
    when: ({ left }) => left > 0n,
    fields: ({ lines }) => [
      {
        name: 'line',
        label: 'Line item',
        options: lines.filter((line) => line.left > 0n).map(({ id, name }, at) => {
          return [id, name || `Line item ${at + 1}`] as const;
        }),
      },
      { name: 'amount', label: 'Amount' },
      WHY,
    ],
    moves: (_, { amount = '0' }) => BigInt(amount),
    before: refunded,
    request: (_, { line, amount, why }) => {
      return { body: { line_item_id: line, amount: Number(amount), reason: why } };
    },
  },
  {
    name: 'give_up',
    kind: 'invoice',
    operation: 'giveUpInvoicePayment',
    label: 'Give the payment up',
    says: 'It waits for the buyer at their bank. What was held is free again, and the sale fails.',
    when: ({ awaited }) => awaited,
    request: ({ id }) => ({ params: { invoice_id: id } }),
  },
  ...ESCROW_ACTS,
  {
    name: 'hold',
    kind: 'payout',
    operation: 'holdPayout',
    label: 'Hold it',
    says: 'It is not sent until somebody lets it go.',
    on: 'keep',
    when: ({ kept }) => !kept,
    request: payoutOf,
  },
  {
    name: 'let_go',
    kind: 'payout',
    operation: 'letPayoutGo',
    label: 'Let it go',
    says: 'It is sent when its review is over, at once where that is so already.',
    on: 'let_go',
    when: ({ kept }) => kept,
    moves: all,
    request: payoutOf,
  },
  {
    name: 'cancel_payout',
    kind: 'payout',
    operation: 'cancelPayout',
    label: 'Cancel it',
    says: 'The money goes back to the wallet that it came from.',
    on: 'cancel',
    moves: all,
    request: payoutOf,
  },
  {
    name: 'withdraw',
    kind: 'refund',
    operation: 'withdrawRefund',
    label: 'Withdraw it',
    says: 'It waits for funds of yours, and no money has moved: nobody is paid back.',
    on: 'withdraw',
    moves: all,
    request: ({ id }) => ({ params: { refund_id: id } }),
  },
  {
    name: 'decide',
    kind: 'item',
    operation: 'resolveReconciliation',
    label: 'Decide',
    says: 'The processor contradicts itself or the books. Look at its own pages first.',
    when: ({ decisions }) => decisions.length > 0,
    fields: ({ decisions }) => [{
      name: 'decision',
      label: 'Decision',
      options: decisions.map((one) => [one, DECISION_WORDS[one] ?? one] as const),
    }],
    moves: all,
    request: ({ id }, { decision }, reason) => {
      return { params: { item_id: id }, body: { decision, note: reason } };
    },
  },
];
