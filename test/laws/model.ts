// The model of the market: where every cent must be, and the state of every resource. Plain
// arithmetic, written from the interface and the numbered choices, never from the code that it
// checks; without entries, rows and locks.
import { AT_BANK } from './market-people.ts';
import { SYSTEM_ACCOUNT_KINDS, type SystemAccountKind } from '../../src/ledger/index.ts';
import type { ReserveTerms } from '../../src/product/context.ts';
import type { Part } from './market-sales.ts';
import type { Disagreement } from './model-disagreements.ts';
import { dueOf, type Course } from './model-parts.ts';

/** A share of a sale that is restricted for days. */
export interface Hold {
  readonly due: number;
  /** What neither the clock nor a dispute took. */
  left: bigint;
}

/** What the model says one person has. */
export interface Purse {
  spendable: bigint;
  /** Restricted, with what is in reserve. */
  kept: bigint;
  /** In the order of the sales. */
  readonly holds: Hold[];
  /** What is owed for lost disputes. */
  owes: bigint;
  state: string;
  requirements: string;
  /** What was required before an update of tax data was; null while that is not required. */
  before: string | null;
  blocked: boolean;
  /** The person whose account this one was merged into. */
  mergedInto: number | null;
}

export type ChargeState =
  | 'authorizing'
  | 'challenged'
  | 'authorized'
  | 'capturing'
  | 'captured'
  | 'declined'
  | 'parked'
  | 'reversing'
  | 'reversed';

/** One card part, as it is asked for. */
export interface Charge {
  readonly id: string;
  readonly token: string;
  readonly amount: bigint;
  readonly of: Payable;
  state: ChargeState;
  /** Since when its buyer has been asked to confirm: milliseconds after 1970. */
  challengedAt?: number;
}

/** A line item: minor units with its tax, and what of both has been refunded. */
export interface Line {
  readonly id: string;
  readonly amount: bigint;
  readonly tax: bigint;
  /** What the integrator gets of it, and each recipient with their fee. */
  readonly own: bigint;
  readonly to: readonly { seller: number; amount: bigint; fee: bigint }[];
  refunded: bigint;
  taxBack: bigint;
}

/** Something that cards may pay for: a sale, what an escrow holds, a top-up. */
export interface Payable {
  readonly kind: 'invoice' | 'escrow' | 'deposit';
  readonly id: string;
  /** The person who pays. */
  readonly payer: number;
  readonly total: bigint;
  /** Parts above zero; of a top-up its one card. */
  readonly parts: readonly Part[];
  /** Those of its cards, once they are asked. */
  readonly charges: Charge[];
  readonly credits: readonly { readonly seller: number; readonly amount: bigint }[];
  readonly integrator: bigint;
  /** The share of what the sellers earn that goes into reserve. */
  readonly reserve?: ReserveTerms | undefined;
  readonly lines: readonly Line[];
  /** What of each part has gone back, by its id. */
  readonly gone: Map<string, { refunded: bigint; chargedBack: bigint }>;
  readonly escrow: Escrow | null;
  /** The authorized invoice that it was made from. */
  readonly from?: Offer;
  state: 'open' | 'processing' | 'success' | 'failed';
  failure: string | null;
}

/** An authorized invoice. */
export interface Offer {
  readonly id: string;
  /** What was made of it last. */
  latest: Payable | null;
  made: number;
}

export interface Escrow {
  readonly id: string;
  readonly holdSeconds: number;
  state: 'OPEN' | 'ESCROWED' | 'ESCROW-FAILED' | 'COMMITTED' | 'CANCELLED';
  /** Milliseconds after 1970. */
  due: number | null;
  warned: boolean;
  /** Seconds; null unless a dispute or a disagreement keeps it frozen. */
  timeLeft: number | null;
  course: Course | null;
  disagreement: Disagreement | null;
}

export type SentState =
  | 'sending'
  | 'pending'
  | 'paid'
  | 'declined'
  | 'parked'
  | 'returned'
  | 'replaced'
  | 'waiting'
  | 'handed_over';

/** Money sent out under one key. */
export interface Sent {
  readonly id: string;
  /** The key of the charge that it gives back, or the token of the bank account. */
  readonly target: string;
  readonly amount: bigint;
  readonly of: Giving | Payout;
  state: SentState;
}

/** An invoice that gives a charge back. */
export interface Giving {
  readonly kind: 'giving';
  readonly id: string;
  readonly refund: Refund | null;
  readonly sent: Sent[];
  state: 'processing' | 'success' | 'failed';
}

export interface Refund {
  readonly id: string;
  readonly givingId: string;
  readonly of: Payable;
  readonly amount: bigint;
  readonly parts: readonly { readonly part: Part; readonly amount: bigint }[];
  /** By place of the line, and what of it is tax. */
  readonly lines: readonly bigint[];
  readonly taxes: readonly bigint[];
  state: string;
  counted: bigint;
}

export interface Reversal {
  readonly id: string;
  readonly charge: Charge;
  readonly amount: bigint;
  readonly reference: string;
  state: 'received' | 'escrowed' | 'covered' | 'given_back';
  /** What an escrow held of it. */
  secured: bigint;
  readonly dispute: Dispute;
}

/** What is told of a charge that was taken back. [G-93] */
export interface Dispute {
  readonly id: string;
  state: 'needs_response' | 'under_review' | 'won' | 'lost' | 'withdrawn' | 'returned';
  /** An escrow waits for its end. */
  froze: boolean;
  /** Who bears a loss beyond reserves. */
  readonly bearer: 'integrator' | 'seller';
  /** What sellers bear of it beside the amount. */
  readonly fee: bigint;
  /** Milliseconds after 1970; null where it takes no response. */
  readonly dueBy: number | null;
  /** When the clock acts on it next. */
  due: number | null;
  /** Sizes of its files; 0 of a text. */
  readonly pieces: number[];
  readonly answers: { readonly id: string; state: 'sending' | 'accepted' | 'declined' }[];
}

/** Payouts on their way to the bank in one file. */
export interface PayoutFile {
  readonly id: string;
  readonly sent: readonly Sent[];
  state: 'collected' | 'confirmed' | 'cancelled' | 'handed_over';
}

export interface Payout {
  readonly kind: 'payout';
  readonly id: string;
  readonly person: number;
  readonly method: string;
  /** It leaves in a file for the bank. */
  readonly file: boolean;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly sent: Sent[];
  state: string;
  /** Milliseconds after 1970. */
  due: number | null;
  failure: string | null;
}

/** What a command must come to. `nothing`: it is accepted and changes nothing. */
export type Expected =
  | { readonly is: 'done' | 'nothing'; readonly payload?: unknown }
  | { readonly is: 'refused'; readonly code: string }
  | { readonly is: 'fault' };

export const done: Expected = { is: 'done' };
export const nothing: Expected = { is: 'nothing' };
export const fault: Expected = { is: 'fault' };
export const refused = (code: string): Expected => ({ is: 'refused', code });

/** [G-38] */
export function accrues(purse: Purse): boolean {
  return (purse.before ?? purse.requirements) !== 'FULL_KYC' || purse.state === 'ACCEPT';
}

export class Model {
  readonly purses: Purse[];
  readonly systemAccounts = Object.fromEntries(
    Object.keys(SYSTEM_ACCOUNT_KINDS).map((kind) => [kind, 0n]),
  ) as Record<SystemAccountKind, bigint>;
  readonly payables: Payable[] = [];
  readonly offers: Offer[] = [];
  readonly givings: Giving[] = [];
  readonly refunds: Refund[] = [];
  readonly reversals: Reversal[] = [];
  readonly payouts: Payout[] = [];
  readonly files: PayoutFile[] = [];
  /** What our bank has for payouts, and holds by what is sent; null until it tells of money. */
  bank: { available: bigint; readonly holds: Map<string, bigint> } | null = null;
  /** How often each event must have been announced, by `name resource`. */
  readonly events = new Map<string, number>();
  /** Methods that are not active. */
  readonly inactive = new Set<string>();
  /** What the integrator can spend: of its share what has been folded. Minor units. */
  folded = 0n;
  /** Milliseconds after 1970 at the decision. */
  now = 0;

  constructor(people: number, funds: bigint) {
    const open = { blocked: false, mergedInto: null };
    const fresh = { kept: 0n, state: 'NODATA', requirements: 'NONE', before: null, ...open };
    this.purses = Array.from({ length: people }, () => {
      return { ...fresh, spendable: funds, holds: [], owes: 0n };
    });
    this.systemAccounts.bank = -AT_BANK;
    this.systemAccounts.sandbox_funding = AT_BANK - funds * BigInt(people);
    this.bank = { available: AT_BANK, holds: new Map() };
  }

  purse(at: number): Purse {
    return this.purses[at] as Purse;
  }

  announce(name: string, id: string): void {
    const key = `${name} ${id}`;
    this.events.set(key, (this.events.get(key) ?? 0) + 1);
  }

  /** Where somebody's earnings go. */
  credit(at: number, amount: bigint): void {
    const purse = this.purse(at);
    if (accrues(purse)) purse.spendable += amount;
    else purse.kept += amount;
  }

  /** Sellers and integrator take what a sale brings: debts first, then a share for the reserve. */
  paySellers({ credits, integrator, reserve, lines }: Payable): void {
    const earned = new Map<number, bigint>();
    for (const { seller, amount } of credits) {
      const purse = this.purse(seller);
      const repaid = purse.owes < amount ? purse.owes : amount;
      purse.owes -= repaid;
      this.systemAccounts.integrator_share += repaid;
      earned.set(seller, (earned.get(seller) ?? 0n) + amount - repaid);
    }
    for (const [seller, amount] of earned) {
      const purse = this.purse(seller);
      const left = reserve === undefined ? 0n : (amount * BigInt(reserve.percent)) / 100n;
      this.credit(seller, amount - left);
      purse.kept += left;
      const newest = purse.holds.at(-1)?.due ?? 0;
      const due = Math.max(newest, this.now + (reserve?.days ?? 0) * DAY_MS);
      if (left > 0n) purse.holds.push({ due, left });
    }
    this.systemAccounts.integrator_share += integrator;
    for (const { tax } of lines) this.systemAccounts.tax_collected += tax;
  }

  /** Submits an open invoice: all of its money is taken, some is asked for, or it fails. [G-41] */
  submit(payable: Payable): void {
    const purse = this.purse(payable.payer);
    const held = heldOf(payable);
    const { parts, credits } = payable;
    const people = [purse, ...credits.map(({ seller }) => this.purse(seller))];
    if (people.some((one) => one.blocked)) return this.fail(payable, 'account_blocked');
    if (parts.some((part) => this.inactive.has(part.method))) {
      return this.fail(payable, 'payment_method_inactive');
    }
    if (held > purse.spendable) return this.fail(payable, 'insufficient_funds');
    purse.spendable -= held;
    this.systemAccounts.holding += held;
    payable.state = 'processing';
    for (const part of parts.filter(({ card }) => card)) {
      const { attempt: id, token, amount } = part;
      payable.charges.push({ id, token, amount, of: payable, state: 'authorizing' });
    }
    if (payable.charges.length === 0) this.succeed(payable);
  }

  /** All parts were taken. */
  succeed(payable: Payable): void {
    const { kind, id, total, escrow } = payable;
    payable.state = 'success';
    this.systemAccounts.holding -= heldOf(payable);
    this.systemAccounts.processor_clearing -= total - heldOf(payable);
    if (kind === 'deposit') {
      this.credit(payable.payer, total);
      this.announce('deposit-completed', id);
      return;
    }
    this.announce('invoice-completed', id);
    if (escrow === null) return this.paySellers(payable);
    this.systemAccounts.escrow += total;
    escrow.state = 'ESCROWED';
    escrow.due = this.now + (escrow.holdSeconds - warning(escrow)) * 1_000;
    if (escrow.course !== null) {
      const at = this.now + escrow.holdSeconds * 1_000;
      escrow.course.limit = { at, since: this.now, warned: false };
      escrow.due = dueOf(escrow.course);
    }
    this.announce('escrow-transaction-update', escrow.id);
  }

  /** None of its money stays taken. */
  fail(payable: Payable, code: string): void {
    if (payable.state === 'processing') {
      this.purse(payable.payer).spendable += heldOf(payable);
      this.systemAccounts.holding -= heldOf(payable);
    }
    payable.state = 'failed';
    payable.failure = code;
    const { kind, id, escrow } = payable;
    this.announce(kind === 'deposit' ? 'deposit-completed' : 'invoice-completed', id);
    if (escrow === null) return;
    escrow.state = 'ESCROW-FAILED';
    this.announce('escrow-transaction-update', escrow.id);
  }
}

/** Wallet parts. */
export function heldOf({ parts }: Payable): bigint {
  return parts.reduce((sum, part) => sum + (part.card ? 0n : part.amount), 0n);
}

const DAY_MS = 86_400_000;

/** What of somebody's restricted money is in reserve. */
export function reserved({ holds }: Purse): bigint {
  return holds.reduce((sum, { left }) => sum + left, 0n);
}

/** Takes up to `amount` out of a reserve, the oldest first; gives how much. */
export function takeReserved(purse: Purse, amount: bigint): bigint {
  let taken = 0n;
  for (const hold of purse.holds) {
    const part = hold.left < amount - taken ? hold.left : amount - taken;
    hold.left -= part;
    taken += part;
  }
  purse.kept -= taken;
  return taken;
}

export const WEEK = 7 * 86_400;

/** Seconds from the warning to the end: a week, or half of a short limit. [G-42] */
export function warning({ holdSeconds }: Escrow): number {
  return Math.min(WEEK, Math.floor(holdSeconds / 2));
}
