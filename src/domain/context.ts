// What an operation of the domain runs on, and the typed way to declare one. Answers for the list
// of services; knows no module and no host's framework.
import type { z } from 'zod';
import type { Database, Transaction } from '../db/index.ts';
import type { Engine } from '../engine/index.ts';
import type { Entropy } from '../kernel/entropy.ts';
import type { Caller, HostName, Operation } from '../kernel/operation.ts';
import type { Stream } from '../outbox/index.ts';
import type { Files } from '../ports/files.ts';
import type { IdentityVendor } from '../ports/identity-vendor.ts';
import type { Keys } from '../ports/keys.ts';
import type { MethodEntry } from '../ports/method-entry.ts';
import type { Processor } from '../ports/processor.ts';
import type { SandboxCards } from '../ports/sandbox-cards.ts';
import type { SandboxCounterparties } from '../ports/sandbox-counterparties.ts';
import type { SandboxPersons } from '../ports/sandbox-persons.ts';

export type Environment = 'staging' | 'production';

/** A currency that a world has enabled. */
export interface EnabledCurrency {
  readonly currency: string;
  /** Digits of the minor unit. */
  readonly digits: number;
}

/** What is known of a world without asking each time; re-read at least every few seconds. */
export interface WorldDirectory {
  /** Enabled currencies by code. */
  currencies(world: number): Promise<ReadonlyMap<string, EnabledCurrency>>;
  /** What stands for the world wherever an id or a key is derived: see `Keys.lineOf`. */
  lineOf(world: number): number;
}

/** Tells every running process of worlds and clients that are new or changed. Staging only. */
export interface WorldNews {
  /**
   * Runs `work` in a transaction; after its commit waits (at most 2 s) until every running process
   * knows the worlds and clients that it wrote. Announcements go one after the other, so `work` is
   * short; a copy of a world draws its number (sequence `world_copy`) inside it.
   */
  announce<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

/** What the operator decides about money and persons; settings of the installation. */
export interface Policies {
  /** Seconds that an escrow may hold money. [G-42] */
  readonly escrowHoldSeconds: number;
  /** Milliseconds that paying an escrow waits for the processor. [G-34] */
  readonly escrowWaitMs: number;
  /** Seconds of review before a payout is sent by itself; null in staging: never. [G-43] */
  readonly payoutHoldSeconds: number | null;
  /** Minor units kept back from which on a second operator confirms a review. */
  readonly reviewFourEyesMinor: number;
  /** A strong match alone sends what the vendor accepts to people. [G-53] */
  readonly reviewMatches: boolean;
}

/** Everything that operations may use. */
export interface Services {
  readonly env: Environment;
  /** Reads, and the stores of modules that move no money. Always the primary. */
  readonly db: Database;
  readonly engine: Engine;
  readonly keys: Keys;
  readonly entropy: Entropy;
  readonly urls: Readonly<Record<HostName, string>>;
  /** The service's own word on the wire. [G-80] */
  readonly word: string;
  readonly processor: Processor;
  /** Where people enter cards and accounts; their numbers never come to us. */
  readonly methodEntry: MethodEntry;
  /** Checks who people are. */
  readonly identityVendor: IdentityVendor;
  /** Test cards; null where the processor has none, as in production. */
  readonly sandboxCards: SandboxCards | null;
  /** Test persons; null where the vendor has none, as in production. */
  readonly sandboxPersons: SandboxPersons | null;
  /** The counterparties on command; null where they are real, as in production. */
  readonly sandboxCounterparties: SandboxCounterparties | null;
  /** Looks at files that people hand in. */
  readonly files: Files;
  /** The bytes of sealed events. */
  readonly stream: Pick<Stream, 'bodies'>;
  readonly worlds: WorldDirectory;
  /** Null in production: worlds are neither copied nor ended there. */
  readonly worldNews: WorldNews | null;
  /** Connections that worlds are copied on; null in production. */
  readonly copies: Database | null;
  readonly policies: Policies;
  /** Every loop of this process takes a turn now; false where it ends. Null in production. */
  readonly turn: (() => Promise<boolean>) | null;
  /** Which calls named which ids, written a moment later; null in production. */
  readonly requestNotes: { flush(): Promise<void> } | null;
}

/** Any operation of the domain. */
export type DomainOperation = Operation<Services>;

/** Declares an operation with its types inferred from its schemas. */
export function operation<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  spec: Operation<Services, P, Q, B>,
): DomainOperation {
  return spec as unknown as DomainOperation;
}

/** How history names who acted: the client, or the client for a user. Never personal data. */
export function actorOf(caller: Caller): string {
  return caller.accountId === null
    ? `client:${caller.clientId}`
    : `${caller.kind}:${caller.clientId}:${caller.accountId}`;
}
