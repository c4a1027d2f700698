// The URL of a hosted receiver: takes a delivery byte for byte, checks its signature, stores it,
// and answers as scripted.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../../db/index.ts';
import { isUuid } from '../../../core/ids.ts';
import { countCall } from '../store/calls.ts';
import { answerNamed, type ReceiverAnswer } from './answers.ts';
import { keep, receiverAt } from './book.ts';
import { checksOf, headerOf } from './checks.ts';

/** What receivers run on; the composition root supplies it. */
export interface SandboxReceiverServices {
  readonly db: Database;
  /** Resolves after so many milliseconds, or at once when the server stops. */
  delay(ms: number): Promise<void>;
  /** The clone of that name on the wire; null for none. */
  copyNamed(id: string): Promise<number | null>;
  /** Secrets that may sign deliveries to an endpoint now. */
  secretsOf(workspace: number, endpoint: string): Promise<readonly string[]>;
}

/** No delivery is longer. */
const BODY_MAX = 1_048_576;
const NAME_MAX = 200;
/** Names the clone that a delivery comes from; a workspace that is no clone does not send it. */
const WORKSPACE_HEADER = 'webhook-world';
/** Headers that are stored; the token is not. */
const KEPT_HEADERS = [
  'content-type',
  'user-agent',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
  WORKSPACE_HEADER,
] as const;

/** Registers the URL. */
export async function pages(
  app: FastifyInstance,
  services: SandboxReceiverServices,
): Promise<void> {
  await app.register(async (scope) => {
    const options = { parseAs: 'buffer', bodyLimit: BODY_MAX } as const;
    scope.addContentTypeParser('*', options, (_request, body, done) => done(null, body));
    // A body that is too long or cut off is the sender's mistake.
    scope.setErrorHandler((error: FastifyError, _request, reply) => {
      if (error.statusCode === undefined || error.statusCode >= 500) throw error;
      return reply.code(error.statusCode).send('');
    });
    scope.post<{ Params: { id: string } }>('/receivers/:id', async (request, reply) => {
      const answer = await received(services, request.params.id, request);
      if (answer === null) return reply.code(404).send('');
      reply.hijack();
      await send(services, reply, answer);
      return reply;
    });
  });
}

/** Receives one request; null without a receiver at the URL, or for a body that is no text. */
async function received(
  services: SandboxReceiverServices,
  id: string,
  { headers, body }: FastifyRequest,
): Promise<ReceiverAnswer | null> {
  const { db, copyNamed, secretsOf } = services;
  const named = headerOf(headers, WORKSPACE_HEADER);
  const workspace = isUuid(named) ? await copyNamed(named) : null;
  if (!isUuid(id) || (named !== '' && workspace === null)) return null;
  const to = await receiverAt(db, id, workspace);
  const text = textOf(body);
  if (to === null || text === null) return null;
  const event_id = headerOf(headers, 'webhook-id').slice(0, NAME_MAX);
  const secrets = await secretsOf(to.workspace, to.endpoint_id);
  const checks = checksOf(headers, text, secrets, Date.now());
  // Only deliveries take turns, not anyone who merely knows the URL.
  const call = { workspace: to.workspace, key: `${to.id}/${event_id}`, token: to.id };
  const turn = checks.authentic
    ? await countCall(db, 'receiver', { ...call, operation: 'deliver' })
    : null;
  const exchange = turn?.scripted ?? 'ok';
  const answer = answerNamed(exchange);
  const kept = KEPT_HEADERS.flatMap((name) =>
    headers[name] === undefined ? [] : [[name, headerOf(headers, name).slice(0, 1_000)]],
  );
  const { status } = answer;
  const shown = Object.fromEntries(kept) as Record<string, string>;
  await keep(db, to, { event_id, headers: shown, body: text, exchange, status, ...checks });
  return answer;
}

/** The body as text; null for other bytes, which no delivery sends. */
function textOf(body: unknown): string | null {
  if (!Buffer.isBuffer(body)) return '';
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

async function send(
  { delay }: SandboxReceiverServices,
  { raw: response }: FastifyReply,
  { status, headers, waitMs = 0, raw, body = '' }: ReceiverAnswer,
): Promise<void> {
  if (waitMs > 0) await delay(waitMs);
  if (status !== null) {
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers });
    response.end(body);
    return;
  }
  if (raw === undefined) response.socket?.destroy();
  else response.socket?.end(raw);
}
