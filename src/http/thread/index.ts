// HTTP on a thread of its own, so that the main thread, which decides, neither parses it nor writes
// to sockets: listeners as the main thread has them, whose requests arrive as messages.
import type { Server, ServerResponse } from 'node:http';
import { getCompileCacheDir } from 'node:module';
import { dirname, extname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Door, Listener, ListenerLimits } from '../listener.ts';
import { makeServer } from '../server.ts';
import type { Order, ToThread, WholeAnswer, WholeRequest } from './messages.ts';
import { PortStream } from './port-stream.ts';
import { ArrivedAnswer, ArrivedRequest } from './whole.ts';
import type { Done, FromThread, Lag, Relayed } from './worker.ts';

/** Sources run as TypeScript, the package as JavaScript; the worker has this file's extension. */
const SCRIPT = new URL(`./worker${extname(import.meta.filename)}`, import.meta.url);
/** Megabytes for what is in flight. */
const YOUNG_MB = 8;
/** Milliseconds after which a thread that has not told its lag is as late as it has not. */
const LAG_MS = 500;

/** Listeners of one HTTP thread. */
export class HttpThread {
  readonly #worker: Worker;
  readonly #doors: Door[] = [];
  readonly #relays: Server[] = [];
  readonly #awaited = new Map<number, (done: Done) => void>();
  #outbox: WholeAnswer[] = [];
  #tellLag = (_seconds: number): void => {};
  /** The open question for the lag. */
  #lag: { readonly askedMs: number; readonly told: Promise<number> } | null = null;

  constructor() {
    // Where it is compiled already the thread loads no compiler of TypeScript.
    const compiled = getCompileCacheDir();
    this.#worker = new Worker(SCRIPT, {
      // What reads untrusted bytes needs none of the process's settings.
      env: compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) },
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    this.#worker.on('message', (message: FromThread) => this.#take(message));
    // Without it nobody is served: the process ends as it would of a fault of its own.
    this.#worker.on('error', (error) => {
      throw error;
    });
  }

  /** A listener with these limits; its requests come in by the door. */
  listener(limits: ListenerLimits, door: Door): Listener {
    const listener = this.#doors.push(door) - 1;
    this.#relays.push(makeServer(limits, door));
    this.#tell({ kind: 'make', listener, limits });
    return {
      listen: async (port, address) => {
        const done = await this.#ask({ kind: 'listen', listener, port, address });
        return done.port;
      },
      drain: () => this.#tell({ kind: 'drain', listener }),
      close: async (graceMs) => void (await this.#ask({ kind: 'close', listener, graceMs })),
    };
  }

  /** Seconds that its event loop was late since this was last asked: the 99th percentile. */
  async lag(): Promise<number> {
    if (this.#lag === null) {
      const told = new Promise<number>((resolve) => (this.#tellLag = resolve));
      this.#lag = { askedMs: performance.now(), told };
      this.#tell({ kind: 'lag' });
    }
    const { askedMs, told } = this.#lag;
    const seconds = await Promise.race([told, sleep(LAG_MS, null, { ref: false })]);
    if (seconds === null) return (performance.now() - askedMs) / 1_000;
    this.#lag = null;
    return seconds;
  }

  /** Ends the thread; its listeners are closed before. */
  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #tell(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  #ask(order: Order): Promise<Done> {
    return new Promise((resolve, reject) => {
      this.#awaited.set(order.listener, (done) => {
        if (done.failure === null) resolve(done);
        else reject(new Error(done.failure));
      });
      this.#tell(order);
    });
  }

  #take(message: FromThread): void {
    if (Array.isArray(message)) for (const one of message) this.#arrived(one as WholeRequest);
    else if ((message as Done | Relayed).kind === 'relayed') this.#relayed(message as Relayed);
    else if ((message as Done | Lag).kind === 'lag') this.#tellLag((message as Lag).seconds);
    else this.#awaited.get((message as Done).listener)?.(message as Done);
  }

  #arrived(whole: WholeRequest): void {
    const answer = new ArrivedAnswer(whole[0], this.#send);
    const door = this.#doors[whole[1]] as Door;
    // The pipeline asks of an answer what this class has.
    door.handle(new ArrivedRequest(whole), answer as unknown as ServerResponse);
  }

  #relayed({ listener, port, peer }: Relayed): void {
    this.#relays[listener]?.emit('connection', new PortStream(port, peer));
  }

  readonly #send = (answer: WholeAnswer): void => {
    if (this.#outbox.push(answer) === 1) setImmediate(this.#flush);
  };

  readonly #flush = (): void => {
    this.#tell(this.#outbox);
    this.#outbox = [];
  };
}
