// Rows of businesses and of the persons behind them. The table of documents is outside of the
// engine; an entity's row names its agents and documents, so that its lock covers both. [G-54]
import { defineTable, type IdRow, type Index } from '../../../engine/index.ts';
import type { Instant } from '../../../core/time.ts';
import type { KybState } from './machine.ts';

export interface EntityRow extends IdRow {
  readonly account_id: string;
  readonly state: KybState;
  readonly version: number;
  /** '' until it is stated. */
  readonly entity_type: string;
  /** ISO 3166; '' where unknown. */
  readonly country: string;
  readonly tax_id_given: boolean;
  /** `Course`: what follows once all of its persons are verified. */
  readonly course: string;
  /** JSON: ids of its agents, the primary contact first. */
  readonly agents: string;
  /** How many agents it has ever named. */
  readonly people: number;
  /** JSON: list of `NamedDocument`. */
  readonly documents: string;
  /** JSON: codes of what did not pass or is missing. */
  readonly reasons: string;
  /** JSON: results of rules as `<rule>:<digit>`. */
  readonly rules: string;
  /** What the business stated; null once erased. */
  readonly sealed: string | null;
  /** When the clock acts, by the workspace's clock; null: never. */
  readonly due: Instant | null;
  readonly created: Instant;
  readonly updated: Instant;
}

export const entityTable = defineTable<EntityRow>({
  name: 'entity',
  rank: 24,
  versioned: true,
  columns: {
    workspace: 'int4',
    id: 'uuid',
    account_id: 'uuid',
    state: 'text',
    version: 'int4',
    entity_type: 'text',
    country: 'text',
    tax_id_given: 'bool',
    course: 'text',
    agents: 'json',
    people: 'int4',
    documents: 'json',
    reasons: 'json',
    rules: 'json',
    sealed: 'text',
    due: 'timestamptz',
    created: 'timestamptz',
    updated: 'timestamptz',
  },
});

export const entityOfAccount: Index<EntityRow> = { table: entityTable, column: 'account_id' };

/** A document in the form of an entity. */
export interface NamedDocument {
  readonly id: string;
  /** The agent that it is about; null: the whole business. */
  readonly agent: string | null;
}

/** Ids of an entity's agents, the primary contact first. */
export function agentIdsOf({ agents }: Pick<EntityRow, 'agents'>): string[] {
  return JSON.parse(agents) as string[];
}

export function documentsOf({ documents }: Pick<EntityRow, 'documents'>): NamedDocument[] {
  return JSON.parse(documents) as NamedDocument[];
}

/** A person behind a business. */
export interface AgentRow extends IdRow {
  readonly entity_id: string;
  /** The business's own account for the primary contact, else the person's. */
  readonly account_id: string;
  /** The account on which this person's identity is verified. */
  readonly person_id: string;
  readonly state: KybState;
  readonly version: number;
  /** JSON: list of `Role`. */
  readonly roles: string;
  /** The name; null once erased. */
  readonly sealed: string | null;
  readonly created: Instant;
  readonly updated: Instant;
}

export const agentTable = defineTable<AgentRow>({
  name: 'entity_agent',
  rank: 25,
  versioned: true,
  columns: {
    workspace: 'int4',
    id: 'uuid',
    entity_id: 'uuid',
    account_id: 'uuid',
    person_id: 'uuid',
    state: 'text',
    version: 'int4',
    roles: 'json',
    sealed: 'text',
    created: 'timestamptz',
    updated: 'timestamptz',
  },
});

export const agentOfPerson: Index<AgentRow> = { table: agentTable, column: 'person_id' };
