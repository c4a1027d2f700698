// Answers for speaking with a card processor over HTTP as the port wants it: every trouble on the
// way, and every answer that is not plainly understood, is `unknown`, never a failure and never a
// success. [M13] Retries nothing: the key makes asking again safe, and whether to ask is decided
// elsewhere. Refuses to know what an order is for.
import { Agent, request } from 'undici';
import { readJson } from '../kernel/json.ts';
import type {
  CardToken,
  ChargeOrder,
  ChargeOutcome,
  Processor,
  RemittanceOrder,
  RemittanceOutcome,
} from '../ports/processor.ts';
import type { SandboxCards } from '../ports/sandbox-cards.ts';
import type { Reply } from './processor-answers.ts';
import { chargeOutcome, remittanceOutcome, statementLines, UNKNOWN } from './processor-answers.ts';
import { readNotice } from './processor-notice.ts';
import type { ChargeOperation } from './sandbox-processor/protocol.ts';
import { cardAnswer } from './sandbox-processor/protocol.ts';

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
  readonly play: SandboxCards['play'];
  readonly happen: SandboxCards['happen'];
  /** Closes the connections; what is under way ends first. */
  close(): Promise<void>;
}

const TIMEOUT_MS = 10_000;
const CONNECT_MS = 2_000;
const CONNECTIONS = 64;
const BODY_BYTES_MAX = 65_536;
/** A page of the statement has a thousand lines. */
const STATEMENT_BYTES_MAX = 1_048_576;
/** The book does not know the key, or this cannot happen to it. */
const CONFLICT = 409;

/** The way to the processor. */
interface Line {
  /** One exchange; rejects on any trouble of the network or the clock. `long`: a longer answer. */
  send(world: number, path: string, body: object | null, long?: 'long'): Promise<Reply>;
  /** Null where no answer came: whatever went wrong, the request may have arrived. */
  tried(...exchange: Parameters<Line['send']>): Promise<Reply | null>;
  close(): Promise<void>;
}

/** A processor behind HTTP. Close it when done. */
export function httpProcessor(options: HttpProcessorOptions): HttpProcessor {
  const line = openLine(options);
  const { tried } = line;

  async function ask(operation: ChargeOperation, order: ChargeOrder): Promise<ChargeOutcome> {
    const { world, key, token, amount, currency } = order;
    const path = `/v1/charges/${encodeURIComponent(key)}`;
    const looked = operation === 'look';
    const wish = { token, amount: amount.toString(), currency };
    const reply = await (looked
      ? tried(world, path, null)
      : tried(world, `${path}/${operation}`, wish));
    return reply === null ? UNKNOWN : chargeOutcome(reply, key, looked);
  }

  async function remit(order: RemittanceOrder, looked: boolean): Promise<RemittanceOutcome> {
    const { world, key, kind, target, amount, currency } = order;
    const path = `/v1/remittances/${encodeURIComponent(key)}`;
    const wish = { kind, target, amount: amount.toString(), currency };
    const reply = await tried(world, path, looked ? null : wish);
    return reply === null ? UNKNOWN : remittanceOutcome(reply, key, looked);
  }

  return {
    authorize: (order) => ask('authorize', order),
    capture: (order) => ask('capture', order),
    reverse: (order) => ask('reverse', order),
    look: (order) => ask('look', order),
    remit: (order) => remit(order, false),
    lookRemittance: (order) => remit(order, true),
    async statement(world, after) {
      const reply = await tried(world, `/v1/statement?after=${after}`, null, 'long');
      return reply === null ? null : statementLines(reply, after);
    },
    readNotice: (headers, body) => readNotice(options.keyOf, headers, body, Date.now()),
    ...sandboxCalls(line),
    close: line.close,
  };
}

/** What only a sandbox answers. */
function sandboxCalls({
  send,
  tried,
}: Line): Pick<HttpProcessor, 'attachTestCard' | 'play' | 'happen'> {
  return {
    async attachTestCard(world, name) {
      const reply = await send(world, '/v1/cards', { test_card: name });
      const card = cardAnswer.safeParse(reply.body);
      if (reply.status !== 200 || !card.success) {
        throw new Error(`the processor gave no test card (status ${reply.status})`);
      }
      return { token: card.data.token, brand: card.data.brand, last4: card.data.last4 };
    },
    async play(world, scenario, token) {
      const body = { scenario, ...(token === null ? {} : { token }) };
      return (await tried(world, '/v1/script', body))?.status === 200;
    },
    async happen(world, key, event) {
      const reply = await tried(world, '/v1/outside-events', { key, event });
      if (reply?.status === 200) return 'done';
      return reply?.status === CONFLICT ? 'refused' : null;
    },
  };
}

function openLine(options: HttpProcessorOptions): Line {
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const agentOf = (connections: number, maxResponseSize: number): Agent =>
    new Agent({
      connect: { timeout: options.connectMs ?? CONNECT_MS },
      connections,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      maxResponseSize,
    });
  const agent = agentOf(options.connections ?? CONNECTIONS, BODY_BYTES_MAX);
  const longAgent = agentOf(1, STATEMENT_BYTES_MAX);

  async function send(world: number, path: string, body: object | null, long?: 'long') {
    const response = await request(options.url + path, {
      dispatcher: long === undefined ? agent : longAgent,
      method: body === null ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${options.keyOf(world)}`,
        accept: 'application/json',
        ...(body === null ? {} : { 'content-type': 'application/json' }),
      },
      body: body === null ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const read = readJson(new Uint8Array(await response.body.arrayBuffer()));
    return { status: response.statusCode, body: read.ok ? read.value : null } satisfies Reply;
  }

  return {
    send,
    tried: (...exchange) => send(...exchange).catch(() => null),
    async close() {
      await Promise.all([agent.close(), longAgent.close()]);
    },
  };
}
