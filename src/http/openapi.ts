// Answers for the OpenAPI 3.1 document of each host, made from the operations, so that it cannot
// say something else than the routes do. Refuses to know anything that an operation does not
// declare.
import { z } from 'zod';
import { isScope, SCOPES } from '../domain/oauth/index.ts';
import type { Access, HostName, Operation } from '../kernel/operation.ts';
import type { RefusalSpec } from '../kernel/refusal.ts';
import { strictObject } from '../kernel/schema.ts';
import { refusalsOfSteps } from './step-refusals.ts';

type Json = Record<string, unknown>;

/** The identity description is 1.0.0 [seed: Versioning]; the others keep step with it. */
const VERSION = '1.0.0';

const TITLES: Readonly<Partial<Record<HostName, string>>> = {
  pii: 'Identity verification',
  invoicing: 'Invoices, escrow and authorized invoices',
  payments: 'Payment methods',
  auth: 'Tokens and user authorization',
};

/** The document of one host. */
export function openapiDocument(
  host: HostName,
  operations: readonly Operation<never>[],
  urls: Readonly<Record<HostName, string>>,
): Json {
  const paths: Record<string, Json> = {};
  const scopes = new Set<string>();
  for (const operation of operations) {
    const path = (paths[operation.path] ??= {});
    path[operation.method.toLowerCase()] = operationObject(operation);
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
    info: { title: TITLES[host] ?? `The ${host} host`, version: VERSION },
    servers: [{ url: urls[host] }],
    paths,
    components: {
      schemas: { Failure: failureSchema() },
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
  urls: Readonly<Record<HostName, string>>,
  env: 'staging' | 'production',
): Operation<S> {
  let document: Json | null = null;
  const nothing = strictObject({});
  return {
    id: `getOpenapi_${host}`,
    host,
    method: 'GET',
    path: '/openapi.json',
    summary: `Describes this host, as it is in ${env}.`,
    cites: 'seed: Versioning',
    access: 'public',
    params: nothing,
    query: nothing,
    body: null,
    bare: true,
    answers: { 200: z.record(z.string(), z.unknown()) },
    refusals: [],
    run: async () => {
      document ??= openapiDocument(host, operations, urls);
      return { status: 200, bare: document };
    },
  };
}

function sentenceOf(scope: string): string {
  return isScope(scope) ? SCOPES[scope] : '';
}

function scopesOf(access: Access): string[] {
  if (access === 'public') return [];
  return [access.client, access.user, access.session].filter((one) => one !== undefined);
}

function operationObject(operation: Operation<never>): Json {
  const { access } = operation;
  const object: Json = {
    operationId: operation.id,
    summary: operation.summary,
    description: `Source: ${operation.cites}.`,
    parameters: [...parametersIn(operation.params, 'path'), ...queryAndHeaders(operation)],
    responses: responses(operation),
    security:
      access === 'public'
        ? []
        : access.client === undefined
          ? [{ bearer: [] }]
          : [{ client: [access.client] }, { bearer: [] }],
  };
  if (access !== 'public') object['x-access'] = access;
  if (operation.body !== null) {
    const schema = jsonSchema(operation.body, 'input');
    const content: Json = { 'application/json': { schema } };
    if (operation.accepts === 'form') content['application/x-www-form-urlencoded'] = { schema };
    object['requestBody'] = { required: true, content };
  }
  return object;
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
  return rest;
}

function parametersIn(schema: z.ZodType, place: 'path' | 'query'): Json[] {
  const json = jsonSchema(schema, 'input');
  const required = new Set((json['required'] as string[] | undefined) ?? []);
  return Object.entries((json['properties'] as Json | undefined) ?? {}).map(([name, one]) => ({
    name,
    in: place,
    required: place === 'path' || required.has(name),
    schema: one,
  }));
}

function queryAndHeaders(operation: Operation<never>): Json[] {
  const list = parametersIn(operation.query, 'query');
  if (operation.method !== 'GET' && operation.access !== 'public') {
    list.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'The same key with the same request gives the same answer.',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
    });
  }
  return list;
}

function responses(operation: Operation<never>): Json {
  const result: Json = {};
  for (const [status, schema] of Object.entries(operation.answers)) {
    result[status] = success(schema, operation.bare === true);
  }
  const byStatus = new Map<number, RefusalSpec[]>();
  for (const spec of [...operation.refusals, ...refusalsOfSteps(operation)]) {
    byStatus.set(spec.status, [...(byStatus.get(spec.status) ?? []), spec]);
  }
  for (const [status, specs] of byStatus) {
    const sentences = new Map(specs.map((spec) => [spec.code, spec.sentence]));
    result[String(status)] ??= {
      description: [...sentences].map(([code, text]) => `${code}: ${text}`).join('\n'),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
      'x-codes': [...sentences.keys()],
    };
  }
  return result;
}

function success(schema: z.ZodType | null, bare: boolean): Json {
  if (schema === null) return { description: 'Done; no body.' };
  const payload = jsonSchema(schema, 'output');
  return {
    description: 'Done.',
    content: { 'application/json': { schema: bare ? payload : envelopeSchema(payload) } },
  };
}

function envelopeSchema(payload: Json): Json {
  return {
    type: 'object',
    required: ['status', 'message', 'codes', 'payload'],
    properties: {
      status: { const: 'Success' },
      message: { type: 'array', maxItems: 0 },
      codes: { type: 'array', maxItems: 0 },
      payload,
    },
  };
}

function failureSchema(): Json {
  const texts = { type: 'array', minItems: 1, items: { type: 'string' } };
  return {
    type: 'object',
    required: ['status', 'message', 'codes', 'payload'],
    properties: {
      status: { const: 'Failure' },
      message: texts,
      codes: texts,
      payload: {
        type: 'object',
        required: ['error'],
        properties: {
          error: { type: 'string' },
          errors: { type: 'object', additionalProperties: { type: 'string' } },
          reference: { type: 'string' },
        },
      },
    },
  };
}
