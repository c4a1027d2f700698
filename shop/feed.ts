// The shop server's calls and received events as they happen: the latest for a page that opens,
// each further note for open pages. Memory is bounded.
import type { ServerResponse } from 'node:http';

/** One note. */
export interface Note {
  /** A call of ours, a received event, or something the widget told the page. */
  readonly kind: 'call' | 'event' | 'page';
  readonly title: string;
  readonly line: string;
  /** A status or a word: `201`, `verified`. */
  readonly mark: string;
  readonly good: boolean;
  readonly body: unknown;
  /** Of less interest: a read. */
  readonly quiet?: boolean;
}

/** A note with its number and time. */
export interface Numbered extends Note {
  readonly number: number;
  readonly at: Date;
}

const MOST = 120;
const BEAT_MS = 15_000;

/** The notes of this process. */
export class Feed {
  readonly #notes: Numbered[] = [];
  readonly #open = new Set<ServerResponse>();
  readonly #render: (note: Numbered) => string;
  #last = 0;

  /** `render` makes the HTML that open pages are sent. */
  constructor(render: (note: Numbered) => string) {
    this.#render = render;
  }

  /** Adds a note and sends it to every open page. */
  add(note: Note): void {
    const numbered = { ...note, number: (this.#last += 1), at: new Date() };
    this.#notes.unshift(numbered);
    if (this.#notes.length > MOST) this.#notes.pop();
    for (const response of this.#open) this.#send(response, numbered);
  }

  /** All notes up to now, newest first. */
  recent(): readonly Numbered[] {
    return [...this.#notes];
  }

  /** Keeps a response open and sends what comes after note number `after`. */
  follow(response: ServerResponse, after: number): void {
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    response.write('retry: 1000\n\n');
    const missed = this.#notes.filter(({ number }) => number > after && after <= this.#last);
    for (const note of missed.toReversed()) this.#send(response, note);
    const beat = setInterval(() => response.write(':\n\n'), BEAT_MS).unref();
    this.#open.add(response);
    response.once('close', () => {
      clearInterval(beat);
      this.#open.delete(response);
    });
  }

  /** Ends every stream, so that the process can end. */
  close(): void {
    for (const response of this.#open) response.end();
  }

  #send(response: ServerResponse, note: Numbered): void {
    const data = JSON.stringify({ kind: note.kind, html: this.#render(note) });
    response.write(`id: ${note.number}\ndata: ${data}\n\n`);
  }
}
