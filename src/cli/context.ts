// What every verb is given: the environment, the two streams, the composition root. So a verb can
// be tested without a process, and nothing below knows where the system is put together.
import type { Database } from '../db/index.ts';
import type { Engine } from '../engine/index.ts';
import type { Entropy } from '../kernel/entropy.ts';
import type { Anchors } from '../ports/anchors.ts';
import type { KeyVersions, WrappedColumn } from '../ports/key-versions.ts';
import type { Keys } from '../ports/keys.ts';

/** A verb failed, and what it printed says so: --json prints no line of the failure as well. */
export class ToldFailure extends Error {}

/** One start of the whole system, as the verb `start` asks for it. */
export interface SystemOptions {
  readonly env: 'staging' | 'production';
  readonly databaseUrl: string;
  readonly portBase: number;
  readonly portBaseFixed?: boolean;
  readonly forwardTo: string | null;
  /** False: nobody is called; deliveries and exchanges wait. */
  readonly outbound?: boolean;
  readonly dataDir: string;
  readonly ephemeral: boolean;
  log(line: string): void;
}

/** A started system: what it tells a program that started it [G-02], and how to stop it. */
export interface RunningSystem {
  readonly ready: Record<string, unknown>;
  /** How long a stop still serves before it begins to end. */
  readonly drainMs: number;
  stop(): Promise<void>;
}

/** Which installation a short verb works on. */
export interface InstallationOptions {
  readonly env: 'staging' | 'production';
  readonly databaseUrl: string;
  readonly dataDir: string;
  /** True brings the schema up to this release; false only looks whether it is there. */
  readonly migrated: boolean;
}

/** An installation without hosts and workers: what the short verbs need of it. */
export interface Installation {
  readonly env: 'staging' | 'production';
  readonly db: Database;
  readonly keys: Keys;
  readonly versions: KeyVersions;
  /** Every place that holds keys which the master key wraps. */
  readonly wrapped: readonly WrappedColumn[];
  /** Runs commands; nodes that run beside learn of them from the database. */
  readonly engine: Engine;
  readonly entropy: Entropy;
  /** Where the heads of the audit were sent. */
  readonly anchors: Anchors;
  /** Names of the migrations that were applied just now. */
  readonly applied: readonly string[];
  close(): Promise<void>;
}

/** What the process gives to the verbs. */
export interface CommandContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /**
   * The directory that holds `.holdfast`: the checkout, or the project that installed the package.
   */
  readonly home: string;
  /** Writes on stdout, as it is. */
  print(text: string): void;
  /** Writes one line for people, on stderr. */
  say(line: string): void;
  readonly colours: boolean;
  startSystem(options: SystemOptions): Promise<RunningSystem>;
  openInstallation(options: InstallationOptions): Promise<Installation>;
  /** Resolves when the process is asked to end. */
  readonly asked: Promise<string>;
}
