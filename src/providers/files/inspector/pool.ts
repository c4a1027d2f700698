// A pool of worker threads: started on demand, one job at a time each, killed when a job exceeds
// its time, restarted after a crash.
import { Worker } from 'node:worker_threads';

/** How a pool is made. */
export interface PoolOptions {
  readonly script: URL;
  readonly size: number;
  /** Milliseconds for one job, from its start. */
  readonly jobMs: number;
  /** Called at every death not caused by the time limit. */
  fault(error: unknown): void;
}

interface Task {
  readonly job: unknown;
  readonly memory: ArrayBuffer[];
  done(outcome: unknown): void;
}

interface Thread {
  readonly worker: Worker;
  task: Task | null;
  timer: NodeJS.Timeout | null;
}

/** Megabytes of values; file and body bytes are not counted. */
const HEAP_MB = 256;

/** A fixed number of threads and a queue. */
export class Pool {
  readonly #options: PoolOptions;
  readonly #threads = new Set<Thread>();
  readonly #queue: Task[] = [];
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /**
   * Runs one job; `memory` is transferred to the thread. Null: the thread died first, by time
   * limit, memory or a bug. Rejects once the pool is closed.
   */
  run(job: unknown, memory: ArrayBuffer[]): Promise<unknown> {
    return new Promise((done, reject) => {
      if (this.#closed) {
        reject(new Error('the file workers are closed'));
        return;
      }
      this.#queue.push({ job, memory, done });
      this.#next();
    });
  }

  /** Ends all threads; queued and running jobs get null. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const task of this.#queue.splice(0)) task.done(null);
    await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()));
  }

  #next(): void {
    if (this.#queue.length === 0) return;
    const thread =
      [...this.#threads].find((one) => one.task === null) ??
      (this.#threads.size < this.#options.size ? this.#start() : null);
    if (thread === null) return;
    const task = this.#queue.shift() as Task;
    thread.task = task;
    thread.timer = setTimeout(() => void thread.worker.terminate(), this.#options.jobMs);
    thread.worker.ref();
    thread.worker.postMessage(task.job, task.memory);
  }

  #start(): Thread {
    const worker = new Worker(this.#options.script, {
      // A thread that parses untrusted input needs none of the process's settings.
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    const thread: Thread = { worker, task: null, timer: null };
    this.#threads.add(thread);
    worker.on('message', (outcome) => {
      worker.unref();
      this.#end(thread, outcome);
    });
    worker.on('error', this.#options.fault);
    worker.on('exit', () => {
      this.#threads.delete(thread);
      this.#end(thread, null);
    });
    return thread;
  }

  #end(thread: Thread, outcome: unknown): void {
    const { task, timer } = thread;
    if (timer !== null) clearTimeout(timer);
    thread.task = null;
    thread.timer = null;
    task?.done(outcome);
    if (!this.#closed) this.#next();
  }
}
