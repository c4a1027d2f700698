// The sandbox's counterparties on command: what each can be told to do and how that must end,
// waiting scripts, what each has received, and hosted webhook receivers. A production installation
// has no such port.
import { z } from 'zod';
import type { Queryable, Transaction } from '../../db/index.ts';

/** Who can be commanded; a bank speaks through the processor. */
export const COUNTERPARTIES = ['processor', 'bank', 'vendor', 'receiver'] as const;
export type CounterpartyName = (typeof COUNTERPARTIES)[number];

/** Those whose next calls can be scripted. */
export const SCRIPTED = ['processor', 'vendor', 'receiver'] as const;
export type ScriptedName = (typeof SCRIPTED)[number];

/** Kinds of scenario. */
export const SCENARIO_KINDS = [
  /** The provider calls of one payment, scripted by one name. */
  'scenario',
  /** A test card or account with a fixed behaviour. */
  'card',
  'account',
  /** What only the outside world can cause. */
  'event',
  /** A test person whom the vendor treats in a fixed way. */
  'person',
  /** A later or repeated decision of the vendor. */
  'decision',
  /** One provider call, scripted by name. */
  'exchange',
  /** How a hosted receiver answers. */
  'behaviour',
] as const;
/** A record as code may have it: read only. */
type Fact<T> = T extends readonly (infer E)[]
  ? readonly Fact<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Fact<T[K]> }
    : T;

const nullable = z.string().nullable();

/** One call to paste; words in braces stand for the caller's own ids. */
const how = z.strictObject({
  host: z.enum(['invoicing', 'pii']),
  /** Id of the operation. */
  operation: z.string(),
  method: z.literal('POST'),
  path: z.string(),
  body: z.record(z.string(), z.unknown()),
  /** For a shell. */
  curl: z.string(),
  /** For the client. */
  sdk: z.string(),
});
export type HowFact = Fact<z.output<typeof how>>;

/** How it must end, for programs. */
const outcome = z.strictObject({
  /** What ends: a payment by card or account, a payout, an application, an event delivery. */
  of: z.enum(['payment', 'payout', 'application', 'delivery']),
  /** As on the wire; of a payment also `parked`, until an operator decides. */
  state: z.string(),
  /** The failure code of a payment or payout, the last reason of a refused delivery. */
  code: nullable,
  /** Kinds of statement rows, in order; null if it is not about money. */
  moved: z.array(z.string()).nullable(),
  /** Requests that a delivery takes; else null. */
  tries: z.int().nullable(),
});
export type OutcomeFact = Fact<z.output<typeof outcome>>;

/** One named scenario. */
const scenario = z.strictObject({
  /** Unique among all counterparties. */
  name: z.string(),
  kind: z.enum(SCENARIO_KINDS),
  /** One sentence: what the counterparty does. */
  story: z.string(),
  /** What happens, call by call. */
  steps: z.array(z.strictObject({ asked: z.string(), answered: z.string() })),
  /** One sentence: how it must end. */
  ends: z.string(),
  outcome,
  /** Name of the card, account or person it is tried with; null for any. */
  needs: nullable,
  how,
  /** Address of the page for people. */
  page: z.string(),
}).meta({ title: 'Scenario' });
export type CounterpartyScenario = Fact<z.output<typeof scenario>>;

/** One way in which a provider call can go; of its operations the first is the default. */
const exchange = z.strictObject({
  name: z.string(),
  story: z.string(),
  operations: z.array(z.string()),
});
export type ExchangeFact = Fact<z.output<typeof exchange>>;

/** One counterparty: its scenarios, and what scripts may name. */
export const counterpartyRecord = z.strictObject({
  name: z.enum(COUNTERPARTIES),
  story: z.string(),
  scenarios: z.array(scenario),
  exchanges: z.array(exchange),
}).meta({ title: 'Counterparty' });
export type CounterpartyFact = Fact<z.output<typeof counterpartyRecord>>;

/** How the next `times` calls of one kind go. */
export interface ScriptOrder {
  readonly counterparty: ScriptedName;
  readonly operation: string;
  readonly exchange: string;
  readonly times: number;
  /** Token of a card, name of a person, id of a receiver; '' for any. */
  readonly token: string;
}

/** A waiting script. */
export interface WaitingScript extends Omit<ScriptOrder, 'times'> {
  readonly script_id: string;
  readonly remaining: number;
}

/** A page of a list and the cursor of the next; null after the last. */
export interface BookPage<E extends object = object> {
  readonly entries: readonly E[];
  readonly next: string | null;
}

/** A webhook receiver hosted by the sandbox. */
export interface ReceiverFact {
  readonly receiver_id: string;
  readonly endpoint_id: string;
  readonly requests: number;
  readonly created: string;
}

/** The counterparties. Everything happens in the caller's transaction. */
export interface SandboxCounterparties {
  readonly all: readonly CounterpartyFact[];
  /** Queues a script; returns its id. */
  script(tx: Transaction, workspace: number, order: ScriptOrder): Promise<string>;
  /** Waiting scripts, in order for each counterparty. */
  waiting(db: Queryable, workspace: number): Promise<readonly WaitingScript[]>;
  /** Deletes waiting scripts; returns how many there were. */
  clear(tx: Transaction, workspace: number): Promise<number>;
  /** `after` is the `next` of the previous page, or ''. */
  book(
    db: Queryable,
    counterparty: CounterpartyName,
    workspace: number,
    after: string,
  ): Promise<BookPage>;
  /** Names of the vendor's test persons, for scripts. */
  readonly persons: ReadonlySet<string>;
  readonly receivers: {
    /** URL of the receiver with this id. */
    addressOf(id: string): string;
    /** Milliseconds that the receiver at a URL has to answer; null for an outside URL. */
    patienceAt(url: string): number | null;
    open(tx: Transaction, workspace: number, id: string, endpoint: string): Promise<void>;
    /** Oldest first, without ended ones. */
    list(db: Queryable, workspace: number): Promise<readonly ReceiverFact[]>;
    /** Its endpoint; null for one that is unknown or has ended. */
    find(db: Queryable, workspace: number, id: string): Promise<string | null>;
    requests(db: Queryable, workspace: number, id: string, after: string): Promise<BookPage>;
    end(tx: Transaction, workspace: number, id: string): Promise<void>;
  };
}
