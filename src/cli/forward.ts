// The webhook endpoint of one listener, and the outcome of its deliveries. The platform delivers,
// signs and retries as to any receiver. The endpoint is removed at the end, also that of a killed
// listener. [G-63, G-64]
import { createHmac } from 'node:crypto';
import { hostname } from 'node:os';
import { CallRefused, type Server } from './server.ts';
import type { EventSeen } from './stream.ts';

/** One request of the platform. */
export interface Attempt {
  readonly number: number;
  /** When it began, real time. */
  readonly at: string;
  /** Null: no answer. */
  readonly status: number | null;
  readonly reason: string;
  readonly duration_ms: number;
}

/** The outcome of one delivery attempt. */
export interface Outcome extends Attempt {
  readonly event: EventSeen;
  readonly state: 'pending' | 'delivered' | 'dead';
  /** When it is retried, for `pending`. */
  readonly next_attempt: string | null;
}

interface Endpoint {
  readonly endpoint_id: string;
  readonly description: string;
  readonly secret: string;
}

interface DeliveryRow {
  readonly sequence: number;
  readonly state: Outcome['state'];
  readonly attempts: number;
}

/** An event whose delivery is not finished. */
interface Awaited {
  readonly event: EventSeen;
  /** Attempts already reported. */
  told: number;
  /** Real time in milliseconds until which its delivery may still be missing. */
  readonly until: number;
}

const ENDPOINTS = '/v1/webhook_endpoints';
const PAGE = 100;
/** How often a delivery waiting for its retry is checked: its clock may have been moved. */
const LOOK_AGAIN_MS = 1_500;
const APPEARS_WITHIN_MS = 10_000;
const NOTED = /^holdfast listen: process (\d+) on (\S+)$/;

/** The endpoint of this process at one server. */
export class Forward {
  readonly endpoint: Endpoint;
  readonly #server: Server;
  readonly #awaited = new Map<number, Awaited>();
  #looked = 0;

  private constructor(server: Server, endpoint: Endpoint) {
    this.#server = server;
    this.endpoint = endpoint;
  }

  /** Removes endpoints of killed listeners, registers one; returns it and how many were removed. */
  static async open(
    server: Server,
    url: string,
    event_names: readonly string[],
  ): Promise<{ forward: Forward; left: number }> {
    const left = await takeLeftovers(server);
    const description = `holdfast listen: process ${process.pid} on ${hostname()}`;
    const body = { url, event_names, description };
    const made = await server.call('invoicing', 'POST', ENDPOINTS, body);
    return { forward: new Forward(server, made as Endpoint), left };
  }

  /** The same endpoint at a restarted server. */
  at(server: Server): Forward {
    const moved = new Forward(server, this.endpoint);
    for (const [sequence, awaited] of this.#awaited) moved.#awaited.set(sequence, awaited);
    return moved;
  }

  /** The same endpoint with nothing awaited, if it survived a rollback; else null. */
  async kept(): Promise<Forward | null> {
    try {
      await this.#server.call('invoicing', 'GET', `${ENDPOINTS}/${this.endpoint.endpoint_id}`);
      return new Forward(this.#server, this.endpoint);
    } catch (error) {
      if (error instanceof CallRefused && error.status === 404) return null;
      throw error;
    }
  }

  /** Has a range of events sent to it again. */
  async replay(from: number, to: number): Promise<void> {
    const path = `${ENDPOINTS}/${this.endpoint.endpoint_id}/replay`;
    await this.#server.call('invoicing', 'POST', path, { from, to });
  }

  /** From now on reports the delivery of an event that was printed. */
  expect(event: EventSeen): void {
    const until = Date.now() + APPEARS_WITHIN_MS;
    this.#awaited.set(event.sequence, { event, told: 0, until });
    this.#looked = 0;
  }

  /** Attempts since the last call, oldest event first; no request if nothing is awaited. */
  async look(): Promise<Outcome[]> {
    const fresh = [...this.#awaited.values()].some(({ told }) => told === 0);
    const due = fresh || Date.now() - this.#looked > LOOK_AGAIN_MS;
    if (this.#awaited.size === 0 || !due) return [];
    this.#looked = Date.now();
    const found: Outcome[][] = [];
    const rows = await this.#rows();
    for (let at = 0; at < rows.length; at += PAGE) {
      found.push(...(await Promise.all(rows.slice(at, at + PAGE).map((row) => this.#news(row)))));
    }
    const there = new Set(rows.map(({ sequence }) => sequence));
    for (const [sequence, { until }] of this.#awaited) {
      if (!there.has(sequence) && until < Date.now()) this.#awaited.delete(sequence);
    }
    return found.flat();
  }

  /** Deliveries of awaited events, oldest first. */
  async #rows(): Promise<DeliveryRow[]> {
    const lowest = Math.min(...this.#awaited.keys());
    const rows: DeliveryRow[] = [];
    let before: number | null = Math.max(...this.#awaited.keys()) + 1;
    while (before !== null && before > lowest) {
      const query: string = `limit=${PAGE}&before=${before}`;
      const path = `${ENDPOINTS}/${this.endpoint.endpoint_id}/deliveries?${query}`;
      const page = await this.#server.call('invoicing', 'GET', path);
      const { deliveries, next_before } = page as Page;
      rows.push(...deliveries.filter(({ sequence }) => this.#awaited.has(sequence)));
      before = next_before;
    }
    return rows.toReversed();
  }

  async #news({ sequence, attempts, state }: DeliveryRow): Promise<Outcome[]> {
    const awaited = this.#awaited.get(sequence);
    if (awaited === undefined || (attempts === awaited.told && state === 'pending')) return [];
    const { event, told } = awaited;
    const read = await this.#server.call('invoicing', 'GET', `/v1/events/${event.event_id}`);
    const { endpoint_id } = this.endpoint;
    const mine = (read as History).deliveries.find((one) => one.endpoint_id === endpoint_id);
    if (mine === undefined) return [];
    const { attempts: all, ...rest } = mine;
    awaited.told = all.at(-1)?.number ?? told;
    if (mine.state !== 'pending') this.#awaited.delete(sequence);
    const news = all.filter(({ number }) => number > told);
    return news.map((attempt, at) => ({
      ...attempt,
      event,
      // Only for the latest attempt is it known what follows.
      state: at === news.length - 1 ? rest.state : 'pending',
      next_attempt: at === news.length - 1 ? rest.next_attempt : null,
    }));
  }

  /** Removes the endpoint. */
  async close(): Promise<void> {
    await remove(this.#server, this.endpoint.endpoint_id);
  }

  /**
   * `webhook-signature` of an attempt as the receiver got it. `ahead`: seconds the workspace's
   * clock is ahead of real time, by which signatures are made.
   */
  signatureOf(
    { event, at }: Outcome,
    ahead: number,
  ): { readonly signed: string; readonly signature: string } {
    const [, whole = at, part = '0'] = /^([^.]+)\.(\d+)Z$/.exec(at) ?? [];
    const shown = Date.parse(`${whole.replace('Z', '')}Z`) / 1000 + Number(`0.${part}`);
    const seconds = Math.floor(Number((shown - ahead).toFixed(6)));
    const key = Buffer.from(this.endpoint.secret.replace(/^whsec_/, ''), 'base64');
    const signed = `${event.event_id}.${seconds}`;
    const mac = createHmac('sha256', key).update(`${signed}.${JSON.stringify(event)}`);
    return { signed, signature: `v1,${mac.digest('base64')}` };
  }
}

interface Page {
  readonly deliveries: readonly DeliveryRow[];
  readonly next_before: number | null;
}

interface History {
  readonly deliveries: readonly {
    readonly endpoint_id: string;
    readonly state: Outcome['state'];
    readonly next_attempt: string | null;
    readonly attempts: readonly Attempt[];
  }[];
}

async function remove(server: Server, id: string): Promise<void> {
  try {
    await server.call('invoicing', 'DELETE', `${ENDPOINTS}/${id}`);
  } catch (error) {
    if (!(error instanceof CallRefused && error.status === 404)) throw error;
  }
}

/** Endpoints of listeners on this machine whose process is gone. */
async function takeLeftovers(server: Server): Promise<number> {
  const listed = await server.call('invoicing', 'GET', ENDPOINTS);
  const all = (listed as { webhook_endpoints: Endpoint[] }).webhook_endpoints;
  const left = all.filter(({ description }) => {
    const [, pid, host] = NOTED.exec(description) ?? [];
    return host === hostname() && !isAlive(Number(pid));
  });
  for (const { endpoint_id } of left) await remove(server, endpoint_id);
  return left.length;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another account's process: alive, though it may not be signalled.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
