// The operations that tell programs what the pages of lifecycles and codes tell people. [G-99]
import { z } from 'zod';
import { postsOf, type Machine } from '../../../core/machine.ts';
import type { RefusalSpec } from '../../../core/refusal.ts';
import { strictObject } from '../../../core/schema.ts';
import { operation, type DomainOperation, type Environment } from '../../context.ts';
import { FAILURE_REASONS } from '../../money/wallet/index.ts';

const move = strictObject({
  /** Null: the move that creates the resource. */
  from: z.string().nullable(),
  on: z.string(),
  to: z.string(),
  by: z.string(),
  posts: z.array(z.string()),
  emits: z.string().nullable(),
  why: z.string(),
  source: z.string(),
}).meta({ title: 'LifecycleMove' });

const lifecycles = z.array(
  strictObject({
    name: z.string(),
    noun: z.string(),
    states: z.array(z.string()),
    moves: z.array(move),
  }).meta({ title: 'Lifecycle' }),
);

const catalogue = strictObject({
  errors: z.array(
    strictObject({
      code: z.string(),
      statuses: z.array(z.int()),
      sentence: z.string(),
      who_can_act: z.string(),
      retry: z.boolean(),
      source: z.string(),
    }).meta({ title: 'ErrorCode' }),
  ),
  failures: z.array(
    strictObject({ failure_code: z.string(), failure_reason: z.string() }).meta({
      title: 'FailureCode',
    }),
  ),
}).meta({ title: 'ErrorCatalogue' });

const reads = { cites: 'G-99', access: { client: 'read_invoices' } } as const;

const listLifecycles = operation({
  ...reads,
  id: 'listLifecycles',
  route: 'GET invoicing /v1/lifecycles',
  summary: 'Lists every lifecycle with its states and its legal moves.',
  answers: { 200: lifecycles },
  async run({ env, reference }) {
    return { status: 200, payload: reference.machines.map((one) => lifecycleOf(one, env)) };
  },
});

function lifecycleOf(
  { name, noun, states, moves }: Machine,
  env: Environment,
): z.output<typeof lifecycles>[number] {
  const legal = moves.filter((one) => env === 'staging' || one.stagingOnly !== true);
  const shown = legal.map((one) => {
    const { from, on, to, by, why, cites: source } = one;
    const posts = [...postsOf(one)];
    return { from, on, to, by, posts, emits: one.emits?.name ?? null, why, source };
  });
  return { name, noun, states: [...states], moves: shown };
}

const listErrors = operation({
  ...reads,
  id: 'listErrors',
  route: 'GET invoicing /v1/errors',
  summary: 'Lists every code that a refusal can carry, and every reason why a payment fails.',
  answers: { 200: catalogue },
  async run({ reference }) {
    const failures = Object.entries(FAILURE_REASONS).map(([failure_code, failure_reason]) => {
      return { failure_code, failure_reason };
    });
    return { status: 200, payload: { errors: errorsOf(reference.refusals), failures } };
  },
});

/** One row for each code: it has two statuses for an id in a path and one in a body. */
function errorsOf(specs: readonly RefusalSpec[]): z.output<typeof catalogue>['errors'] {
  const codes = [...Map.groupBy(specs, ({ code }) => code)];
  return codes.toSorted(([a], [b]) => (a < b ? -1 : 1)).flatMap(([code, rows]) => {
    const statuses = [...new Set(rows.map(({ status }) => status))].toSorted((a, b) => a - b);
    return rows.slice(0, 1).map(({ sentence, act: who_can_act, retry, cites: source }) => {
      return { code, statuses, sentence, who_can_act, retry, source };
    });
  });
}

export const operations: readonly DomainOperation[] = [listLifecycles, listErrors];
