// Takes what the platform sends to the address that it was started with, and says what came, in
// the order of the stream.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Walk } from './walk.ts';

interface Delivery {
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

/** Headers whose values are another each time, in a way that their names say. */
const COUNTED: Readonly<Record<string, string>> = {
  'webhook-timestamp': '<seconds>',
  'content-length': '<bytes>',
};

/** A listener, and what it was sent. */
export class Listener {
  readonly #got = new Map<string, Delivery>();
  readonly #server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString('utf8');
      const headers = Object.entries(request.headers).map(([k, v]) => [k, String(v)] as const);
      const { event_id } = JSON.parse(body) as { event_id: string };
      this.#got.set(event_id, { headers, body });
      response.writeHead(204).end();
    });
  });

  /** Gives the address. */
  async open(): Promise<string> {
    this.#server.unref();
    await new Promise<void>((listening) => this.#server.listen(0, '127.0.0.1', listening));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** Writes down, as a chapter, everything that came. */
  record(walk: Walk): void {
    walk.chapter('26-deliveries');
    const sequenceOf = ({ body }: Delivery): number =>
      (JSON.parse(body) as { sequence: number }).sequence;
    const all = [...this.#got.values()].toSorted((a, b) => sequenceOf(a) - sequenceOf(b));
    for (const { headers, body } of all) {
      const { event_name } = JSON.parse(body) as { event_name: string };
      const said = headers.map(([k, v]) => `${k}: ${COUNTED[k] ?? walk.names.in(v)}`);
      walk.note([`-- ${event_name}`, ...said.toSorted(), walk.body(body)].join('\n'));
    }
  }
}
