// Transactions as the platform sends them, and their texts for a party: a row, and all details.
// [G-43] [public-facts 2.14]
import { dateText } from '../kit/date.ts';
import { methodName } from '../kit/method-name.ts';
import { amountText } from '../kit/money-text.ts';
import { datesLocale, t, textOf, type Key } from '../texts.ts';

/** Fields that all kinds of transaction have. */
interface Common {
  readonly transaction_id: string;
  readonly transaction_status: 'pending' | 'processed' | 'payout-failed' | 'error';
  readonly transaction_date: string;
  readonly transaction_description: string;
}

interface Line {
  readonly description: string;
  readonly product_sku: string;
}

interface Purchase extends Common {
  readonly transaction_type: 'user_purchase' | 'user_purchase_escrow';
  readonly transaction_data: {
    readonly reference_type: string;
    readonly reference_id: string;
    readonly summary: {
      readonly display_amount: string;
      readonly subtotal?: { readonly display_amount: string };
      readonly tax?: { readonly display_amount: string };
    };
    readonly line_items: Readonly<Record<string, Line & { readonly display_amount: string }>>;
    readonly payment_methods: Readonly<
      Record<string, { readonly payment_method_id: string; readonly display_amount: string }>
    >;
    readonly failure_code?: string;
    readonly failure_reason?: string;
    readonly escrow?: { readonly status: string };
  };
}

interface Sale extends Common {
  readonly transaction_type: 'user_purchase_recipient';
  readonly transaction_data: {
    readonly total_received_display: string;
    readonly total_received_less_fees_display: string;
    readonly total_fees_paid_display: string;
    readonly recipient_items: readonly (Line & { readonly amount_received_display: string })[];
    readonly escrow_status: string;
  };
}

interface Named {
  readonly payment_method_display_string: string;
}

interface PaidOut extends Common {
  readonly transaction_type: 'payout';
  readonly transaction_data: {
    readonly payout_total_display: string;
    readonly payout_fee_display: string;
    readonly payout_amount_less_fee_display: string;
    readonly destination_payment_method: Named;
    readonly payout: {
      readonly status: string;
      readonly failure_code?: string;
      readonly failure_reason: string;
    };
  };
}

interface Refund extends Common {
  readonly transaction_type: 'refund';
  readonly transaction_data: {
    readonly subtotal_display: string;
    readonly tax_total: number;
    readonly tax_total_display: string;
    readonly total_display: string;
    readonly original_date: string;
    readonly refund_line_items: readonly (Line & { readonly amount_display: string })[];
    readonly refund_payment_methods: readonly (Named & { readonly amount_display: string })[];
  };
}

export type Transaction = Purchase | Sale | PaidOut | Refund;

/** A page of the list. */
export interface TransactionPage {
  readonly total: number;
  readonly transactions: readonly Transaction[];
}

/** A label and its value. */
export type Pair = readonly [label: string, value: string];

/** The texts of a transaction. */
export interface Reading {
  /** What it is: `Purchase`. */
  readonly kind: string;
  readonly title: string;
  /** Money came in or went out; '' if neither in the end. */
  readonly sign: '+' | '-' | '';
  readonly amount: string;
  /** Its status; '' if it is simply done. */
  readonly standing: string;
  readonly lines: readonly Pair[];
  readonly sums: readonly Pair[];
  readonly facts: readonly Pair[];
}

const STANDING = {
  pending: 'history.pending',
  processed: null,
  'payout-failed': 'history.not_paid_out',
  error: 'history.failed',
} as const;

function lineOf({ description, product_sku }: Line, amount: string): Pair {
  return [description || product_sku || t('history.item'), amount];
}

/** Pairs with a value. */
function said(...pairs: readonly Pair[]): readonly Pair[] {
  return pairs.filter(([, value]) => value !== '');
}

type Rest = Pick<Reading, 'kind' | 'sign' | 'amount' | 'lines' | 'sums' | 'facts'>;

/** Nothing was moved, or it came back. */
const VOID = ['payout-failed', 'error'];

/** The total, after what it is made of where a tax was stated. */
function sumsOf(total: string, subtotal = '', tax = ''): readonly Pair[] {
  return said([t('sale.subtotal'), subtotal], [t('sale.tax'), tax], [t('history.total'), total]);
}

function purchase(
  { transaction_data: data, transaction_type }: Purchase,
  nameOf: (id: string) => string,
): Rest {
  const methods = Object.values(data.payment_methods);
  const escrow = transaction_type === 'user_purchase_escrow';
  const { display_amount, subtotal, tax } = data.summary;
  return {
    kind: t(escrow ? 'history.protected_purchase' : 'history.purchase'),
    sign: '-',
    amount: display_amount,
    lines: Object.values(data.line_items).map((line) => lineOf(line, line.display_amount)),
    sums: sumsOf(display_amount, subtotal?.display_amount, tax?.display_amount),
    facts: said(
      ...methods.map((one): Pair => {
        const amount = methods.length > 1 ? `, ${amountText(one.display_amount)}` : '';
        return [t('history.paid_with'), nameOf(one.payment_method_id) + amount];
      }),
      [t('history.your_money'), escrowText(data.escrow?.status ?? '', 'buyer')],
      [t('history.reference'), `${data.reference_type} ${data.reference_id}`.trim()],
      [t('history.why_failed'), whyOf(data.failure_reason, data.failure_code)],
    ),
  };
}

function sale({ transaction_data: data }: Sale): Rest {
  return {
    kind: t('history.sale'),
    sign: '+',
    amount: data.total_received_less_fees_display,
    lines: data.recipient_items.map((item) => lineOf(item, item.amount_received_display)),
    sums: [
      [t('history.fees'), data.total_fees_paid_display],
      [t('history.you_receive'), data.total_received_less_fees_display],
    ],
    facts: said([t('history.the_money'), escrowText(data.escrow_status, 'seller')]),
  };
}

function paidOut({ transaction_data: data }: PaidOut): Rest {
  return {
    kind: t('history.payout'),
    sign: '-',
    amount: data.payout_total_display,
    lines: [[t('history.amount'), data.payout_total_display]],
    sums: [
      [t('history.fee'), data.payout_fee_display],
      [t('history.you_receive'), data.payout_amount_less_fee_display],
    ],
    facts: said(
      [t('history.to'), methodName(data.destination_payment_method.payment_method_display_string)],
      [t('history.why_failed'), whyOf(data.payout.failure_reason, data.payout.failure_code)],
    ),
  };
}

function refund({ transaction_data: data }: Refund): Rest {
  return {
    kind: t('history.refund'),
    sign: '+',
    amount: data.total_display,
    lines: data.refund_line_items.map((line) => lineOf(line, line.amount_display)),
    sums:
      data.tax_total === 0
        ? sumsOf(data.total_display)
        : sumsOf(data.total_display, data.subtotal_display, data.tax_total_display),
    facts: said(
      ...data.refund_payment_methods.map((one): Pair => [
        t('history.back_to'),
        `${methodName(one.payment_method_display_string)}, ${amountText(one.amount_display)}`,
      ]),
      [t('history.bought_on'), dateText(data.original_date)],
    ),
  };
}

/** Where an escrow's money is, as its party sees it; '' for none. */
function escrowText(status: string, role: 'buyer' | 'seller'): string {
  const seen: Readonly<Record<string, Key>> = {
    ESCROWED: role === 'buyer' ? 'history.held_for_seller' : 'history.held_for_you',
    COMMITTED: role === 'buyer' ? 'history.paid_to_seller' : 'history.paid_to_you',
    CANCELLED: 'history.refunded',
  };
  const key = seen[status];
  return key === undefined ? '' : t(key);
}

/** Why something failed, which the platform says in English; '' where it did not. */
function whyOf(english = '', code = ''): string {
  if (english === '') return '';
  return textOf('failure', code) ?? t('history.why', { english });
}

/** The texts of a transaction; `nameOf` returns a payment method's name. */
export function readingOf(one: Transaction, nameOf: (id: string) => string): Reading {
  const rest =
    one.transaction_type === 'payout'
      ? paidOut(one)
      : one.transaction_type === 'refund'
        ? refund(one)
        : one.transaction_type === 'user_purchase_recipient'
          ? sale(one)
          : purchase(one, nameOf);
  const standing = STANDING[one.transaction_status];
  return {
    ...rest,
    title: one.transaction_description || rest.lines[0]?.[0] || rest.kind,
    sign: VOID.includes(one.transaction_status) ? '' : rest.sign,
    standing: standing === null ? '' : t(standing),
  };
}

/** `12 March 2026, 14:05`. */
export function timeText(time: string): string {
  const clock = { hour: '2-digit', minute: '2-digit' } as const;
  const written = new Date(time).toLocaleTimeString(datesLocale(), clock);
  return t('history.date_time', { date: dateText(time), time: written });
}

/** Transactions of one day, in the order of the list. */
export interface Day {
  readonly name: string;
  readonly transactions: readonly Transaction[];
}

const DAY_MS = 86_400_000;

/** The list by day, the newest as `Today` and `Yesterday`; `now` in milliseconds. */
export function daysOf(list: readonly Transaction[], now: number): readonly Day[] {
  const near: Readonly<Record<string, string>> = {
    [dateText(new Date(now - DAY_MS).toISOString())]: t('history.yesterday'),
    [dateText(new Date(now).toISOString())]: t('history.today'),
  };
  const days: { name: string; transactions: Transaction[] }[] = [];
  for (const one of list) {
    const date = dateText(one.transaction_date);
    const name = near[date] ?? date;
    if (days.at(-1)?.name !== name) days.push({ name, transactions: [] });
    days.at(-1)?.transactions.push(one);
  }
  return days;
}

/** Appends a page; a transaction that moved down meanwhile is not listed twice. */
export function joined(
  list: readonly Transaction[],
  more: readonly Transaction[],
): readonly Transaction[] {
  const known = new Set(list.map((one) => one.transaction_id));
  return [...list, ...more.filter((one) => !known.has(one.transaction_id))];
}
