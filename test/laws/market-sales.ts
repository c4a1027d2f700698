// What a wished sale comes to: its body, and what the interface's rules say of its sums, fees
// and shares. Written from the interface, not from the code that it checks.
import type { CreateInvoiceBody } from '../../src/domain/invoice/schema.ts';
import { accountId } from '../../src/kernel/ids.ts';
import type { SaleWish } from './actions.ts';
import type { Person } from './market-people.ts';

/** One card or wallet part of an invoice. */
export interface Part {
  readonly attempt: string;
  readonly method: string;
  readonly card: boolean;
  readonly amount: bigint;
}

/** A wish worked out. `refused`: the code with which the body alone must be refused, or null. */
export interface Wish {
  readonly body: CreateInvoiceBody;
  readonly total: bigint;
  readonly parts: readonly Part[];
  readonly credits: readonly { readonly seller: number; readonly amount: bigint }[];
  readonly integrator: bigint;
  readonly refused: string | null;
}

/** Works a wish out for a market of three people. */
export function bodyOf(wish: SaleWish, people: readonly Person[]): Wish {
  const buyer = wish.buyer % people.length;
  let [total, integrator] = [0n, 0n];
  const credits: { seller: number; amount: bigint }[] = [];
  const line_items = wish.lines.map((line) => {
    if (line.recipients.length === 0) {
      total += BigInt(line.amount);
      integrator += BigInt(line.amount);
      return { amount: line.amount, currency: 'USD', transaction_type: 'user_to_integrator' };
    }
    let sum = 0n;
    const recipients = line.recipients.map((one) => {
      const seller = (buyer + 1 + (one.seller % 2)) % people.length;
      const amount = BigInt(one.amount);
      const fee = one.millionths === null ? BigInt(one.fee) : percent(amount, one.millionths);
      sum += amount + fee;
      integrator += fee;
      if (amount > 0n) credits.push({ seller, amount });
      const plain = { amount: one.amount, destination_wallet_id: people[seller]?.wallet };
      if (one.millionths !== null) return { ...plain, fee_percentage: fraction(one.millionths) };
      return one.fee === 0 ? plain : { ...plain, fee_amount: one.fee };
    });
    total += sum;
    const amount = Number(sum) + (wish.spoil ? 1 : 0);
    return { amount, currency: 'USD', transaction_type: 'user_to_user', recipients };
  });
  const methods = people[buyer]?.methods ?? [];
  const shared = share(wish, methods, total);
  const spoiled = wish.spoil && wish.lines.some((line) => line.recipients.length > 0);
  const account_id = accountId(people[buyer]?.id ?? '');
  return {
    body: { account_id, payment_methods: shared.stated, line_items } as CreateInvoiceBody,
    total,
    parts: shared.parts,
    credits,
    integrator,
    refused: spoiled ? 'LINE_AMOUNT_MISMATCH' : shared.refused,
  };
}

interface Shared {
  readonly stated: { payment_method_id: string; amount: number }[];
  readonly parts: Part[];
  readonly refused: string | null;
}

/** [G-31]: the last method named takes what the others leave. */
function share(wish: SaleWish, methods: readonly string[], total: bigint): Shared {
  const named = wish.methods.map((at) => methods[at % methods.length] as string);
  if (named.length === 0) {
    return { stated: [], parts: [], refused: total > 0n ? 'PAYMENT_METHOD_REQUIRED' : null };
  }
  const last = named.length - 1;
  const stated = named.map((payment_method_id, at) => ({
    payment_method_id,
    amount: at === last ? 0 : (wish.amounts[at] ?? 1),
  }));
  const rest = stated.reduce((left, one) => left - BigInt(one.amount), total);
  const parts = stated.map((one, at) => ({
    attempt: '',
    method: one.payment_method_id,
    card: one.payment_method_id !== methods[0],
    amount: at === last ? rest : BigInt(one.amount),
  }));
  const refused = last > 0 && rest <= 0n ? 'PAYMENT_AMOUNTS_MISMATCH' : null;
  return { stated, parts, refused };
}

/** Half up, in the currency's minor unit. */
function percent(amount: bigint, millionths: number): bigint {
  return (amount * BigInt(millionths) + 500_000n) / 1_000_000n;
}

function fraction(millionths: number): string {
  return `0.${String(millionths).padStart(6, '0')}`;
}
