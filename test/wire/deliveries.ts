// Takes what the platform sends to the address that it was started with, and says what came, by
// name and then in the order of the stream.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { unusual, type Walk } from './walk.ts';

interface Event {
  readonly event_id: string;
  readonly event_name: string;
  readonly sequence: number;
}

interface Delivery {
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

/** What every delivery says besides its body; one tells where it does not. */
const USUAL: readonly string[] = [
  'accept-encoding: identity',
  'authorization: Bearer <token>',
  'content-type: application/json',
  'host: <listener-address>',
  'user-agent: holdfast-webhooks/1',
  'webhook-id: <event>',
  'webhook-signature: <signature>',
  'webhook-timestamp: <epoch>',
];

/** What names the request that caused it, another in each walk. */
const OF_REQUEST: readonly string[] = ['x-request-id', 'traceparent'];

/** A value without what is another at each delivery. */
function plain(value: string, event: string): string {
  return value
    .replace(event, '<event>')
    .replace(/^\d{10}$/, '<epoch>')
    .replace(/(?<=Bearer )eyJ[\w.-]+/, '<token>')
    .replaceAll(/v1,[A-Za-z0-9+/]{43}=/g, '<signature>');
}

/** A listener, and what it was sent. */
export class Listener {
  readonly #got = new Map<string, Delivery>();
  readonly #server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString('utf8');
      const headers = Object.entries(request.headers).map(([k, v]) => [k, String(v)] as const);
      const { event_id } = JSON.parse(body) as Event;
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
    // The address is taken up while a first start still announces what it made: some of it comes.
    const [begun = 0] = walk.steps;
    const all = [...this.#got.values()]
      .map((one) => ({ ...one, ...(JSON.parse(one.body) as Event) }))
      .filter(({ sequence }) => sequence > begun);
    // Events of several resources come in any order: by name, and by what is known of each.
    const known = new Map(all.map(({ event_id, body }) => [event_id, walk.names.known(body)]));
    const knownOf = ({ event_id }: Event): string => known.get(event_id) ?? '';
    all.sort(
      (a, b) =>
        a.event_name.localeCompare(b.event_name) ||
        knownOf(a).localeCompare(knownOf(b)) ||
        a.sequence - b.sequence,
    );
    for (const { headers, body, event_id, event_name } of all) {
      const said = headers.filter(([name]) => !OF_REQUEST.includes(name));
      const named = said.map(([name, value]): [string, string] => {
        return [name, walk.names.in(plain(value, event_id))];
      });
      walk.note([`-- ${event_name}`, ...unusual(named, USUAL), walk.body(body)].join('\n'));
    }
  }
}
