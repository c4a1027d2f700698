// Bytes between two threads as a stream: one piece at a time in each direction, the next once the
// other side wants it.
import { Duplex } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';

/** A piece of bytes; null at their end, true once more is wanted. */
type Piece = Uint8Array | null | true;

/** One end of a connection between threads. Closing either end destroys both. */
export class PortStream extends Duplex {
  /** Address of the peer whose request is passed on. */
  readonly remoteAddress: string | undefined;
  readonly #port: MessagePort;
  #written: (() => void) | null = null;
  #owes = false;

  constructor(port: MessagePort, remoteAddress?: string) {
    super();
    this.remoteAddress = remoteAddress;
    this.#port = port;
    port.on('message', (piece: Piece) => this.#take(piece));
    port.on('close', () => this.destroy());
  }

  override _read(): void {
    if (!this.#owes) return;
    this.#owes = false;
    this.#tell(true);
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, written: () => void): void {
    this.#written = written;
    // A copy: what a view's whole buffer holds would be copied with it.
    this.#tell(new Uint8Array(bytes));
  }

  override _final(ended: () => void): void {
    this.#tell(null);
    ended();
  }

  override _destroy(error: Error | null, destroyed: (error: Error | null) => void): void {
    this.#port.close();
    destroyed(error);
  }

  /** HTTP sets these of its sockets. */
  setTimeout(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  #tell(piece: Piece): void {
    if (!this.destroyed) this.#port.postMessage(piece);
  }

  #take(piece: Piece): void {
    if (piece === true) {
      const written = this.#written;
      this.#written = null;
      written?.();
      return;
    }
    if (piece === null) this.push(null);
    else if (this.push(piece)) this.#tell(true);
    else this.#owes = true;
  }
}
