// Which tables a snapshot of a world holds, and what differs in a copy. One row for each table with
// a column `world`; a test compares the list with the database. Answers for nothing being
// forgotten; refuses to know columns that are copied as they are.
import type { WrappedColumn } from '../../ports/key-versions.ts';

/** How the rows of a table come into a copy. */
export interface CopiedTable {
  readonly name: string;
  /** Counted as an object of people's: an account, an invoice, an escrow. */
  readonly object?: true;
  /** SQL about row `t`: only such rows are taken. */
  readonly only?: string;
  /** Columns that are null in a copy: whoever leases a row works in the original. */
  readonly empty?: readonly string[];
  /** Columns in real time, as far from now in a copy as they were when the snapshot was taken. */
  readonly moved?: readonly string[];
  /** Columns of a copy by SQL, about row `s` of the shelf; $1 is the copy. */
  readonly other?: Readonly<Record<string, string>>;
  /** Triggers make rows here: these are replaced after the copy. The key, without the world. */
  readonly replaced?: readonly string[];
  /** Refers to no table that is not apart too: written beside the others, by another connection. */
  readonly apart?: true;
}

const LEASE = ['lease', 'leased_until'] as const;

/** Every table that is copied. */
export const COPIED: readonly CopiedTable[] = [
  { name: 'world_currency' },
  { name: 'ledger_account' },
  { name: 'balance' },
  { name: 'integrator_balance' },
  { name: 'posting' },
  { name: 'step' },
  { name: 'account', object: true },
  { name: 'account_person' },
  { name: 'account_block' },
  { name: 'kyc' },
  { name: 'kyc_moved' },
  { name: 'kyc_application', object: true },
  { name: 'kyc_document' },
  { name: 'identity_check' },
  { name: 'identity_job', empty: LEASE, moved: ['due'] },
  { name: 'identity_notice_seen' },
  { name: 'watch_list' },
  { name: 'match_person' },
  { name: 'match_check' },
  { name: 'match_job', moved: ['due'], replaced: ['application_id'] },
  { name: 'entity', object: true },
  { name: 'entity_agent' },
  { name: 'entity_document' },
  { name: 'operator_account' },
  { name: 'review_proposal' },
  { name: 'review_note' },
  { name: 'legal_hold' },
  { name: 'erasure_job', moved: ['due'] },
  { name: 'wallet' },
  { name: 'payment_method' },
  { name: 'method_entry' },
  { name: 'deposit', object: true },
  { name: 'invoice', object: true },
  { name: 'invoice_document' },
  { name: 'authorized_invoice', object: true },
  { name: 'escrow', object: true },
  { name: 'escrow_seller' },
  { name: 'refund', object: true },
  { name: 'refund_tally' },
  { name: 'reversal' },
  { name: 'dispute', object: true },
  { name: 'payout', object: true },
  {
    name: 'attempt',
    other: {
      authentication_url: `coalesce((select replace(s.authentication_url, r.old::text, r.new::text)
        from renamed r where s.authentication_url like '%' || r.old), s.authentication_url)`,
    },
  },
  { name: 'attempt_job', empty: LEASE, moved: ['due'] },
  { name: 'remittance' },
  { name: 'remittance_job', empty: LEASE, moved: ['due'] },
  { name: 'integrator_credit', replaced: ['account_id', 'number'] },
  { name: 'statement_line' },
  // Read at once: while somebody reads it in the original it is due at no time.
  { name: 'statement_cursor', empty: LEASE, other: { due: 'now()' }, replaced: [] },
  { name: 'difference' },
  { name: 'processor_notice_seen' },
  { name: 'terms_signature' },
  { name: 'consent' },
  { name: 'tenant_setting' },
  // A key that is claimed by whoever takes the snapshot has no answer yet.
  { name: 'idempotency', apart: true, only: 't.status <> 0', moved: ['created'] },
  { name: 'kept_secret', apart: true, moved: ['expires'] },
  { name: 'audit_entry', apart: true },
  { name: 'clock_move', apart: true },
  { name: 'outbox', apart: true },
  { name: 'event', apart: true },
  { name: 'seal' },
  { name: 'event_epoch' },
  { name: 'webhook_endpoint', apart: true, object: true },
  { name: 'webhook_secret', apart: true, moved: ['expires'] },
  { name: 'delivery', apart: true, only: `t.state <> 'pending'` },
  {
    name: 'delivery_attempt', apart: true,
    only: `exists (select from delivery d where d.world = t.world
      and d.endpoint_id = t.endpoint_id and d.sequence = t.sequence and d.state <> 'pending')`,
  },
  { name: 'processor_card', apart: true },
  { name: 'processor_charge', other: { challenge: `coalesce(
    (select r.new from renamed r where r.old = s.challenge), s.challenge)` } },
  {
    name: 'processor_entry',
    apart: true,
    // Its page was opened in a browser of the original.
    other: { secret_hash: `encode(sha256(convert_to($1::int || s.secret_hash, 'UTF8')), 'hex')` },
  },
  { name: 'processor_remittance', apart: true },
  { name: 'processor_statement' },
  { name: 'processor_exchange', apart: true },
  { name: 'processor_script', apart: true },
  { name: 'processor_notice', moved: ['due'], other: { posting: 'false' } },
  { name: 'processor_due', moved: ['due'] },
  { name: 'vendor_check', apart: true },
  { name: 'vendor_exchange', apart: true },
  { name: 'vendor_script', apart: true },
  { name: 'vendor_notice', moved: ['due'], other: { posting: 'false' } },
  { name: 'vendor_due', moved: ['due'] },
  { name: 'receiver', apart: true },
  { name: 'receiver_exchange', apart: true },
  { name: 'receiver_script', apart: true },
  { name: 'receiver_request', apart: true },
];

/** Every table with a column `world` that is not copied, with the reason. */
export const NOT_COPIED: Readonly<Record<string, string>> = {
  world: 'the copy has a row of its own',
  client: 'a fork has a client of its own; those of a world that is rolled back are pointed to it',
  link: 'a one-time link opens once, in the world that it was made in',
  refresh_token: 'a fork has no signed-in users; a roll back points the living ones to the copy',
  match_key: 'made by the trigger of match_person',
  audit_pending: 'made by triggers: the chain of a copy covers all that was copied',
  audit_block: 'the chain of a copy begins anew',
  audit_line: 'the chain of a copy begins anew',
  review_claim: 'who works on a case works on it in the original',
  review_view: 'a look that was granted once is one in the original',
  request_note: 'calls were made to the original',
  sandbox_wait: 'who waits for an answer waits in the original',
  operator_session: 'the console of an operator looks at one world',
};

/** Where the keys lie that a snapshot keeps: the rows of the shelf name the world they are of. */
export function onShelf(column: WrappedColumn): WrappedColumn {
  return { ...column, table: `shelf_${column.table}`, key: ['snapshot', ...column.key] };
}
