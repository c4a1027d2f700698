// Returned money in the model: a cancelled escrow, refunds within what is left of a charge. The
// integrator pays for refunds out of its balance. [G-35, G-43, M12]
import { derivedUuid } from '../../src/core/ids.ts';
import { allocate } from '../../src/core/money.ts';
import {
  done,
  refused,
  type Escrow,
  type Expected,
  type Giving,
  type Line,
  type Model,
  type Payable,
  type Refund,
} from './model.ts';
import type { Part } from './market-sales.ts';
import { released } from './model-parts.ts';

/** Sums by part. */
interface PartSum {
  readonly part: Part;
  readonly amount: bigint;
}

/** Wallet parts are back at once; the others are sent. */
export function giveBack(
  model: Model,
  id: string,
  of: Payable,
  parts: readonly PartSum[],
  refund: Refund | null,
): Giving {
  const giving: Giving = { kind: 'giving', id, refund, sent: [], state: 'success' };
  model.givings.push(giving);
  for (const { part, amount } of parts) {
    if (!part.card) {
      model.purse(of.payer).spendable += amount;
      continue;
    }
    model.systemAccounts.refund_pending += amount;
    giving.state = 'processing';
    const key = derivedUuid(`return/${id}/${part.attempt}`);
    giving.sent.push({ id: key, target: part.attempt, amount, of: giving, state: 'sending' });
  }
  if (giving.state === 'success') model.announce('invoice-completed', id);
  return giving;
}

/** Ends an escrow by giving the buyer back what is held: everything but what was `lost`. */
export function cancel(
  model: Model,
  escrow: Escrow,
  of: Payable,
  id: string,
  lost: (part: Part) => bigint = () => 0n,
): void {
  escrow.state = 'CANCELLED';
  escrow.due = null;
  escrow.timeLeft = null;
  model.announce('escrow-transaction-update', escrow.id);
  const parts = of.parts
    .map((part, at) => {
      return { part, amount: (escrow.course?.charges[at] ?? part.amount) - lost(part) };
    })
    .filter(({ amount }) => amount > 0n);
  model.systemAccounts.escrow -= total(parts);
  giveBack(model, id, of, parts, null);
}

/** What the disputes of a charge have taken out of its escrow. */
export function takenOf(model: Model, charge: string): bigint {
  return model.reversals
    .filter((one) => one.charge.id === charge && one.state !== 'given_back')
    .reduce((sums, { secured }) => sums + secured, 0n);
}

/** A refund as asked for; `line`: its place, or null for all that is left. */
export interface RefundRequest {
  readonly id: string;
  readonly givingId: string;
  readonly line: number | null;
  readonly amount: bigint;
  /** Payment methods in order; none: as the invoice names them. */
  readonly methods: readonly string[];
  readonly mayWait: boolean;
}

export function goneOf(of: Payable, part: Part): { refunded: bigint; chargedBack: bigint } {
  let gone = of.gone.get(part.attempt);
  if (!gone) of.gone.set(part.attempt, (gone = { refunded: 0n, chargedBack: 0n }));
  return gone;
}

/** What is left of each part. */
function leftOf(of: Payable): PartSum[] {
  return of.parts.map((part) => {
    const { refunded: back, chargedBack } = goneOf(of, part);
    const left = part.amount - back - chargedBack;
    return { part, amount: left > 0n ? left : 0n };
  });
}

const total = (sums: readonly { readonly amount: bigint }[]): bigint =>
  sums.reduce((sum, { amount }) => sum + amount, 0n);

const sum = (all: readonly bigint[]): bigint => all.reduce((one, other) => one + other, 0n);

/** `amount` in the proportion of `part` to `whole`, half up. [G-89] */
function halfUp(amount: bigint, part: bigint, whole: bigint): bigint {
  const twice = 2n * amount * part;
  return whole === 0n ? 0n : twice / (2n * whole) + (twice % (2n * whole) >= whole ? 1n : 0n);
}

/** The tax in what is returned of a line: all that was returned then holds its proportion. */
function taxOf({ amount: whole, tax, refunded, taxBack }: Line, amount: bigint): bigint {
  if (amount === 0n) return 0n;
  const plain = whole - tax - (refunded - taxBack);
  const [least, most] = [amount > plain ? amount - plain : 0n, tax - taxBack];
  const wanted = halfUp(tax, refunded + amount, whole) - taxBack;
  const enough = wanted < least ? least : wanted;
  return [amount, most].reduce((small, one) => (one < small ? one : small), enough);
}

type Plan = { readonly parts: PartSum[]; readonly lines: bigint[]; readonly amount: bigint };

function planOf(of: Payable, wish: RefundRequest): Plan | string {
  const left = leftOf(of);
  if (wish.line === null) {
    const amount = total(left);
    if (amount === 0n) return 'INVOICE_ALREADY_REFUNDED';
    const open = of.lines.map((line) => line.amount - line.refunded);
    return { parts: left.filter((one) => one.amount > 0n), lines: allocate(amount, open), amount };
  }
  const line = of.lines[wish.line];
  if (line === undefined) return 'LINE_ITEM_NOT_FOUND';
  const { amount, methods } = wish;
  if (new Set(methods).size < methods.length) return 'PAYMENT_METHOD_REPEATED';
  const named = methods.map((method) => left.find(({ part }) => part.method === method));
  if (named.includes(undefined)) return 'PAYMENT_METHOD_NOT_USED';
  const from = methods.length === 0 ? left : (named as PartSum[]);
  if (amount > line.amount - line.refunded || amount > total(left)) return 'REFUND_TOO_LARGE';
  if (amount > total(from)) return 'REFUND_METHOD_EXCEEDED';
  let open = amount;
  const parts = from.flatMap((one) => {
    const taken = open < one.amount ? open : one.amount;
    open -= taken;
    return taken > 0n ? [{ part: one.part, amount: taken }] : [];
  });
  return { parts, lines: of.lines.map((_, at) => (at === wish.line ? amount : 0n)), amount };
}

/** Asks for a refund of something that was charged. */
export function requestRefund(model: Model, of: Payable, wish: RefundRequest): Expected {
  const sold = released(of, (attempt) => takenOf(model, attempt));
  if (sold === null) return refused('INVOICE_BELONGS_TO_ESCROW');
  if (of.state !== 'success') return refused('INVOICE_NOT_REFUNDABLE');
  if (of.total === 0n) return refused('INVOICE_NOTHING_TO_REFUND');
  const plan = planOf(sold, wish);
  if (typeof plan === 'string') return refused(plan);
  const taxes = sold.lines.map((line, at) => taxOf(line, plan.lines[at] ?? 0n));
  const funded = model.folded >= plan.amount - sum(taxes);
  if (!funded && !wish.mayWait) return { is: 'nothing', payload: null };
  const { id, givingId } = wish;
  const state = 'REFUND-WAITING-FUNDS';
  const refund: Refund = { id, givingId, of, ...plan, taxes, state, counted: plan.amount };
  model.refunds.push(refund);
  for (const { part, amount } of plan.parts) goneOf(of, part).refunded += amount;
  for (const [at, amount] of plan.lines.entries()) addLine(of, at, amount, taxes[at] ?? 0n);
  if (funded) pay(model, refund);
  return done;
}

function addLine(of: Payable, at: number, amount: bigint, tax: bigint): void {
  const line = of.lines[at];
  if (line === undefined) return;
  line.refunded += amount;
  line.taxBack += tax;
}

function pay(model: Model, refund: Refund): void {
  const tax = sum(refund.taxes);
  model.folded -= refund.amount - tax;
  model.systemAccounts.integrator_share -= refund.amount - tax;
  model.systemAccounts.tax_collected -= tax;
  const giving = giveBack(model, refund.givingId, refund.of, refund.parts, refund);
  refund.state = giving.state === 'success' ? 'REFUND-SUCCESS' : 'REFUND-PENDING';
  if (giving.state === 'success') model.announce('refund-completed', refund.id);
}

/** What of a refund no longer counts: the parts that these charges made, and the tax in them. */
export function uncount(
  refund: Refund,
  charges: readonly string[],
): { readonly amount: bigint; readonly tax: bigint } {
  const parts = refund.parts.filter(({ part }) => charges.includes(part.attempt));
  const amount = total(parts);
  for (const one of parts) goneOf(refund.of, one.part).refunded -= one.amount;
  const shares = allocate(amount, refund.lines);
  const taxes = shares.map((share, at) => {
    return halfUp(refund.taxes[at] ?? 0n, share, refund.lines[at] ?? 0n);
  });
  for (const [at, share] of shares.entries()) addLine(refund.of, at, -share, -(taxes[at] ?? 0n));
  refund.counted -= amount;
  return { amount, tax: sum(taxes) };
}

function reject(model: Model, refund: Refund): Expected {
  uncount(refund, refund.parts.map(({ part }) => part.attempt));
  refund.state = 'REFUND-REJECTED';
  model.announce('refund-completed', refund.id);
  return done;
}

export function withdraw(model: Model, refund: Refund): Expected {
  if (refund.state !== 'REFUND-WAITING-FUNDS') return refused('REFUND_NOT_WAITING');
  return reject(model, refund);
}

/** Tries a refund that waits; nobody is paid what their bank gave them already. [M15] */
export function fund(model: Model, refund: Refund): Expected {
  const { of, parts } = refund;
  if (refund.state !== 'REFUND-WAITING-FUNDS') return { is: 'nothing', payload: true };
  const sold = released(of, (attempt) => takenOf(model, attempt));
  const twice = parts.some(({ part }) => {
    const gone = goneOf(of, part);
    const now = sold?.parts.find(({ attempt }) => attempt === part.attempt)?.amount ?? 0n;
    return gone.refunded + gone.chargedBack > now;
  });
  if (twice) return reject(model, refund);
  if (model.folded < refund.amount - sum(refund.taxes)) return { is: 'nothing', payload: false };
  pay(model, refund);
  return done;
}
