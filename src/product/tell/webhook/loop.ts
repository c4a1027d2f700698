// The delivery loop of one process: claims due deliveries, sends them, settles their outcomes. It
// bounds the requests in flight and stops cleanly; any number of processes may run one. After a
// fault of ours a delivery is released, or waits for its lease to end.
import { headersOfWork } from '../../../concurrency/cause.ts';
import { NO_OBSERVER, observedCall, type Observer } from '../../../concurrency/observer.ts';
import { startLoop, type Loop } from '../../../concurrency/loop.ts';
import { sqlState } from '../../../db/index.ts';
import type { Outbound, OutboundResult } from '../../../providers/outbound/port.ts';
import { millisOf } from '../../../core/time.ts';
import { judge, SCHEDULE_SECONDS } from './outcome.ts';
import { claim, release, settle } from './queue.ts';
import type { Claimed, Settlement } from './queue.ts';
import { SecretCache } from './secret.ts';
import type { WebhookServices } from './services.ts';
import { headersOf, TokenCache } from './sign.ts';
import type { WebhookTokenSigner } from './sign.ts';

/** Options of the loop; all numbers have defaults. */
export interface DeliveryOptions {
  /** Signs the bearer token of an endpoint. */
  readonly signToken: WebhookTokenSigner;
  /** Requests in flight in this process; 64. [reliability 4.4] */
  readonly total?: number;
  /**
   * Requests in flight to one endpoint from all processes; 2, in staging 64, where often only one
   * receiver exists.
   */
  readonly perEndpoint?: number;
  /** Milliseconds that a receiver has to answer; 15,000. [G-63] */
  readonly timeoutMs?: number;
  /** A shorter limit for the receiver at an address; null: `timeoutMs`. */
  readonly patienceOf?: (url: string) => number | null;
  /** Milliseconds that a claim lasts; must be much longer than the timeout. */
  readonly leaseMs?: number;
  /** Seconds between attempts. [G-63] */
  readonly scheduleSeconds?: readonly number[];
  /** Milliseconds between polls for other processes' work; 250. */
  readonly pollMs?: number;
  /** Milliseconds that `stop` waits for answers; 10,000. */
  readonly stopMs?: number;
  /** Told of each request; absent: nobody is. */
  readonly observer?: Observer;
  /** Called for faults: a lost database, a key that cannot be unwrapped. */
  readonly onFault?: (error: unknown) => void;
}

export interface DeliveryLoop {
  /** Polls at once; call it after a commit that queued deliveries. */
  wake(): void;
  /** Stops claiming, waits for answers and settles them. */
  stop(): Promise<void>;
  /** Resolves when nothing is in flight or due; retries may wait for their time. */
  idle(): Promise<void>;
}

const STAGING_PER_ENDPOINT = 64;
const PRODUCTION_PER_ENDPOINT = 2;
/** Added to the timeout: reading the answer, queueing, settling. */
const LEASE_MARGIN_MS = 15_000;
/** The pause after a fault of ours. */
const FAULT_WAIT_MS = 5000;

export function deliveryLoop(services: WebhookServices, options: DeliveryOptions): DeliveryLoop {
  return new Deliveries(services, options);
}

class Deliveries implements DeliveryLoop {
  readonly #services: WebhookServices;
  readonly #outbound: Outbound;
  readonly #options: Required<DeliveryOptions>;
  readonly #secrets: SecretCache;
  readonly #tokens: TokenCache;
  /** Claimed and not settled. */
  readonly #flying = new Set<Promise<void>>();
  #settlements: Settlement[] = [];
  #idleWaiters: { asked: number; resolve: () => void }[] = [];
  #round = 0;
  readonly #loop: Loop;

  constructor(services: WebhookServices, options: DeliveryOptions) {
    const timeoutMs = options.timeoutMs ?? 15_000;
    this.#services = services;
    this.#outbound = services.outbound;
    this.#secrets = new SecretCache(services.keys);
    this.#tokens = new TokenCache(options.signToken);
    this.#options = {
      total: 64,
      perEndpoint: services.env === 'staging' ? STAGING_PER_ENDPOINT : PRODUCTION_PER_ENDPOINT,
      leaseMs: timeoutMs + LEASE_MARGIN_MS,
      patienceOf: () => null,
      scheduleSeconds: SCHEDULE_SECONDS,
      pollMs: 250,
      stopMs: 10_000,
      onFault: () => {},
      observer: NO_OBSERVER,
      ...options,
      timeoutMs,
    };
    this.#loop = startLoop({
      everyMs: this.#options.pollMs,
      turn: () => this.#turn(),
      fault: this.#options.onFault,
    });
    this.#loop.wake();
  }

  wake(): void {
    this.#loop.wake();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#drain();
  }

  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#idleWaiters.push({ asked: this.#round, resolve });
      this.wake();
    });
  }

  /** Settling and claiming alternate, so within a process they never overlap. */
  async #turn(): Promise<void> {
    this.#round += 1;
    const round = this.#round;
    await this.#settleAll();
    const rows = this.#options.total - this.#flying.size;
    if (rows <= 0) return;
    const { perEndpoint, leaseMs } = this.#options;
    const lease = this.#services.random.uuid();
    const begun = performance.now();
    const found = await claim(this.#services.db, lease, { rows, perEndpoint, leaseMs });
    for (const one of found.claimed) this.#fly(one, begun);
    if (found.claimed.length > 0 || found.parked > 0) this.wake();
    else if (this.#flying.size === 0 && this.#settlements.length === 0) this.#tellIdle(round);
  }

  async #settleAll(): Promise<void> {
    const list = this.#settlements;
    if (list.length === 0) return;
    this.#settlements = [];
    list.sort(byKey);
    try {
      await settle(this.#services.db, list);
    } catch (error) {
      const state = sqlState(error) ?? '';
      // Kept for the next turn; after the lease has ended they are dropped.
      if (!/^2[23]/.test(state)) this.#settlements.push(...list);
      else await this.#settleEach(list);
      throw error;
    }
  }

  /** Settles one by one, so that one rejected outcome does not hold up the others. */
  async #settleEach(list: readonly Settlement[]): Promise<void> {
    for (const one of list) {
      await settle(this.#services.db, [one]).catch(this.#options.onFault);
    }
  }

  #fly(one: Claimed, begun: number): void {
    const flight = this.#send(one, begun)
      .catch(async (error: unknown) => {
        this.#options.onFault(error);
        await release(this.#services.db, one, FAULT_WAIT_MS).catch(this.#options.onFault);
      })
      .finally(() => {
        this.#flying.delete(flight);
        this.wake();
      });
    this.#flying.add(flight);
  }

  async #send(one: Claimed, begun: number): Promise<void> {
    const seconds = Math.floor(millisOf(one.at) / 1000);
    const [[body = ''], token, ...secrets] = await Promise.all([
      this.#services.stream.bodies([one.event]),
      this.#tokens.tokenOf(one.endpoint_id, seconds),
      ...one.secrets.map((secret) => this.#secrets.open(secret)),
    ]);
    const { leaseMs, patienceOf, scheduleSeconds } = this.#options;
    const timeoutMs = patienceOf(one.url) ?? this.#options.timeoutMs;
    // A process that slept through its lease must not send after another one has taken over.
    if (performance.now() - begun > leaseMs - timeoutMs) return;
    const { event_id } = one.event;
    const { copy } = one;
    const signed = headersOf({ event_id, body, seconds, secrets, copy }, token);
    const result = await observedCall(
      this.#options.observer,
      'delivery',
      one,
      () => {
        const headers = { ...signed, ...headersOfWork() };
        return this.#outbound.post({ url: one.url, headers, body, timeoutMs });
      },
      outcomeOf,
    );
    const random = this.#services.random.bytes(4).readUInt32LE() / 2 ** 32;
    const now = millisOf(one.at) + (performance.now() - begun);
    const outcome = judge(result, one.tries + 1, scheduleSeconds, random, now);
    const { workspace, endpoint_id, sequence, lease, shown_at: at } = one;
    this.#settlements.push({ workspace, endpoint_id, sequence, lease, at, ...outcome });
  }

  #tellIdle(round: number): void {
    const told = this.#idleWaiters.filter((waiter) => waiter.asked < round);
    this.#idleWaiters = this.#idleWaiters.filter((waiter) => waiter.asked >= round);
    for (const waiter of told) waiter.resolve();
    if (this.#idleWaiters.length > 0) this.wake();
  }

  async #drain(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#options.stopMs);
    });
    await Promise.race([Promise.allSettled(this.#flying), limit]);
    clearTimeout(timer);
    await this.#settleAll().catch(this.#options.onFault);
    for (const waiter of this.#idleWaiters) waiter.resolve();
  }
}

/** The class of the answer's status; `none` without an answer. */
function outcomeOf(result: OutboundResult): string {
  return result.kind === 'answered' ? `${Math.trunc(result.status / 100)}xx` : 'none';
}

function byKey(a: Settlement, b: Settlement): number {
  if (a.workspace !== b.workspace) return a.workspace - b.workspace;
  if (a.endpoint_id !== b.endpoint_id) return a.endpoint_id < b.endpoint_id ? -1 : 1;
  return a.sequence < b.sequence ? -1 : 1;
}
