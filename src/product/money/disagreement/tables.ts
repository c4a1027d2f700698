// Rows of disagreements and of what their sides stated. Of a disagreement only the proposal, the
// settlement and when the clock acts change; a statement never does.
import { derivedUuid } from '../../../core/ids.ts';
import { indexBy, stateTable, tableOf, type RowOf } from '../../../core/table.ts';
import { disagreementMachine } from './machine.ts';

export const SIDES = ['buyer', 'seller'] as const;
export type Side = (typeof SIDES)[number];
export const OPENERS = [...SIDES, 'tenant'] as const;
export const REASONS = [
  'not_received',
  'not_as_described',
  'unfinished',
  'damaged',
  'late',
  'other',
] as const;
/** What happens at the limit: all to one side, or nothing until a person decides. */
export const OUTCOMES = ['buyer', 'sellers', 'none'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const disagreementTable = stateTable('disagreement', 59, disagreementMachine.states, {
  escrow_id: 'uuid',
  /** The buyer. */
  account_id: 'uuid',
  opened_by: OPENERS,
  reason: REASONS,
  currency: 'text',
  /** Minor units that were held at the opening. */
  held: 'int8',
  outcome: OUTCOMES,
  due_by: 'timestamptz',
  /** When the clock acts next; null: not any more. */
  due: 'timestamptz?',
  /** JSON of a Proposal. */
  proposal: 'json?',
  /** JSON of a Settlement. */
  settlement: 'json?',
  created: 'timestamptz',
});
export type DisagreementRow = RowOf<typeof disagreementTable>;

/** The id of an escrow's disagreement: its steps are not those of the escrow. */
export function disagreementOf(escrowId: string): string {
  return derivedUuid(`disagreement/${escrowId}`);
}

/** That something was stated, never what. */
export const statementTable = tableOf('disagreement_statement', 0, {
  id: 'uuid',
  disagreement_id: 'uuid',
  account_id: 'uuid',
  side: SIDES,
  /** Null for a text. */
  mime: ['image/jpeg', 'image/png', 'application/pdf', null],
  /** Bytes. */
  size: 'int4',
  /** The step that added it. */
  version: 'int4',
  created: 'timestamptz',
});
export const statementsOf = indexBy(statementTable, 'disagreement_id');
