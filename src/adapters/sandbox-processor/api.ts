// Every endpoint of the processor host, in the order of the docs.
import type { Operation } from '../../kernel/operation.ts';
import type { SandboxProcessorServices } from './endpoint.ts';
import { entryOperations } from './entry-api.ts';
import { exchangeOperations } from './exchange-api.ts';
import { worldOperations } from './world-api.ts';

export const operations: readonly Operation<SandboxProcessorServices>[] = [
  ...exchangeOperations,
  ...worldOperations,
  ...entryOperations,
] as readonly Operation<SandboxProcessorServices>[];
