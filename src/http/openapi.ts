// The OpenAPI 3.1 document of each host, generated from the operations, so that it cannot differ
// from the routes.
import { z } from 'zod';
import { isScope, SCOPES } from '../product/access/oauth/index.ts';
import { defineOperation } from '../core/operation.ts';
import type { Access, HostName, Operation } from '../core/operation.ts';
import type { RefusalSpec } from '../core/refusal.ts';
import type { Content, Contract } from './openapi-contract.ts';
import { exampleOf } from './openapi-examples.ts';
import { LinkBook } from './openapi-links.ts';
import { nameOf, SCHEMAS } from './openapi-names.ts';
import { typeName, without, type JsonSchema } from './openapi-schema.ts';
import { refusalsOfSteps } from './step-refusals.ts';

type Json = Record<string, unknown>;
type Any = Operation<never>;
type Parameter = Json & { readonly name: string };

/** The identity description is 1.0.0 [seed: Versioning]; the others have the same version. */
const VERSION = '1.0.0';

const TITLES: Readonly<Record<HostName, string>> = {
  pii: 'Identity verification',
  invoicing: 'Invoices, escrow and authorized invoices',
  payments: 'Payment methods',
  auth: 'Tokens and user authorization',
  widget: 'Widget',
  hosted: 'Hosted pages',
  console: 'Console',
  accounts: 'Accounts',
  wallets: 'Wallets',
  shop: 'Demo shop',
  processor: 'Sandbox providers',
  internal: 'Health checks',
};

/** The document of one host, with the operations that exist in this environment. */
export function openapiDocument(
  host: HostName,
  operations: readonly Any[],
  contract: Contract,
  urls: Readonly<Record<HostName, string>>,
): Json {
  const paths: Record<string, Json> = {};
  const scopes = new Set<string>();
  const page = new Page(contract, operations);
  for (const operation of operations) {
    const path = (paths[operation.path] ??= {});
    path[operation.method.toLowerCase()] = page.operation(operation);
    for (const scope of scopesOf(operation.access)) scopes.add(scope);
  }
  const tokenUrl = `${urls.auth}/token`;
  const flows = {
    clientCredentials: {
      tokenUrl,
      scopes: Object.fromEntries([...scopes].sort().map((scope) => [scope, sentenceOf(scope)])),
    },
  };
  return {
    openapi: '3.1.0',
    info: { title: TITLES[host], version: VERSION },
    servers: [{ url: urls[host] }],
    paths,
    components: {
      ...page.components(paths),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        client: { type: 'oauth2', flows },
      },
    },
  };
}

/** `GET /openapi.json` of one host; needs no token. */
export function openapiOperation<S>(
  host: HostName,
  operations: readonly Operation<S>[],
  contract: () => Contract,
  urls: Readonly<Record<HostName, string>>,
  env: 'staging' | 'production',
): Operation<S> {
  let document: Json | null = null;
  return defineOperation<S>({
    id: `getOpenapi_${host}`,
    route: `GET ${host} /openapi.json`,
    summary: `Describes this host, as it is in ${env}.`,
    cites: 'seed: Versioning',
    access: 'public',
    bare: true,
    answers: { 200: z.record(z.string(), z.unknown()) },
    run: async () => {
      document ??= openapiDocument(host, operations, contract(), urls);
      return { status: 200, bare: document };
    },
  });
}

function sentenceOf(scope: string): string {
  return isScope(scope) ? SCOPES[scope] : '';
}

function scopesOf(access: Access): string[] {
  if (access === 'public') return [];
  const known = [access.client, access.user, access.session];
  return known.filter((one) => typeof one === 'string');
}

/** One document while it is written. */
class Page {
  readonly #contract: Contract;
  readonly #links: LinkBook;
  /** Components of this document only: the failure, and enveloped answers. */
  readonly #own: Record<string, JsonSchema> = { Failure: failureSchema };

  /** What many operations have: described once, by name. */
  readonly #common: Readonly<Record<'parameters' | 'responses', Json>> = {
    parameters: {},
    responses: {},
  };

  constructor(contract: Contract, operations: readonly Any[]) {
    this.#contract = contract;
    this.#links = new LinkBook(contract, operations);
  }

  operation(operation: Any): Json {
    const { access, accepts } = operation;
    const { body } = this.#contract.of(operation.id);
    const object: Json = {
      operationId: operation.id,
      summary: operation.summary,
      description: `Source: ${operation.cites}.`,
      parameters: this.#parameters(operation),
      responses: this.#answersOf(operation),
      security:
        access === 'public'
          ? []
          : access.client === undefined
            ? [{ bearer: [] }]
            : [{ client: [access.client] }, { bearer: [] }],
    };
    if (access !== 'public') object['x-access'] = access;
    if (body === null) return object;
    if (accepts === 'bytes') return { ...object, requestBody: { content: ANYTHING } };
    const sent = { schema: body.schema, example: exampleOf(body.whole) };
    // One media type only: client generators fail on the same body under two.
    const requestBody =
      accepts === 'form'
        ? { content: { 'application/x-www-form-urlencoded': sent }, description: JSON_TOO }
        : { content: { 'application/json': sent } };
    return { ...object, requestBody: { required: true, ...requestBody } };
  }

  /** Every schema and link that the paths need, by name. */
  components(paths: Json): Readonly<Record<string, unknown>> {
    const found: Record<string, JsonSchema> = {};
    const reach = (part: unknown): void => {
      if (typeof part !== 'object' || part === null) return;
      const name = nameOf(part);
      const own = this.#own[name ?? ''] ?? this.#contract.components.get(name ?? '')?.schema;
      if (name !== undefined && own !== undefined && found[name] === undefined) {
        found[name] = own;
        reach(own);
      }
      for (const inner of Object.values(part)) reach(inner);
    };
    reach(paths);
    reach(this.#common);
    const names = Object.keys(found).sort();
    const links = this.#links.used();
    return {
      schemas: Object.fromEntries(names.map((name) => [name, found[name]])),
      ...this.#common,
      ...(Object.keys(links).length > 0 && { links }),
    };
  }

  #parameters(operation: Any): Json[] {
    const list: Parameter[] = this.#contract.of(operation.id).parameters.map((one) => {
      const schema = without(one.schema, 'examples');
      return { ...one, schema, example: exampleOf(one.schema, one.name) };
    });
    if (operation.method !== 'GET' && operation.access !== 'public') list.push(IDEMPOTENCY_KEY);
    return list.map((one) => this.#once('parameters', one.name, one));
  }

  #answersOf(operation: Any): Json {
    const result: Json = {};
    for (const [status, answer] of this.#contract.of(operation.id).answers) {
      result[status] = this.#success(operation, answer);
    }
    const byStatus = new Map<number, RefusalSpec[]>();
    for (const spec of [...operation.refusals, ...refusalsOfSteps(operation)]) {
      byStatus.set(spec.status, [...(byStatus.get(spec.status) ?? []), spec]);
    }
    for (const [status, specs] of byStatus) {
      const sentences = new Map(specs.map((spec) => [spec.code, spec.sentence]));
      result[String(status)] ??= this.#once('responses', `Refused${status}`, {
        description: [...sentences].map(([code, text]) => `${code}: ${text}`).join('\n'),
        content: { 'application/json': { schema: { $ref: `${SCHEMAS}Failure` } } },
        'x-codes': [...sentences.keys()],
      });
    }
    return result;
  }

  /** A reference to this part, which is described once under the name; a number tells others. */
  #once(kind: 'parameters' | 'responses', name: string, part: object): Json {
    const known = this.#common[kind];
    const same = JSON.stringify(part);
    let free = name;
    for (let n = 2; free in known && JSON.stringify(known[free]) !== same; n += 1) {
      free = `${name}_${n}`;
    }
    known[free] = part;
    return { $ref: `#/components/${kind}/${free}` };
  }

  #success(operation: Any, answer: Content | null): Json {
    if (answer === null) return { description: 'OK; no body.' };
    const bare = operation.bare === true;
    const links = this.#links.from(operation, answer.schema);
    const schema = bare ? answer.schema : this.#enveloped(typeName(operation.id), answer.schema);
    const asked = this.#contract.of(operation.id);
    // An operation without input always answers, so its answer can serve as the example.
    const plain = asked.parameters.length === 0 && asked.body === null;
    const payload = exampleOf(answer.whole);
    const shown = bare ? payload : { status: 'Success', message: [], codes: [], payload };
    const example = plain && { example: shown };
    return {
      description: 'OK.',
      content: { 'application/json': { schema, ...example } },
      ...(Object.keys(links).length > 0 && { links }),
    };
  }

  /** The answer in its envelope, which is named after it. [seed: Response envelope] */
  #enveloped(operation: string, payload: JsonSchema): JsonSchema {
    const one = nameOf(payload);
    const many = nameOf(payload.items);
    const name = `${one ?? (many === undefined ? operation : `${many}List`)}Envelope`;
    this.#own[name] = envelopeSchema(payload);
    return { $ref: SCHEMAS + name };
  }
}

const ANYTHING = { '*/*': { schema: {}, example: {} } };
const JSON_TOO = 'JSON with the same members is accepted as well.';
const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A repeated request with the same key gets the same response.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
};

function envelopeSchema(payload: JsonSchema): JsonSchema {
  const none = { type: 'array', items: { type: 'string' }, maxItems: 0 };
  return {
    type: 'object',
    properties: {
      status: { type: 'string', const: 'Success' },
      message: none,
      codes: none,
      payload,
    },
    required: ['status', 'message', 'codes', 'payload'],
  };
}

const texts = { type: 'array', minItems: 1, items: { type: 'string' } };
const failureSchema: JsonSchema = {
  type: 'object',
  properties: {
    status: { type: 'string', const: 'Failure' },
    message: texts,
    codes: texts,
    payload: {
      type: 'object',
      properties: {
        error: { type: 'string' },
        errors: { type: 'object', additionalProperties: { type: 'string' } },
        reference: { type: 'string' },
      },
      required: ['error'],
    },
  },
  required: ['status', 'message', 'codes', 'payload'],
};
