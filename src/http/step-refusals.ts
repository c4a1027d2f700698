// Which refusals each pipeline step can answer, by kind of operation: the part of the OpenAPI
// document beyond an operation's own refusals. One row per step, in order; a test compares rows and
// steps.
import { z } from 'zod';
import { engineRefusals } from '../engine/index.ts';
import { inputRefusals } from '../core/input-refusals.ts';
import type { Operation } from '../core/operation.ts';
import type { RefusalSpec } from '../core/refusal.ts';
import { isCountedByAddress } from './authorize.ts';
import { httpRefusals, withStatus } from './refusals.ts';

/** Refusals of one step. */
export interface StepRefusals {
  /** Name of the step; `address` is for what precedes them all. */
  readonly step: string;
  of(operation: Operation<never>): readonly RefusalSpec[];
}

const {
  MEDIA_TYPE_UNSUPPORTED,
  CHARSET_UNSUPPORTED,
  BODY_TOO_LARGE,
  BODY_NOT_ALLOWED,
  INPUT_ERROR,
  JSON_TOO_DEEP,
  DUPLICATE_KEY,
  UNKNOWN_FIELD,
  MISSING_FIELD,
  INVALID_FIELD,
  CARD_NUMBER_REFUSED,
} = inputRefusals;

const SHAPE = [UNKNOWN_FIELD, MISSING_FIELD, INVALID_FIELD, CARD_NUMBER_REFUSED] as const;
const MANY = [httpRefusals.TOO_MANY_REQUESTS] as const;

export const STEP_REFUSALS: readonly StepRefusals[] = [
  { step: 'address', of: () => [httpRefusals.URL_MALFORMED] },
  { step: 'admit', of: () => [httpRefusals.OVERLOADED] },
  { step: 'sender', of: (operation) => (isCountedByAddress(operation) ? MANY : []) },
  {
    step: 'headers',
    of: () => [
      httpRefusals.TOKEN_INVALID,
      MEDIA_TYPE_UNSUPPORTED,
      httpRefusals.IDEMPOTENCY_KEY_INVALID,
    ],
  },
  { step: 'declared length', of: () => [BODY_TOO_LARGE] },
  { step: 'query string', of: () => [httpRefusals.QUERY_MALFORMED] },
  {
    step: 'token',
    of: ({ access }) =>
      access === 'public' ? [] : [httpRefusals.TOKEN_MISSING, httpRefusals.TOKEN_INVALID],
  },
  { step: 'tenant', of: ofTenant },
  { step: 'kind and scope', of: ofAccess },
  { step: 'idempotency key', of: () => [] },
  {
    step: 'media type',
    of: ({ accepts }) => [
      MEDIA_TYPE_UNSUPPORTED,
      ...(accepts === 'bytes' ? [] : [CHARSET_UNSUPPORTED]),
    ],
  },
  { step: 'body', of: () => [BODY_TOO_LARGE] },
  {
    step: 'value',
    of: ({ accepts }) => [
      ...(accepts === 'form' ? [httpRefusals.FORM_MALFORMED] : []),
      ...(accepts === 'bytes' ? [] : [INPUT_ERROR, JSON_TOO_DEEP, DUPLICATE_KEY]),
    ],
  },
  { step: 'input', of: ofInput },
  {
    step: 'claim',
    of: (operation) => (runsCommands(operation) ? [engineRefusals.IDEMPOTENCY_KEY_REUSED] : []),
  },
  { step: 'run', of: ofRun },
  { step: 'answer', of: () => [] },
];

/** All refusals that the steps can give a caller of the operation, each once. */
export function refusalsOfSteps(operation: Operation<never>): RefusalSpec[] {
  return [...new Set(STEP_REFUSALS.flatMap((row) => row.of(operation)))];
}

/** True for an authenticated operation that changes something. */
function runsCommands(operation: Operation<never>): boolean {
  return operation.method !== 'GET' && operation.access !== 'public';
}

function ofTenant({ access, method }: Operation<never>): readonly RefusalSpec[] {
  if (access === 'public') return [];
  const { READ_ONLY, TENANT_MOVED, TENANT_MOVING, TENANT_STOPPED } = httpRefusals;
  const all = [...MANY, TENANT_MOVED];
  return method === 'GET' ? all : [...all, TENANT_MOVING, READ_ONLY, TENANT_STOPPED];
}

function ofAccess({ access }: Operation<never>): readonly RefusalSpec[] {
  if (access === 'public') return [];
  const status = access.missingScope ?? 403;
  return [httpRefusals.INSUFFICIENT_SCOPE, httpRefusals.TOKEN_KIND_REFUSED].map((spec) =>
    withStatus(spec, status),
  );
}

function ofInput(operation: Operation<never>): readonly RefusalSpec[] {
  const list: RefusalSpec[] = [UNKNOWN_FIELD];
  const names = fieldsOf(operation.params);
  const own = operation.refusals.some((spec) => spec.code.endsWith('_NOT_FOUND'));
  if (names.all > 0 && !own) list.push(httpRefusals.NOT_FOUND);
  const query = fieldsOf(operation.query);
  if (query.all > 0) list.push(INVALID_FIELD);
  if (query.required > 0) list.push(MISSING_FIELD);
  if (operation.body === null) list.push(BODY_NOT_ALLOWED);
  else if (operation.accepts !== 'bytes') list.push(...SHAPE);
  return list;
}

function ofRun(operation: Operation<never>): readonly RefusalSpec[] {
  const { RESOURCE_BUSY, DATABASE_UNAVAILABLE, OUTCOME_UNKNOWN, WORLD_ENDED } = engineRefusals;
  const engine = [RESOURCE_BUSY, DATABASE_UNAVAILABLE, OUTCOME_UNKNOWN, WORLD_ENDED];
  return [httpRefusals.SERVER_ERROR, ...(runsCommands(operation) ? engine : [])];
}

function fieldsOf(schema: z.ZodType): { readonly all: number; readonly required: number } {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const all = Object.keys(json.properties ?? {}).length;
  return { all, required: (json.required ?? []).length };
}
