// Those who are told by a platform or asked by it while its secrets are replaced: a receiver that
// verifies each webhook by one secret, and a provider that notes which key it is asked with.
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook } from '../../client/webhooks.ts';
import type { Api } from '../kit/api.ts';
import { openStripe } from '../kit/stripe/server.ts';
import { until } from '../kit/until.ts';

interface Endpoint {
  readonly endpoint_id: string;
  readonly secret: string;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function close(server: Server): void {
  server.close();
  server.closeAllConnections();
}

/** A tenant's receiver. */
export class Receiver {
  /** How many webhooks each secret has verified. */
  readonly verified = new Map<string, number>();
  readonly refused: string[] = [];
  #at: Endpoint = { endpoint_id: '', secret: '' };
  readonly #server = createServer((request, response) => {
    void bodyOf(request).then(async (body) => {
      const { secret } = this.#at;
      const why = await verifyWebhook({ secret, headers: request.headers, body }).then(
        () => null,
        (error: Error) => error.message,
      );
      if (why === null) this.verified.set(secret, this.#count(secret) + 1);
      else this.refused.push(why);
      response.writeHead(why === null ? 204 : 400).end();
    });
  });

  #count(secret: string): number {
    return this.verified.get(secret) ?? 0;
  }

  /** Registers an endpoint, and waits for the first event. */
  async open(api: Api): Promise<void> {
    const body = { url: `${await listening(this.#server)}/` };
    const path = '/v1/webhook_endpoints';
    this.#at = await api.must<Endpoint>(201, 'invoicing', 'POST', path, { body });
    await this.#hears();
  }

  #hears(): Promise<boolean> {
    const before = this.#count(this.#at.secret);
    return until('webhooks', () => this.#count(this.#at.secret) > before + 5);
  }

  /** Replaces the secret: the old one verifies what comes meanwhile, the new one the rest. */
  async replace(api: Api): Promise<void> {
    const path = `/v1/webhook_endpoints/${this.#at.endpoint_id}/rotate_secret`;
    const next = await api.must<Endpoint>(200, 'invoicing', 'POST', path, { body: {} });
    assert.notEqual(next.secret, this.#at.secret);
    await this.#hears();
    this.#at = { ...this.#at, secret: next.secret };
    await this.#hears();
  }

  close(): void {
    close(this.#server);
  }
}

/** Stripe, and which keys it was asked with. */
export class Provider {
  readonly keys = new Set<string>();
  url = '';
  #stripe: Awaited<ReturnType<typeof openStripe>> | null = null;
  readonly #server = createServer((request, response) => {
    void bodyOf(request).then(async (body) => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).filter(([name]) => !/^(?:host|connection)$/.test(name)),
      ) as Record<string, string>;
      this.keys.add((headers['authorization'] ?? '').replace('Bearer ', ''));
      const { method = 'GET', url = '/' } = request;
      const sent = method === 'GET' ? {} : { body };
      const answer = await fetch(`${this.#stripe?.url}${url}`, { method, headers, ...sent });
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(await answer.text());
    });
  });

  async open(): Promise<void> {
    this.#stripe = await openStripe();
    this.url = await listening(this.#server);
  }

  async close(): Promise<void> {
    close(this.#server);
    await this.#stripe?.close();
  }
}
