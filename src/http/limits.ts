// How much one caller may take: concurrent requests in total and per tenant, calls per second per
// tenant and per address without a token. In memory, on the clock given, without timers: each of
// several nodes gives its share. [G-06; reliability: back-pressure]
import type { IncomingMessage } from 'node:http';
import type { Caller, TenantLimits } from '../core/operation.ts';
import { refuse } from '../core/refusal.ts';
import { httpRefusals } from './refusals.ts';
import type { ClientAddressOf } from './client-address.ts';

/** Calls per second from one address; 0 for no limit. */
export interface AddressLimits {
  /** To operations without a token. */
  readonly calls: number;
  /** To OAuth endpoints, where secrets can be guessed; successful calls do not count. */
  readonly guesses: number;
  /** To the pages of one-time links. */
  readonly links: number;
}

/** Limits of callers; 0 for none. */
export interface CallLimits {
  /** Concurrent requests of one process; the last fifth is for high-priority operations. */
  readonly process: number;
  /** For each tenant without limits of its own, at all nodes together. */
  readonly tenant: TenantLimits;
  readonly address: AddressLimits;
}

/** No limits, as in the sandbox. */
export const NO_LIMITS: CallLimits = {
  process: 0,
  tenant: { inFlight: 0, writes: 0, reads: 0 },
  address: { calls: 0, guesses: 0, links: 0 },
};

/** A full bucket holds what its rate gives in this time: twice the rate. */
const BURST_MS = 2_000;
/** Tolerance above the rounding error of the clock's milliseconds. */
const ROUNDING_MS = 0.001;
/** Share of the slots open to all; the rest is for high-priority operations. */
const OPEN_SHARE = 0.8;

interface Bucket {
  /** Time in milliseconds up to which its rate is spent. */
  spent: number;
}

/**
 * Token buckets by key. A bucket unused for the burst time is full and need not be kept, so the
 * least recently used of many are dropped.
 */
export class Buckets {
  readonly #most: number;
  #young = new Map<string, Bucket>();
  #old: ReadonlyMap<string, Bucket> = new Map();

  /** Keeps at least the `most` last used keys and at most twice as many. */
  constructor(most = 10_000) {
    this.#most = most;
  }

  /** Takes one of `rate` a second; returns 0, or the milliseconds until one is available. */
  take(key: string, rate: number, nowMs: number): number {
    const bucket = this.#bucketOf(key);
    const after = Math.max(bucket.spent, nowMs - BURST_MS) + 1_000 / rate;
    const wait = after - nowMs;
    if (wait > ROUNDING_MS) return wait;
    bucket.spent = after;
    return 0;
  }

  /** Returns one that was taken. */
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

/** The limits of one process and their current use. */
export class Limits {
  readonly clientAddressOf: ClientAddressOf;
  readonly #limits: CallLimits;
  readonly #nowMs: () => number;
  readonly #nodes: () => number;
  readonly #open: number;
  #inFlight = 0;
  /** Who waits until nothing runs. */
  #idle: (() => void)[] = [];
  /** Concurrent requests of each tenant seen. */
  readonly #tenants = new Map<string, number>();
  readonly #writes = new Buckets();
  readonly #reads = new Buckets();
  readonly #senders = { calls: new Buckets(), guesses: new Buckets(), links: new Buckets() };

  /** `nowMs` is a monotonic clock in milliseconds; `nodes`: how many processes share limits. */
  constructor(
    limits: CallLimits,
    clientAddressOf: ClientAddressOf,
    nowMs: () => number,
    nodes: () => number = () => 1,
  ) {
    this.clientAddressOf = clientAddressOf;
    this.#limits = limits;
    this.#nowMs = nowMs;
    this.#nodes = nodes;
    this.#open = Math.ceil(limits.process * OPEN_SHARE);
  }

  /** Counts a request in; `leave` counts it out. */
  enter(): void {
    this.#inFlight += 1;
  }

  leave(): void {
    this.#inFlight -= 1;
    if (this.#inFlight === 0) for (const tell of this.#idle.splice(0)) tell();
  }

  /** Resolves once nothing runs. A caller that hangs up does not end its request. */
  async idle(): Promise<void> {
    if (this.#inFlight > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Throws OVERLOADED if the request counted in exceeds the slots. */
  requirePlace(highPriority: boolean): void {
    const slots = highPriority ? this.#limits.process : this.#open;
    if (slots > 0 && this.#inFlight > slots) throw refuse(httpRefusals.OVERLOADED, {}, 1);
  }

  /**
   * Takes a call and a concurrency slot of the tenant; true if it got a slot, which `leaveTenant`
   * frees. Throws TOO_MANY_REQUESTS.
   */
  enterTenant({ integrator, limits = this.#limits.tenant }: Caller, writes: boolean): boolean {
    const { inFlight } = limits;
    const there = inFlight === 0 ? 0 : (this.#tenants.get(integrator) ?? 0);
    if (inFlight > 0 && there >= this.#share(inFlight)) {
      throw refuse(httpRefusals.TOO_MANY_REQUESTS, {}, 1);
    }
    if (writes) this.#take(this.#writes, integrator, limits.writes);
    else this.#take(this.#reads, integrator, limits.reads);
    if (inFlight > 0) this.#tenants.set(integrator, there + 1);
    return inFlight > 0;
  }

  leaveTenant(integrator: string): void {
    this.#tenants.set(integrator, (this.#tenants.get(integrator) ?? 1) - 1);
  }

  /** Takes a call of the client address. Throws TOO_MANY_REQUESTS. */
  takeOfAddress(what: keyof AddressLimits, request: IncomingMessage): void {
    const rate = this.#limits.address[what];
    if (rate > 0) this.#take(this.#senders[what], this.clientAddressOf(request), rate);
  }

  /** Returns the call: the attempt at an OAuth endpoint was no wrong guess. */
  forgiveAddress(request: IncomingMessage): void {
    const rate = this.#limits.address.guesses;
    const sender = this.clientAddressOf(request);
    if (rate > 0) this.#senders.guesses.giveBack(sender, this.#share(rate));
  }

  /** What of a limit this node gives: one at least. */
  #share(limit: number): number {
    return Math.max(1, limit / this.#nodes());
  }

  #take(buckets: Buckets, key: string, rate: number): void {
    if (rate === 0) return;
    const waitMs = buckets.take(key, this.#share(rate), this.#nowMs());
    if (waitMs > 0) {
      throw refuse(httpRefusals.TOO_MANY_REQUESTS, {}, Math.ceil(waitMs / 1_000));
    }
  }
}
