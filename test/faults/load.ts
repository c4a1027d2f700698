// Customers who buy without a pause while the ground shakes. Answers for a journal of what was
// asked and what was acknowledged, so that afterwards nobody has to believe the server.
import type { Api, InvoiceSeen, Reply } from '../kit/api.ts';

/** A creation and its pay, with the keys that they carry and the bytes that answered them. */
export interface Sale {
  readonly body: object;
  readonly createKey: string;
  readonly payKey: string;
  /** Bytes of the acknowledged creation; null: nobody knows. */
  created: string | null;
  id: string | null;
  /** The pay was sent. */
  asked: boolean;
  paid: string | null;
}

/** Numbers in [0, 1) from a seed (mulberry32), so that a run can be repeated. */
export function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The ways to pay that customers choose from. */
export interface Means {
  readonly wallet: string;
  readonly cards: readonly string[];
}

export class Customers {
  readonly sales: Sale[] = [];
  /** Answers that are neither a success nor "not now": each is a defect. */
  readonly odd: string[] = [];
  readonly #roll: () => number;
  readonly #means: Means;
  #api: Api;
  #open = false;
  #keys = 0;

  constructor(api: Api, means: Means, roll: () => number) {
    this.#api = api;
    this.#means = means;
    this.#roll = roll;
  }

  /** Buys with `count` customers until `stop`. */
  start(api: Api, count: number): { stop(): Promise<void> } {
    this.#api = api;
    this.#open = true;
    const work = Promise.all(Array.from({ length: count }, () => this.#customer()));
    return {
      stop: async () => {
        this.#open = false;
        await work;
      },
    };
  }

  /**
   * Asks again for everything whose outcome nobody knows, under the same keys, until it is
   * answered; and for some of what was acknowledged. Gives what was answered with other bytes than
   * the first time.
   */
  async askAgain(api: Api, since: number): Promise<string[]> {
    this.#api = api;
    const different: string[] = [];
    for (const sale of this.sales.slice(since)) {
      const before = { created: sale.created, paid: sale.paid };
      const known = before.created !== null && (before.paid !== null || !sale.asked);
      if (known && this.#roll() > 0.2) continue;
      await this.#untilAnswered(sale, () => this.#create(sale));
      if (sale.asked) await this.#untilAnswered(sale, () => this.#pay(sale));
      if (before.created !== null && before.created !== sale.created) {
        different.push(`${before.created} then ${sale.created}`);
      }
      if (before.paid !== null && before.paid !== sale.paid) {
        different.push(`${before.paid} then ${sale.paid}`);
      }
    }
    return different;
  }

  async #untilAnswered(sale: Sale, call: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + 15_000;
    while (!(await call())) {
      if (Date.now() > deadline) throw new Error(`no answer to ${sale.createKey} after 15 s`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async #customer(): Promise<void> {
    while (this.#open) {
      const sale = this.#wish();
      this.sales.push(sale);
      if (!(await this.#create(sale))) return;
      if (!this.#open) return;
      sale.asked = true;
      if (!(await this.#pay(sale))) return;
    }
  }

  #wish(): Sale {
    const amount = 1 + Math.floor(this.#roll() * 40);
    const { wallet, cards } = this.#means;
    const card = cards[Math.floor(this.#roll() * cards.length)] ?? '';
    const part = Math.floor(this.#roll() * amount);
    const kind = this.#roll();
    const methods =
      kind < 0.5
        ? [{ payment_method_id: wallet }]
        : kind < 0.8 || part === 0
          ? [{ payment_method_id: card }]
          : [
              { payment_method_id: wallet, amount: part },
              { payment_method_id: card, amount: 0 },
            ];
    this.#keys += 1;
    const nothing = { created: null, id: null, asked: false, paid: null };
    const keys = { createKey: `create-${this.#keys}`, payKey: `pay-${this.#keys}` };
    return { body: this.#api.sale(amount, methods), ...keys, ...nothing };
  }

  async #create(sale: Sale): Promise<boolean> {
    const reply = await this.#answer(() => this.#api.create(sale.body, sale.createKey), 201);
    if (reply === null) return false;
    sale.created = reply.text;
    sale.id = (reply.payload as InvoiceSeen).invoice_id;
    return true;
  }

  async #pay(sale: Sale): Promise<boolean> {
    const reply = await this.#answer(() => this.#api.pay(sale.id ?? '', sale.payKey), 200);
    if (reply === null) return false;
    sale.paid = reply.text;
    return true;
  }

  /** The answer, or null where the connection broke or the server could not say. */
  async #answer(call: () => Promise<Reply>, status: number): Promise<Reply | null> {
    let reply: Reply;
    try {
      reply = await call();
    } catch {
      return null;
    }
    if (reply.status === status) return reply;
    if (reply.status !== 503) this.odd.push(`${reply.status} ${reply.codes.join(' ')}`);
    return null;
  }
}
