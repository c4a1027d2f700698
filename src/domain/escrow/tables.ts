// The current-state row of an escrow, and the ids of its three invoices, which derive from its own.
import { defineTable, type IdRow } from '../../engine/index.ts';
import type { Instant } from '../../kernel/time.ts';

/** The changing part of an escrow; its terms are in the document of its invoice. */
export interface EscrowRow extends IdRow {
  readonly account_id: string;
  readonly state: string;
  readonly version: number;
  /** Seconds that the money may be held. [G-42] */
  readonly hold_seconds: number;
  /** When the clock acts next; null while nothing is held or the clock is stopped. */
  readonly due: Instant | null;
  readonly warned: boolean;
  /** Seconds that were left when a dispute stopped the clock; null while not frozen. */
  readonly time_left: number | null;
  /** JSON of the disputes; null where there was none. See dispute.ts. */
  readonly disputes: string | null;
  readonly created: Instant;
  readonly updated: Instant;
}

export const escrowTable = defineTable<EscrowRow>({
  name: 'escrow',
  rank: 58,
  alike: [
    ...['world', 'state', 'version', 'hold_seconds', 'due', 'warned', 'time_left', 'disputes'],
    'updated',
  ],
  versioned: true,
  columns: {
    world: 'int4',
    id: 'uuid',
    account_id: 'uuid',
    state: 'text',
    version: 'int4',
    hold_seconds: 'int4',
    due: 'timestamptz',
    warned: 'bool',
    time_left: 'int4',
    disputes: 'json',
    created: 'timestamptz',
    updated: 'timestamptz',
  },
});

const PARTS = { escrow: 1, commit: 2, cancel: 3 } as const;

/**
 * The id of one of an escrow's invoices: the escrow's UUID with other last bits. So no column is
 * needed to find them, and a second commit or cancel invoice cannot be stored.
 */
export function invoiceOf(escrowId: string, part: keyof typeof PARTS): string {
  const last = Number.parseInt(escrowId.slice(-1), 16) ^ PARTS[part];
  return escrowId.slice(0, -1) + last.toString(16);
}
