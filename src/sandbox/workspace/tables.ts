// Which tables a snapshot of a workspace holds, and what differs in a clone. One row for each table
// with a column `workspace`; a test compares the list with the database. Columns that are copied
// unchanged are not named.
import type { WrappedColumn } from '../../providers/keys/versions.ts';

/** How the rows of a table are copied. */
export interface CopiedTable {
  readonly name: string;
  /** Counted as an object for readers: an account, an invoice, an escrow. */
  readonly object?: true;
  /** SQL about row `t`: only such rows are copied. */
  readonly only?: string;
  /** Columns that are null in a clone: a lease belongs to a worker of the original. */
  readonly empty?: readonly string[];
  /** Columns in real time; in a clone they are as far from now as when the snapshot was taken. */
  readonly moved?: readonly string[];
  /** Columns computed by SQL about the stored row `s`; $1 is the clone. */
  readonly other?: Readonly<Record<string, string>>;
  /** Triggers create rows here, which are then replaced. The key without `workspace`. */
  readonly replaced?: readonly string[];
  /** Refers only to tables that are also apart: written beside the others on its own connection. */
  readonly apart?: true;
}

const LEASE = ['lease', 'leased_until'] as const;

export const COPIED: readonly CopiedTable[] = [
  { name: 'workspace_currency' },
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
  { name: 'screening_hit' },
  { name: 'match_person' },
  { name: 'match_count' },
  { name: 'match_uncount' },
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
  { name: 'payout_destination' },
  { name: 'method_entry' },
  { name: 'bank_account' },
  { name: 'bank_statement' },
  { name: 'bank_entry' },
  { name: 'incoming_transfer' },
  { name: 'bank_booking' },
  { name: 'deposit', object: true },
  { name: 'imported' },
  { name: 'opening' },
  { name: 'opening_line' },
  { name: 'invoice', object: true },
  { name: 'invoice_document' },
  { name: 'authorized_invoice', object: true },
  { name: 'escrow', object: true },
  { name: 'escrow_seller' },
  { name: 'refund', object: true },
  { name: 'refunded_amounts' },
  { name: 'reversal' },
  { name: 'disagreement' },
  { name: 'disagreement_statement' },
  { name: 'dispute', object: true },
  { name: 'dispute_evidence' },
  { name: 'dispute_content' },
  { name: 'dispute_answer' },
  { name: 'dispute_answer_job', empty: LEASE, moved: ['due'] },
  { name: 'wallet_debt' },
  { name: 'debt_repayment' },
  { name: 'reserve' },
  { name: 'reserve_hold' },
  { name: 'payout', object: true },
  {
    name: 'attempt',
    other: {
      authentication_url: `coalesce((select replace(s.authentication_url, r.old::text, r.new::text)
        from renamed r where s.authentication_url like '%' || r.old), s.authentication_url)`,
      connection_id: 'null::uuid',
    },
  },
  { name: 'attempt_job', empty: LEASE, moved: ['due'], other: { connection_id: 'null::uuid' } },
  { name: 'transfer' },
  { name: 'payout_schedule' },
  { name: 'payout_file' },
  { name: 'payout_file_item' },
  { name: 'transfer_job', empty: LEASE, moved: ['due'], other: { connection_id: 'null::uuid' } },
  { name: 'payee' },
  { name: 'payee_job', empty: LEASE, moved: ['due', 'quiet_since'] },
  { name: 'integrator_credit', replaced: ['account_id', 'number'] },
  { name: 'statement_line' },
  // Read at once: while the original's is being read, it has no due time.
  { name: 'statement_cursor', empty: LEASE, other: { due: 'now()' }, replaced: [] },
  { name: 'difference' },
  { name: 'money_act' },
  { name: 'funds' },
  { name: 'funds_hold' },
  { name: 'settlement' },
  { name: 'processor_notice_seen' },
  { name: 'terms_signature' },
  { name: 'consent' },
  { name: 'tenant_setting' },
  { name: 'match_weights' },
  { name: 'mail_cursor' },
  { name: 'mail_bounce' },
  // A key that is still being claimed has no answer yet.
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
    name: 'delivery_attempt',
    apart: true,
    only: `exists (select from delivery d where d.workspace = t.workspace
      and d.endpoint_id = t.endpoint_id and d.sequence = t.sequence and d.state <> 'pending')`,
  },
  { name: 'processor_card', apart: true },
  {
    name: 'processor_charge',
    other: {
      challenge: `coalesce(
    (select r.new from renamed r where r.old = s.challenge), s.challenge)`,
    },
  },
  {
    name: 'processor_entry',
    apart: true,
    // Its page was opened in a browser of the original.
    other: { secret_hash: `encode(sha256(convert_to($1::int || s.secret_hash, 'UTF8')), 'hex')` },
  },
  { name: 'processor_transfer', apart: true },
  { name: 'processor_terms', apart: true },
  { name: 'processor_answer', apart: true },
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

/** Every table with a column `workspace` that is not copied, with the reason. */
export const NOT_COPIED: Readonly<Record<string, string>> = {
  workspace: 'the copy has a row of its own',
  client:
    'a clone has a client of its own; those of a workspace that is rolled back are pointed to it',
  link: 'a one-time link opens once, in the workspace that it was made in',
  refresh_token: 'a clone has no signed-in users; a roll back points the living ones to the copy',
  match_estimate: 'estimated anew when somebody asks',
  match_key: 'made by the trigger of match_person',
  audit_pending: 'made by triggers: the chain of a copy covers all that was copied',
  audit_block: 'the chain of a copy begins anew',
  audit_line: 'the chain of a copy begins anew',
  audit_proof: 'of the chain of another',
  review_claim: 'who works on a case works on it in the original',
  review_view: 'a look that was granted once is one in the original',
  provider_connection: 'a clone would act at the provider under the keys of its original',
  former_connection: 'a clone would act at the provider under the keys of its original',
  request_note: 'calls were made to the original',
  screening_run: 'a clone is screened against the next import like every workspace',
  sandbox_wait: 'who waits for an answer waits in the original',
  mail: 'what happened in the original is told from the original',
  captured_mail: 'of a mail in the original',
  email_check: 'a code is entered where it was asked for',
  tenant_move: 'a clone stays in its installation',
  operator_session: 'the console of an operator looks at one workspace',
};

/** The wrapped keys in snapshots of these columns; the rows name the workspace they are from. */
export function inSnapshots(columns: readonly WrappedColumn[]): WrappedColumn[] {
  const copied = new Set(COPIED.map(({ name }) => name));
  return columns
    .filter(({ table }) => copied.has(table))
    .map((one) => ({ ...one, table: `stored_${one.table}`, key: ['snapshot', ...one.key] }));
}
