// Runs one flow in a frame: creates it, starts it by the one message between windows, listens on
// its port, removes it. Exceptions in callbacks are caught, and the page is otherwise untouched.
// The messages are in protocol.ts.
import { OptionError } from '../flows/config.ts';
import { FRAME_WITHIN_MS, isFlowName, type FrameMessage, type Handle } from '../protocol.ts';
import { readOptions, type Order } from './options.ts';

type Options = Readonly<Record<string, unknown>>;

const LEAST_HEIGHT = 480;
const MOST_HEIGHT = 20_000;
const SANDBOX =
  'allow-scripts allow-same-origin allow-forms allow-modals allow-popups ' +
  'allow-popups-to-escape-sandbox';

/** All flows of one page. */
export class Executor {
  readonly #word: string;
  readonly #origin: string;
  readonly #running = new Map<HTMLElement, Running>();

  /** `origin`: the script's, and so that of every link. */
  constructor(word: string, origin: string) {
    this.#word = word;
    this.#origin = origin;
  }

  /** Starts a flow. Never throws: errors go to onError, a moment later. */
  execute(given: unknown): Handle {
    let options: Options = {};
    try {
      // A copy: later changes by the page have no effect.
      options = { ...(given as Options) };
      const order = readOptions(options, this.#origin);
      const before = this.#running.get(order.root);
      if (before?.alive === true) {
        throw new OptionError('FLOW_RUNNING', 'A flow is already running in this element.');
      }
      before?.close();
      const running = new Running(order, this.#word, this.#origin, {
        complete: (result) => call(options, 'onComplete', result),
        ready: () => call(options, 'onReady', this.#told(options, 'ready')),
        error: (error) => call(options, 'onError', error),
        failed: (code, message) => this.#fail(options, code, message),
      });
      this.#running.set(order.root, running);
      return running;
    } catch (error) {
      const known = error instanceof OptionError;
      const code = known ? error.code : 'INVALID_OPTIONS';
      const message = known ? error.message : 'The options must be an object.';
      setTimeout(() => this.#fail(options, code, message));
      return { close: () => {} };
    }
  }

  #told({ flow }: Options, what: string): Record<string, string> {
    const name = isFlowName(flow) ? flow : 'widget';
    return { source: this.#word, event: `${this.#word}.${name}.${what}` };
  }

  #fail(options: Options, code: string, message: string): void {
    if (call(options, 'onError', { ...this.#told(options, 'error'), code, message })) return;
    console.error(`${this.#word}: ${code}: ${message}`);
  }
}

/** Calls a callback of the page; its error is reported, not thrown. True: there was a callback. */
function call(options: Options, name: string, value: unknown): boolean {
  try {
    const callback = options[name];
    if (typeof callback !== 'function') return false;
    callback(value);
  } catch (error) {
    console.error(error);
  }
  return true;
}

interface Listener {
  complete(result: unknown): void;
  ready(): void;
  error(error: unknown): void;
  failed(code: string, message: string): void;
}

/** One frame. */
class Running implements Handle {
  readonly #order: Order;
  readonly #origin: string;
  readonly #listener: Listener;
  readonly #frame = document.createElement('iframe');
  readonly #timer: number;
  #port: MessagePort | null = null;
  #ready = false;

  constructor(order: Order, word: string, origin: string, listener: Listener) {
    this.#order = order;
    this.#origin = origin;
    this.#listener = listener;
    this.#timer = window.setTimeout(() => this.#giveUp(), FRAME_WITHIN_MS);
    const frame = this.#frame;
    // A name, until the page says what it is in the person's language.
    frame.title = word;
    frame.setAttribute('sandbox', SANDBOX);
    frame.allow = 'camera; payment';
    frame.referrerPolicy = 'no-referrer';
    const { style } = frame;
    style.cssText = 'display:block;width:100%;border:0;color-scheme:light';
    style.height = `${LEAST_HEIGHT}px`;
    // Again after a reload inside the frame: the page there is new and has no port.
    frame.onload = () => this.#start();
    frame.src = order.url;
    order.root.appendChild(frame);
  }

  /** False once the frame is gone, also if the page removed it itself. */
  get alive(): boolean {
    return this.#frame.isConnected;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#frame.onload = null;
    this.#port?.close();
    this.#port = null;
    this.#frame.remove();
  }

  #start(): void {
    const { port1, port2 } = new MessageChannel();
    this.#port?.close();
    this.#port = port1;
    port1.onmessage = ({ data }) => this.#hear(data as FrameMessage | null);
    this.#frame.contentWindow?.postMessage(this.#order.start, this.#origin, [port2]);
  }

  #hear(message: FrameMessage | null): void {
    clearTimeout(this.#timer);
    if (message === null || typeof message !== 'object') return;
    if (message.type === 'resize') {
      const height = Math.min(Math.max(Number(message.height) || 0, LEAST_HEIGHT), MOST_HEIGHT);
      this.#frame.style.height = `${height}px`;
    } else if (message.type === 'title') {
      this.#frame.title = String(message.title);
    } else if (message.type === 'ready') {
      if (!this.#ready) this.#listener.ready();
      this.#ready = true;
    } else if (message.type === 'error') {
      this.#listener.error(message.error);
    } else if (message.type === 'complete') {
      this.close();
      this.#listener.complete(message.result);
    }
  }

  #giveUp(): void {
    if (!this.alive) return;
    this.close();
    const what = 'The flow did not load. Is the origin of this page registered?';
    this.#listener.failed('FRAME_NOT_LOADED', what);
  }
}
