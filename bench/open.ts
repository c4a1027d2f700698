// The open loop: purchases are due at a constant rate, whether or not the server keeps up, and
// every latency counts from the due time, waiting for a connection included. A purchase is create,
// pay, get; beside it come some reads of payment methods and some tokens.
import { Line } from './line.ts';
import type { Address, OperationName, Plan, Target } from './plan.ts';
import { Choice, fieldIn } from './recorder.ts';
import type { Recorder } from './recorder.ts';
import { Requests } from './requests.ts';

/** One list of payment methods per so many purchases, one token per so many. */
const METHODS_EVERY = 4;
const TOKEN_EVERY = 20;
/** Requests of one purchase: create, pay and get, and its share of the others. */
export const REQUESTS_OF_PURCHASE = 3 + 1 / METHODS_EVERY + 1 / TOKEN_EVERY;
/** Most requests waiting for a connection; beyond it the server is too slow and none are added. */
const QUEUE_LIMIT = 20_000;
const TAIL_MS = 10_000;

interface Task {
  readonly operation: OperationName;
  readonly request: string;
  readonly due: number;
  readonly after: ((text: string, now: number) => void) | null;
}

/** Connections to one host and the requests waiting for one, first come, first served. */
class Runner {
  readonly #recorder: Recorder;
  readonly #lines: Line[];
  readonly #idle: Line[];
  readonly #waiting: Task[] = [];
  #first = 0;
  #flying = 0;

  constructor(address: Address, size: number, buffer: Buffer, recorder: Recorder) {
    this.#recorder = recorder;
    this.#lines = Array.from({ length: size }, () => new Line(address, buffer));
    this.#idle = [...this.#lines];
  }

  /** Requests sent or waiting. */
  get open(): number {
    return this.#flying + this.#waiting.length - this.#first;
  }

  add(task: Task): void {
    const line = this.#idle.shift();
    if (line !== undefined) this.#send(line, task);
    else if (this.#waiting.length - this.#first < QUEUE_LIMIT) this.#waiting.push(task);
    else this.#recorder.fail(`${task.operation} never sent`, 'the queue of the generator is full');
  }

  close(): void {
    for (const line of this.#lines) line.close();
  }

  #send(line: Line, task: Task): void {
    this.#flying += 1;
    line.send(task.request, (status, text) => {
      const now = performance.now();
      this.#flying -= 1;
      const well = this.#recorder.answer(task.operation, status, text, task.due, now);
      const next = this.#waiting[this.#first];
      if (next === undefined) this.#idle.push(line);
      else {
        this.#first += 1;
        if (this.#first > 1000) this.#first -= this.#waiting.splice(0, this.#first).length;
        this.#send(line, next);
      }
      if (well) task.after?.(text, now);
    });
  }
}

/** The purchases of one server process. */
class Shop {
  readonly #plan: Plan;
  readonly #recorder: Recorder;
  readonly #choice: Choice;
  readonly #requests: Requests;
  readonly #lanes: { readonly invoicing: Runner; readonly payments: Runner; readonly auth: Runner };
  #purchases = 0;

  constructor(target: Target, plan: Plan, recorder: Recorder, seed: number, buffer: Buffer) {
    this.#plan = plan;
    this.#recorder = recorder;
    this.#choice = new Choice(seed);
    this.#requests = new Requests(target, plan);
    const lane = (address: Address): Runner =>
      new Runner(address, plan.connections, buffer, recorder);
    this.#lanes = {
      invoicing: lane(target.invoicing),
      payments: lane(target.payments),
      auth: lane(target.auth),
    };
  }

  /** Unanswered requests of all connections. */
  get open(): number {
    return this.#lanes.invoicing.open + this.#lanes.payments.open + this.#lanes.auth.open;
  }

  close(): void {
    for (const lane of Object.values(this.#lanes)) lane.close();
  }

  /** Starts a purchase due at `due`, and the reads that belong to it. */
  purchase(due: number): void {
    const requests = this.#requests;
    const buyer = this.#choice.next(this.#plan.buyers.length);
    const seller = this.#choice.next(this.#plan.sellers.length);
    const created = (text: string, now: number): void => {
      this.#pay(fieldIn(text, 'invoice_id'), now);
    };
    const request = requests.create(buyer, seller);
    this.#lanes.invoicing.add({ operation: 'create', request, due, after: created });
    this.#purchases += 1;
    if (this.#purchases % METHODS_EVERY === 0) {
      const list = requests.methods(this.#choice.next(this.#plan.buyers.length));
      this.#lanes.payments.add({ operation: 'methods', request: list, due, after: null });
    }
    if (this.#purchases % TOKEN_EVERY === 0) {
      this.#lanes.auth.add({ operation: 'token', request: requests.token(), due, after: null });
    }
  }

  #pay(invoiceId: string, due: number): void {
    if (invoiceId === '') {
      this.#recorder.fail('create without invoice_id', '');
      return;
    }
    const paid = (_text: string, now: number): void => {
      this.#recorder.paid(invoiceId, now);
      const read = this.#requests.get(invoiceId);
      this.#lanes.invoicing.add({ operation: 'get', request: read, due: now, after: null });
    };
    const request = this.#requests.move(invoiceId, 'pay');
    this.#lanes.invoicing.add({ operation: 'pay', request, due, after: paid });
  }
}

/** Starts purchases at `plan.rate` a second until the window closes; waits for the last answers. */
export async function runOpen(plan: Plan, recorder: Recorder): Promise<void> {
  const buffer = Buffer.allocUnsafe(256 * 1024);
  const shops = plan.targets.map(
    (target, i) => new Shop(target, plan, recorder, plan.seed + i, buffer),
  );
  const start = performance.now();
  let started = 0;
  await new Promise<void>((resolve) => {
    const tick = (): void => {
      const now = performance.now();
      let due = start + (started * 1000) / plan.rate;
      while (due <= now && due < recorder.closeAt) {
        shops[started % shops.length]?.purchase(due);
        started += 1;
        due = start + (started * 1000) / plan.rate;
      }
      const open = shops.reduce((sum, shop) => sum + shop.open, 0);
      const over = now >= recorder.closeAt;
      if (over && (open === 0 || now >= recorder.closeAt + TAIL_MS)) resolve();
      else setTimeout(tick, 1);
    };
    tick();
  });
  for (const shop of shops) shop.close();
}
