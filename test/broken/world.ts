// People of one history, and a caller who sends everything again under its key until somebody
// answers. Beside them the reference model: how much each person must have in the end.
import assert from 'node:assert/strict';
import type { Api, Call, Registered, Reply } from '../kit/api.ts';
import type { HostName } from '../../src/core/operation.ts';
import { agree } from '../api/fixtures.ts';
import { Rng } from '../laws/rng.ts';

const MOST_TRIES = 100;
const PAUSE_MS = 20;
/** Requests that are sent once more after their answer. */
const AGAIN = 4;

/** One request: what it is for, its answer's status, and where it goes. */
export interface Asked extends Call {
  readonly status: number;
  readonly host?: HostName;
  readonly method?: string;
  readonly path: string;
  /** Refusals that the request may end with. */
  readonly refusals?: readonly string[];
  /** True: the key may answer otherwise than the first time. [G-34] */
  readonly unsettled?: true;
}

/** Somebody with a wallet. */
export interface Somebody extends Registered {
  readonly name: string;
}

/** What is left to check once nothing is under way. */
export type Check = () => Promise<void>;

export class World {
  readonly api: Api;
  readonly rng: Rng;
  readonly name: string;
  readonly checks: Check[] = [];
  /** Minor units that each account must have in the end, spendable or kept. */
  readonly expected = new Map<string, number>();
  /** How many mails of a kind each person must have got, by `<kind> <account_id>`. */
  readonly mails = new Map<string, number>();
  /** How many sales, escrows, deposits and payouts were acknowledged. */
  readonly made = { sale: 0, escrow: 0, deposit: 0, payout: 0 };
  #keys = 0;

  constructor(api: Api, seed: number, number: number) {
    this.api = api;
    this.rng = new Rng(seed * 1_000_003 + number);
    this.name = `h${seed}_${number}`;
  }

  /** Registers somebody with money, before anything fails. */
  async person(name: string, funds = 0): Promise<Somebody> {
    const email = { address: `${this.name}_${name}@people.example`, requires_verification: false };
    const made = await this.api.register(`${this.name}_${name}`, { email });
    if (funds > 0) await this.api.fund(made.account_id, funds);
    this.expected.set(made.account_id, funds);
    return { ...made, name };
  }

  /** The token of a person's session. */
  async session(account_id: string): Promise<{ readonly user: string; readonly session: string }> {
    return agree(this.api, account_id);
  }

  /** Somebody gains, or loses, so much. */
  gains({ account_id }: Somebody, amount: number): void {
    this.expected.set(account_id, (this.expected.get(account_id) ?? 0) + amount);
  }

  /** Somebody is told something by mail, once. */
  mailed({ account_id }: Somebody, kind: 'receipt' | 'refund' | 'payout_sent'): void {
    const what = `${kind} ${account_id}`;
    this.mails.set(what, (this.mails.get(what) ?? 0) + 1);
  }

  /** Sends a request under a key of its own until it is answered; maybe once more after that. */
  async ask(asked: Asked): Promise<Reply> {
    const key = `${this.name}-${(this.#keys += 1)}`;
    const again = this.rng.once(AGAIN);
    const reply = await this.#untilAnswered(asked, key);
    if (!again || asked.unsettled === true) return reply;
    const repeated = await this.#untilAnswered(asked, key);
    if (reply.status < 300) assert.deepEqual(repeated.payload, reply.payload, asked.path);
    return reply;
  }

  async #untilAnswered(asked: Asked, key?: string): Promise<Reply> {
    const { status, host = 'invoicing', method = 'POST', path, refusals = [], ...more } = asked;
    const call = { ...more, ...(key !== undefined && { key }) };
    let last = '';
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const reply = await this.api.send(host, method, path, call).catch(String);
      if (typeof reply !== 'string') {
        if (reply.status === status || refusals.includes(reply.code)) return reply;
        // A server that lost its database says 503, and 500 for what it cannot tell.
        assert.ok(reply.status >= 500, `${method} ${path}: ${reply.status} ${reply.text}`);
      }
      last = typeof reply === 'string' ? reply : reply.text;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    return assert.fail(`${method} ${path} has no answer after ${MOST_TRIES} tries: ${last}`);
  }

  /** Reads something, until there is an answer. */
  async read<T>(host: HostName, path: string): Promise<T> {
    return (await this.#untilAnswered({ status: 200, host, method: 'GET', path })).payload as T;
  }
}
