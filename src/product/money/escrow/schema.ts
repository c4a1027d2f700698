// The escrow record: the one place where its wire fields are spelled. [seed: Escrow transaction]
import { z } from 'zod';
import { accountId, wireId } from '../../../core/ids.ts';
import { strictObject } from '../../../core/schema.ts';
import { escrowTime, type Instant } from '../../../core/time.ts';
import { escrowMachine, type EscrowState } from './machine.ts';
import { invoiceOf } from './tables.ts';

/** The escrow in answers and events. */
export const escrowRecord = strictObject({
  id: z.string(),
  account_id: z.string(),
  escrow_invoice_id: z.string(),
  commit_invoice_id: z.string(),
  cancel_invoice_id: z.string(),
  status: z.enum(escrowMachine.states),
  integrator: z.string().optional(),
  created: z.string(),
  updated: z.string(),
}).meta({ title: 'Escrow' });
export type EscrowRecord = z.output<typeof escrowRecord>;

/** What of an escrow goes on the wire, at one moment. */
export interface EscrowMoment {
  readonly id: string;
  readonly account_id: string;
  readonly state: EscrowState;
  readonly created: Instant;
  readonly updated: Instant;
}

/**
 * Renders the wire record; `integrator` is absent while the escrow is open, ids of missing invoices
 * are ''.
 */
export function renderEscrow(row: EscrowMoment, integrator: string): EscrowRecord {
  const { state } = row;
  return {
    id: wireId('esc', row.id),
    account_id: accountId(row.account_id),
    escrow_invoice_id: invoiceOf(row.id, 'escrow'),
    commit_invoice_id: state === 'COMMITTED' ? invoiceOf(row.id, 'commit') : '',
    cancel_invoice_id: state === 'CANCELLED' ? invoiceOf(row.id, 'cancel') : '',
    status: state,
    ...(state === 'OPEN' ? {} : { integrator }),
    created: escrowTime(row.created),
    updated: escrowTime(row.updated),
  };
}
