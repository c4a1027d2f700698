// The services that operations of the domain use, the typed way to declare an operation, and what
// a module gives to the catalogue. No module and no web framework is imported here.
import type { z } from 'zod';
import type { Database } from '../db/index.ts';
import type { Command, CommandAnswer, Engine, Submission } from '../engine/index.ts';
import type { List } from '../core/list.ts';
import type { Machine } from '../core/machine.ts';
import type { Random } from '../core/random.ts';
import { defineOperation, type OperationSpec } from '../core/operation.ts';
import type {
  Answer,
  Caller,
  HostName,
  Operation,
  OperationRequest,
} from '../core/operation.ts';
import type { Proof } from '../core/proof.ts';
import type { Queue } from '../core/queue.ts';
import { refuse, type RefusalSpec } from '../core/refusal.ts';
import type { RecordKind, Stream } from '../outbox/index.ts';
import type { Files } from '../providers/files/port.ts';
import type { IdentityVendor } from '../providers/identity/port.ts';
import type { Keys } from '../providers/keys/port.ts';
import type { Mail, Mailbox } from '../providers/mail/port.ts';
import type { WrappedColumn } from '../providers/keys/versions.ts';
import type { MethodEntry } from '../providers/method-entry/port.ts';
import type { Outbound } from '../providers/outbound/port.ts';
import type { Payees } from '../providers/payees/port.ts';
import type { Providers } from '../providers/port.ts';
import type { Processor } from '../providers/processor/port.ts';
import type { SignOn } from '../providers/sign-on/port.ts';
import type { ComposedEvent } from './events.ts';

export type Environment = 'staging' | 'production';

/** The share of what a sale pays its sellers that is restricted, and for how long. [G-93] */
export interface ReserveTerms {
  /** A whole number from 1 to 100. */
  readonly percent: number;
  readonly days: number;
}

/** A currency that a workspace has enabled. */
export interface EnabledCurrency {
  readonly currency: string;
  /** Digits of the minor unit. */
  readonly digits: number;
  /** Of sales that are created now; null: nothing is restricted. */
  readonly reserve: ReserveTerms | null;
  /**
   * Minor units from which an act of an operator waits for a second person; null: as the
   * installation's setting says. [G-88]
   */
  readonly secondFrom: bigint | null;
}

/** Facts about workspaces that need no query each time; re-read every few seconds. */
export interface WorkspaceDirectory {
  /** Enabled currencies by code. */
  currencies(workspace: number): Promise<ReadonlyMap<string, EnabledCurrency>>;
  /** Has this process read a workspace again, whose settings changed. */
  forget(workspace: number): void;
  /** The workspace's lineage, from which ids and keys are derived: see `Keys.lineOf`. */
  lineageOf(workspace: number): number;
}

/** The installation's settings about money and persons. */
export interface Policies {
  /** Seconds that an escrow may hold money. [G-42] */
  readonly escrowHoldSeconds: number;
  /** Milliseconds that paying an escrow waits for the processor. [G-34] */
  readonly escrowWaitMs: number;
  /** Seconds of review before a payout is sent automatically; null in staging: never. [G-43] */
  readonly payoutHoldSeconds: number | null;
  /** Restricted funds in minor units from which a second operator must confirm a review. */
  readonly reviewFourEyesMinor: number;
  /** Minor units of a bank transfer from which a second operator must confirm. [G-91] */
  readonly bankFourEyesMinor: number;
  /** True: a strong match alone sends what the vendor accepts to manual review. [G-53] */
  readonly reviewMatches: boolean;
}

/** Everything that operations may use. */
export interface Services {
  readonly env: Environment;
  /** For reads, and for modules that move no money. Always the primary. */
  readonly db: Database;
  readonly engine: Engine;
  readonly keys: Keys;
  readonly random: Random;
  readonly urls: Readonly<Record<HostName, string>>;
  /** The service's own word on the wire. [G-80] */
  readonly word: string;
  readonly processor: Processor;
  /** Where people enter cards and bank accounts; their numbers never come to us. */
  readonly methodEntry: MethodEntry;
  /** Sellers' own accounts at the processor. */
  readonly payees: Payees;
  readonly identityVendor: IdentityVendor;
  /** Which of those above somebody answers for. */
  readonly providers: Providers;
  /** Who sends mails; null: nobody does. */
  readonly mail: Mail | null;
  /** The mails that a sandbox captured; null: it sends them, or is none. */
  readonly mailbox: Mailbox | null;
  /** Where operators sign in besides by password; null: nowhere. */
  readonly signOn: SignOn | null;
  /** Inspects files that people submit. */
  readonly files: Files;
  /** The bytes of sealed events. */
  readonly stream: Pick<Stream, 'bodies'>;
  /** Calls of addresses that tenants chose; null: this process calls nobody. */
  readonly outbound: Outbound | null;
  readonly workspaces: WorkspaceDirectory;
  readonly policies: Policies;
  /** Every lifecycle, and every refusal that this process can answer. */
  readonly reference: {
    readonly machines: readonly Machine[];
    readonly refusals: readonly RefusalSpec[];
  };
  /** The notes of which requests named which ids, written with a delay; null: none are kept. */
  readonly requestNotes: { flush(): Promise<void>; readonly kept: 'on' | 'refused' } | null;
}

/** Minor units of a currency from which an act of an operator takes two. [G-91, G-88] */
export async function secondFrom(
  { workspaces, policies }: Pick<Services, 'workspaces' | 'policies'>,
  workspace: number,
  currency: string,
): Promise<bigint> {
  const own = (await workspaces.currencies(workspace)).get(currency)?.secondFrom ?? null;
  return own ?? BigInt(policies.bankFourEyesMinor);
}

/** Any operation of the domain. */
export type DomainOperation = Operation<Services>;

/** Declares an operation of the domain. */
export function operation<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  spec: OperationSpec<Services, P, Q, B>,
): DomainOperation {
  return defineOperation(spec);
}

/** The answer of a read. Throws `absent` where nothing was found. */
export function found(payload: unknown, absent: RefusalSpec): Answer {
  if (payload === null) throw refuse(absent);
  return { status: 200, payload };
}

/** The part of a request that says who sends it, and under which key. */
export type Sender = Pick<OperationRequest<unknown, unknown, unknown>, 'caller' | 'idempotency'>;

/** Who submits the command of a request. */
export function submissionOf({ caller, idempotency }: Sender): Submission {
  return { workspace: caller.workspace, actor: actorOf(caller), idempotency };
}

/** Runs a command for the sender of a request; gives the operation's answer. */
export function submit<I>(
  { engine }: Pick<Services, 'engine'>,
  sender: Sender,
  command: Command<I>,
  input: I,
): Promise<CommandAnswer> {
  return engine.run(command, input, submissionOf(sender));
}

/**
 * The account that a list is about: as a client named it, or a session's own; a checkout's session
 * has none. '' matches nothing.
 */
export function accountListed(
  { kind, accountId, authorizedInvoiceId }: Caller,
  named: string | undefined,
): string | undefined {
  if (kind === 'client') return named;
  const own = authorizedInvoiceId === undefined ? (accountId ?? '') : '';
  return named === undefined || named === own ? own : '';
}

/** What a module gives to the catalogue, written once in its module.ts. */
export interface Module {
  /** Its folder below the product or the sandbox. */
  readonly name: string;
  readonly operations?: readonly DomainOperation[];
  readonly machines?: readonly Machine[];
  /** Laws of the books, which hold without the laws of other modules. */
  readonly bookLaws?: readonly Proof[];
  readonly laws?: readonly Proof[];
  /** Lists of its tables that people and programs search. */
  readonly lists?: readonly List[];
  /** What waits in it for a worker or for people. */
  readonly queues?: readonly Queue[];
  /** Kinds of record that events and stored answers are rendered from. */
  readonly records?: readonly RecordKind[];
  /** Columns that hold keys wrapped by the master key. [PD3] */
  readonly wrapped?: readonly WrappedColumn[];
  /** The message of each webhook event that it emits. [G-61] */
  readonly messages?: Partial<Readonly<Record<ComposedEvent, z.ZodType>>>;
  /** What its operations may refuse. */
  readonly refusals?: Readonly<Record<string, RefusalSpec>>;
}

/** The actor in history: operator, client, or the client for a user. Never personal data. */
export function actorOf(caller: Caller): string {
  if (caller.operatorId !== undefined) return `operator:${caller.operatorId}`;
  return caller.accountId === null
    ? `client:${caller.clientId}`
    : `${caller.kind}:${caller.clientId}:${caller.accountId}`;
}
