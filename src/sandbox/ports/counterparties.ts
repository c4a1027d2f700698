// The sandbox's counterparties on command: what each can be told to do and how that must end,
// waiting scripts, what each has received, and hosted webhook receivers. A production installation
// has no such port.
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
export type ScenarioKind = (typeof SCENARIO_KINDS)[number];

/** One call to paste; words in braces stand for the caller's own ids. */
export interface HowFact {
  readonly host: 'invoicing' | 'pii';
  /** Id of the operation. */
  readonly operation: string;
  readonly method: 'POST';
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** For a shell. */
  readonly curl: string;
  /** For the client. */
  readonly sdk: string;
}

/** How it must end, for programs. */
export interface OutcomeFact {
  /** What ends: a payment by card or account, a payout, an application, an event delivery. */
  readonly of: 'payment' | 'payout' | 'application' | 'delivery';
  /** As on the wire; of a payment also `parked`, until an operator decides. */
  readonly state: string;
  /** The failure code of a payment or payout, the last reason of a refused delivery. */
  readonly code: string | null;
  /** Kinds of statement rows, in order; null if it is not about money. */
  readonly moved: readonly string[] | null;
  /** Requests that a delivery takes; else null. */
  readonly tries: number | null;
}

/** One named scenario. */
export interface CounterpartyScenario {
  /** Unique among all counterparties. */
  readonly name: string;
  readonly kind: ScenarioKind;
  /** One sentence: what the counterparty does. */
  readonly story: string;
  /** What happens, call by call. */
  readonly steps: readonly { readonly asked: string; readonly answered: string }[];
  /** One sentence: how it must end. */
  readonly ends: string;
  readonly outcome: OutcomeFact;
  /** Name of the card, account or person it is tried with; null for any. */
  readonly needs: string | null;
  readonly how: HowFact;
  /** Address of the page for people. */
  readonly page: string;
}

/** One way in which a provider call can go. */
export interface ExchangeFact {
  readonly name: string;
  readonly story: string;
  /** The calls it can apply to; the first is the default. */
  readonly operations: readonly string[];
}

/** One counterparty. */
export interface CounterpartyFact {
  readonly name: CounterpartyName;
  readonly story: string;
  readonly scenarios: readonly CounterpartyScenario[];
  /** What scripts may name. */
  readonly exchanges: readonly ExchangeFact[];
}

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
