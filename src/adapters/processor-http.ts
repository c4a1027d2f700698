// Answers for speaking with a card processor over HTTP as the port wants it: every trouble on the
// way, and every answer that is not plainly understood, is `unknown`, never a failure and never a
// success. [M13] Retries nothing: the key makes asking again safe, and whether to ask is decided
// elsewhere. Refuses to know what an order is for.
import { Agent, request } from 'undici';
import { readJson } from '../kernel/json.ts';
import type { CardToken, ChargeOrder, ChargeOutcome, Processor } from '../ports/processor.ts';
import type { ChargeAnswer, ChargeOperation } from './sandbox-processor/protocol.ts';
import { CARD_FAILURE_CODES, cardAnswer, chargeAnswer } from './sandbox-processor/protocol.ts';

/** Where the processor is and how long it is waited for. */
export interface HttpProcessorOptions {
  /** Base address without a slash at the end. */
  readonly url: string;
  /** The secret of a world's merchant. */
  keyOf(world: number): string;
  /** For one whole exchange, connecting and reading included. Default 10,000. */
  readonly timeoutMs?: number;
  /** For a connection. Default 2,000. */
  readonly connectMs?: number;
  /** Connections at most; more exchanges wait, within their time. Default 64. */
  readonly connections?: number;
}

/** The port, and what only the sandbox can do. */
export interface HttpProcessor extends Processor {
  /** Makes a card of the list of test cards; a name that is not on it, or no answer, is a fault. */
  attachTestCard(world: number, name: string): Promise<CardToken>;
  /** Closes the connections; what is under way ends first. */
  close(): Promise<void>;
}

interface Reply {
  readonly status: number;
  /** The parsed body, or null when it is not JSON. */
  readonly body: unknown;
}

const TIMEOUT_MS = 10_000;
const CONNECT_MS = 2_000;
const CONNECTIONS = 64;
const BODY_BYTES_MAX = 65_536;
const UNKNOWN: ChargeOutcome = { state: 'unknown' };
const CODES: ReadonlySet<string> = new Set(CARD_FAILURE_CODES);

/** A processor behind HTTP. Close it when done. */
export function httpProcessor(options: HttpProcessorOptions): HttpProcessor {
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const agent = new Agent({
    connect: { timeout: options.connectMs ?? CONNECT_MS },
    connections: options.connections ?? CONNECTIONS,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: BODY_BYTES_MAX,
  });

  /** One exchange; rejects on any trouble of the network or the clock. */
  async function send(secret: string, path: string, body: object | null): Promise<Reply> {
    const response = await request(options.url + path, {
      dispatcher: agent,
      method: body === null ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${secret}`,
        accept: 'application/json',
        ...(body === null ? {} : { 'content-type': 'application/json' }),
      },
      body: body === null ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const read = readJson(new Uint8Array(await response.body.arrayBuffer()));
    return { status: response.statusCode, body: read.ok ? read.value : null };
  }

  async function ask(operation: ChargeOperation, order: ChargeOrder): Promise<ChargeOutcome> {
    const { key, token, amount, currency } = order;
    const path = `/v1/charges/${encodeURIComponent(key)}`;
    const secret = options.keyOf(order.world);
    try {
      const wish = { token, amount: amount.toString(), currency };
      const reply = await (operation === 'look'
        ? send(secret, path, null)
        : send(secret, `${path}/${operation}`, wish));
      return outcomeOf(reply, operation, key);
    } catch {
      // Whatever went wrong on the way, the request may have arrived.
      return UNKNOWN;
    }
  }

  return {
    authorize: (order) => ask('authorize', order),
    capture: (order) => ask('capture', order),
    reverse: (order) => ask('reverse', order),
    look: (order) => ask('look', order),
    async attachTestCard(world, name) {
      const reply = await send(options.keyOf(world), '/v1/cards', { test_card: name });
      const card = cardAnswer.safeParse(reply.body);
      if (reply.status !== 200 || !card.success) {
        throw new Error(`the processor gave no test card (status ${reply.status})`);
      }
      return { token: card.data.token, brand: card.data.brand, last4: card.data.last4 };
    },
    close: () => agent.close(),
  };
}

/** Reads an answer; one that is not plainly about this key is `unknown`. */
function outcomeOf(reply: Reply, operation: ChargeOperation, key: string): ChargeOutcome {
  if (reply.status !== 200) return UNKNOWN;
  const answer = chargeAnswer.safeParse(reply.body);
  if (!answer.success || answer.data.key !== key) return UNKNOWN;
  return outcomeFrom(answer.data, operation);
}

function outcomeFrom(answer: ChargeAnswer, operation: ChargeOperation): ChargeOutcome {
  switch (answer.state) {
    case 'absent':
      // Only a look-up may say so: an order that led to nothing is a surprise, not a fact.
      return operation === 'look' ? { state: 'absent' } : UNKNOWN;
    case 'declined':
      // A no with a reason that we do not know is still a no.
      return {
        state: 'declined',
        reference: answer.reference,
        code: CODES.has(answer.code) ? answer.code : 'generic_error',
      };
    default:
      return {
        state: answer.state,
        reference: answer.reference,
        amount: BigInt(answer.amount),
        currency: answer.currency,
      };
  }
}
