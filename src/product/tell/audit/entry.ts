// Audit entries: acts of people and changes of settings that no lifecycle records. An entry is
// written in the transaction of its act or not at all.
import { prepared, type Queryable } from '../../../db/index.ts';
import { newUuid } from '../../../core/ids.ts';

/** Acts that leave an entry, each with its meaning. */
export const ACTS = {
  person_opened: "an operator viewed a person's unmasked data",
  evidence_opened: 'an operator viewed a piece of evidence of a dispute or a disagreement',
  person_erased: "a person's data was erased",
  person_held: "a legal hold was placed on a person's data",
  person_released: 'a legal hold ended',
  retention_applied: 'data was removed at the end of its retention period',
  keys_rotated: 'a wrapping key was replaced, or keys were rewrapped',
  audit_key_rotated: 'the key that signs this log was replaced',
  signing_key_rotated: 'the key that signs tokens was replaced',
  workspace_created: 'a tenant or one of its workspaces was created',
  workspace_copied: 'a sandbox workspace was cloned from a snapshot',
  workspace_ended: 'a sandbox workspace was archived',
  tenant_moved: 'a tenant was moved to or from another installation',
  tenant_limits_changed: "an operator set a tenant's request limits",
  currency_enabled: 'a currency was enabled for a tenant',
  client_created: 'a client was created',
  client_rotated: "a client's secret was replaced",
  client_disabled: 'a client was disabled',
  client_enabled: 'a client was enabled again',
  client_proposed: 'a secret was made for a client that a second person must confirm',
  client_confirmed: "a second person confirmed a client's secret",
  client_rejected: "a client's secret was rejected",
  endpoint_created: 'a webhook endpoint was created',
  endpoint_changed: 'a webhook endpoint was changed',
  endpoint_removed: 'a webhook endpoint was deleted',
  endpoint_secret_rotated: "a webhook endpoint's secret was replaced",
  mail_refused: 'a mail to a person was given up, or its server did not take it',
  deliveries_repeated: 'an operator had deliveries of events sent again',
  test_event_sent: 'an operator had a test event sent to a webhook endpoint',
  settings_changed: 'a process started with other settings than the one before',
  watch_list_loaded: 'a watch-list was replaced',
  watch_list_imported: 'a version of a watch-list was imported',
  watch_list_dropped: 'a watch-list was dropped',
  second_person_limit_changed: 'from how much money on operators act in twos was changed',
  terms_published: 'a new version of the terms was published',
  terms_signed: 'a person agreed to the terms',
  consent_given: 'a person gave a tenant consent',
  consent_attested: "a tenant attested a person's consent by requesting a user token",
  consent_revoked: 'a person withdrew a consent',
  tenant_settings_changed: 'a tenant changed its registered addresses, its name or its look',
  match_thresholds_changed:
    'from which score on matches are listed, or send an application to a person, was changed',
  match_weights_chosen:
    "the weights of matches were changed to those of a tenant's own persons, or to those shipped",
  bank_account_set: "a tenant's bank account was stored or replaced",
  bank_statement_imported: 'an operator imported a statement of the bank',
  bank_payer_opened: 'an operator viewed who sent a bank transfer',
  payout_file_downloaded: 'an operator downloaded a file of payouts for the bank',
  payout_schedule_changed: 'when and where payouts are requested by the clock was changed',
  session_opened: 'a person opened a one-time link in a browser',
  method_added: 'a card or account was added to a person',
  method_renamed: 'a card or account was renamed',
  method_changed: 'an account at the processor takes payouts now, or does not',
  method_removed: 'a card or account was removed',
  provider_connected: "a provider was connected to a tenant, or its credentials were replaced",
  provider_removed: "a provider was removed from a tenant, with its credentials",
  stopped: 'an operator stopped writes, payments or payouts',
  resumed: 'an operator resumed what was stopped',
  restored: 'the database was restored to an earlier time: event numbers are used again',
  exported: 'data left the installation',
  reporting_role_created: "a role of the database was made that reads a tenant's reporting views",
  reporting_role_removed: "a role that read a tenant's reporting views was removed",
  imported: 'accounts or payment methods of another service were imported',
  operator_created: 'an operator was created',
  operator_invited: 'an operator was invited, or got a new invitation',
  operator_joined: 'an invited operator chose a password and set up a second factor',
  operator_roles_changed: "an operator's roles were changed",
  operator_proposed: 'a change that makes or takes away an administrator was proposed',
  operator_rejected: 'a proposed change of an operator was rejected',
  operator_disabled: 'an operator was disabled',
  operator_enabled: 'an operator was enabled again',
  operator_reset: 'an operator got a new password and a new second factor',
  operator_second_factor_reset: 'an operator got a new second factor',
  operator_email_changed: 'where an operator is mailed was changed',
  operator_password_changed: 'an operator changed their password',
  operator_signed_in: 'an operator signed in to the console',
  operator_session_ended: 'sessions of an operator were ended',
  operator_sign_on_refused: 'somebody signed in at the identity provider and was refused',
  operator_held_up: 'sign-ins with a username were throttled after failed attempts',
  operator_account_named: "an account was registered as an operator's own",
  review_taken: 'an operator took a case',
  document_judged: 'an operator decided about a document of a business',
  review_returned: 'an operator released a case',
} as const;

export type Act = keyof typeof ACTS;

/** An act. Ids and codes only: an entry stays when a person is erased. */
export interface Entry {
  /** 0: the installation itself. */
  readonly workspace: number;
  /** The actor in history: `client:<id>`, `operator`, `system`. */
  readonly actor: string;
  readonly act: Act;
  /** The id of what it was done to; absent where the act names all. */
  readonly subject?: string;
  readonly detail?: Readonly<Record<string, string | number | boolean | null>>;
}

/**
 * Writes an entry in the transaction of the act. The chain has it within a second of the commit.
 * [M2]
 */
export async function audit(tx: Queryable, entry: Entry): Promise<void> {
  await tx.query(prepared('audit_entry')`
    insert into audit_entry (workspace, id, at, actor, act, subject, detail)
    values (${entry.workspace}, ${newUuid()}, clock_timestamp() + coalesce(
      (select clock_offset from workspace where workspace = $1), '0'), ${entry.actor}, ${entry.act},
      ${entry.subject ?? ''}, ${JSON.stringify(entry.detail ?? {})})`);
}
