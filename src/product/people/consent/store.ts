// The stored consents. One stands at most once, and no session is opened with more than was agreed
// to. [G-16]
import { prepared, sql, type Queryable, type Transaction } from '../../../db/index.ts';
import { accountId, newUuid } from '../../../core/ids.ts';
import type { Instant } from '../../../core/time.ts';
import { audit } from '../../tell/audit/index.ts';
import { askedOf, type AskedScope } from './sentences.ts';

/** A consent that is in force. */
export interface ConsentRow {
  readonly id: string;
  readonly client_id: string;
  readonly scopes: readonly string[];
  readonly given: Instant;
  readonly given_by: GivenBy;
}

/** Who says that the person agreed: they did in a flow, or the tenant attests it. [G-16] */
export type GivenBy = 'person' | 'integrator';

/**
 * What an account (its UUID) must still agree to before a session may hold these scopes: nothing
 * where one consent of the person's own covers them all, else all of them together.
 */
export async function missingConsent(
  db: Queryable,
  workspace: number,
  account: string,
  scopes: readonly string[],
): Promise<AskedScope[]> {
  const asked = askedOf(scopes);
  if (asked.length === 0) return [];
  const covered = await db.query(prepared('consent_covers')`select 1 from consent
    where workspace = ${workspace} and account_id = ${account} and revoked is null
      and given_by = 'person'
      and scopes @> ${asked.map(({ scope }) => scope)}::text[]
    limit 1`);
  return covered.length > 0 ? [] : asked;
}

/** A consent to store. */
export interface Consent {
  readonly workspace: number;
  /** The account's UUID. */
  readonly account: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
}

/** Stores a person's consent in the caller's transaction; repeating changes nothing. */
export async function giveConsent(tx: Queryable, consent: Consent): Promise<void> {
  const { account, clientId } = consent;
  const actor = `session:${clientId}:${accountId(account)}`;
  await write(tx, consent, { by: 'person', act: 'consent_given', actor });
}

/**
 * Stores that the tenant attests a consent. False, storing nothing, where the person revoked one
 * that touches these scopes: then only a consent in a flow counts. [G-16]
 */
export async function attestConsent(tx: Queryable, consent: Consent): Promise<boolean> {
  const { workspace, account, clientId, scopes } = consent;
  if ((await missingConsent(tx, workspace, account, scopes)).length === 0) return true;
  const taken = await tx.query(prepared('consent_taken_back')`select 1 from consent
    where workspace = ${workspace} and account_id = ${account} and revoked is not null
      and scopes && ${scopes}::text[]
    limit 1`);
  if (taken.length > 0) return false;
  const actor = `client:${clientId}`;
  await write(tx, consent, { by: 'integrator', act: 'consent_attested', actor });
  return true;
}

interface Writing {
  readonly by: GivenBy;
  readonly act: 'consent_given' | 'consent_attested';
  readonly actor: string;
}

async function write(tx: Queryable, consent: Consent, { by, act, actor }: Writing): Promise<void> {
  const { workspace, account, clientId } = consent;
  const scopes = askedOf(consent.scopes).map(({ scope }) => scope);
  if (scopes.length === 0) return;
  const id = newUuid();
  const given = await tx.query(prepared('consent_give')`
    insert into consent (workspace, id, account_id, client_id, scopes, given_by, given)
    select workspace, ${id}, ${account}, ${clientId}, ${scopes}, ${by},
      clock_timestamp() + clock_offset
    from workspace where workspace = ${workspace}
    on conflict (workspace, account_id, scopes, given_by) where revoked is null do nothing
    returning id`);
  if (given.length === 0) return;
  const detail = { client_id: clientId, scopes: scopes.join(' ') };
  await audit(tx, { workspace, actor, act, subject: id, detail });
}

/** Consents of an account (its UUID) that are in force, oldest first. */
export function standingConsents(
  db: Queryable,
  workspace: number,
  account: string,
): Promise<ConsentRow[]> {
  return db.query(sql`select id, client_id, scopes, given, given_by from consent
    where workspace = ${workspace} and account_id = ${account} and revoked is null order by given,
      id`);
}

/**
 * Revokes a consent, and what the tenant attested that shares a scope with it; the tenant cannot
 * attest it again. A trigger ends what rested on it. False where the account has no such consent in
 * force.
 */
export async function revokeConsent(
  tx: Transaction,
  workspace: number,
  account: string,
  id: string,
): Promise<boolean> {
  // Locked before anything that a concurrent attestation locks: that waits, and finds this one
  // revoked.
  await tx.execute(sql`
    select 1 from account where workspace = ${workspace} and id = ${account} for no key update`);
  const taken = await tx.execute(sql`update consent set revoked = greatest(given, $now + (
      select clock_offset from workspace where workspace = ${workspace}))
    where workspace = $1 and account_id = ${account} and revoked is null and (id = ${id}
      or given_by = 'integrator' and scopes && (select scopes from consent
        where workspace = $1 and account_id = $2 and id = $3 and revoked is null))`);
  return taken > 0;
}
