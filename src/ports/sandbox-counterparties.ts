// The sandbox's counterparties on command: what each can be told to do and how that must end, what
// still waits to be done, what each has seen, and receivers of events that the sandbox hosts. A
// production installation has no such port. Knows no card number, no person and no secret.
import type { Queryable, Transaction } from '../db/index.ts';

/** Who can be commanded; a bank speaks through the processor. */
export const COUNTERPARTIES = ['processor', 'bank', 'vendor', 'receiver'] as const;
export type CounterpartyName = (typeof COUNTERPARTIES)[number];

/** Those whose next exchanges can be scripted. */
export const SCRIPTED = ['processor', 'vendor', 'receiver'] as const;
export type ScriptedName = (typeof SCRIPTED)[number];

/** What kind of command a scenario is. */
export const SCENARIO_KINDS = [
  /** Exchanges of a payment, scripted by one name. */
  'scenario',
  /** A test card or account, which behaves so by itself. */
  'card',
  'account',
  /** What only the outside world can cause. */
  'event',
  /** A test person, who is treated so by the vendor. */
  'person',
  /** What the vendor decides later, or anew. */
  'decision',
  /** One exchange, scripted by its name. */
  'exchange',
  /** How a hosted receiver answers. */
  'behaviour',
] as const;
export type ScenarioKind = (typeof SCENARIO_KINDS)[number];

/** One call that can be pasted; words in braces stand for ids of the caller's own. */
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
  /** What ends: a payment by card or account, a payout, an application, a delivery of an event. */
  readonly of: 'payment' | 'payout' | 'application' | 'delivery';
  /** As the wire calls it; of a payment also `parked`, until a person decides. */
  readonly state: string;
  /** The failure code of a payment or payout, the last reason of a delivery that was refused. */
  readonly code: string | null;
  /** Kinds of lines on the processor's statement, in order; null where it is not about money. */
  readonly moved: readonly string[] | null;
  /** Requests that a delivery takes; null elsewhere. */
  readonly tries: number | null;
}

/** One named scenario. */
export interface CounterpartyScenario {
  /** Unique among all counterparties. */
  readonly name: string;
  readonly kind: ScenarioKind;
  /** One sentence: what the counterparty does. */
  readonly story: string;
  /** What happens, exchange by exchange. */
  readonly steps: readonly { readonly asked: string; readonly answered: string }[];
  /** One sentence: how it must end. */
  readonly ends: string;
  readonly outcome: OutcomeFact;
  /** Name of the card, account or person that it is tried with; null for any. */
  readonly needs: string | null;
  readonly how: HowFact;
  /** Address of the page for people. */
  readonly page: string;
}

/** One way in which an exchange can go. */
export interface ExchangeFact {
  readonly name: string;
  readonly story: string;
  /** The questions that can be answered so; the first is meant where none is named. */
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

/** How the next `times` exchanges of one kind go. */
export interface ScriptOrder {
  readonly counterparty: ScriptedName;
  readonly operation: string;
  readonly exchange: string;
  readonly times: number;
  /** Token of a card, name of a person, id of a receiver; '' for any. */
  readonly token: string;
}

/** A script that waits. */
export interface WaitingScript extends Omit<ScriptOrder, 'times'> {
  readonly script_id: string;
  readonly remaining: number;
}

/** A page of a book, and where the next one starts; null after the last. */
export interface BookPage<E extends object = object> {
  readonly entries: readonly E[];
  readonly next: string | null;
}

/** A receiver of events that the sandbox hosts. */
export interface ReceiverFact {
  readonly receiver_id: string;
  readonly endpoint_id: string;
  readonly requests: number;
  readonly created: string;
}

/** The counterparties. Everything happens in the caller's transaction. */
export interface SandboxCounterparties {
  readonly all: readonly CounterpartyFact[];
  /** Queues; gives the id. */
  script(tx: Transaction, world: number, order: ScriptOrder): Promise<string>;
  /** What still waits, in the order of its turn for each counterparty. */
  waiting(db: Queryable, world: number): Promise<readonly WaitingScript[]>;
  /** Takes away what still waits; gives how many scripts that were. */
  clear(tx: Transaction, world: number): Promise<number>;
  /** `after` is the `next` of the page before, or ''. */
  book(
    db: Queryable,
    counterparty: CounterpartyName,
    world: number,
    after: string,
  ): Promise<BookPage>;
  /** Names of the vendor's persons, for whom scripts can be meant. */
  readonly persons: ReadonlySet<string>;
  readonly receivers: {
    /** Where the receiver of an id is. */
    addressOf(id: string): string;
    /** Milliseconds that the one at an address has for its answer; null for an outside address. */
    patienceAt(url: string): number | null;
    open(tx: Transaction, world: number, id: string, endpoint: string): Promise<void>;
    /** Oldest first, without ended ones. */
    list(db: Queryable, world: number): Promise<readonly ReceiverFact[]>;
    /** Its endpoint; null for one that is not known, or has ended. */
    find(db: Queryable, world: number, id: string): Promise<string | null>;
    requests(db: Queryable, world: number, id: string, after: string): Promise<BookPage>;
    end(tx: Transaction, world: number, id: string): Promise<void>;
  };
}
