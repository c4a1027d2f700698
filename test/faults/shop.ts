// Buyers who pay from a wallet without a pause and a supervisor that polls health, with a log of
// every answer; afterwards every sale is repeated with its key.
import assert from 'node:assert/strict';
import type { Api, Reply } from '../kit/api.ts';

/** One answer to a buyer or to the supervisor. */
export interface Told {
  readonly what: string;
  readonly status: number;
  readonly code: string;
  /** Its header, or null. */
  readonly retryAfter: string | null;
  /** Milliseconds after the start of the watch at which it was asked, and until it was answered. */
  readonly at: number;
  readonly took: number;
}

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));

/** A wallet with money, and what is bought from it. */
export class Shop {
  readonly told: Told[] = [];
  readonly #api: Api;
  readonly #started = performance.now();
  readonly #name: string;
  #keys = 0;
  #open = true;
  #work: Promise<unknown> = Promise.resolve();

  constructor(api: Api, name = 'shop') {
    this.#api = api;
    this.#name = name;
  }

  /** Milliseconds since it was opened. */
  get now(): number {
    return performance.now() - this.#started;
  }

  /** Sends one sale of one unit from the buyer's wallet; made and paid are two calls. */
  async sell(key = `${this.#name}-${(this.#keys += 1)}`): Promise<Told> {
    const { buyer } = this.#api.ready.accounts;
    const sale = this.#api.sale(1, [{ payment_method_id: buyer.wallet_payment_method_id }]);
    const made = await this.#ask('create', 'POST', '/v2/invoice', `${key}-made`, sale);
    if (made.told.status !== 201) return made.told;
    const { invoice_id } = made.payload as { invoice_id: string };
    return (await this.#ask('pay', 'POST', `/v2/invoice/${invoice_id}/pay`, `${key}-paid`)).told;
  }

  /** Buyers, readers and the supervisor begin. */
  begin(buyers: number): void {
    const read = `/v2/invoice/account/${this.#api.ready.accounts.buyer.account_id}`;
    this.#work = Promise.all([
      ...Array.from({ length: buyers }, () => this.#while(20, () => this.sell())),
      this.#while(50, () => this.#ask('read', 'GET', read)),
      this.#while(200, () => this.#health('/healthz')),
      this.#while(200, () => this.#health('/readyz')),
    ]);
  }

  /** They end; what was under way is answered first. */
  async end(): Promise<void> {
    this.#open = false;
    await this.#work;
  }

  /** Sells until a sale is paid; gives how long that took. */
  async untilSold(withinMs: number): Promise<number> {
    const started = performance.now();
    const key = `${this.#name}-until`;
    for (;;) {
      const { status } = await this.sell(key);
      const took = performance.now() - started;
      if (status === 200) return took;
      assert.ok(took < withinMs, `nothing was sold within ${withinMs} ms: ${status}`);
      await pause(100);
    }
  }

  /** Asks for each sale again under its key until it is paid; gives how many there are. */
  async paidInTheEnd(): Promise<number> {
    const left = Array.from({ length: this.#keys }, (_, n) => `${this.#name}-${n + 1}`);
    const buyer = async (): Promise<void> => {
      for (let key = left.pop(); key !== undefined; key = left.pop()) await this.#paid(key);
    };
    await Promise.all(Array.from({ length: 8 }, buyer));
    return this.#keys;
  }

  async #paid(key: string): Promise<void> {
    let last = await this.sell(key);
    for (let tries = 0; last.status === 503 && tries < 20; tries += 1) {
      await pause(200);
      last = await this.sell(key);
    }
    assert.equal(last.status, 200, `${last.what} ${last.code}`);
  }

  /** Answers of this sort that were asked for after a moment. */
  of(what: string, since = 0): Told[] {
    return this.told.filter((one) => one.what === what && one.at >= since);
  }

  async #while(everyMs: number, work: () => Promise<unknown>): Promise<void> {
    while (this.#open) {
      await work();
      await pause(everyMs);
    }
  }

  async #health(path: string): Promise<void> {
    await this.#note(path, this.#api.send('internal', 'GET', path, { token: null }));
  }

  async #ask(what: string, method: string, path: string, key?: string, body?: object) {
    const call = { ...(body && { body }), ...(key && { key }) };
    return this.#note(what, this.#api.send('invoicing', method, path, call));
  }

  async #note(what: string, asked: Promise<Reply>) {
    const at = this.now;
    const { status, code, headers, payload } = await asked;
    const retryAfter = headers.get('retry-after');
    const told: Told = { what, status, code, retryAfter, at, took: this.now - at };
    this.told.push(told);
    return { told, payload };
  }
}

/** What must hold while the database is away: "not now" with a time, health at once. */
export function checkTold(shop: Shop, longestMs: number): void {
  for (const one of shop.told) {
    const line = JSON.stringify(one);
    if (one.what === '/healthz') assert.equal(one.status, 200, line);
    if (one.what.startsWith('/')) assert.ok(one.took < 1_000, line);
    else if (one.status === 503) assert.match(one.retryAfter ?? '', /^[1-9]\d*$/, line);
    else assert.ok(one.status < 300, line);
    assert.ok(one.took < longestMs, line);
  }
}
