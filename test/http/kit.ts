// A small platform for transport tests: a few operations without a database, and sockets that send
// exactly the given bytes.
import assert from 'node:assert/strict';
import net from 'node:net';
import { z } from 'zod';
import type { HttpLog } from '../../src/http/log.ts';
import { startHosts } from '../../src/http/hosts.ts';
import type { HostsOptions, Platform, RunningHosts } from '../../src/http/hosts.ts';
import { defineOperation, type Caller, type Operation } from '../../src/core/operation.ts';
import { defineRefusals, no } from '../../src/core/refusal.ts';
import { amount, optional, strictObject, text, uuid } from '../../src/core/schema.ts';

export const kitRefusals = defineRefusals({
  THING_NOT_FOUND: no(404, 'caller', 'G-11', 'There is no such thing.'),
});

/** What the last run of an operation was given. */
export const seen: { request: unknown; runs: number } = { request: null, runs: 0 };

/** Operations of the kit. */
export const kitOperations: Operation<null>[] = [
  defineOperation<null>({
    id: 'createThing',
    route: 'POST invoicing /v1/thing',
    summary: 'Creates.',
    cites: 'test',
    access: { client: 'write_things', user: 'write_thing' },
    body: strictObject({ amount: amount(), note: optional(text()) }),
    bodyLimit: 10_000,
    answers: { 201: z.unknown() },
    run: async (_services, request) => {
      seen.request = request;
      seen.runs += 1;
      return { status: 201, payload: { amount: (request.body as { amount: number }).amount } };
    },
  }),
  defineOperation<null>({
    id: 'readThing',
    route: 'GET invoicing /v1/thing/{thing_id}',
    summary: 'Reads.',
    cites: 'test',
    access: { client: 'read_things' },
    params: strictObject({ thing_id: uuid() }),
    query: strictObject({ view: optional(text(10)) }),
    answers: { 200: z.unknown() },
    refusals: [kitRefusals.THING_NOT_FOUND],
    run: async (_services, request) => ({ status: 200, payload: request.params }),
  }),
  defineOperation<null>({
    id: 'pokeThing',
    route: 'POST invoicing /v1/thing/{thing_id}/poke',
    summary: 'Takes no body.',
    cites: 'test',
    access: { client: 'write_things' },
    params: strictObject({ thing_id: uuid() }),
    answers: { 200: null },
    run: async (_services, request) => {
      seen.request = request;
      return { status: 200 };
    },
  }),
  defineOperation<null>({
    id: 'breakThing',
    route: 'POST invoicing /v1/break',
    summary: 'Fails.',
    cites: 'test',
    access: 'public',
    body: strictObject({ secret: text() }),
    answers: { 200: null },
    run: async (_services, request) => {
      throw new TypeError(`broke on ${(request.body as { secret: string }).secret}`);
    },
  }),
  defineOperation<null>({
    id: 'slowThing',
    route: 'GET invoicing /v1/slow',
    summary: 'Takes a while.',
    cites: 'test',
    access: 'public',
    answers: { 200: z.unknown() },
    run: async () => {
      await new Promise((resolve) => setTimeout(resolve, 200));
      return { status: 200, payload: {} };
    },
  }),
  defineOperation<null>({
    id: 'listed',
    route: 'GET invoicing /v1/listed',
    summary: 'Lists its statuses.',
    cites: 'test',
    access: { client: 'read_listed', missingScope: 401 },
    answers: { 200: z.unknown() },
    run: async () => ({ status: 200, payload: {} }),
  }),
];

function caller(kind: Caller['kind'], scopes: string[]): Caller {
  const account = kind === 'client' ? null : 'acct_01h455vb4pex5vsknk084sn02q';
  return {
    workspace: 1,
    integrator: 'tenant',
    clientId: 'client',
    kind,
    accountId: account,
    scopes: new Set(scopes),
  };
}

const TOKENS: ReadonlyMap<string, Caller> = new Map([
  ['good', caller('client', ['write_things', 'read_things', 'read_listed'])],
  ['narrow', caller('client', ['write_thing', 'write_things_all', 'read'])],
  ['user', caller('user', ['write_thing', 'read_things'])],
  ['session', caller('session', ['write_things', 'write_thing', 'read_things'])],
]);

/** Lines that the hosts logged. */
export const logged: string[] = [];
const log: HttpLog = {
  requests: true,
  write: (entry) => void logged.push(JSON.stringify(entry)),
};

/** What the kit's hosts run on, with a secret of its own. */
export function platformWith(secret: string): Platform<null> {
  const verify = (token: string): Caller | null => TOKENS.get(token) ?? null;
  return { services: null, verify, secret, ready: () => true };
}

/** Whether the kit's hosts have a thread for HTTP, as a process with two processors has. */
export const threads = { thread: true };

/** Starts the kit's hosts on ports that the system chooses. */
export function startKit(options: Partial<HostsOptions<null>> = {}): Promise<RunningHosts> {
  return startHosts<null>({
    env: 'staging',
    operations: kitOperations,
    platform: async () => platformWith('secret'),
    log,
    portBase: 0,
    graceMs: 1_000,
    checkAnswers: true,
    ...threads,
    ...options,
  });
}

/** Sends raw text to a base address and gives all that came back until the peer closed. */
export function raw(base: string, bytes: string | Buffer, waitMs = 3_000): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(base);
    let got = '';
    const socket = net.connect(Number(port), hostname, () => socket.write(bytes));
    const timer = setTimeout(() => socket.destroy(), waitMs);
    socket.on('data', (chunk: Buffer) => (got += chunk.toString('latin1')));
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(got);
    });
    socket.on('error', (error) => (got === '' ? reject(error) : socket.destroy()));
  });
}

/** A request as text: its lines, the empty line, and a body. */
export function requestText(lines: readonly string[], body = ''): string {
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** An envelope of failure, as a test reads it. */
export interface FailureBody {
  readonly status: string;
  readonly message: string[];
  readonly codes: string[];
  readonly payload: { error: string; errors?: Record<string, string>; reference?: string };
  readonly error?: string;
}

/** Status, headers and envelope in a raw answer. */
export function parseRaw(text: string): { status: number; head: string; body: FailureBody } {
  const [head, ...rest] = text.split('\r\n\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head ?? '')?.[1]);
  return { status, head: head ?? '', body: JSON.parse(rest.join('\r\n\r\n')) as FailureBody };
}

/** Posts to the kit's hosts, and reads what a refused request is answered. */
export async function postTo(
  base: string,
  body: string | Buffer | null,
  headers: Record<string, string>,
  path = '/v1/thing',
) {
  const answer = await fetch(base + path, { method: 'POST', headers, body });
  return { status: answer.status, body: (await answer.json()) as FailureBody, answer };
}

/** The envelope of one refusal. */
export function assertFailure(body: FailureBody, code: string): void {
  assert.equal(body.status, 'Failure');
  assert.deepEqual(body.codes, [code]);
  assert.equal(body.message.length, 1);
  assert.equal(body.payload.error, body.message[0]);
}
