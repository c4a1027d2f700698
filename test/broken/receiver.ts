// A receiver of webhooks whose connection breaks: it remembers the id of each that reached it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OF_SOCKETS, type Draws } from './draws.ts';

const LATE_MS = 100;
const REFUSALS = [429, 500, 503] as const;
const PLACE = 'outbound.post';

export interface Receiver {
  readonly url: string;
  draws: Draws;
  /** Ids of the webhooks that it has. */
  readonly got: Set<string>;
  close(): Promise<void>;
}

/** Opens one on a loopback port. */
export async function openReceiver(draws: Draws): Promise<Receiver> {
  const got = new Set<string>();
  const take = ({ headers }: IncomingMessage): void => void got.add(String(headers['webhook-id']));
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    request.resume();
    const cut = (): void => void request.socket.destroy();
    switch (receiver.draws.at(PLACE, OF_SOCKETS)) {
      case 'lost before':
        return cut();
      case 'lost after':
        take(request);
        return cut();
      case 'late':
        setTimeout(() => take(request), LATE_MS);
        return cut();
      case 'refused':
        response.statusCode = REFUSALS[receiver.draws.detail(PLACE) % REFUSALS.length] as number;
        break;
      default:
        take(request);
    }
    response.end();
  };
  const server = createServer(answer);
  await new Promise<void>((listening) => server.unref().listen(0, '127.0.0.1', listening));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    draws,
    got,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return receiver;
}
