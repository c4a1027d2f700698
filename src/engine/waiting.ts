// Time limits of waiting commands: who waited too long is refused, even while running work is
// stuck. Also measures for how long nothing has progressed.
import { Refusal } from '../core/refusal.ts';
import type { EngineOptions } from './options.ts';
import type { Pending } from './pending.ts';
import { engineRefusals } from './refusals.ts';

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
