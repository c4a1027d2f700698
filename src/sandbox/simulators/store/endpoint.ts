// What all simulator endpoints share: the processor host, staging only, no envelope (they play
// another system), and a workspace's key instead of a token.
import { z } from 'zod';
import type { Database, Transaction } from '../../../db/index.ts';
import type { Random } from '../../../core/random.ts';
import { defineOperation, type OperationSpec } from '../../../core/operation.ts';
import type { Answer, Method, Operation, OperationRequest } from '../../../core/operation.ts';
import { refuse, type RefusalSpec } from '../../../core/refusal.ts';
import type { Keys } from '../../../providers/keys/port.ts';
import { workspaceAt, type Book } from './access.ts';
import { callsUnder } from './calls.ts';

/** What the processor host runs on; the composition root supplies it. */
export interface BookServices {
  readonly db: Database;
  readonly random: Random;
  readonly keys: Keys;
  /** Resolves after so many milliseconds, or at once when the server stops. */
  delay(ms: number): Promise<void>;
}

type Schema = z.ZodType;

/** What an endpoint says of itself; what is absent it does not have. */
type Own<P extends Schema, Q extends Schema, B extends Schema> = Omit<
  OperationSpec<never, P, Q, B>,
  'route' | 'access' | 'cites' | 'stagingOnly' | 'bare' | 'answers' | 'run'
> & {
  /** Method and path. */
  readonly route: `${Method} /${string}`;
};

type Asked<P extends Schema, Q extends Schema, B extends Schema> = OperationRequest<
  z.output<P>,
  z.output<Q>,
  z.output<B>
>;
/** The request of a merchant, whose key names the workspace. */
type Keyed<R> = R & { readonly workspace: number };

const NONE = z.strictObject({});
const TROUBLE = z.object({ error: z.string() }).meta({ title: 'ProviderError' });

/** Answers of a provider call: loose, because a scripted simulator also answers nonsense. */
const CALL_ANSWERS = {
  200: z.looseObject({ state: z.string() }),
  429: TROUBLE,
  500: TROUBLE,
  504: TROUBLE,
} as const;

/** The caller's idempotency key, as in a path. */
export const callKey = z.string().regex(/^[A-Za-z0-9._:-]{1,200}$/);
export const KEY_PARAMS = z.strictObject({ key: callKey });

/** An event that a call can trigger at a simulator. */
interface Outside<E extends string> {
  readonly id: string;
  /** Without the slash at its start. */
  readonly path: string;
  readonly summary: string;
  readonly events: readonly E[];
  readonly impossible: RefusalSpec;
  /** False if it cannot happen or already has. */
  happen(db: Executor, workspace: number, key: string, event: E): Promise<boolean>;
}

/** The connections or the transaction in which something happens. */
export type Executor = Pick<Transaction, 'execute' | 'query'>;

/** Gives `run` the workspace that the request's key names. */
function keyed<S extends BookServices, R extends OperationRequest<unknown, unknown, unknown>, T>(
  book: Book,
  invalid: RefusalSpec,
  run: (services: S, request: Keyed<R>) => Promise<T>,
) {
  return (services: S, request: R): Promise<T> => {
    const workspace = workspaceAt(services.keys, book, request.headers, invalid);
    return run(services, { ...request, workspace });
  };
}

/** Declares endpoints of one simulator; `invalid` refuses a wrong key. */
export function endpointsOf<S extends BookServices = BookServices>(
  book: Book,
  cites: string,
  invalid: RefusalSpec,
) {
  function declared<P extends Schema, Q extends Schema, B extends Schema>({
    route,
    ...own
  }: Own<P, Q, B> & Pick<Operation<S, P, Q, B>, 'answers' | 'run'>): Operation<S> {
    const [method, path] = route.split(' ') as [Method, `/${string}`];
    const fixed = { access: 'public', cites, stagingOnly: true, bare: true } as const;
    return defineOperation({ ...own, ...fixed, route: `${method} processor ${path}` });
  }

  /** For a person's browser: answers 200 with what `run` returns. */
  function publicEndpoint<
    P extends Schema = typeof NONE,
    Q extends Schema = typeof NONE,
    B extends Schema = Schema,
  >(
    own: Own<P, Q, B> & {
      readonly answer: Schema;
      run(services: S, request: Asked<P, Q, B>): Promise<object>;
    },
  ): Operation<S> {
    const { answer, run, ...rest } = own;
    return declared<P, Q, B>({
      ...{ ...rest, answers: { 200: answer } },
      run: async (...asked) => ({ status: 200, bare: await run(...asked) }),
    });
  }

  /** For a merchant: answers 200 with what `run` returns. */
  function endpoint<
    P extends Schema = typeof NONE,
    Q extends Schema = typeof NONE,
    B extends Schema = Schema,
  >(
    own: Own<P, Q, B> & {
      readonly answer: Schema;
      run(services: S, request: Keyed<Asked<P, Q, B>>): Promise<object>;
    },
  ): Operation<S> {
    const refusals = [invalid, ...(own.refusals ?? [])];
    return publicEndpoint<P, Q, B>({ ...own, refusals, run: keyed(book, invalid, own.run) });
  }

  /** A provider call of a merchant under its own key, answered as its script says. */
  function call<B extends Schema = Schema>(
    own: Omit<Own<typeof KEY_PARAMS, typeof NONE, B>, 'params' | 'query'> & {
      run(services: S, request: Keyed<Asked<typeof KEY_PARAMS, typeof NONE, B>>): Promise<Answer>;
    },
  ): Operation<S> {
    const refusals = [invalid, ...(own.refusals ?? [])];
    const fixed = { params: KEY_PARAMS, answers: CALL_ANSWERS };
    return declared({ ...own, ...fixed, refusals, run: keyed(book, invalid, own.run) });
  }

  return { publicEndpoint, endpoint, call };
}

const CALL = z.looseObject({ operation: z.string() }).meta({ title: 'ProcessorCall' });

/** The endpoint that counts the calls under a key. */
export function callCounts(book: Book, id: string, folder: string) {
  return {
    id,
    route: `GET /v1/${folder}/{key}/exchanges`,
    summary: 'Counts the calls under the key by kind.',
    params: KEY_PARAMS,
    answer: z.object({ exchanges: z.array(CALL) }),
    run: async (
      { db }: BookServices,
      { workspace, params }: { readonly workspace: number; readonly params: { key: string } },
    ) => ({ exchanges: await callsUnder(db, book, workspace, params.key) }),
  } as const;
}

/** The endpoint that triggers what only the outside world can cause. */
export function outsideEvent<E extends string>(own: Outside<E>) {
  const { id, path, summary, events, impossible, happen } = own;
  return {
    ...{ id, summary },
    route: `POST /${path}`,
    body: z.strictObject({ key: callKey, event: z.enum(events) }),
    answer: z.object({}),
    refusals: [impossible],
    async run(
      { db }: BookServices,
      { workspace, body }: { readonly workspace: number; readonly body: { key: string; event: E } },
    ) {
      if (!(await happen(db, workspace, body.key, body.event))) throw refuse(impossible);
      return {};
    },
  } as const;
}
