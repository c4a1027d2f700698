// How long commands wait: who waited too long is told so, also while all that is under way stands
// still, and whoever asks is told for how long nothing has moved.
import { Refusal } from '../kernel/refusal.ts';
import type { EngineOptions } from './options.ts';
import type { Pending } from './pending.ts';
import { engineRefusals } from './refusals.ts';

/** How long a command waits for a database that is away, and may still be tried again. */
const AWAY_MS = 1_000;
const PATIENCE_MS = 1_000;
const SWEEP_MS = 250;

export class Waiting {
  readonly #options: Pick<EngineOptions, 'scheduler' | 'patience' | 'away'>;
  #sweeping = false;
  /** When work last began or ended. */
  #moved = 0;

  constructor(options: Pick<EngineOptions, 'scheduler' | 'patience' | 'away'>) {
    this.#options = options;
  }

  /** Work began or ended. */
  moved(): void {
    this.#moved = this.#options.scheduler.now();
  }

  get stillMs(): number {
    return this.#options.scheduler.now() - this.#moved;
  }

  /** Has `sweep` done from time to time until it gives false. */
  sweepWhile(sweep: () => boolean): void {
    if (this.#sweeping) return;
    this.#sweeping = true;
    this.#options.scheduler.after(SWEEP_MS, () => {
      this.#sweeping = false;
      if (sweep()) this.sweepWhile(sweep);
    });
  }

  /** True for one that may be tried again after its connection broke. */
  isYoung({ arrived }: Pending): boolean {
    return this.#options.scheduler.now() - arrived <= AWAY_MS;
  }

  /** What finishes something begun waits as long as it takes, unless the database is away. */
  isLate(pending: Pending): boolean {
    const { scheduler, patience = PATIENCE_MS, away } = this.#options;
    if (!this.isYoung(pending) && away?.() === true) return true;
    return !pending.command.critical && scheduler.now() - pending.arrived > patience;
  }

  /** Tells the late ones and gives the others. */
  dropLate(group: readonly Pending[]): Pending[] {
    return group.filter((pending) => {
      if (!this.isLate(pending)) return true;
      pending.fail(new Refusal(engineRefusals.OVERLOADED, {}, 1));
      return false;
    });
  }
}
