// The current-state row of an escrow, and the ids of its invoices, which derive from its own.
import { derivedUuid } from '../../../core/ids.ts';
import { tableOf, type RowOf } from '../../../engine/index.ts';
import { escrowMachine } from './machine.ts';

const SAME = [
  ...['workspace', 'state', 'version', 'hold_seconds', 'due', 'warned', 'time_left', 'disputes'],
  ...['course', 'updated'],
];

/** The changing part of an escrow; its terms are in the document of its invoice. */
export const escrowTable = tableOf('escrow', 58, {
  id: 'uuid',
  account_id: 'uuid',
  state: escrowMachine.states,
  version: 'int4',
  /** Seconds that the money may be held. [G-42] */
  hold_seconds: 'int4',
  /** When the clock acts next; null while nothing is held or the clock is stopped. */
  due: 'timestamptz?',
  warned: 'bool',
  /** Seconds that were left when a dispute stopped the clock; null while not frozen. */
  time_left: 'int4?',
  /** JSON of the disputes; null where there was none. See dispute.ts. */
  disputes: 'json?',
  /** JSON of its dates, milestones and parts; null where it has none of them. See course.ts. */
  course: 'json?',
  created: 'timestamptz',
  updated: 'timestamptz',
}, { versioned: true, constant: SAME });
export type EscrowRow = RowOf<typeof escrowTable>;

const ENDS = { escrow: 1, commit: 2, cancel: 3 } as const;

/**
 * The id of one of an escrow's invoices. That of its payment, and that of the movement which ends
 * it, are the escrow's UUID with other last bits: no column is needed to find them, and no second
 * end can be stored. A movement before the end is known by its number, from 0. [G-94]
 */
export function invoiceOf(escrowId: string, part: keyof typeof ENDS | number): string {
  if (typeof part === 'number') return derivedUuid(`escrow/${escrowId}/${part}`);
  const last = Number.parseInt(escrowId.slice(-1), 16) ^ ENDS[part];
  return escrowId.slice(0, -1) + last.toString(16);
}
