// A webhook receiver in the test's own process: a real HTTP server, registered as an endpoint of
// the workspace, that checks signatures with the public client.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook } from '../client/index.ts';
import type { CreateWebhookEndpointAnswer, WebhookEvent } from '../client/index.ts';
import type { Caller } from './caller.ts';
import type { Events } from './events.ts';
import { Inbox, type EventName, type EventOf, type Wait } from './inbox.ts';
import { onlyKnown, type NamesOf } from './options.ts';

/** One request that came. */
export interface Delivery {
  /** Null if the signature did not match: `fault` says why. */
  readonly event: WebhookEvent | null;
  readonly fault: string | null;
  /** The status answered. */
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Exactly the bytes that came. */
  readonly body: string;
}

/** Options of a receiver. */
export interface WebhooksOptions {
  /** Only these events; default all. */
  readonly events?: readonly EventName[];
  /** `v1a` signs with a key pair instead of a secret. */
  readonly signing?: 'v1' | 'v1a';
}

/** The answer to a request: a status, or a function that returns it (and may take its time). */
export type Answer = number | ((event: WebhookEvent) => number | Promise<number>);

const NAMES: NamesOf<WebhooksOptions> = { events: true, signing: true };
const LOOK_EVERY_MS = 20;
const ADVICE =
  'A delivery that is not answered with 2XX is retried later: ' +
  '`world.clock.untilIdle()` brings it, `deliveries` has every request.';

/** The workspace whose events come. */
interface Ground {
  readonly caller: Caller;
  readonly events: Events;
}

/** A running receiver. */
export class Webhooks {
  readonly url: string;
  /** Every request in order, also repeated and rejected ones. */
  readonly deliveries: readonly Delivery[];
  /** Id of the endpoint, for the operations about it. */
  readonly endpointId: string;
  /** What signatures are checked with: `whsec_...` or `whpk_...`. */
  readonly secret: string;
  readonly #caller: Caller;
  readonly #events: Events;
  readonly #server: Server;
  readonly #inbox = new Inbox(async () => {}, ADVICE);
  readonly #taken = new Set<string>();
  readonly #received: Delivery[] = [];
  #answer: Answer = 204;
  #given = 0;

  private constructor(
    { caller, events }: Ground,
    server: Server,
    url: string,
    endpoint: CreateWebhookEndpointAnswer,
  ) {
    this.#caller = caller;
    this.#events = events;
    this.#server = server;
    this.url = url;
    this.deliveries = this.#received;
    this.endpointId = endpoint.endpoint_id;
    this.secret = endpoint.signing === 'v1a' ? endpoint.public_key : endpoint.secret;
    server.on('request', (request, response) => void this.#receive(request, response));
  }

  /** Listens on a port of its own, which keeps no process alive, and registers itself. */
  static async open(ground: Ground, options: WebhooksOptions): Promise<Webhooks> {
    onlyKnown('webhooks', options, NAMES);
    const { events, signing } = options;
    const server = createServer().unref();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
    const endpoint = await ground.caller.client.invoicing.createWebhookEndpoint({
      url,
      ...(events === undefined ? {} : { event_names: events }),
      ...(signing === undefined ? {} : { signing }),
    });
    return new Webhooks(ground, server, url, endpoint);
  }

  /**
   * The oldest event of this name that came, was verified and answered with 2XX; each once, however
   * often it was sent. Waits for one; throws EventMissing.
   */
  next<Name extends EventName>(
    name: Name,
    wait: Wait<EventOf<Name>> = {},
  ): Promise<EventOf<Name>> {
    return this.#inbox.next(name, wait);
  }

  /** How requests are answered from now on; 204 at first. */
  answerWith(answer: Answer): void {
    this.#answer = answer;
  }

  /** The oldest request that was not given yet, whatever was answered; waits for one. */
  async arrival(timeoutMs = 5_000): Promise<Delivery> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const delivery = this.#received[this.#given];
      if (delivery !== undefined) {
        this.#given += 1;
        return delivery;
      }
      if (Date.now() > deadline) throw new Error(`No request arrived within ${timeoutMs} ms.`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  /** Removes the endpoint and stops listening. */
  async close(): Promise<void> {
    const { invoicing } = this.#caller.client;
    await invoicing.deleteWebhookEndpoint({ endpoint_id: this.endpointId }).catch(() => {});
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const { headers } = request;
    let event: WebhookEvent | null = null;
    let fault: string | null = null;
    let status = 400;
    try {
      event = await verifyWebhook({ secret: this.secret, headers, body });
      status = typeof this.#answer === 'number' ? this.#answer : await this.#answer(event);
    } catch (error) {
      fault = error instanceof Error ? error.message : String(error);
      if (event !== null) status = 500;
    }
    response.writeHead(status).end();
    this.#received.push({ event, fault, status, headers, body });
    if (event === null || status >= 300 || this.#taken.has(event.event_id)) return;
    this.#taken.add(event.event_id);
    if (!this.#events.isOurs(event)) return;
    this.#inbox.put(event);
  }
}
