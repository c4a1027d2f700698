// One keep-alive connection with one request at a time and the smallest correct answer parser:
// status, length or chunks, and whether the server closes. It never parses a body.
import net from 'node:net';
import type { Address } from './plan.ts';

/** Receives the status (0 if the connection was lost) and the whole answer as latin1 text. */
export type Answered = (status: number, text: string) => void;

/** Bytes at which an answer that starts with `text` ends; 0 while that is unknown. */
export function answerLength(text: string): number {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return 0;
  const at = text.indexOf('ength: ');
  if (at >= 0 && at < headEnd) {
    const lineEnd = text.indexOf('\r', at);
    return headEnd + 4 + Number(text.slice(at + 7, lineEnd));
  }
  if (/transfer-encoding: chunked/i.test(text.slice(0, headEnd))) {
    return text.endsWith('\r\n0\r\n\r\n') ? text.length : 0;
  }
  return headEnd + 4;
}

function wantsClose(text: string): boolean {
  const at = text.indexOf('onnection: close');
  return at >= 0 && at < text.indexOf('\r\n\r\n');
}

/** Opens when first needed, and again after the server has closed it. */
export class Line {
  readonly #address: Address;
  readonly #buffer: Buffer;
  #socket: net.Socket | null = null;
  #partial = '';
  #answered: Answered | null = null;

  /** `buffer` receives what is read; lines of a process may share it, as reading is synchronous. */
  constructor(address: Address, buffer: Buffer) {
    this.#address = address;
    this.#buffer = buffer;
  }

  /** Sends a request; `answered` is called once. Only one request at a time. */
  send(request: string, answered: Answered): void {
    this.#answered = answered;
    this.#socket ??= this.#open();
    this.#socket.write(request, 'latin1');
  }

  /** Closes the connection; a request in flight counts as lost. */
  close(): void {
    this.#socket?.destroy();
  }

  #open(): net.Socket {
    const callback = (count: number): boolean => {
      this.#read(this.#buffer.toString('latin1', 0, count));
      return true;
    };
    const socket = net.connect({
      ...this.#address,
      noDelay: true,
      onread: { buffer: this.#buffer, callback },
    });
    const lost = (): void => this.#lost(socket);
    socket.on('error', lost).on('end', lost).on('close', lost);
    return socket;
  }

  #read(piece: string): void {
    const text = this.#partial === '' ? piece : this.#partial + piece;
    const length = answerLength(text);
    if (length === 0 || text.length < length) {
      this.#partial = text;
      return;
    }
    this.#partial = '';
    if (wantsClose(text)) {
      this.#socket?.destroy();
      this.#socket = null;
    }
    const answered = this.#answered;
    this.#answered = null;
    answered?.(Number(text.slice(9, 12)), text);
  }

  #lost(socket: net.Socket): void {
    if (socket !== this.#socket) return;
    socket.destroy();
    this.#socket = null;
    this.#partial = '';
    const answered = this.#answered;
    this.#answered = null;
    answered?.(0, '');
  }
}
