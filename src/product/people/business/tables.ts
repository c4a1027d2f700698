// Rows of businesses and of the persons behind them. The table of documents is outside of the
// engine; an entity's row names its agents and documents, so that its lock covers both. [G-54]
import { indexBy, stateTable, type RowOf } from '../../../core/table.ts';
import type { NamedDocument } from './judged.ts';
import { agentMachine, entityMachine } from './machine.ts';

export const entityTable = stateTable('entity', 24, entityMachine.states, {
  account_id: 'uuid',
  /** '' until it is stated. */
  entity_type: 'text',
  /** ISO 3166; '' where unknown. */
  country: 'text',
  tax_id_given: 'bool',
  /** JSON: parts of its registration that are not stated. */
  lacks: 'json',
  /** `Course`: what follows once all of its persons are verified. */
  course: ['accept', 'deny', 'ask', 'unregistered', 'people'],
  /** JSON: ids of its agents, the primary contact first. */
  agents: 'json',
  /** How many agents it has ever named. */
  people: 'int4',
  /** JSON: list of `NamedDocument`. */
  documents: 'json',
  /** JSON: codes of what did not pass or is missing. */
  reasons: 'json',
  /** JSON: results of rules as `<rule>:<digit>`. */
  rules: 'json',
  /** What the business stated; null once erased. */
  sealed: 'text?',
  /** When the clock acts, by the workspace's clock; null: never. */
  due: 'timestamptz?',
  created: 'timestamptz',
});
export type EntityRow = RowOf<typeof entityTable>;

export const entityOfAccount = indexBy(entityTable, 'account_id');

/** Ids of an entity's agents, the primary contact first. */
export function agentIdsOf({ agents }: Pick<EntityRow, 'agents'>): string[] {
  return JSON.parse(agents) as string[];
}

export function documentsOf({ documents }: Pick<EntityRow, 'documents'>): NamedDocument[] {
  return JSON.parse(documents) as NamedDocument[];
}

/** A person behind a business. */
export const agentTable = stateTable('entity_agent', 25, agentMachine.states, {
  entity_id: 'uuid',
  /** The business's own account for the primary contact, else the person's. */
  account_id: 'uuid',
  /** The account on which this person's identity is verified. */
  person_id: 'uuid',
  /** JSON: list of `Role`. */
  roles: 'json',
  /** What an owner owns, as a band or in percent; '' where it is not stated. */
  ownership: 'text',
  /** The name; null once erased. */
  sealed: 'text?',
  created: 'timestamptz',
});
export type AgentRow = RowOf<typeof agentTable>;

export const agentOfPerson = indexBy(agentTable, 'person_id');
