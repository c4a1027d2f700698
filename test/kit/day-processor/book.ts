// The book of a processor of another shape, for tests: it only accepts commands and carries them
// out later, one after another; sums are decimal texts, and its statement is one page for each day.
import { randomUUID } from 'node:crypto';

export interface Order {
  readonly key: string;
  readonly token: string;
  readonly sum: string;
  readonly currency: string;
  state: 'held' | 'asking' | 'taking' | 'taken' | 'void' | 'refused';
  reason: string | null;
  /** Of the page where the buyer is asked. */
  readonly page: string;
  /** Given up before it was used. */
  readonly barred: boolean;
  givenBack: bigint;
}

export interface Sending {
  readonly key: string;
  readonly kind: string;
  readonly target: string;
  readonly sum: string;
  readonly currency: string;
  state: 'sent' | 'back' | 'refused';
  reason: string | null;
}

export interface Row {
  readonly n: number;
  readonly what: 'taken' | 'refund' | 'payout' | 'payout_back' | 'return';
  readonly key: string;
  readonly sum: string;
  readonly currency: string;
}

/** A command: what to do, and to whom. */
export interface Command {
  readonly verb: 'hold' | 'take' | 'drop' | 'send';
  readonly key: string;
  readonly token: string;
  readonly kind: string;
  readonly sum: string;
  readonly currency: string;
}

/** Rows until a day ends, so that a statement has several. */
const ROWS_A_DAY = 10;
const LATER_MS = 3;
/** What tokens do, by how they begin. */
const REFUSED_AT_ONCE = /^poor/;
const REFUSED_LATER = /^brittle/;

export const minor = (sum: string): bigint => BigInt(sum.replace('.', ''));
export const decimal = (amount: bigint): string =>
  `${amount / 100n}.${String(amount % 100n).padStart(2, '0')}`;

export class Book {
  readonly orders = new Map<string, Order>();
  readonly sendings = new Map<string, Sending>();
  readonly tokens = new Set<string>();
  readonly rows: Row[] = [];
  /** Commands accepted and carried out so far. */
  accepted = 0;
  done = 0;
  /** Who hears that something was carried out. */
  tell: (key: string) => void = () => {};
  #queue = Promise.resolve();

  newToken(name: string): string {
    const token = `${name}.${randomUUID()}`;
    this.tokens.add(token);
    return token;
  }

  /** Accepts a command; gives its number, or null where the key is of another order. */
  accept(command: Command): number | null {
    if (!this.#fits(command)) return null;
    const number = (this.accepted += 1);
    this.#queue = this.#queue
      .then(() => new Promise<void>((later) => setTimeout(later, LATER_MS)))
      .then(() => {
        this.#carryOut(command);
        this.done = number;
        this.tell(command.key);
      });
    return number;
  }

  #fits({ verb, key, token, kind, sum, currency }: Command): boolean {
    const known = verb === 'send' ? this.sendings.get(key) : this.orders.get(key);
    if (known === undefined) return true;
    const to = 'target' in known ? `${known.kind} ${known.target}` : known.token;
    const asked = verb === 'send' ? `${kind} ${token}` : token;
    return to === asked && known.sum === sum && known.currency === currency;
  }

  #carryOut(command: Command): void {
    if (!this.#fits(command)) return;
    if (command.verb === 'send') return this.#send(command);
    const order = this.orders.get(command.key);
    if (command.verb === 'take') return order && this.#take(order);
    if (command.verb === 'drop') return this.#drop(command, order);
    if (order !== undefined) return undefined;
    const { token } = command;
    // Who saves nothing is asked for a card on the page.
    const known = this.tokens.has(token) || token === 'once-card';
    const refused = !known || REFUSED_AT_ONCE.test(token);
    const open = /^(asked|once)/.test(token) ? 'asking' : 'held';
    const reason = refused ? (known ? '51' : '14') : null;
    return this.#open(command, refused ? 'refused' : open, reason);
  }

  #open({ key, token, sum, currency }: Command, state: Order['state'], reason: string | null) {
    const barred = state === 'void';
    const page = randomUUID();
    const what = { key, token, sum, currency, state, reason, page, barred, givenBack: 0n };
    this.orders.set(key, what);
  }

  #take(order: Order): void {
    if (order.state !== 'held') return;
    if (REFUSED_LATER.test(order.token)) Object.assign(order, { state: 'refused', reason: '05' });
    else if (order.token.startsWith('bank')) order.state = 'taking';
    else this.#taken(order);
  }

  #taken(order: Order): void {
    order.state = 'taken';
    this.#write('taken', order);
  }

  #drop(command: Command, order: Order | undefined): void {
    if (order === undefined) return this.#open(command, 'void', null);
    if (order.state === 'taken') {
      const left = minor(order.sum) - order.givenBack;
      order.givenBack += left;
      if (left > 0n) this.#write('refund', { ...order, sum: decimal(left) });
    }
    if (order.state !== 'refused') order.state = 'void';
  }

  #send({ key, kind, token: target, sum, currency }: Command): void {
    if (this.sendings.has(key)) return;
    const order = this.orders.get(target);
    const left = order?.state === 'taken' ? minor(order.sum) - order.givenBack : 0n;
    const payable = this.tokens.has(target) && target.startsWith('bank');
    const goes = kind === 'refund' ? left >= minor(sum) && left > 0n : payable;
    const reason = goes ? null : kind === 'refund' ? '61' : '14';
    const sending = { key, kind, target, sum, currency, reason } as const;
    this.sendings.set(key, { ...sending, state: goes ? 'sent' : 'refused' });
    if (!goes) return;
    if (order !== undefined && kind === 'refund') order.givenBack += minor(sum);
    this.#write(kind === 'refund' ? 'refund' : 'payout', sending);
  }

  #write(what: Row['what'], { key, sum, currency }: Pick<Row, 'key' | 'sum' | 'currency'>): void {
    this.rows.push({ n: this.rows.length + 1, what, key, sum, currency });
  }

  /** The rows of a day, and whether it has ended. */
  day(number: number): { readonly rows: readonly Row[]; readonly ended: boolean } {
    const from = number * ROWS_A_DAY;
    const rows = this.rows.slice(from, from + ROWS_A_DAY);
    return { rows, ended: rows.length === ROWS_A_DAY };
  }

  /** The buyer decides; false where there is nothing to decide. */
  decide(page: string, confirms: boolean): boolean {
    const order = [...this.orders.values()].find((one) => one.page === page);
    if (order?.state !== 'asking') return false;
    Object.assign(order, confirms ? { state: 'held' } : { state: 'refused', reason: '1A' });
    return true;
  }

  /** What only the world can do; false where it is not possible. */
  happen(key: string, event: string): boolean {
    const [order, sending] = [this.orders.get(key), this.sendings.get(key)];
    if (sending?.state === 'sent' && sending.kind === 'payout' && event === 'return') {
      sending.state = 'back';
      this.#write('payout_back', sending);
      return true;
    }
    if (order?.state !== 'taking') return false;
    if (event === 'settle') this.#taken(order);
    else Object.assign(order, { state: 'refused', reason: '51' });
    return true;
  }
}
