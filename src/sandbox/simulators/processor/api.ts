// Every endpoint of the processor host, in the order of the docs.
import type { Operation } from '../../../core/operation.ts';
import { challengeOperations } from './challenge-api.ts';
import type { SandboxProcessorServices } from './endpoint.ts';
import { entryOperations } from './entry-api.ts';
import { exchangeOperations } from './exchange-api.ts';
import { workspaceOperations } from './workspace-api.ts';

export const operations: readonly Operation<SandboxProcessorServices>[] = [
  ...exchangeOperations,
  ...workspaceOperations,
  ...entryOperations,
  ...challengeOperations,
];
