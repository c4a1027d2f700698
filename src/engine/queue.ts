// Which waiting commands start next, and who has waited too long. A command is admitted only while
// nothing in flight in this process holds one of its keys (locked rows, idempotency claim), so that
// the process never blocks itself.
import { Refusal } from '../core/refusal.ts';
import type { Pending } from './discover.ts';
import { engineRefusals, type EngineOptions } from './options.ts';

/** Most rows in one batch; beyond this the commit got slower faster than the batch got cheaper. */
const MOST_ROWS = 600;
/** Most commands that one pass examines before it stops looking. */
const MOST_LOOKS = 2_000;

/**
 * Passes that may go by a command whose rows are in flight. Keeping its rows for it from the first
 * made batches a tenth smaller where 128 callers share 100 wallets.
 */
export const MOST_PASSED = 8;

export class Admission {
  readonly #queues = new Map<number, Pending[]>();
  readonly #solo: Pending[] = [];
  readonly #held = new Set<string>();
  /** The keys each command was admitted with: discovery may run again for it meanwhile. */
  readonly #heldBy = new Map<Pending, readonly string[]>();
  /** Requests that repeat a key in flight; they wait for the first one's stored answer. */
  readonly #repeats = new Map<string, Pending[]>();

  /** Queues a command whose read set is complete. */
  add(pending: Pending): void {
    const claim = pending.keys.at(-1);
    if (claim?.startsWith('idempotency:') && this.#held.has(claim)) {
      this.#repeat(claim, pending);
      return;
    }
    if (!pending.command.batchable) {
      this.addAlone(pending);
      return;
    }
    const workspace = pending.submission.workspace;
    const queue = this.#queues.get(workspace);
    if (queue === undefined) this.#queues.set(workspace, [pending]);
    else if (pending.command.highPriority) addFirst(queue, pending);
    else queue.push(pending);
  }

  /** Number of commands queued for a batch. */
  get waiting(): number {
    let count = 0;
    for (const queue of this.#queues.values()) count += queue.length;
    return count;
  }

  /** Number of commands that were taken and not released. */
  get running(): number {
    return this.#heldBy.size;
  }

  addAlone(pending: Pending): void {
    this.#solo.push(pending);
  }

  /** The next batch, or an empty list. Its keys are held until `release`. */
  takeBatch(): Pending[] {
    const batch: Pending[] = [];
    // Keys of commands that were passed over too often: nobody overtakes them any more.
    const wanted = new Set<string>();
    let rows = 0;
    const tenants = Math.max(1, this.#queues.size);
    const share = Math.ceil(MOST_ROWS / tenants);
    const mostLooks = Math.ceil(MOST_LOOKS / tenants);
    for (const [workspace, queue] of [...this.#queues]) {
      const rest: Pending[] = [];
      let mine = 0;
      let looks = 0;
      for (const pending of queue) {
        const full = rows >= MOST_ROWS || mine >= share || looks >= mostLooks;
        const free = !full && pending.keys.every((key) => !this.#held.has(key) && !wanted.has(key));
        looks += 1;
        if (free) {
          batch.push(pending);
          const weight = 4 + pending.keys.length;
          rows += weight;
          mine += weight;
        } else {
          rest.push(pending);
          if (full) continue;
          pending.passed += 1;
          if (pending.passed > MOST_PASSED) for (const key of pending.keys) wanted.add(key);
        }
      }
      // Who was served goes behind those who were not.
      if (rest.length < queue.length) this.#queues.delete(workspace);
      if (rest.length > 0) this.#queues.set(workspace, rest);
    }
    // Keys are held only from here on: commands on the same rows may share a batch, in order.
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

  /** The next command for a transaction of its own, or null. Its keys are held until `release`. */
  takeAlone(): Pending | null {
    for (let at = 0; at < this.#solo.length; at += 1) {
      const pending = this.#solo[at];
      if (pending === undefined || pending.keys.some((key) => this.#held.has(key))) continue;
      this.#solo.splice(at, 1);
      this.#hold(pending);
      return pending;
    }
    return null;
  }

  /** Frees the keys of the commands; returns the repeats that can now look up the stored answer. */
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

  /** Removes the queued commands that are late and returns them. */
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

/** Before all that is not of high priority, behind what is and came earlier. */
function addFirst(queue: Pending[], pending: Pending): void {
  const at = queue.findIndex(({ command }) => command.highPriority === undefined);
  queue.splice(at < 0 ? queue.length : at, 0, pending);
}

/** Counts the running groups of one kind. */
export class ConcurrencyLimit {
  readonly #most: number;
  #underWay = 0;
  /** Number of commands in the group that started last. */
  #last = 0;

  /** `most`: groups running at once. */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * True if a group of this size may start: always if none is running, beside another only if it is
   * at least as large. So nobody waits longer than the running group takes.
   */
  allows(size: number): boolean {
    return this.#underWay < this.#most && (this.#underWay === 0 || size >= this.#last);
  }

  started(size: number): void {
    this.#underWay += 1;
    this.#last = size;
  }

  ended(): void {
    this.#underWay -= 1;
  }
}

/** How long a command may wait for an unreachable database, and may be tried again. */
const AWAY_MS = 1_000;
const QUEUE_TIMEOUT_MS = 1_000;
const SWEEP_MS = 250;

export class Waiting {
  readonly #options: Pick<EngineOptions, 'scheduler' | 'queueTimeout' | 'away'>;
  #sweeping = false;
  /** When work last started or ended. */
  #moved = 0;

  constructor(options: Pick<EngineOptions, 'scheduler' | 'queueTimeout' | 'away'>) {
    this.#options = options;
  }

  /** Records that work started or ended. */
  moved(): void {
    this.#moved = this.#options.scheduler.now();
  }

  get stillMs(): number {
    return this.#options.scheduler.now() - this.#moved;
  }

  /** Calls `sweep` every 250 ms until it returns false. */
  sweepWhile(sweep: () => boolean): void {
    if (this.#sweeping) return;
    this.#sweeping = true;
    this.#options.scheduler.after(SWEEP_MS, () => {
      this.#sweeping = false;
      if (sweep()) this.sweepWhile(sweep);
    });
  }

  /** True for a command young enough to be tried again after its connection broke. */
  isYoung({ arrived }: Pending): boolean {
    return this.#options.scheduler.now() - arrived <= AWAY_MS;
  }

  /** A high-priority command has no time limit, unless the database is unreachable. */
  isLate(pending: Pending): boolean {
    const { scheduler, queueTimeout = QUEUE_TIMEOUT_MS, away } = this.#options;
    if (!this.isYoung(pending) && away?.() === true) return true;
    return !pending.command.highPriority && scheduler.now() - pending.arrived > queueTimeout;
  }

  /** Refuses the late commands with OVERLOADED and returns the others. */
  dropLate(group: readonly Pending[]): Pending[] {
    return group.filter((pending) => {
      if (!this.isLate(pending)) return true;
      pending.fail(new Refusal(engineRefusals.OVERLOADED, {}, 1));
      return false;
    });
  }
}
