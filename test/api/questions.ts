// The path of each operation about one tenant's resources, and the reads whose answers are facts of
// a workspace.
import assert from 'node:assert/strict';
import type { Place } from './answers.ts';
import type { Fixtures } from './fixtures.ts';

const PATH_IDS: Readonly<Record<string, keyof Fixtures>> = {
  account_id: 'account',
  invoice_id: 'invoice',
  authorized_invoice_id: 'authorized',
  escrow_id: 'escrow',
  wallet_id: 'wallet',
  endpoint_id: 'endpoint',
  receiver_id: 'receiver',
  snapshot_id: 'snapshot',
  world_id: 'workspace',
  event_id: 'event',
  deposit_id: 'deposit',
  payment_method_id: 'card',
  payout_status_id: 'payout',
  transaction_id: 'payout',
  refund_id: 'refund',
  item_id: 'attempt',
  nonce_auth_id: 'link',
  consent_id: 'consent',
  entity_id: 'entity',
  entity_agent_id: 'agent',
  entity_document_id: 'document',
  id: 'escrow',
  dispute_id: 'dispute',
  word: 'word',
};

/** Queries without which an operation answers nothing. */
const QUERIES: Readonly<Record<string, (fixtures: Fixtures) => string>> = {
  listPayoutWays: () => '?currency=USD',
  quotePayout: ({ bank }) => `?amount=9&currency=USD&destination_payment_method_id=${bank}`,
  getEscrowOfParty: ({ account }) => `?account_id=${account}`,
  getReceipt: ({ account }) => `?account_id=${account}`,
  getTransaction: ({ account }) => `?account_id=${account}`,
  listTransactions: ({ account }) => `?account_id=${account}`,
};

/** Path of each operation about these resources. */
export function addressOf(place: Place, fixtures: Fixtures): string {
  const path = place.path.replace(/\{([a-z_]+)\}/g, (_, name: string) => {
    const escrow = place.operation.operationId === 'getEscrowByInvoice';
    const receipt = place.operation.operationId.endsWith('Receipt');
    const thing = escrow ? 'escrowInvoice' : receipt ? 'paid' : PATH_IDS[name];
    assert.ok(thing, `${place.operation.operationId}: ${name} needs a thing here`);
    return String(fixtures[thing]);
  });
  return `${path}${QUERIES[place.operation.operationId]?.(fixtures) ?? ''}`;
}

/**
 * Answers that are not facts of the workspace alone: its name and time, received requests, links
 * that open once, unfinished deliveries.
 */
const OUTSIDE: ReadonlySet<string> = new Set([
  ...['sandboxListWorlds', 'sandboxListSnapshots', 'sandboxClock', 'sandboxExplain'],
  ...['sandboxBook', 'getLinkStatus', 'listWebhookDeliveries', 'searchDeliveries'],
]);

/** What a client can ask without changing anything. */
export function readable(places: readonly Place[]): Place[] {
  return places.filter(({ method, operation }) => {
    const { operationId, 'x-access': access } = operation;
    return method === 'GET' && access?.['client'] !== undefined && !OUTSIDE.has(operationId);
  });
}
