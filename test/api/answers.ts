// The suites' client for the interface's own tests. It checks what every answer must have: the
// envelope, the headers, a status and codes that its operation declares in OpenAPI, and nothing of
// a refused input.
import assert from 'node:assert/strict';
import { z } from 'zod';
import type { HostName } from '../../src/core/operation.ts';
import { Api, type Call, type Ready, type Reply } from '../kit/api.ts';
import { inlined } from '../kit/inlined.ts';

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
  readonly host: HostName;
  readonly method: string;
  readonly path: string;
  readonly operation: ApiOperation;
}

const ENVELOPE = ['codes', 'message', 'payload', 'status'];
const CODE = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/;
const TRIES = 40;
const PAUSE_MS = 100;

/** Holds every answer to what all answers promise. */
export class CheckedApi extends Api {
  readonly documents: Readonly<Record<string, ApiDocument>>;
  readonly places: readonly Place[];
  /** Every code that an answer showed, with the operation that said it. */
  readonly seen = new Set<string>();
  /** What answers said that their operation does not declare. */
  readonly undeclared = new Set<string>();
  readonly #schemas = new Map<string, z.ZodType | null>();

  constructor(ready: Ready, documents: Readonly<Record<string, ApiDocument>>) {
    super(ready);
    this.documents = Object.fromEntries(
      Object.entries(documents).map(([host, document]) => [host, inlined(document)]),
    );
    this.places = Object.entries(this.documents).flatMap(([host, document]) =>
      Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => ({
          host: host as HostName,
          method: method.toUpperCase(),
          path,
          operation,
        })),
      ),
    );
  }

  /**
   * One call; the answer has kept the promises of all answers. On a machine that is too busy the
   * platform says so and that nothing was changed; then the call is made again, as clients do.
   */
  override async send(
    host: HostName,
    method: string,
    path: string,
    call: Call = {},
  ): Promise<Reply> {
    const place = this.placeOf(host, method, path);
    for (let tries = 1; ; tries += 1) {
      const reply = await super.send(host, method, path, call);
      this.#hold(reply, place, `${method} ${host}${place?.path ?? path} ${reply.status}`);
      if (reply.code !== 'OVERLOADED' || tries === TRIES) return reply;
      await new Promise((done) => setTimeout(done, PAUSE_MS));
    }
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
