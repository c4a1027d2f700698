// Answers for what the endpoints of the sandbox processor have in common. Refuses to know what is
// asked.
import { z } from 'zod';
import { endpointsOf, NONE, type BookServices } from '../sandbox-book/endpoint.ts';
import { chargeKey } from './protocol.ts';
import { refusals } from './refusals.ts';

/** What the processor host runs on; the composition root supplies it. */
export type SandboxProcessorServices = BookServices;

export { NONE };
export const KEY_PARAMS = z.strictObject({ key: chargeKey });

/** An endpoint of the sandbox processor. */
export const endpoint = endpointsOf('G-39', refusals.PROCESSOR_KEY_INVALID);
