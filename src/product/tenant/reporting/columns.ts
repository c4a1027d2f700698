// What the reporting views promise: every column of the first version with its type and meaning, in
// order. It only grows, at the end of a view. The generated page, the comments in the database and
// the test of the views are made from this table. [G-87]

/** Columns by name: PostgreSQL's type, and what it holds. */
type ReportingView = Readonly<Record<string, readonly [type: string, says: string]>>;

const CURRENCY = ['text', 'Currency, by ISO 4217.'] as const;
const UPDATED = ['timestamp with time zone', 'When its state last changed.'] as const;
const CREATED = ['timestamp with time zone', 'When it was made.'] as const;
const amount = (says: string) => ['bigint', `${says} Minor units.`] as const;
const id = (says: string) => ['uuid', says] as const;
const text = (says: string) => ['text', says] as const;
const time = (says: string) => ['timestamp with time zone', says] as const;

const BUYER = id('Account of the buyer, `acct` in the interface.');
const SELLER = id('Account of the first seller, `acct` in the interface; null: the tenant alone.');
const FAILURE = text('Why it failed, as a failure code; null unless it did.');
const PROCESSOR = text("The processor's or bank's reference; null until it is known.");

/** The views of schema `reporting_v1`, each with its sentence and its columns. */
export const REPORTING: Readonly<
  Record<string, { readonly says: string; readonly columns: ReportingView }>
> = {
  invoices: {
    says: 'One row for each sale, and for each invoice that commits, cancels or refunds one.',
    columns: {
      invoice_id: id('Its id.'),
      buyer_account_id: BUYER,
      seller_account_id: SELLER,
      kind: text('`sale`, `escrow`, `commit`, `cancel` or `refund`.'),
      original_invoice_id: id('The invoice that it commits, cancels or refunds; else null.'),
      state: text('State, as in the interface.'),
      failure_code: FAILURE,
      amount: amount('What the buyer pays, or gets back.'),
      currency: CURRENCY,
      created: CREATED,
      updated: UPDATED,
    },
  },
  escrows: {
    says: 'One row for each escrow.',
    columns: {
      escrow_id: id('Its id, `esc` in the interface.'),
      invoice_id: id('The invoice that paid it.'),
      buyer_account_id: BUYER,
      seller_account_id: SELLER,
      state: text('State, as in the interface.'),
      amount: amount('What is held, or was.'),
      currency: CURRENCY,
      frozen: ['boolean', 'True while a dispute stops its clock.'],
      due: time('When the clock warns or cancels next; null while nothing is held.'),
      created: CREATED,
      updated: UPDATED,
    },
  },
  refunds: {
    says: 'One row for each refund of an invoice.',
    columns: {
      refund_id: id('Its id.'),
      invoice_id: id('The invoice that is refunded.'),
      refund_invoice_id: id('The invoice that gives the money back.'),
      line_item_id: id('The line item that is refunded; null: all that remains.'),
      amount: amount('What was asked for.'),
      refunded_amount: amount('What of it counts as refunded.'),
      currency: CURRENCY,
      reason: text('`billing`, `fraud`, `product_related` or `other`.'),
      state: text('State, as in the interface.'),
      created: CREATED,
      updated: UPDATED,
    },
  },
  payouts: {
    says: 'One row for each payout of a wallet.',
    columns: {
      payout_id: id('Its id.'),
      account_id: id('Account that is paid out, `acct` in the interface.'),
      wallet_id: id('The wallet that the money leaves.'),
      transfer_id: id('The transfer that it is sent with; null before the first.'),
      amount: amount('What leaves the wallet.'),
      fee_amount: amount('What of it is kept as a fee.'),
      currency: CURRENCY,
      state: text('State, as in the interface.'),
      failure_code: FAILURE,
      due: time('When the clock acts next; null: never.'),
      created: CREATED,
      updated: UPDATED,
    },
  },
  disputes: {
    says: 'One row for each dispute at a bank.',
    columns: {
      dispute_id: id('Its id.'),
      buyer_account_id: id('Account that was charged, `acct` in the interface.'),
      purpose: text('What was charged: `invoice`, `escrow` or `deposit`.'),
      resource_id: id('The invoice or deposit.'),
      escrow_id: id('The escrow, `esc` in the interface; null where there is none.'),
      amount: amount('What the bank took back.'),
      currency: CURRENCY,
      reason: text("The bank's reason, as the processor names it."),
      state: text('State, as in the interface.'),
      processor_reference: text("The processor's reference."),
      due_by: time('Until when an answer is taken; null: none is.'),
      created: CREATED,
      updated: UPDATED,
    },
  },
  payment_attempts: {
    says: 'One row for each payment at the card processor.',
    columns: {
      attempt_id: id('Its id.'),
      resource_id: id('The invoice or deposit that it pays.'),
      purpose: text('`invoice`, `escrow` or `deposit`.'),
      method: text('`card`, `ach`, `paypal` and the like.'),
      method_class: text('The brand, such as `visa`.'),
      amount: amount('What is charged.'),
      currency: CURRENCY,
      state: text('Its state.'),
      failure_code: FAILURE,
      processor_reference: PROCESSOR,
      created: CREATED,
      updated: UPDATED,
    },
  },
  transfers: {
    says: 'One row for each outbound transfer: money of a refund or a payout that leaves.',
    columns: {
      transfer_id: id('Its id.'),
      resource_id: id('The refund invoice, payout or discrepancy that it is sent for.'),
      purpose: text('`escrow_cancel`, `refund`, `payout` or `double_capture`.'),
      kind: text('`refund` or `payout`, as the processor knows it.'),
      rail: text('`processor`, or `file` for a file to the bank.'),
      amount: amount('What is sent.'),
      currency: CURRENCY,
      state: text('Its state.'),
      failure_code: FAILURE,
      processor_reference: PROCESSOR,
      created: CREATED,
      updated: UPDATED,
    },
  },
  ledger_accounts: {
    says: 'One row for each account of the books.',
    columns: {
      ledger_account_id: id('Its id.'),
      kind: text('`wallet`, `kept_back` (restricted), or the kind of a system account.'),
      currency: CURRENCY,
      account_id: id('Whose wallet it is, `acct` in the interface; null: a system account.'),
    },
  },
  ledger_entries: {
    says: 'One row for each entry of the books. The entries of a step sum to zero by currency.',
    columns: {
      resource_id: id('What moved the money.'),
      version: ['integer', 'The step of that resource.'],
      line: ['smallint', 'Its place among the entries of the step.'],
      ledger_account_id: id('The account that it is on.'),
      amount: amount('Credit; negative: debit.'),
      currency: CURRENCY,
      resource: text('The kind of resource, such as `invoice`.'),
      event: text('The move, such as `payment_succeeded`.'),
      at: time('When it was booked.'),
    },
  },
  events: {
    says: 'One row for each event of the stream, without its message.',
    columns: {
      sequence: ['bigint', 'Its number, without gaps.'],
      event_id: id('Its id.'),
      name: text('Its name, such as `invoice-completed`.'),
      resource_id: id('What it is about.'),
      at: time('When it happened.'),
    },
  },
  fees: {
    says: 'One row for each fee: of sales from their terms, of everything else from the books.',
    columns: {
      kind: text('`sale`, `payout_fees`, `processor_fees`, `unreturned_fees`, `dispute_fees`, '
        + '`bank_fees`.'),
      resource_id: id('The invoice of a sale; else what caused the entry.'),
      wallet_id: id("The seller's wallet that the fee of a sale was withheld from; else null."),
      line_item_id: text('The line item of the sale; else null.'),
      gross_amount: amount("The seller's part of the sale before the fee; else null."),
      amount: amount('What the tenant earned; negative: what it cost.'),
      currency: CURRENCY,
      at: time('When it was booked.'),
    },
  },
};
