// Answers for how much of a process one caller may take: requests at once for all, requests at once
// and calls a second for each tenant, calls a second for each address that shows no token. In
// memory, by a clock that is handed in, without timers. [G-06; reliability: back-pressure] Refuses
// to know routes, and who a caller is.
import type { IncomingMessage } from 'node:http';
import type { Caller, TenantLimits } from '../kernel/operation.ts';
import { refuse } from '../kernel/refusal.ts';
import { httpRefusals } from './refusals.ts';
import type { SenderOf } from './sender.ts';

/** Calls a second from one address; 0 for no limit. */
export interface AddressLimits {
  /** Of operations that ask for no token. */
  readonly calls: number;
  /** Of the OAuth endpoints, where secrets can be guessed; what succeeds counts for nothing. */
  readonly guesses: number;
  /** Of the pages of one-time links. */
  readonly links: number;
}

/** What one process allows; 0 for no limit. */
export interface CallLimits {
  /** Requests at once; the last fifth of them for critical operations. */
  readonly process: number;
  /** For each tenant that has no limits of its own. */
  readonly tenant: TenantLimits;
  readonly address: AddressLimits;
}

/** Nothing is limited, as in the sandbox. */
export const NO_LIMITS: CallLimits = {
  process: 0,
  tenant: { inFlight: 0, writes: 0, reads: 0 },
  address: { calls: 0, guesses: 0, links: 0 },
};

/** A rested bucket holds what its rate gives in this time: twice the rate. */
const BURST_MS = 2_000;
/** Less than the rounding of a clock's milliseconds adds up to. */
const ROUNDING_MS = 0.001;
/** Share of the places that anybody may take; the rest is for critical operations. */
const OPEN_SHARE = 0.8;

interface Bucket {
  /** The moment up to which its rate is spent, in milliseconds. */
  spent: number;
}

/**
 * Token buckets, one for each key. One that nobody used for a burst's time is full, and as good as
 * none; so of many the ones that were asked longest ago may be forgotten.
 */
export class Buckets {
  readonly #most: number;
  #young = new Map<string, Bucket>();
  #old: ReadonlyMap<string, Bucket> = new Map();

  /** Keeps the `most` keys that were asked last, and no more than twice as many. */
  constructor(most = 10_000) {
    this.#most = most;
  }

  /** Takes one of `rate` a second; gives 0, or the milliseconds until there is one to take. */
  take(key: string, rate: number, nowMs: number): number {
    const bucket = this.#bucketOf(key);
    const after = Math.max(bucket.spent, nowMs - BURST_MS) + 1_000 / rate;
    const wait = after - nowMs;
    if (wait > ROUNDING_MS) return wait;
    bucket.spent = after;
    return 0;
  }

  /** Gives back one that was taken. */
  giveBack(key: string, rate: number): void {
    this.#bucketOf(key).spent -= 1_000 / rate;
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  #bucketOf(key: string): Bucket {
    const known = this.#young.get(key);
    if (known !== undefined) return known;
    if (this.#young.size === this.#most) [this.#old, this.#young] = [this.#young, new Map()];
    const bucket = this.#old.get(key) ?? { spent: Number.NEGATIVE_INFINITY };
    this.#young.set(key, bucket);
    return bucket;
  }
}

/** The limits of one process, and what is taken of them. */
export class Limits {
  readonly senderOf: SenderOf;
  readonly #limits: CallLimits;
  readonly #nowMs: () => number;
  readonly #open: number;
  #inFlight = 0;
  /** Requests at once of each tenant that ever asked. */
  readonly #tenants = new Map<string, number>();
  readonly #writes = new Buckets();
  readonly #reads = new Buckets();
  readonly #senders = { calls: new Buckets(), guesses: new Buckets(), links: new Buckets() };

  /** `nowMs` counts milliseconds and never goes back. */
  constructor(limits: CallLimits, senderOf: SenderOf, nowMs: () => number) {
    this.senderOf = senderOf;
    this.#limits = limits;
    this.#nowMs = nowMs;
    this.#open = Math.ceil(limits.process * OPEN_SHARE);
  }

  /** Counts a request in; `leave` counts it out. */
  enter(): void {
    this.#inFlight += 1;
  }

  leave(): void {
    this.#inFlight -= 1;
  }

  /** Throws OVERLOADED where the request that was counted in has no place. */
  requirePlace(critical: boolean): void {
    const places = critical ? this.#limits.process : this.#open;
    if (places > 0 && this.#inFlight > places) throw refuse(httpRefusals.OVERLOADED, {}, 1);
  }

  /**
   * Takes a call of the tenant's, and a place among its requests at once, which `leaveTenant` gives
   * back: true when it has one. Throws TOO_MANY_REQUESTS.
   */
  enterTenant({ integrator, limits = this.#limits.tenant }: Caller, writes: boolean): boolean {
    const { inFlight } = limits;
    const there = inFlight === 0 ? 0 : (this.#tenants.get(integrator) ?? 0);
    if (inFlight > 0 && there >= inFlight) throw refuse(httpRefusals.TOO_MANY_REQUESTS, {}, 1);
    if (writes) this.#take(this.#writes, integrator, limits.writes);
    else this.#take(this.#reads, integrator, limits.reads);
    if (inFlight > 0) this.#tenants.set(integrator, there + 1);
    return inFlight > 0;
  }

  leaveTenant(integrator: string): void {
    this.#tenants.set(integrator, (this.#tenants.get(integrator) ?? 1) - 1);
  }

  /** Takes a call of the address that asks. Throws TOO_MANY_REQUESTS. */
  takeOfSender(what: keyof AddressLimits, request: IncomingMessage): void {
    const rate = this.#limits.address[what];
    if (rate > 0) this.#take(this.#senders[what], this.senderOf(request), rate);
  }

  /** What was asked at an OAuth endpoint was no wrong guess. */
  forgiveSender(request: IncomingMessage): void {
    const rate = this.#limits.address.guesses;
    if (rate > 0) this.#senders.guesses.giveBack(this.senderOf(request), rate);
  }

  #take(buckets: Buckets, key: string, rate: number): void {
    if (rate === 0) return;
    const waitMs = buckets.take(key, rate, this.#nowMs());
    if (waitMs > 0) {
      throw refuse(httpRefusals.TOO_MANY_REQUESTS, {}, Math.ceil(waitMs / 1_000));
    }
  }
}
