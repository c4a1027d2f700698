// A pool of worker threads: started on demand, one job at a time each, killed when a job exceeds
// its time, restarted after a crash.
import { Worker } from 'node:worker_threads';
import { Slots } from './slots.ts';

/** How a pool is made. */
export interface PoolOptions {
  readonly script: URL;
  readonly size: number;
  /** Milliseconds for one job, from its start. */
  readonly jobMs: number;
  /** Called at every death not caused by the time limit. */
  fault(error: unknown): void;
}

interface Thread {
  readonly worker: Worker;
  /** Ends its job; null where it has none. */
  done: ((outcome: unknown) => void) | null;
}

/** Megabytes of values; file and body bytes are not counted. */
const HEAP_MB = 256;

/** A fixed number of threads, and slots for them. */
export class Pool {
  readonly #options: PoolOptions;
  readonly #slots: Slots;
  readonly #threads = new Set<Thread>();
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#slots = new Slots({ most: options.size });
  }

  /**
   * Runs one job; `memory` is transferred to the thread. Null: the thread died first, by time
   * limit, memory or a bug. Rejects once the pool is closed.
   */
  async run(job: unknown, memory: ArrayBuffer[]): Promise<unknown> {
    if (this.#closed) throw new Error('the threads are closed');
    return this.#slots.run(null, async () => (this.#closed ? null : this.#work(job, memory)));
  }

  /** Ends all threads; queued and running jobs get null. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()));
  }

  #work(job: unknown, memory: ArrayBuffer[]): Promise<unknown> {
    const thread = [...this.#threads].find(({ done }) => done === null) ?? this.#start();
    const { worker } = thread;
    const timer = setTimeout(() => void worker.terminate(), this.#options.jobMs);
    worker.ref();
    worker.postMessage(job, memory);
    return new Promise((resolve) => {
      thread.done = (outcome) => {
        clearTimeout(timer);
        thread.done = null;
        resolve(outcome);
      };
    });
  }

  #start(): Thread {
    const worker = new Worker(this.#options.script, {
      // A thread that parses untrusted input needs none of the process's settings.
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    const thread: Thread = { worker, done: null };
    this.#threads.add(thread);
    worker.on('message', (outcome) => {
      worker.unref();
      thread.done?.(outcome);
    });
    worker.on('error', this.#options.fault);
    worker.on('exit', () => {
      this.#threads.delete(thread);
      thread.done?.(null);
    });
    return thread;
  }
}
