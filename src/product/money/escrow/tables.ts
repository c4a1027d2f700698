// The current-state row of an escrow, and the ids of its three invoices, which derive from its own.
import { tableOf, type RowOf } from '../../../engine/index.ts';
import { escrowMachine } from './machine.ts';

const SAME = [
  ...['workspace', 'state', 'version', 'hold_seconds', 'due', 'warned', 'time_left', 'disputes'],
  'updated',
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
  created: 'timestamptz',
  updated: 'timestamptz',
}, { versioned: true, constant: SAME });
export type EscrowRow = RowOf<typeof escrowTable>;

const PARTS = { escrow: 1, commit: 2, cancel: 3 } as const;

/**
 * The id of one of an escrow's invoices: the escrow's UUID with other last bits. So no column is
 * needed to find them, and a second commit or cancel invoice cannot be stored.
 */
export function invoiceOf(escrowId: string, part: keyof typeof PARTS): string {
  const last = Number.parseInt(escrowId.slice(-1), 16) ^ PARTS[part];
  return escrowId.slice(0, -1) + last.toString(16);
}
