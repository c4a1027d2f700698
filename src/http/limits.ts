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

/**
 * Token buckets, one for each key. What is kept of one is the moment up to which its rate is spent,
 * never further back than a burst; so one that nobody used for a burst's time is as good as none.
 */
export class Buckets {
  readonly #spent = new Map<string, number>();
  readonly #most: number;

  /** `most` is how many are kept; the one that was asked longest ago goes first. */
  constructor(most = 10_000) {
    this.#most = most;
  }

  /** Takes one of `rate` a second; gives 0, or the milliseconds until there is one to take. */
  take(key: string, rate: number, nowMs: number): number {
    const before = Math.max(this.#spent.get(key) ?? Number.NEGATIVE_INFINITY, nowMs - BURST_MS);
    const after = before + 1_000 / rate;
    const wait = after - nowMs;
    const taken = wait <= ROUNDING_MS;
    this.#spent.delete(key);
    this.#spent.set(key, taken ? after : before);
    if (this.#spent.size > this.#most) this.#spent.delete(this.#spent.keys().next().value ?? key);
    return taken ? 0 : wait;
  }

  /** Gives back one that was taken. */
  giveBack(key: string, rate: number): void {
    const spent = this.#spent.get(key);
    if (spent !== undefined) this.#spent.set(key, spent - 1_000 / rate);
  }

  get size(): number {
    return this.#spent.size;
  }
}

/** The limits of one process, and what is taken of them. */
export class Limits {
  readonly senderOf: SenderOf;
  readonly #limits: CallLimits;
  readonly #nowMs: () => number;
  readonly #open: number;
  #inFlight = 0;
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
    const left = (this.#tenants.get(integrator) ?? 1) - 1;
    if (left === 0) this.#tenants.delete(integrator);
    else this.#tenants.set(integrator, left);
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
