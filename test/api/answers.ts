// Calls the platform as an integrator does and checks what every answer must have: the envelope,
// the headers, a status and codes that its operation declares in OpenAPI, and nothing of a refused
// input.
import assert from 'node:assert/strict';
import { z } from 'zod';
import { inlined } from '../kit/inlined.ts';
import type { Host, Ready } from './records.ts';

/** What the tests read of an OpenAPI document. */
export interface ApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** One operation of a document. */
export interface ApiOperation {
  readonly operationId: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly example?: unknown;
  }[];
  readonly responses: Readonly<Record<string, ApiResponse>>;
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly schema: Schema; readonly example?: unknown }>
    >;
  };
  readonly security: readonly Record<string, unknown>[];
  readonly 'x-access'?: Readonly<Record<string, unknown>>;
}

interface ApiResponse {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
  readonly 'x-codes'?: readonly string[];
}

/** A JSON schema. */
export type Schema = Readonly<Record<string, unknown>>;

/** An operation and where it is. */
export interface Place {
  readonly host: Host;
  readonly method: string;
  readonly path: string;
  readonly operation: ApiOperation;
}

/** What to send. A `raw` body goes out as it is; `json` is made from a value. */
export interface Call {
  readonly body?: unknown;
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  readonly form?: Record<string, string>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Null: no token. Absent: the token with every scope. */
  readonly token?: string | null;
}

/** An answer. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; {} where there is none. */
  readonly body: Envelope;
  /** The first code; '' on success. */
  readonly code: string;
  /** `payload.errors`. */
  readonly errors: Readonly<Record<string, string>>;
}

/** The envelope of every answer. [seed: Response envelope] */
export interface Envelope {
  readonly status: string;
  readonly message: readonly string[];
  readonly codes: readonly string[];
  readonly payload: unknown;
}

const ENVELOPE = ['codes', 'message', 'payload', 'status'];
const CODE = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/;
const TRIES = 40;
const PAUSE_MS = 100;

/** The platform's API as one client sees it. */
export class Api {
  readonly ready: Ready;
  readonly documents: Readonly<Record<string, ApiDocument>>;
  readonly places: readonly Place[];
  /** Every code that an answer showed, with the operation that said it. */
  readonly seen = new Set<string>();
  /** What answers said that their operation does not declare. */
  readonly undeclared = new Set<string>();
  readonly #tokens = new Map<string, Promise<string>>();
  readonly #schemas = new Map<string, z.ZodType | null>();

  constructor(ready: Ready, documents: Readonly<Record<string, ApiDocument>>) {
    this.ready = ready;
    this.documents = Object.fromEntries(
      Object.entries(documents).map(([host, document]) => [host, inlined(document)]),
    );
    this.places = Object.entries(this.documents).flatMap(([host, document]) =>
      Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => ({
          host: host as Host,
          method: method.toUpperCase(),
          path,
          operation,
        })),
      ),
    );
  }

  /** A token of the sandbox client; `scope` '' asks for all. */
  token(scope = ''): Promise<string> {
    let token = this.#tokens.get(scope);
    if (token === undefined) {
      const { client_id, client_secret } = this.ready.client;
      const form = { grant_type: 'client_credentials', client_id, client_secret };
      token = this.send('auth', 'POST', '/token', {
        form: scope === '' ? form : { ...form, scope },
        token: null,
      }).then(({ status, body }) => {
        assert.equal(status, 200, `a token for ${scope || 'all scopes'}`);
        return (body as unknown as { access_token: string }).access_token;
      });
      this.#tokens.set(scope, token);
    }
    return token;
  }

  /**
   * One call; the answer has kept the promises of all answers. On a machine that is too busy the
   * platform says so and that nothing was changed; then the call is made again, as clients do.
   */
  async send(host: Host, method: string, path: string, call: Call = {}): Promise<Reply> {
    for (let tries = 1; ; tries += 1) {
      const reply = await this.#once(host, method, path, call);
      if (reply.code !== 'OVERLOADED' || tries === TRIES) return reply;
      await new Promise((done) => setTimeout(done, PAUSE_MS));
    }
  }

  async #once(host: Host, method: string, path: string, call: Call): Promise<Reply> {
    const headers: Record<string, string> = { ...call.headers };
    const token = call.token === undefined ? await this.token() : call.token;
    if (token !== null) headers['authorization'] ??= `Bearer ${token}`;
    const body = bodyOf(call, headers);
    const answer = await fetch(`${this.ready.urls[host]}${path}`, {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    });
    const text = await answer.text();
    const place = this.placeOf(host, method, path);
    const reply = replyOf(answer, text);
    this.#hold(reply, place, `${method} ${host}${place?.path ?? path} ${answer.status}`);
    return reply;
  }

  /** As `send`, and insists on a status; gives the payload. */
  async must<T>(
    status: number,
    host: Host,
    method: string,
    path: string,
    call: Call = {},
  ): Promise<T> {
    const reply = await this.send(host, method, path, call);
    assert.equal(reply.status, status, `${method} ${path} answered ${reply.text.slice(0, 600)}`);
    return reply.body.payload as T;
  }

  /** The operation that a path names. */
  placeOf(host: string, method: string, path: string): Place | undefined {
    const parts = (path.split('?')[0] as string).split('/');
    const fits = (template: string): boolean => {
      const wanted = template.split('/');
      return (
        wanted.length === parts.length &&
        wanted.every((part, at) => part.startsWith('{') || part === parts[at])
      );
    };
    const found = this.places.filter(
      (place) => place.host === host && place.method === method && fits(place.path),
    );
    // A path without names in braces is the narrower one.
    return found.toSorted((a, b) => names(a.path) - names(b.path))[0];
  }

  /** The body is what the document says of this status; none where it says none. */
  #matches(reply: Reply, place: Place, where: string): void {
    const key = `${place.operation.operationId} ${reply.status}`;
    let schema = this.#schemas.get(key);
    if (schema === undefined) {
      const response = place.operation.responses[String(reply.status)];
      const found = response?.content?.['application/json']?.schema;
      schema = found === undefined ? null : z.fromJSONSchema(found as z.core.JSONSchema.JSONSchema);
      this.#schemas.set(key, schema);
    }
    if (schema === null) {
      assert.equal(reply.text, '', `${where} has no body`);
      return;
    }
    const result = schema.safeParse(reply.body);
    assert.ok(result.success, `${where} is not as described: ${result.error?.message}`);
  }

  #hold(reply: Reply, place: Place | undefined, where: string): void {
    assert.notEqual(reply.status, 500, `${where}: ${reply.text.slice(0, 400)}`);
    const bare = place === undefined || isBare(place, reply.status);
    if (reply.text !== '')
      assert.equal(reply.headers.get('content-type'), 'application/json', where);
    assert.equal(reply.headers.get('x-content-type-options'), 'nosniff', where);
    if (reply.status >= 400) holdFailure(reply, where);
    else if (!bare) holdSuccess(reply, where);
    if (place === undefined) return;
    const declared = place.operation.responses[String(reply.status)];
    const { operationId } = place.operation;
    if (declared !== undefined) this.#matches(reply, place, where);
    const said = reply.body.codes ?? [];
    for (const code of said) this.seen.add(`${operationId} ${reply.status} ${code}`);
    for (const code of said) {
      if (declared?.['x-codes']?.includes(code) === true) continue;
      this.undeclared.add(`${operationId} ${reply.status} ${code}`);
    }
    if (declared === undefined && said.length === 0) {
      this.undeclared.add(`${operationId} ${reply.status}`);
    }
  }
}

function names(path: string): number {
  return path.split('{').length;
}

type Sent = string | Uint8Array<ArrayBuffer> | URLSearchParams | undefined;

function bodyOf(call: Call, headers: Record<string, string>): Sent {
  if (call.form !== undefined) return new URLSearchParams(call.form);
  if (call.raw === undefined && call.body === undefined) return undefined;
  headers['content-type'] ??= 'application/json';
  return call.raw ?? JSON.stringify(call.body);
}

function replyOf(answer: Response, text: string): Reply {
  const body = (text === '' ? {} : JSON.parse(text)) as Envelope;
  const payload = body.payload as { errors?: Record<string, string> } | null | undefined;
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    body,
    code: body.codes?.[0] ?? '',
    errors: payload?.errors ?? {},
  };
}

/** True when the document shows that the answer has no envelope. */
function isBare(place: Place, status: number): boolean {
  const schema = place.operation.responses[String(status)]?.content?.['application/json']?.schema;
  const members = Object.keys((schema?.['properties'] ?? {}) as object);
  return members.toSorted().join() !== ENVELOPE.join();
}

function holdSuccess(reply: Reply, where: string): void {
  assert.deepEqual(Object.keys(reply.body).toSorted(), ENVELOPE, where);
  assert.equal(reply.body.status, 'Success', where);
  assert.deepEqual([reply.body.message, reply.body.codes], [[], []], where);
}

/** [G-72] */
function holdFailure(reply: Reply, where: string): void {
  const { status, message, codes, payload } = reply.body;
  assert.equal(status, 'Failure', `${where}: ${reply.text.slice(0, 300)}`);
  assert.ok(message.length > 0 && message.every((text) => typeof text === 'string'), where);
  assert.ok(codes.length > 0 && codes.every((code) => CODE.test(code)), `${where}: ${codes}`);
  const { error, errors } = payload as { error: string; errors?: Record<string, string> };
  assert.equal(typeof error, 'string', where);
  for (const text of Object.values(errors ?? {})) assert.equal(typeof text, 'string', where);
  assert.ok(!/node_modules|at \w+ \(|\bselect\b .*\bfrom\b|\.ts:\d/.test(reply.text), where);
}
