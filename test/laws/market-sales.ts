// Random sales: the body, its sums, fees and shares by the interface's rules, and the code with
// which it must be refused. Written from the interface, not from the code that it checks.
import type { CreateInvoiceBody } from '../../src/product/money/invoice/schema.ts';
import { accountId } from '../../src/core/ids.ts';
import type { Rng } from './rng.ts';
import { freshId, type Person } from './market-people.ts';
import { CURRENCY } from './memory-core.ts';
import type { Line } from './model.ts';

/** One card or wallet part of an invoice. */
export interface Part {
  readonly attempt: string;
  readonly method: string;
  readonly card: boolean;
  /** The processor's token of a card. */
  readonly token: string;
  readonly amount: bigint;
}

/** A recipient or method as a body names it; a twist may name something else. */
type Body = Record<string, unknown>;

/** A wish worked out. */
export interface Request {
  readonly body: CreateInvoiceBody;
  readonly buyer: number;
  readonly total: bigint;
  /** All methods in the order of the body, zero parts too; attempts not named yet. */
  readonly parts: readonly Part[];
  readonly credits: readonly { readonly seller: number; readonly amount: bigint }[];
  readonly integrator: bigint;
  /** What the buyer pays for each, and what of it is tax. */
  readonly lines: readonly Pick<Line, 'amount' | 'tax' | 'own' | 'to'>[];
  /** The code with which its rows, not its body, must be refused; null for none. */
  readonly wrongRow: string | null;
  /** The code with which the body alone must be refused. */
  readonly wrongBody: string | null;
}

/** What is wrong with a body on purpose, and how it must be refused. */
const TWISTS = {
  none: null,
  mixed: 'CURRENCY_MIXED',
  overTaxed: 'TAX_EXCEEDS_LINE',
  sum: 'LINE_AMOUNT_MISMATCH',
  huge: 'INVOICE_TOTAL_TOO_LARGE',
  shared: 'RECIPIENTS_NOT_ALLOWED',
  nobody: 'RECIPIENTS_REQUIRED',
  twoFees: 'RECIPIENT_FEE_AMBIGUOUS',
  self: 'SELF_PAYMENT',
  nowhere: 'WALLET_NOT_FOUND',
  repeated: 'PAYMENT_METHOD_REPEATED',
  unstated: 'PAYMENT_AMOUNT_REQUIRED',
  noRemainder: 'PAYMENT_REMAINDER_AMBIGUOUS',
  methodOfOther: 'PAYMENT_METHOD_NOT_FOUND',
  unknownBuyer: 'ACCOUNT_NOT_FOUND',
  source: 'SOURCE_WALLET_NOT_ALLOWED',
} as const;
type Twist = keyof typeof TWISTS;
const ALL = Object.keys(TWISTS) as Twist[];
const OF_ROWS: readonly Twist[] = ['self', 'nowhere', 'methodOfOther', 'unknownBuyer', 'source'];

/** Amounts at their edges: nothing, one, what a wallet holds and one more, the largest. */
export function amountOf(rng: Rng): bigint {
  return rng.once(7)
    ? BigInt(rng.of([0, 1, 9_999, 10_000, 10_001, 99_999_999_999]))
    : BigInt(rng.below(3_000));
}

/** Makes up something to sell among these people. */
export function requestOf(rng: Rng, people: readonly Person[]): Request {
  const buyer = rng.below(people.length);
  const me = people[buyer] as Person;
  const credits: { seller: number; amount: bigint }[] = [];
  let integrator = 0n;
  const lines: Request['lines'][number][] = [];
  const line = (): Body & { amount: number } => {
    const stated = { currency: CURRENCY };
    const taxed = (net: bigint, own: bigint, to: Line['to']) => {
      const inclusive = rng.once(2);
      const tax = rng.once(2) ? (rng.once(5) ? amountOf(rng) : (net * 19n) / 100n) : null;
      lines.push({ amount: net + (tax ?? 0n), tax: tax ?? 0n, own, to });
      const amount = Number(inclusive ? net + (tax ?? 0n) : net);
      const taxes = tax === null ? {} : { tax: { amount: Number(tax), inclusive } };
      return { ...stated, amount, ...taxes };
    };
    if (rng.once(4)) {
      const net = amountOf(rng);
      integrator += net;
      return { ...taxed(net, net, []), transaction_type: 'user_to_integrator' };
    }
    let sum = 0n;
    const paid: Line['to'][number][] = [];
    const recipients = Array.from({ length: 1 + rng.below(3) }, () => {
      const seller = (buyer + 1 + rng.below(people.length - 1)) % people.length;
      const amount = amountOf(rng);
      const { fee, ...stated } = feeOf(rng, amount);
      sum += amount + fee;
      paid.push({ seller, amount, fee });
      integrator += fee;
      if (amount > 0n) credits.push({ seller, amount });
      const to = people[seller] as Person;
      const by = rng.once(4) ? { destination_account_id: accountId(to.id) } : {};
      const wallet = 'destination_account_id' in by ? {} : { destination_wallet_id: to.wallet };
      return { amount: Number(amount), ...by, ...wallet, ...stated };
    });
    return { ...taxed(sum, 0n, paid), transaction_type: 'user_to_user', recipients };
  };
  const line_items = Array.from({ length: 1 + rng.below(3) }, line);
  const total = lines.reduce((sum, { amount }) => sum + amount, 0n);
  const { methods, parts, wrong } = methodsOf(rng, me, buyer, total);
  const body: Body = { account_id: accountId(me.id), payment_methods: methods, line_items };
  const plain = { body: body as CreateInvoiceBody, buyer, total, parts, credits, integrator };
  const wish = { ...plain, lines, wrongRow: null, wrongBody: wrong };
  const twist = wrong === null && rng.once(6) ? rng.of(ALL) : 'none';
  return twisted(wish, twist, me, people[(buyer + 1) % people.length] as Person);
}

/** A fee as a fraction or as an amount; half up, in the currency's minor unit. */
function feeOf(rng: Rng, amount: bigint): { fee: bigint } & Body {
  if (rng.once(2)) {
    const fee = rng.of([0, 0, 1, 30]);
    return fee === 0 ? { fee: 0n } : { fee: BigInt(fee), fee_amount: fee };
  }
  const millionths = rng.of([0, 1, 29_000, 500_000, 999_999]);
  const fee_percentage = `0.${String(millionths).padStart(6, '0')}`;
  return { fee: (amount * BigInt(millionths) + 500_000n) / 1_000_000n, fee_percentage };
}

/** [G-31]: the last method named takes what the others leave. */
function methodsOf(rng: Rng, me: Person, buyer: number, total: bigint) {
  const places = rng.shuffled([0, 1, 2, 3], rng.of([0, 1, 1, 1, 2, 2, 3]));
  if (places.length === 0) {
    const wrong = total > 0n ? 'PAYMENT_METHOD_REQUIRED' : null;
    return { methods: [], parts: [] as Part[], wrong };
  }
  const last = places.length - 1;
  const stated = places.map((_, at) => (at === last ? 0 : 1 + rng.below(900)));
  const rest = stated.reduce((left, amount) => left - BigInt(amount), total);
  const methods = places.map((place, at) => {
    return { payment_method_id: me.methods[place] as string, amount: stated[at] };
  });
  const parts = places.map((place, at): Part => {
    const amount = at === last ? rest : BigInt(stated[at] as number);
    const token = place === 0 ? '' : `token-${buyer}-${place - 1}`;
    const method = me.methods[place] as string;
    return { attempt: '', method, card: place > 0, token, amount };
  });
  return { methods, parts, wrong: last > 0 && rest <= 0n ? 'PAYMENT_AMOUNTS_MISMATCH' : null };
}

/** Spoils a body where the twist finds what it needs in it; else the wish stays good. */
function twisted(wish: Request, twist: Twist, me: Person, other: Person): Request {
  if (twist === 'none') return wish;
  const body = structuredClone(wish.body) as unknown as { account_id: string } & {
    line_items: (Body & { amount: number; recipients?: Body[] })[];
    payment_methods: Body[];
  };
  const { line_items: lines, payment_methods: methods } = body;
  const shared = lines.find((line) => line.transaction_type === 'user_to_integrator');
  const sold = lines.find((line) => line.recipients !== undefined);
  const to = sold?.recipients?.[0];
  const edits: Record<Twist, (() => unknown) | null | undefined | false> = {
    none: null,
    mixed: lines[1] && (() => Object.assign(lines[1] as Body, { currency: 'EUR' })),
    overTaxed: () => (lines[0]!['tax'] = { amount: lines[0]!.amount + 1, inclusive: true }),
    sum: sold && (() => (sold.amount += 1)),
    huge: shared && (() => (shared.amount = Number.MAX_SAFE_INTEGER + 1)),
    shared: shared && to && (() => (shared['recipients'] = [to])),
    nobody: sold && (() => (sold['recipients'] = [])),
    twoFees: to && (() => Object.assign(to, { fee_amount: 1, fee_percentage: '0.1' })),
    self: to && (() => sendTo(to, me.wallet)),
    nowhere: to && (() => sendTo(to, freshId())),
    repeated: methods[0] && (() => methods.push({ ...methods[0], amount: 1 })),
    unstated: methods.length > 1 && (() => delete methods[0]?.['amount']),
    noRemainder: methods.length > 1 && (() => Object.assign(methods.at(-1) as Body, { amount: 1 })),
    methodOfOther:
      methods[0] && (() => Object.assign(methods[0] as Body, { payment_method_id: freshId() })),
    unknownBuyer: () => (body.account_id = accountId(freshId())),
    source: to && (() => (to['source_wallet_id'] = other.wallet)),
  };
  const edit = edits[twist];
  if (!edit) return wish;
  edit();
  const code = TWISTS[twist];
  const spoiled = { ...wish, body: body as unknown as CreateInvoiceBody };
  if (!OF_ROWS.includes(twist)) return { ...spoiled, wrongBody: code };
  const parts = twist === 'methodOfOther' ? spoiledParts(wish.parts, methods) : wish.parts;
  return { ...spoiled, parts, wrongRow: code };
}

function sendTo(recipient: Body, wallet: string): void {
  delete recipient['destination_account_id'];
  recipient['destination_wallet_id'] = wallet;
}

function spoiledParts(parts: readonly Part[], methods: readonly Body[]): Part[] {
  return parts.map((part, at) => {
    return { ...part, method: String(methods[at]?.['payment_method_id']) };
  });
}
