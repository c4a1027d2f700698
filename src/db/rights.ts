// What the server's role may do in the database, table by table, and nothing else: it owns nothing,
// so it can neither switch a trigger off nor drop, empty or create anything. A test compares the
// lists with the SQL of the sources; the reasons are in docs/decisions/0027-two-roles.md.
import type { Transaction } from './statement.ts';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Tables by the verbs that the server needs besides SELECT. UPDATE never covers a primary key. */
export const RIGHTS: Readonly<Record<string, readonly string[]>> = {
  // Written by the owner alone: which migrations there are, which moves are legal, which tables
  // have a past, and which roles read whose reports. And a view of steps.
  '': words('migration machine_move generation reporting_role history'),
  insert: words(`
    clock_move step event event_epoch posting ledger_account terms_version
    terms_signature wallet invoice_document escrow_seller operator_account audit_entry audit_block
    audit_line bank_statement wallet_debt debt_repayment dispute_evidence reserve_hold
    processor_notice_seen delivery_attempt mail_bounce request_note disagreement_statement`),
  update: words('heartbeat cache_invalidation tenant_move'),
  'insert, update': words(`
    installation tenant workspace workspace_currency tenant_setting seal balance
    integrator_balance account account_person account_block client signing_key consent
    payment_method refunded_amounts idempotency delivery
    statement_cursor statement_line kyc kyc_application entity entity_agent operator review_note
    review_proposal webhook_endpoint audit_key funds funds_hold bank_account bank_entry bank_booking
    payout_destination payout_file payout_file_item payout_schedule screening_list screening_run
    screening_hit imported deposit attempt transfer invoice escrow refund reversal difference payout
    dispute dispute_answer settlement identity_check incoming_transfer opening payee reserve
    audit_proof operator_proposal money_act mail_cursor disagreement match_estimate
    match_weights`),
  'insert, delete': words(`
    outbox integrator_credit legal_hold kyc_moved kyc_document
    identity_notice_seen watch_list entity_document match_key match_check review_view
    audit_pending dispute_content opening_line stop match_uncount`),
  'insert, update, delete': words(`
    kept_secret erasure_job refresh_token revoked_token link method_entry attempt_job
    transfer_job authorized_invoice identity_job match_person match_job match_count
    operator_session operator_throttle review_claim webhook_secret provider_connection
    screening_entry dispute_answer_job former_connection node
    screening_sighting payee_job mail email_check operator_mail operator_device`),
};

/** What a sandbox has more; in production the simulators' tables are read-only. */
export const SANDBOX_RIGHTS: Readonly<Record<string, readonly string[]>> = {
  insert: words('processor_card processor_answer captured_mail'),
  'insert, update': words(`
    vendor_check vendor_script receiver receiver_exchange receiver_script processor_charge
    processor_transfer processor_exchange processor_script processor_terms`),
  'insert, delete': words('processor_statement receiver_request'),
  // The last two may do less in production: only a clone replaces rows that triggers have made.
  'insert, update, delete': words(`
    snapshot sandbox_wait processor_entry processor_due processor_notice vendor_due vendor_exchange
    vendor_notice integrator_credit statement_cursor`),
};

/** Columns that only a sandbox writes: its clock moves what waits, such as a held payout. */
export const SANDBOX_COLUMNS: readonly string[] = ['workspace.clock_offset'];

/** How the server's role stands to the database. */
export interface RoleFacts {
  readonly name: string;
  /** It owns tables, or may become the role that does, as a superuser may: nothing binds it. */
  readonly owns: boolean;
}

/** The role of a connection. */
export async function roleFacts(db: Pick<Transaction, 'query'>): Promise<RoleFacts> {
  const [facts] = await db.query<RoleFacts>(
    `select current_user::text as name, (select rolsuper from pg_roles where rolname = current_user)
        or exists (select from pg_class where relnamespace = 'public'::regnamespace
          and pg_has_role(relowner, 'member')) as owns`,
  );
  if (facts === undefined) throw new Error('the database named no role');
  return facts;
}

/**
 * Gives the server's role what it needs and takes everything else from it, in one transaction of
 * the owner: running nodes notice nothing.
 */
export async function grantRights(
  tx: Transaction,
  role: string,
  env: 'staging' | 'production',
): Promise<void> {
  const sandbox = env === 'staging';
  const lists = [...Object.entries(RIGHTS), ...(sandbox ? Object.entries(SANDBOX_RIGHTS) : [])];
  const given = lists.flatMap(([verbs, tables]) => tables.map((table) => [table, verbs] as const));
  const kept = sandbox ? [] : SANDBOX_COLUMNS;
  await tx.query({
    text: `select set_config('rights.role', $1, true), set_config('rights.tables', $2, true),
      set_config('rights.kept', $3, true)`,
    values: [role, JSON.stringify(Object.fromEntries(given)), kept.join(' ')],
  });
  await tx.execute(GRANTS);
}

/**
 * Names of tables and columns come from the catalog. Storage of snapshots is made by the owner; the
 * past of a table changes places with it, so it has the same rights.
 */
const GRANTS = `do $grants$
declare
  role text := current_setting('rights.role');
  verbs jsonb := current_setting('rights.tables');
  kept text[] := string_to_array(current_setting('rights.kept'), ' ');
  one record;
begin
  execute format('revoke create on schema public from public, %I', role);
  execute format('revoke temporary, create on database %I from public, %I', current_database(),
    role);
  execute format('grant connect on database %I to %I', current_database(), role);
  execute format('grant usage on schema public to %I', role);
  execute format('revoke all on all tables in schema public from public, %I', role);
  execute format('revoke all on all sequences in schema public from public, %I', role);
  execute format('grant select on all tables in schema public to %I', role);
  execute format('grant usage on all sequences in schema public to %I', role);
  execute format('grant execute on all functions in schema public to %I', role);
  for one in
    select relname as name, coalesce(verbs ->> regexp_replace(relname, '_past$', ''),
        case when relname like 'stored\\_%' then 'insert, update, delete' else '' end) as verbs,
      (select string_agg(quote_ident(attname), ', ') from pg_attribute a
        where attrelid = c.oid and attnum > 0 and not attisdropped
          and relname || '.' || attname <> all (kept)
          and not exists (select from pg_index where indrelid = c.oid and indisprimary
            and attnum = any (indkey))) as columns
    from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
  loop
    if one.verbs like '%insert%' then
      execute format('grant insert on %I to %I', one.name, role);
    end if;
    if one.verbs like '%delete%' then
      execute format('grant delete on %I to %I', one.name, role);
    end if;
    if one.verbs like '%update%' then
      execute format('grant update (%s) on %I to %I', one.columns, one.name, role);
    end if;
  end loop;
end $grants$`;
