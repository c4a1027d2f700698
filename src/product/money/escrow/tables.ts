// The current-state row of an escrow, and the ids of its invoices, which derive from its own.
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

/** What changes of the last digit. */
const ENDS = { escrow: 1, commit: 2, cancel: 3 } as const;
const PART = 4;
/** Digits of chance; those of line items are behind them. */
const [FIRST, END] = [24, 28];

/**
 * The id of one of an escrow's invoices: the escrow's UUID with other bits behind its time. So no
 * column is needed to find them, no second end can be stored, and they lie together in lists. That
 * of its payment and that of the movement which ends it differ in the last digit; a movement before
 * the end has its number, from 0, in four digits of chance as well. [G-94]
 */
export function invoiceOf(escrowId: string, part: keyof typeof ENDS | number): string {
  const last = changed(escrowId.slice(-1), typeof part === 'number' ? PART : ENDS[part]);
  const chance = changed(escrowId.slice(FIRST, END), typeof part === 'number' ? part + 1 : 0);
  return escrowId.slice(0, FIRST) + chance + escrowId.slice(END, -1) + last;
}

/** Hexadecimal digits with some of their bits changed. */
function changed(digits: string, bits: number): string {
  return (Number.parseInt(digits, 16) ^ bits).toString(16).padStart(digits.length, '0');
}
