// Slots for concurrent work of one process: so many in all, and one for each named holder. First
// come, first served; waiting ends with an error when it takes too long or too many wait.

/** How many work and wait at once. */
export interface SlotLimits {
  /** Slots in all. */
  readonly most: number;
  /** How many may wait; no limit by default. */
  readonly mostWaiting?: number;
  /** Milliseconds that one waits; no limit by default. */
  readonly waitMs?: number;
  /** What is thrown to whoever gets no slot; needed where one of the two limits is set. */
  full?(): unknown;
}

interface Waiter {
  readonly holder: string | null;
  begin(): void;
}

export class Slots {
  readonly #limits: SlotLimits;
  readonly #held: (string | null)[] = [];
  readonly #waiting: Waiter[] = [];

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /** Waits for a slot; resolves with the function that frees it, to be called once. */
  take(holder: string | null): Promise<() => void> {
    const { mostWaiting = Infinity, waitMs, full } = this.#limits;
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const begin = (): void => {
        clearTimeout(timer);
        this.#held.push(holder);
        resolve(() => this.#free(holder));
      };
      const waiter: Waiter = { holder, begin };
      const giveUp = (): void => {
        clearTimeout(timer);
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(full?.());
      };
      if (waitMs !== undefined) timer = setTimeout(giveUp, waitMs);
      this.#waiting.push(waiter);
      this.#next();
      if (this.#waiting.length > mostWaiting) giveUp();
    });
  }

  /** Does the work in a slot. */
  async run<T>(holder: string | null, work: () => Promise<T>): Promise<T> {
    const free = await this.take(holder);
    try {
      return await work();
    } finally {
      free();
    }
  }

  #free(holder: string | null): void {
    this.#held.splice(this.#held.indexOf(holder), 1);
    this.#next();
  }

  #next(): void {
    if (this.#held.length >= this.#limits.most) return;
    const held = this.#held;
    const at = this.#waiting.findIndex(({ holder: one }) => one === null || !held.includes(one));
    if (at >= 0) this.#waiting.splice(at, 1)[0]?.begin();
  }
}
