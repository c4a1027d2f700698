// Who may run now. Keeps the ready commands of each world in order, and the names of everything
// that a lane in flight holds: a command whose rows are in flight here is not admitted, so a
// process never collides with itself. Round-robin by world; commands that finish something begun go
// first.
import type { Pending } from './pending.ts';

/** Rows a batch may hold; more made its commit slower than it made the batch cheaper. */
const MOST_ROWS = 600;
/** Commands whose rows were looked at in vain before a pass gives up. */
const MOST_LOOKS = 2_000;

export class Admission {
  readonly #queues = new Map<number, Pending[]>();
  readonly #solo: Pending[] = [];
  readonly #held = new Set<string>();
  /** Keys as they were when the command was taken: discovery may run again meanwhile. */
  readonly #heldBy = new Map<Pending, readonly string[]>();
  /** Requests that repeat a key in flight: they wait for the first one's kept answer. */
  readonly #repeats = new Map<string, Pending[]>();

  /** A command whose lock set is closed. */
  add(pending: Pending): void {
    const claim = pending.keys.at(-1);
    if (claim?.startsWith('idempotency:') && this.#held.has(claim)) {
      this.#repeat(claim, pending);
      return;
    }
    if (!pending.command.batchable) {
      this.addSolo(pending);
      return;
    }
    const world = pending.submission.world;
    const queue = this.#queues.get(world);
    if (queue === undefined) this.#queues.set(world, [pending]);
    else if (pending.command.critical) queue.unshift(pending);
    else queue.push(pending);
  }

  /** Commands that wait to share a transaction. */
  get waiting(): number {
    let count = 0;
    for (const queue of this.#queues.values()) count += queue.length;
    return count;
  }

  addSolo(pending: Pending): void {
    this.#solo.push(pending);
  }

  /** Takes what may share a transaction now; holds its keys until `release`. */
  takeBatch(): Pending[] {
    const batch: Pending[] = [];
    // Keys that an earlier command of a queue waits for: a later one does not overtake it.
    const wanted = new Set<string>();
    let rows = 0;
    let looks = 0;
    const share = Math.ceil(MOST_ROWS / Math.max(1, this.#queues.size));
    for (const [world, queue] of [...this.#queues]) {
      const rest: Pending[] = [];
      let mine = 0;
      for (const pending of queue) {
        const full = rows >= MOST_ROWS || mine >= share || looks >= MOST_LOOKS;
        const free = !full && pending.keys.every((key) => !this.#held.has(key) && !wanted.has(key));
        looks += 1;
        if (free) {
          batch.push(pending);
          const weight = 4 + pending.keys.length;
          rows += weight;
          mine += weight;
        } else {
          rest.push(pending);
          if (!full) for (const key of pending.keys) if (this.#held.has(key)) wanted.add(key);
        }
      }
      // The world served first goes last next time.
      this.#queues.delete(world);
      if (rest.length > 0) this.#queues.set(world, rest);
    }
    // Keys are held only now: within one batch, commands on the same rows follow each other.
    const taken = new Set<string>();
    const kept: Pending[] = [];
    for (const pending of batch) {
      const claim = pending.keys.at(-1);
      if (claim?.startsWith('idempotency:')) {
        if (taken.has(claim)) {
          this.#repeat(claim, pending);
          continue;
        }
        taken.add(claim);
      }
      kept.push(pending);
    }
    for (const pending of kept) this.#hold(pending);
    return kept;
  }

  /** Takes one command that runs alone; holds its keys until `release`. */
  takeSolo(): Pending | null {
    for (let at = 0; at < this.#solo.length; at += 1) {
      const pending = this.#solo[at];
      if (pending === undefined || pending.keys.some((key) => this.#held.has(key))) continue;
      this.#solo.splice(at, 1);
      this.#hold(pending);
      return pending;
    }
    return null;
  }

  /** Gives the keys back; gives the repeats that may now look up the kept answer. */
  release(list: readonly Pending[]): Pending[] {
    const repeats: Pending[] = [];
    for (const pending of list) {
      for (const key of this.#heldBy.get(pending) ?? []) {
        this.#held.delete(key);
        const waiting = this.#repeats.get(key);
        if (waiting !== undefined) {
          repeats.push(...waiting);
          this.#repeats.delete(key);
        }
      }
      this.#heldBy.delete(pending);
    }
    return repeats;
  }

  /** Takes out who waits for a turn and is not to wait longer. */
  takeWaiting(isLate: (pending: Pending) => boolean): Pending[] {
    const late: Pending[] = [];
    const rest = (list: Pending[]): Pending[] =>
      list.filter((pending) => !isLate(pending) || late.push(pending) === 0);
    for (const queues of [this.#queues, this.#repeats] as Map<unknown, Pending[]>[]) {
      for (const [key, queue] of queues) {
        const kept = rest(queue);
        if (kept.length === 0) queues.delete(key);
        else if (kept.length < queue.length) queues.set(key, kept);
      }
    }
    this.#solo.splice(0, this.#solo.length, ...rest(this.#solo));
    return late;
  }

  #hold(pending: Pending): void {
    this.#heldBy.set(pending, pending.keys);
    for (const key of pending.keys) this.#held.add(key);
  }

  #repeat(claim: string, pending: Pending): void {
    const waiting = this.#repeats.get(claim);
    if (waiting === undefined) this.#repeats.set(claim, [pending]);
    else waiting.push(pending);
  }
}
