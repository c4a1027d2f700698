// Escrows for tests over the plain client: create, pay, commit, cancel, read.
import assert from 'node:assert/strict';
import type { Api, MethodPart, Reply } from './api.ts';

/** What tests read of an escrow. */
export interface EscrowSeen {
  readonly id: string;
  readonly status: string;
  readonly escrow_invoice_id: string;
  readonly commit_invoice_id: string;
  readonly cancel_invoice_id: string;
}

/** What can be asked of an escrow. */
export type EscrowMove = 'pay' | 'commit' | 'cancel';

export function createEscrow(api: Api, body: object, key?: string): Promise<Reply> {
  return api.send('invoicing', 'POST', '/v2/escrow', { body, ...(key && { key }) });
}

export function moveEscrow(
  api: Api,
  id: string,
  move: EscrowMove,
  key?: string,
): Promise<Reply> {
  return api.send('invoicing', 'POST', `/v2/escrow/${id}/${move}`, key ? { key } : {});
}

export function readEscrow(api: Api, id: string): Promise<EscrowSeen> {
  return api.must(200, 'invoicing', 'GET', `/v2/escrow/${id}`);
}

/** An escrow of the buyer's for the seller of the ready line, unless `more` says otherwise. */
export async function openEscrow(
  api: Api,
  amount: number,
  methods: readonly MethodPart[],
  more: object = {},
): Promise<EscrowSeen> {
  const reply = await createEscrow(api, api.sale(amount, methods, more));
  assert.equal(reply.status, 201, reply.text);
  return reply.payload as EscrowSeen;
}

/** A move that must succeed and lead to this status. */
export async function moved(
  api: Api,
  id: string,
  move: EscrowMove,
  status: string,
): Promise<EscrowSeen> {
  const reply = await moveEscrow(api, id, move);
  assert.equal(reply.status, 200, reply.text);
  const escrow = reply.payload as EscrowSeen;
  assert.equal(escrow.status, status);
  return escrow;
}
