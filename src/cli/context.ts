// What every command is given: environment, streams and composition root, so that commands can be
// tested without a process.
import type { Database } from '../db/index.ts';
import type { Engine } from '../engine/index.ts';
import type { Random } from '../core/random.ts';
import type { Anchors } from '../providers/anchors/port.ts';
import type { KeyVersions, WrappedColumn } from '../providers/keys/versions.ts';
import type { Keys } from '../providers/keys/port.ts';
import type { MailServer } from '../providers/mail/port.ts';
import type { Policies } from '../product/context.ts';
import type { ProviderRow, StoredConnection } from '../providers/port.ts';
import type { SignOn } from '../providers/sign-on/port.ts';

/** A command failed and its output says so: --json adds no line for the failure. */
export class ToldFailure extends Error {}

/** One start of the whole system, as the command `start` requests it. */
export interface SystemOptions {
  readonly env: 'staging' | 'production';
  readonly databaseUrl: string;
  /** As the role that owns the tables; null or absent: DATABASE_URL's role is all there is. */
  readonly ownerUrl?: string | null;
  readonly portBase: number;
  readonly portBaseFixed?: boolean;
  readonly forwardTo: string | null;
  /** False: nobody outside is called; deliveries and provider calls wait. */
  readonly outbound?: boolean;
  readonly dataDir: string;
  readonly ephemeral: boolean;
  log(line: string): void;
}

/** A started system: what it reports to the program that started it [G-02], and how to stop it. */
export interface RunningSystem {
  readonly ready: Record<string, unknown>;
  /** How long a stop still serves before it begins to end. */
  readonly drainMs: number;
  stop(): Promise<void>;
}

/** Which installation a short command works on. */
export interface InstallationOptions {
  readonly env: 'staging' | 'production';
  readonly databaseUrl: string;
  readonly ownerUrl?: string | null;
  readonly dataDir: string;
  /** True makes the schema ready as a start does; false leaves it as it is. */
  readonly migrated: boolean | 'by the owner';
  /** Its settings; absent: those of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** An installation without hosts and workers, for short commands. */
export interface Installation {
  readonly env: 'staging' | 'production';
  readonly db: Database;
  readonly keys: Keys;
  readonly versions: KeyVersions;
  /** Every column that holds keys wrapped by the master key. */
  readonly wrapped: readonly WrappedColumn[];
  /** Runs commands; nodes running beside learn of them from the database. */
  readonly engine: Engine;
  readonly random: Random;
  /** Where the audit's block hashes were sent. */
  readonly anchors: Anchors;
  /** Takes the snapshot that resets of a new workspace go back to; nothing in production. */
  rememberBeginning(workspace: number): Promise<void>;
  /** The migrations that the owner just applied, and the role that got rights. */
  readonly brought: { readonly applied: readonly string[]; readonly role: string | null } | null;
  /** Throws a sentence if this program cannot work on the schema; gives newer migrations. */
  schemaIs(): Promise<readonly string[]>;
  /** The providers that tenants can be connected to. */
  readonly providers: readonly ProviderRow[];
  /** The settings about money and persons. */
  readonly policies: Policies;
  /** Where operators sign in besides by password; null: nowhere. */
  readonly signOn: SignOn | null;
  /** What takes our mails; null: nothing. */
  readonly mailServer: MailServer | null;
  /** How many connections a node opens at most. */
  readonly nodeConnections: number;
  /** Opens connections as the owner of its tables, for the caller to close. */
  owner(): Database;
  /** Public base addresses by host, those that are set. */
  readonly urls: Readonly<Record<string, string>>;
  /** Tries a connection with a call that changes nothing; what is wrong, as sentences. */
  tryConnection(connection: StoredConnection): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** What the process gives to commands. */
export interface CommandContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /**
   * The directory that holds `.holdfast`: the checkout, or the project that installed the package.
   */
  readonly home: string;
  /** Writes to stdout, unchanged. */
  print(text: string): void;
  /** Writes one line for people to stderr. */
  say(line: string): void;
  readonly colours: boolean;
  startSystem(options: SystemOptions): Promise<RunningSystem>;
  openInstallation(options: InstallationOptions): Promise<Installation>;
  /** Resolves when the process is told to end. */
  readonly asked: Promise<string>;
}
