// The checks of a creation that need no row (amounts, sums, fees, how methods share the total), and
// the ids that its document will need. Pure: ids come from the argument.
import { uuidOfWireId } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import { feeOf, TOTAL_CAP } from '../../../core/money.ts';
import type { ReserveTerms } from '../../context.ts';
import { lineItemId, subitemIds } from './line-id.ts';
import { invoiceRefusals as no } from './refusals.ts';
import type { CreateInvoiceBody, LineBody, PaymentMethodBody, RecipientBody } from './schema.ts';
import { grossOf } from './tax.ts';

/** A recipient with its fee worked out. */
export interface PreparedRecipient {
  readonly path: string;
  readonly subitemId: string;
  readonly body: RecipientBody;
  /** The account that the body names as owner of the wallet; null where it names none. */
  readonly ownerId: string | null;
  /** Minor units; 0 without a fee. */
  readonly fee: number;
  readonly feeSubitemId: string;
}

export interface PreparedLine {
  readonly path: string;
  readonly lineId: string;
  readonly body: LineBody;
  /** What the buyer pays for it in minor units, tax included. */
  readonly amount: number;
  /** The subitem of its tax; '' without one. */
  readonly taxSubitemId: string;
  readonly recipients: readonly PreparedRecipient[];
  /** The subitem of a user_to_integrator line item. */
  readonly shareSubitemId: string;
}

export interface PreparedMethod {
  readonly path: string;
  readonly methodId: string;
  readonly subitemId: string;
  /** Minor units, the remainder worked out. */
  readonly amount: number;
}

/** A checked creation: only its rows are still needed. */
export interface PreparedInvoice {
  readonly invoiceId: string;
  readonly body: CreateInvoiceBody;
  /** The authorized invoice that it is made from. */
  readonly authorized?: string | undefined;
  /** What of the sellers' earnings is restricted; absent: nothing. [G-93] */
  readonly reserve?: ReserveTerms | undefined;
  /** The buyer's account; null for a malformed id. */
  readonly buyerId: string | null;
  readonly currency: string;
  readonly total: number;
  readonly lines: readonly PreparedLine[];
  readonly methods: readonly PreparedMethod[];
}

/** Checks a body and gives it ids, all of them near the invoice's own. Throws a Refusal. */
export function prepareInvoice(
  body: CreateInvoiceBody,
  newId: () => string,
  invoiceId = newId(),
): PreparedInvoice {
  const subitemId = subitemIds(invoiceId, body.line_items.length);
  const sale = prepareSale(body, invoiceId, subitemId);
  const methods = shareTotal(body.payment_methods ?? [], sale.total).map((part, at) => ({
    path: `payment_methods[${at}]`,
    methodId: part.payment_method_id,
    subitemId: subitemId(),
    amount: part.amount,
  }));
  return { ...sale, methods };
}

/** As `prepareInvoice`, but of the sale alone, without payment methods. */
export function prepareSale(
  body: CreateInvoiceBody,
  invoiceId: string,
  subitemId = subitemIds(invoiceId, body.line_items.length),
): PreparedInvoice {
  const currency = body.line_items[0]?.currency ?? '';
  const lines = body.line_items.map((line, at) =>
    prepareLine(line, at, lineItemId(invoiceId, at), currency, subitemId),
  );
  const total = lines.reduce((sum, line) => sum + BigInt(line.amount), 0n);
  if (total > TOTAL_CAP) throw refuse(no.INVOICE_TOTAL_TOO_LARGE);
  const buyerId = uuidOfWireId('acct', body.account_id);
  return { invoiceId, body, buyerId, currency, total: Number(total), lines, methods: [] };
}

function prepareLine(
  body: LineBody,
  at: number,
  lineId: string,
  currency: string,
  subitemId: () => string,
): PreparedLine {
  const path = `line_items[${at}]`;
  if (body.currency !== currency) {
    throw refuse(no.CURRENCY_MIXED, {
      [`${path}.currency`]: 'must match the currency of the first line item',
    });
  }
  const given = body.recipients ?? [];
  const { tax } = body;
  const included = tax?.inclusive === true ? tax.amount : 0;
  if (included > body.amount) {
    throw refuse(no.TAX_EXCEEDS_LINE, {
      [`${path}.tax.amount`]: 'must not exceed the amount that includes it',
    });
  }
  const taxSubitemId = tax === undefined ? '' : subitemId();
  const line = { path, lineId, body, amount: grossOf(body), taxSubitemId };
  if (body.transaction_type === 'user_to_integrator') {
    if (given.length > 0) {
      throw refuse(no.RECIPIENTS_NOT_ALLOWED, {
        [`${path}.recipients`]: 'must be absent or empty',
      });
    }
    return { ...line, recipients: [], shareSubitemId: subitemId() };
  }
  if (given.length === 0) {
    throw refuse(no.RECIPIENTS_REQUIRED, { [`${path}.recipients`]: 'is required' });
  }
  const recipients = given.map((recipient, n) =>
    prepareRecipient(recipient, `${path}.recipients[${n}]`, currency, subitemId),
  );
  const sum = recipients.reduce((s, r) => s + BigInt(r.body.amount) + BigInt(r.fee), 0n);
  if (sum + BigInt(included) !== BigInt(body.amount)) {
    const withTax = included === 0 ? '' : ', and the tax that it includes';
    throw refuse(no.LINE_AMOUNT_MISMATCH, {
      [`${path}.amount`]: `must equal the sum of the recipients' amounts and fees${withTax}`,
    });
  }
  return { ...line, recipients, shareSubitemId: '' };
}

function prepareRecipient(
  body: RecipientBody,
  path: string,
  currency: string,
  subitemId: () => string,
): PreparedRecipient {
  if (body.currency !== undefined && body.currency !== currency) {
    throw refuse(no.CURRENCY_MIXED, {
      [`${path}.currency`]: 'must match the currency of its line item',
    });
  }
  if (body.fee_percentage !== undefined && body.fee_amount !== undefined) {
    throw refuse(no.RECIPIENT_FEE_AMBIGUOUS, {
      [`${path}.fee_amount`]: 'cannot be combined with fee_percentage',
    });
  }
  const fee =
    body.fee_percentage === undefined
      ? (body.fee_amount ?? 0)
      : Number(feeOf(BigInt(body.amount), body.fee_percentage));
  const states = body.fee_percentage !== undefined || body.fee_amount !== undefined;
  const ownerId = uuidOfWireId('acct', body.destination_account_id ?? '');
  const own = { path, subitemId: subitemId(), body, ownerId };
  return { ...own, fee, feeSubitemId: states ? subitemId() : '' };
}

/** How much of the total each method pays, in minor units; the remainder worked out. [G-31] */
export function shareTotal(
  methods: readonly PaymentMethodBody[],
  total: number,
): { payment_method_id: string; amount: number }[] {
  if (methods.length === 0) {
    if (total > 0) {
      throw refuse(no.PAYMENT_METHOD_REQUIRED, { payment_methods: 'is required' });
    }
    return [];
  }
  const ids = new Set(methods.map((method) => method.payment_method_id));
  if (ids.size !== methods.length) {
    throw refuse(no.PAYMENT_METHOD_REPEATED, {
      payment_methods: 'must list each payment method only once',
    });
  }
  if (methods.length === 1) return methods.map((method) => ({ ...shareOne(method, total) }));
  return shareSeveral(methods, total);
}

function shareOne(
  method: PaymentMethodBody,
  total: number,
): { payment_method_id: string; amount: number } {
  const stated = method.amount ?? 0;
  if (stated !== 0 && stated !== total) {
    throw refuse(no.PAYMENT_AMOUNTS_MISMATCH, {
      'payment_methods[0].amount': 'must be absent, 0 or the total',
    });
  }
  return { payment_method_id: method.payment_method_id, amount: total };
}

function shareSeveral(
  methods: readonly PaymentMethodBody[],
  total: number,
): { payment_method_id: string; amount: number }[] {
  const missing = methods.findIndex((method) => method.amount === undefined);
  if (missing >= 0) {
    throw refuse(no.PAYMENT_AMOUNT_REQUIRED, {
      [`payment_methods[${missing}].amount`]: 'is required',
    });
  }
  if (methods.filter((method) => method.amount === 0).length !== 1) {
    throw refuse(no.PAYMENT_REMAINDER_AMBIGUOUS, {
      payment_methods: 'exactly one amount must be 0',
    });
  }
  const stated = methods.reduce((sum, method) => sum + BigInt(method.amount ?? 0), 0n);
  const rest = BigInt(total) - stated;
  if (rest <= 0n) {
    throw refuse(no.PAYMENT_AMOUNTS_MISMATCH, {
      payment_methods: 'the stated amounts must sum to less than the total',
    });
  }
  return methods.map((method) => ({
    payment_method_id: method.payment_method_id,
    amount: method.amount === 0 ? Number(rest) : (method.amount ?? 0),
  }));
}
