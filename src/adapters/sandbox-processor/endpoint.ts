// Answers for what all endpoints of the processor host have in common: staging only, answered bare,
// since it plays a foreign system, and opened by the key of a world, because no token of ours opens
// it. Refuses to know what is asked.
import { z } from 'zod';
import type { Operation } from '../../kernel/operation.ts';
import type { Keys } from '../../ports/keys.ts';
import type { ExchangeServices } from './answering.ts';
import { chargeKey } from './protocol.ts';
import { refusals } from './refusals.ts';

/** What the processor host runs on; the composition root supplies it. */
export interface SandboxProcessorServices extends ExchangeServices {
  readonly keys: Keys;
}

type Endpoint<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = Operation<
  SandboxProcessorServices,
  P,
  Q,
  B
>;
type Own<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = Omit<
  Endpoint<P, Q, B>,
  'host' | 'access' | 'cites' | 'stagingOnly' | 'bare'
>;

export const NONE = z.strictObject({});
export const KEY_PARAMS = z.strictObject({ key: chargeKey });

/** An endpoint of this host. */
export function endpoint<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  own: Own<P, Q, B>,
): Endpoint<P, Q, B> {
  return {
    ...own,
    host: 'processor',
    access: 'public',
    cites: 'G-39',
    stagingOnly: true,
    bare: true,
    refusals: [refusals.PROCESSOR_KEY_INVALID, ...own.refusals],
  };
}
