// What all simulator endpoints share: the processor host, staging only, no envelope (they play
// another system), and a workspace's key instead of a token.
import { z } from 'zod';
import type { Database } from '../../../db/index.ts';
import type { Random } from '../../../core/random.ts';
import { defineOperation, type OperationSpec } from '../../../core/operation.ts';
import type { Method, Operation } from '../../../core/operation.ts';
import type { RefusalSpec } from '../../../core/refusal.ts';
import type { Keys } from '../../../providers/keys/port.ts';

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

const TROUBLE = z.object({ error: z.string() }).meta({ title: 'ProviderError' });

/** Answers of a provider call: loose, because a scripted simulator also answers nonsense. */
export const EXCHANGE_ANSWERS = {
  200: z.looseObject({ state: z.string() }),
  429: TROUBLE,
  500: TROUBLE,
  504: TROUBLE,
} as const;

/** Declares endpoints of one simulator; `invalid` refuses a wrong key, null if none is needed. */
export function endpointsOf<S extends BookServices = BookServices>(
  cites: string,
  invalid: RefusalSpec | null,
) {
  return function endpoint<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>({
    route,
    refusals = [],
    ...own
  }: Own<S, P, Q, B>): Operation<S> {
    const [method, path] = route.split(' ') as [Method, `/${string}`];
    return defineOperation<S, P, Q, B>({
      ...own,
      route: `${method} processor ${path}`,
      access: 'public',
      cites,
      stagingOnly: true,
      bare: true,
      refusals: invalid === null ? refusals : [invalid, ...refusals],
    });
  };
}
