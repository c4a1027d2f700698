// Messages between the bench and its load generator's process.
import type { Buckets } from './histogram.ts';

/** Where a host of one server process listens. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** One server process under load. */
export interface Target {
  readonly invoicing: Address;
  readonly payments: Address;
  readonly auth: Address;
  /** Access token that this process accepts. */
  readonly token: string;
}

/** A buyer: an account and its wallet's payment method. */
export interface Buyer {
  readonly account_id: string;
  readonly payment_method_id: string;
}

/** A seller: the wallet that receives. */
export interface Seller {
  readonly wallet_id: string;
}

/**
 * `plain`: one line item from buyer to seller. `fee`: that line item with a fee for the integrator,
 * and a second one from user to integrator. `escrow`: the plain line item in an escrow, paid and
 * committed.
 */
export type Sale = 'plain' | 'fee' | 'escrow';

/** Requests whose latencies are recorded separately. */
export const OPERATIONS = ['create', 'pay', 'commit', 'get', 'token', 'methods'] as const;
export type OperationName = (typeof OPERATIONS)[number];

/** Everything a generator needs for one load. */
export interface Plan {
  /**
   * `closed`: each connection creates, pays and commits one after the other, as fast as it is
   * answered. `open`: purchases are due at a constant rate, however slow the answers are.
   */
  readonly mode: 'closed' | 'open';
  readonly targets: readonly Target[];
  readonly buyers: readonly Buyer[];
  readonly sellers: readonly Seller[];
  readonly sale: Sale;
  readonly client: { readonly client_id: string; readonly client_secret: string };
  /** Connections in all (closed), or to each host of each process (open). */
  readonly connections: number;
  /** Purchases due per second; open only. */
  readonly rate: number;
  readonly warmupMs: number;
  readonly measureMs: number;
  /** Seed of the choice of buyers and sellers, so that a run can be repeated. */
  readonly seed: number;
}

/** What a generator measured; counts of the window unless noted. */
export interface LoadResult {
  readonly elapsedMs: number;
  /** Answered requests. */
  readonly requests: number;
  /** Purchases created and paid. */
  readonly purchases: number;
  /** Purchases paid from first to last request, warm-up and tail included. */
  readonly paidInAll: number;
  /** Purchases paid in each full second of the window. */
  readonly perSecond: readonly number[];
  readonly latency: Readonly<Partial<Record<OperationName, Buckets>>>;
  /** `create 503`, `pay lost` and so on, with their counts; from first to last request. */
  readonly failures: Readonly<Record<string, number>>;
  /** First bytes of some failed answers, for the reader. */
  readonly failureTexts: readonly string[];
  /** Ids of some invoices paid last, to be read back. */
  readonly lastInvoices: readonly string[];
  /** CPU microseconds used by the generator itself. */
  readonly cpuMicros: number;
}

/** Messages from the generator to the bench. */
export type Message =
  | { readonly say: 'window-opened' }
  | { readonly say: 'window-closed' }
  | { readonly say: 'result'; readonly result: LoadResult }
  | { readonly say: 'fault'; readonly text: string };
