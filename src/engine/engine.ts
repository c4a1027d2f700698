// The engine: takes commands, discovers their read sets, runs at most two batches at a time and
// answers after COMMIT. Commands that cannot be batched, failed in a batch or kept meeting locked
// rows get a transaction of their own.
import { isTrouble, isUnreachable, sqlState } from '../db/index.ts';
import { Refusal } from '../core/refusal.ts';
import { Admission, ConcurrencyLimit, Waiting } from './queue.ts';
import type { Command, CommandAnswer, Submission } from '../core/command.ts';
import {
  arriving,
  discover,
  forget,
  settleReplays,
  type AnyCommand,
  type Outcome,
  type Pending,
} from './discover.ts';
import { MOST_TRIES, runRetrying, type Run, type Verdict } from './transaction.ts';
import { ImmutableRows } from './rows.ts';
import {
  answerTo,
  CommitUnknown,
  engineRefusals,
  noCounters,
  type EngineCounters,
  type EngineOptions,
} from './options.ts';
import type { IdRow } from '../core/table.ts';

const MOST_ROUNDS = 3;

export class Engine {
  readonly counters: EngineCounters = noCounters();
  open = 0;
  readonly #options: EngineOptions;
  readonly #memory = new ImmutableRows();
  readonly #admission = new Admission();
  readonly #discoveries = new ConcurrencyLimit(2);
  readonly #batches: ConcurrencyLimit;
  readonly #waiting: Waiting;
  #arrivals: Pending[] = [];
  #turning = false;
  #alone = 0;
  #stopped: (() => void) | null = null;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#batches = new ConcurrencyLimit(options.batches ?? 2);
    this.#waiting = new Waiting(options);
  }

  /**
   * Resolves after COMMIT. Rejects with a Refusal or a fault's error; then nothing was written,
   * unless the refusal says that the outcome is unknown.
   */
  async run<I>(command: Command<I>, input: I, submission: Submission): Promise<CommandAnswer> {
    return (await this.submit(command, input, submission)).answer;
  }

  /** As `run`, and says whether the answer is a replay of a stored one. */
  submit<I>(command: Command<I>, input: I, submission: Submission): Promise<Outcome> {
    if (this.#stopped !== null) return Promise.reject(new Refusal(engineRefusals.OVERLOADED));
    return new Promise<Outcome>((resolve, reject) => {
      const lineage = this.#options.lineages.lineageOf(submission.workspace);
      if (this.open === 0) this.#waiting.moved();
      this.open += 1;
      const closed = (): void => {
        this.open -= 1;
        if (this.open === 0) this.#stopped?.();
      };
      const given = {
        command: command as unknown as AnyCommand,
        input,
        submission,
        lineage,
        arrived: this.#options.scheduler.now(),
        settle: (outcome: Outcome) => (closed(), resolve(outcome)),
        fail: (error: unknown) => (closed(), reject(error as Error)),
      };
      this.#arrivals.push(arriving(given));
      this.counters.commands += 1;
      this.#turn();
      this.#waiting.sweepWhile(() => this.#sweep());
    });
  }

  /** Milliseconds since any open command made progress; 0 if none is open. */
  get stillMs(): number {
    return this.open === 0 ? 0 : this.#waiting.stillMs;
  }

  /** How many of the open commands are in a transaction; the others wait for one. */
  get running(): number {
    return Math.min(this.open, this.#admission.running);
  }

  /** Takes no new commands; resolves when the open ones are answered. */
  async stop(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#stopped = resolve;
      if (this.open === 0) resolve();
    });
  }

  #sweep(): boolean {
    const waiting = this.#waiting;
    this.#arrivals = waiting.dropLate(this.#arrivals);
    waiting.dropLate(this.#admission.takeWaiting((pending) => waiting.isLate(pending)));
    return this.open > 0;
  }

  #turn(): void {
    if (this.#turning) return;
    this.#turning = true;
    this.#options.scheduler.soon(() => {
      this.#turning = false;
      this.#discoverArrivals();
      this.#fillRunners();
    });
  }

  #discoverArrivals(): void {
    if (this.#arrivals.length === 0 || !this.#discoveries.allows(this.#arrivals.length)) return;
    const group = this.#waiting.dropLate(this.#arrivals);
    this.#arrivals = [];
    if (group.length === 0) return;
    this.#discoveries.started(group.length);
    this.#waiting.moved();
    discover(this.#options, group, this.#memory)
      .then(
        (ready) => {
          for (const pending of ready) this.#admission.add(pending);
        },
        (error: unknown) => this.#discoverAlone(group, error),
      )
      .finally(() => {
        this.#discoveries.ended();
        this.#waiting.moved();
        this.#fillRunners();
        if (this.#arrivals.length > 0) this.#turn();
      });
  }

  /** If discovery fails for a group, each command is read alone, so that only the bad one fails. */
  #discoverAlone(group: readonly Pending[], error: unknown): void {
    const alone = group.length === 1 || isTrouble(error);
    if (alone) return group.forEach((pending) => this.#fault(pending, error));
    for (const pending of group) {
      forget(pending);
      discover(this.#options, [pending], this.#memory).then(
        (ready) => {
          for (const one of ready) this.#admission.add(one);
          this.#turn();
        },
        (reason: unknown) => this.#fault(pending, reason),
      );
    }
  }

  #fillRunners(): void {
    while (this.#batches.allows(this.#admission.waiting)) {
      const batch = this.#dropLateAdmitted(this.#admission.takeBatch());
      if (batch.length === 0) break;
      this.#batches.started(batch.length);
      void this.#runBatch(batch).finally(() => {
        this.#batches.ended();
        this.#release(batch);
      });
    }
    while (this.#alone < (this.#options.alone ?? 4)) {
      const pending = this.#admission.takeAlone();
      if (pending === null) break;
      this.#alone += 1;
      void this.#runAlone(pending).finally(() => {
        this.#alone -= 1;
        this.#release([pending]);
      });
    }
  }

  #dropLateAdmitted(batch: readonly Pending[]): Pending[] {
    const kept = this.#waiting.dropLate(batch);
    const keptSet = new Set(kept);
    for (const pending of batch) if (!keptSet.has(pending)) this.#release([pending]);
    return kept;
  }

  #release(list: readonly Pending[]): void {
    this.#waiting.moved();
    // A repeat looks up the stored answer now.
    for (const pending of this.#admission.release(list)) {
      forget(pending);
      this.#arrivals.push(pending);
    }
    this.#fillRunners();
    if (this.#arrivals.length > 0) this.#turn();
  }

  async #runBatch(batch: readonly Pending[]): Promise<void> {
    this.counters.batches += 1;
    try {
      const run = await runRetrying(this.#options, this.counters, batch, 'skip');
      this.#answer(run);
    } catch (error) {
      this.counters.poisoned += 1;
      if (sqlState(error) === null) this.#options.fault(error, 'batch');
      for (const pending of batch) {
        if (error instanceof CommitUnknown) pending.fail(answerTo(error));
        else if (isTrouble(error)) this.#startAgain(pending, error);
        else if (this.#waiting.dropLate([pending]).length > 0) await this.#runAlone(pending);
      }
    }
  }

  /** Retried after a broken connection; a silent connection or a full disk is answered. */
  #startAgain(pending: Pending, error: unknown): void {
    pending.rounds += 1;
    const mayWait = this.#waiting.isYoung(pending) && pending.rounds < MOST_ROUNDS;
    if (!mayWait || !isUnreachable(error)) return this.#fault(pending, error);
    forget(pending);
    this.#arrivals.push(pending);
  }

  async #runAlone(pending: Pending): Promise<void> {
    this.counters.alone += 1;
    this.#waiting.moved();
    for (let tries = 0; ; tries += 1) {
      try {
        forget(pending);
        const ready = await discover(this.#options, [pending], this.#memory);
        if (ready.length === 0) return;
        const run = await runRetrying(this.#options, this.counters, [pending], 'wait');
        const verdict = run.verdicts.get(pending);
        if (verdict?.kind === 'again') {
          if (tries < MOST_TRIES) continue;
          pending.fail(new Refusal(engineRefusals.RESOURCE_BUSY, {}, 1));
          return;
        }
        this.#answer(run);
        return;
      } catch (error) {
        // Another transaction took the unique key first: read again and see its row.
        if (sqlState(error) === '23505' && tries < MOST_TRIES) continue;
        if (sqlState(error) !== '55P03') return this.#fault(pending, error);
        return pending.fail(new Refusal(engineRefusals.RESOURCE_BUSY, {}, 1));
      }
    }
  }

  #answer(run: Run): void {
    // Immutable rows that were just committed are cached without reading them back.
    for (const [table, rows] of run.writes.inserts) {
      if (!table.remembered) continue;
      for (const row of rows) this.#memory.keep(table, row as IdRow);
    }
    if (run.workspaces.size > 0) this.#options.committed(run.workspaces, run.writes.tables);
    for (const [pending, verdict] of run.verdicts) this.#tell(pending, verdict);
  }

  #tell(pending: Pending, verdict: Verdict): void {
    if (verdict.kind === 'answer') {
      pending.settle({ answer: verdict.answer, replayed: false });
    } else if (verdict.kind === 'refusal') {
      this.#refuse(pending, verdict.refusal);
    } else if (verdict.kind === 'fault') {
      this.#fault(pending, verdict.error);
    } else {
      this.counters.again += 1;
      pending.rounds += 1;
      if (pending.rounds >= MOST_ROUNDS) {
        this.#admission.addAlone(pending);
      } else {
        forget(pending);
        this.#arrivals.push(pending);
      }
    }
  }

  /** With an idempotency key: perhaps another process was faster with the same request. [G-44] */
  #refuse(pending: Pending, refusal: Refusal): void {
    if (!pending.submission.idempotency) {
      pending.fail(refusal);
      return;
    }
    settleReplays(this.#options, [pending]).then(
      (settled) => {
        if (!settled.has(pending)) pending.fail(refusal);
      },
      (error: unknown) => this.#fault(pending, error),
    );
  }

  #fault(pending: Pending, error: unknown): void {
    if (error instanceof Refusal) {
      pending.fail(error);
      return;
    }
    this.#options.fault(error, pending.command.name);
    pending.fail(answerTo(error));
  }
}
