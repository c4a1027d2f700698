// The engine: takes commands, discovers what they need, admits them to lanes, answers after COMMIT.
// Two batches at most are in flight, the second only if it is not small; none waits for a row.
// Commands that may not share, were poisoned, or met a stuck row run alone. Knows no module.
import { isUnreachable, sqlState } from '../db/index.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Admission } from './admission.ts';
import type { Command, CommandAnswer, Submission } from './command.ts';
import { discover, settleReplays } from './discover.ts';
import { CommitUnknown } from './doubt.ts';
import type { Run, Verdict } from './lane.ts';
import { ImmutableRows } from './load.ts';
import type { EngineCounters, EngineOptions } from './options.ts';
import { Pace } from './pace.ts';
import { forget, type AnyCommand, type Outcome, type Pending } from './pending.ts';
import { engineRefusals } from './refusals.ts';
import { MOST_TRIES, runRetrying } from './retry.ts';
import type { IdRow, Table } from './table.ts';
import { Loaded } from './view.ts';

const MOST_ROUNDS = 3;

export class Engine {
  readonly counters: EngineCounters = {
    commands: 0,
    batches: 0,
    solos: 0,
    again: 0,
    poisoned: 0,
    retried: 0,
  };
  readonly #options: EngineOptions;
  readonly #memory = new ImmutableRows();
  readonly #admission = new Admission();
  readonly #discoveries = new Pace(2);
  readonly #batches: Pace;
  #arrivals: Pending[] = [];
  #turning = false;
  #solos = 0;
  #open = 0;
  #stopped: (() => void) | null = null;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#batches = new Pace(options.batches ?? 2);
  }

  /**
   * Submits a command; resolves after its transaction committed. Rejects with a Refusal, or with
   * the error of a fault. Nothing of a rejected command was written.
   */
  async run<I>(command: Command<I>, input: I, submission: Submission): Promise<CommandAnswer> {
    return (await this.submit(command, input, submission)).answer;
  }

  /** As `run`, and says whether the answer is the kept one of an earlier run. */
  submit<I>(command: Command<I>, input: I, submission: Submission): Promise<Outcome> {
    if (this.#stopped !== null) return Promise.reject(new Refusal(engineRefusals.OVERLOADED));
    return new Promise<Outcome>((resolve, reject) => {
      const line = this.#options.lines.lineOf(submission.world);
      this.#open += 1;
      const closed = (): void => {
        this.#open -= 1;
        if (this.#open === 0) this.#stopped?.();
      };
      this.#arrivals.push({
        command: command as unknown as AnyCommand,
        input,
        submission,
        line,
        arrived: this.#options.scheduler.now(),
        loaded: new Loaded(),
        hints: null,
        locks: [],
        keys: [],
        rounds: 0,
        settle: (outcome) => (closed(), resolve(outcome)),
        fail: (error) => (closed(), reject(error as Error)),
      });
      this.counters.commands += 1;
      this.#turn();
    });
  }

  /** Takes no new command; resolves when the open ones are answered. */
  async stop(): Promise<void> {
    if (this.#open === 0) {
      this.#stopped = () => {};
      return;
    }
    await new Promise<void>((resolve) => (this.#stopped = resolve));
  }

  #turn(): void {
    if (this.#turning) return;
    this.#turning = true;
    this.#options.scheduler.soon(() => {
      this.#turning = false;
      this.#discoverArrivals();
      this.#fillLanes();
    });
  }

  #discoverArrivals(): void {
    if (this.#arrivals.length === 0 || !this.#discoveries.allows(this.#arrivals.length)) return;
    const group = this.#dropLate(this.#arrivals);
    this.#arrivals = [];
    if (group.length === 0) return;
    this.#discoveries.started(group.length);
    discover(this.#options.reads, group, this.#memory, this.#options.compose)
      .then(
        (ready) => {
          for (const pending of ready) this.#admission.add(pending);
        },
        (error: unknown) => this.#discoverAlone(group, error),
      )
      .finally(() => {
        this.#discoveries.ended();
        this.#fillLanes();
        if (this.#arrivals.length > 0) this.#turn();
      });
  }

  /** A group whose discovery failed is read one by one, so that one bad command fails alone. */
  #discoverAlone(group: readonly Pending[], error: unknown): void {
    if (group.length === 1) return group.forEach((pending) => this.#fault(pending, error));
    for (const pending of group) {
      forget(pending);
      discover(this.#options.reads, [pending], this.#memory, this.#options.compose).then(
        (ready) => {
          for (const one of ready) this.#admission.add(one);
          this.#turn();
        },
        (reason: unknown) => this.#fault(pending, reason),
      );
    }
  }

  #dropLate(group: readonly Pending[]): Pending[] {
    const limit = this.#options.scheduler.now() - (this.#options.patience ?? 1_000);
    return group.filter((pending) => {
      if (pending.arrived >= limit || pending.command.critical) return true;
      pending.fail(new Refusal(engineRefusals.OVERLOADED, {}, 1));
      return false;
    });
  }

  #fillLanes(): void {
    while (this.#batches.allows(this.#admission.waiting)) {
      const batch = this.#dropLateAdmitted(this.#admission.takeBatch());
      if (batch.length === 0) break;
      this.#batches.started(batch.length);
      void this.#runBatch(batch).finally(() => {
        this.#batches.ended();
        this.#release(batch);
      });
    }
    while (this.#solos < (this.#options.solos ?? 4)) {
      const pending = this.#admission.takeSolo();
      if (pending === null) break;
      this.#solos += 1;
      void this.#runSolo(pending).finally(() => {
        this.#solos -= 1;
        this.#release([pending]);
      });
    }
  }

  #dropLateAdmitted(batch: readonly Pending[]): Pending[] {
    const kept = this.#dropLate(batch);
    const keptSet = new Set(kept);
    for (const pending of batch) if (!keptSet.has(pending)) this.#release([pending]);
    return kept;
  }

  #release(list: readonly Pending[]): void {
    // Who waited for a kept answer looks it up again; all others only waited for their turn.
    for (const pending of this.#admission.release(list)) {
      forget(pending);
      this.#arrivals.push(pending);
    }
    this.#fillLanes();
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
      if (error instanceof CommitUnknown) {
        const unknown = new Refusal(engineRefusals.OUTCOME_UNKNOWN, {}, 1);
        for (const pending of batch) pending.fail(unknown);
        return;
      }
      for (const pending of batch) await this.#runSolo(pending);
    }
  }

  async #runSolo(pending: Pending): Promise<void> {
    this.counters.solos += 1;
    for (let tries = 0; ; tries += 1) {
      try {
        forget(pending);
        const { reads, compose } = this.#options;
        const ready = await discover(reads, [pending], this.#memory, compose);
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
        // A unique key that somebody else took first: look again, and the decision will see it.
        if (sqlState(error) === '23505' && tries < MOST_TRIES) continue;
        if (sqlState(error) === '55P03') {
          pending.fail(new Refusal(engineRefusals.RESOURCE_BUSY, {}, 1));
        } else {
          this.#fault(pending, error);
        }
        return;
      }
    }
  }

  #answer(run: Run): void {
    this.#remember(run);
    if (run.worlds.size > 0) this.#options.committed(run.worlds, run.effects.tables);
    for (const [pending, verdict] of run.verdicts) this.#tell(pending, verdict);
  }

  /** Immutable rows that were just committed are known without reading them back. */
  #remember(run: Run): void {
    for (const [table, rows] of run.effects.inserts) {
      if (!table.remembered) continue;
      for (const row of rows) this.#memory.keep(table as Table, row as IdRow);
    }
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
        this.#admission.addSolo(pending);
      } else {
        forget(pending);
        this.#arrivals.push(pending);
      }
    }
  }

  /**
   * Under a key, a no may only mean that another process was faster with the same request: what it
   * answered is the answer here too. [G-44]
   */
  #refuse(pending: Pending, refusal: Refusal): void {
    if (!pending.submission.idempotency) {
      pending.fail(refusal);
      return;
    }
    const { reads, compose } = this.#options;
    settleReplays(reads, [pending], compose).then(
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
    if (error instanceof CommitUnknown) {
      pending.fail(new Refusal(engineRefusals.OUTCOME_UNKNOWN, {}, 1));
    } else if (isUnreachable(error)) {
      pending.fail(new Refusal(engineRefusals.DATABASE_UNAVAILABLE, {}, 1));
    } else {
      pending.fail(error);
    }
  }
}
