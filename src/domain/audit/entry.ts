// Audit entries: acts of people and changes of settings that no lifecycle records. An entry is
// written in the transaction of its act or not at all.
import type { Queryable } from '../../db/index.ts';
import { newUuid } from '../../kernel/ids.ts';

/** Acts that leave an entry, each with its meaning. */
export const ACTS = {
  person_opened: "somebody read a person's data",
  person_erased: "a person's data was made unreadable",
  person_held: "a legal hold was placed on a person's data",
  person_released: 'a legal hold ended',
  retention_applied: 'data was removed because it had been kept for long enough',
  keys_rotated: 'a wrapping key was replaced, or what it wraps was wrapped again',
  audit_key_rotated: 'the key that signs this log was replaced',
  world_created: 'a tenant was made, or another state of one',
  world_copied: 'a state of a sandbox was made of a snapshot',
  world_ended: 'a state of a sandbox was ended',
  tenant_limits_changed: 'an operator set what a tenant may ask of each process',
  client_created: 'a client was made',
  client_rotated: "a client's secret was replaced",
  client_disabled: 'a client was kept out',
  client_enabled: 'a client was let in again',
  endpoint_created: 'a webhook endpoint was made',
  endpoint_changed: 'a webhook endpoint was changed',
  endpoint_removed: 'a webhook endpoint was ended',
  endpoint_secret_rotated: "a webhook endpoint's secret was replaced",
  settings_changed: 'a process started with other settings than the one before',
  watch_list_loaded: 'a watch-list was put in place of the one before',
  terms_published: 'a new text of the terms was put in force',
  terms_signed: 'a person agreed to the terms',
  consent_given: 'a person allowed a tenant to see or do something for them',
  consent_attested: 'a tenant that asked for a user token said that its person agreed',
  consent_revoked: 'a person took such a consent back',
  tenant_settings_changed: 'a tenant changed its registered addresses, its name or its look',
  session_opened: 'a person opened a one-time link in a browser',
  method_added: 'a card or account was added to a person',
  method_renamed: 'a card or account was given another name',
  method_removed: 'a card or account was ended',
  restored: 'the database was put back to an earlier moment: event numbers are given again',
  exported: 'data left the installation',
  operator_created: 'an operator was made',
  operator_disabled: 'an operator was shut out',
  operator_enabled: 'an operator was let in again',
  operator_reset: 'an operator was given a new password and a new second factor',
  operator_second_factor_reset: 'an operator was given a new second factor',
  operator_password_changed: 'an operator chose another password',
  operator_signed_in: 'an operator signed in to the console',
  operator_held_up: 'a name, perhaps of an operator, was tried so often that it has to wait',
  operator_account_named: 'an account was said to belong to an operator as a person',
  review_taken: 'an operator took a case to work on',
  review_returned: 'an operator gave a case back',
} as const;

export type Act = keyof typeof ACTS;

/** An act. Ids and codes only: an entry stays when a person is erased. */
export interface Entry {
  /** 0: the installation itself. */
  readonly world: number;
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
  await tx.query({
    name: 'audit_entry',
    text: `insert into audit_entry (world, id, at, actor, act, subject, detail)
      values ($1, $2, clock_timestamp() + coalesce(
        (select clock_offset from world where world = $1), '0'), $3, $4, $5, $6)`,
    values: [
      entry.world,
      newUuid(),
      entry.actor,
      entry.act,
      entry.subject ?? '',
      JSON.stringify(entry.detail ?? {}),
    ],
  });
}
