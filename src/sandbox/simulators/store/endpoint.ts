// What all simulator endpoints share: the processor host, staging only, no envelope (they play
// another system), and a workspace's key instead of a token.
import { z } from 'zod';
import type { Database } from '../../../db/index.ts';
import type { Random } from '../../../core/random.ts';
import { defineOperation, type OperationSpec } from '../../../core/operation.ts';
import type { Answer, Method, Operation, OperationRequest } from '../../../core/operation.ts';
import type { RefusalSpec } from '../../../core/refusal.ts';
import type { Keys } from '../../../providers/keys/port.ts';
import { workspaceAt, type Book } from './access.ts';

/** What the processor host runs on; the composition root supplies it. */
export interface BookServices {
  readonly db: Database;
  readonly random: Random;
  readonly keys: Keys;
  /** Resolves after so many milliseconds, or at once when the server stops. */
  delay(ms: number): Promise<void>;
}

type Own<S, P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = Omit<
  OperationSpec<S, P, Q, B>,
  'route' | 'access' | 'cites' | 'stagingOnly' | 'bare'
> & {
  /** Method and path. */
  readonly route: `${Method} /${string}`;
};

/** A call with a workspace's key. */
interface Call<P, Q, B> extends OperationRequest<P, Q, B> {
  /** Whose key it is. */
  readonly workspace: number;
}

type Keyed<S, P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = Omit<
  Own<S, P, Q, B>,
  'run'
> & {
  run(services: S, call: Call<z.output<P>, z.output<Q>, z.output<B>>): Promise<Answer>;
};

const TROUBLE = z.object({ error: z.string() }).meta({ title: 'ProviderError' });

/** Answers of a provider call: loose, because a scripted simulator also answers nonsense. */
export const EXCHANGE_ANSWERS = {
  200: z.looseObject({ state: z.string() }),
  429: TROUBLE,
  500: TROUBLE,
  504: TROUBLE,
} as const;

/** Declares endpoints that need no key. */
export function publicEndpointsOf<S extends BookServices = BookServices>(cites: string) {
  return function endpoint<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>({
    route,
    ...own
  }: Own<S, P, Q, B>): Operation<S> {
    const [method, path] = route.split(' ') as [Method, `/${string}`];
    const always = { access: 'public', cites, stagingOnly: true, bare: true } as const;
    return defineOperation({ ...own, ...always, route: `${method} processor ${path}` });
  };
}

/** Declares endpoints of one simulator; `invalid` refuses a wrong key before they run. */
export function endpointsOf<S extends BookServices = BookServices>(
  cites: string,
  book: Book,
  invalid: RefusalSpec,
) {
  const publicEndpoint = publicEndpointsOf<S>(cites);
  return function endpoint<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>({
    refusals = [],
    run,
    ...own
  }: Keyed<S, P, Q, B>): Operation<S> {
    return publicEndpoint<P, Q, B>({
      ...own,
      refusals: [invalid, ...refusals],
      async run(services, request) {
        const workspace = workspaceAt(services.keys, book, request.headers, invalid);
        return run(services, { ...request, workspace });
      },
    } as Own<S, P, Q, B>);
  };
}
