// What the operations of the sandbox run on beside the product's services, and how they are
// declared.
import type { z } from 'zod';
import { defineOperation, type Operation, type OperationSpec } from '../core/operation.ts';
import type { Database } from '../db/index.ts';
import type { DomainOperation, Services } from '../product/context.ts';
import type { CacheInvalidation } from '../product/tenant/tenant/index.ts';
import type { SandboxCards } from './ports/cards.ts';
import type { SandboxCounterparties } from './ports/counterparties.ts';
import type { SandboxPersons } from './ports/persons.ts';

/** The services of a staging process. The first four are null where nobody outside is called. */
export interface SandboxServices extends Services {
  readonly cards: SandboxCards | null;
  readonly persons: SandboxPersons | null;
  readonly counterparties: SandboxCounterparties | null;
  /** Runs every loop of this process once; false where it is stopping. */
  readonly turn: (() => Promise<boolean>) | null;
  readonly cacheInvalidation: CacheInvalidation;
  /** Connections for cloning workspaces. */
  readonly copies: Database;
}

/** Declares an operation of the sandbox; `startSandbox` gives the process its services. */
export function operation<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  spec: OperationSpec<SandboxServices, P, Q, B>,
): DomainOperation {
  return defineOperation(spec) as Operation<never> as DomainOperation;
}
