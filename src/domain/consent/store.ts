// The agreements themselves. Answers for one that stands once, and for a session that is not opened
// beyond what was agreed. Refuses to know how a person is asked. [G-12]
import type { Queryable, Transaction } from '../../db/index.ts';
import { accountId, newUuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import { audit } from '../audit/index.ts';
import { askedOf, type AskedScope } from './sentences.ts';

/** An agreement that stands. */
export interface ConsentRow {
  readonly id: string;
  readonly client_id: string;
  readonly scopes: readonly string[];
  readonly given: Instant;
}

/**
 * What an account (its UUID) is still to be asked before a session may hold these scopes: nothing
 * when one agreement that stands covers them all, else all of them together.
 */
export async function missingConsent(
  db: Queryable,
  world: number,
  account: string,
  scopes: readonly string[],
): Promise<AskedScope[]> {
  const asked = askedOf(scopes);
  if (asked.length === 0) return [];
  const covered = await db.query({
    name: 'consent_covers',
    text: `select 1 from consent
      where world = $1 and account_id = $2 and revoked is null and scopes @> $3::text[]
      limit 1`,
    values: [world, account, asked.map(({ scope }) => scope)],
  });
  return covered.length > 0 ? [] : asked;
}

/** What a person agrees to. */
export interface Consent {
  readonly world: number;
  /** The account's UUID. */
  readonly account: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
}

/** Writes an agreement down in the caller's transaction; again is no change. */
export async function giveConsent(tx: Queryable, consent: Consent): Promise<void> {
  const { world, account, clientId } = consent;
  const scopes = askedOf(consent.scopes).map(({ scope }) => scope);
  if (scopes.length === 0) return;
  const id = newUuid();
  const given = await tx.query({
    name: 'consent_give',
    text: `insert into consent (world, id, account_id, client_id, scopes, given)
      select world, $2, $3, $4, $5, clock_timestamp() + clock_offset from world where world = $1
      on conflict (world, account_id, scopes) where revoked is null do nothing returning id`,
    values: [world, id, account, clientId, scopes],
  });
  if (given.length === 0) return;
  const detail = { client_id: clientId, scopes: scopes.join(' ') };
  const actor = `session:${clientId}:${accountId(account)}`;
  await audit(tx, { world, actor, act: 'consent_given', subject: id, detail });
}

/** Agreements of an account (its UUID) that stand, oldest first: at most one for each scope set. */
export function standingConsents(
  db: Queryable,
  world: number,
  account: string,
): Promise<ConsentRow[]> {
  return db.query({
    text: `select id, client_id, scopes, given from consent
      where world = $1 and account_id = $2 and revoked is null order by given, id`,
    values: [world, account],
  });
}

/** Takes an agreement back; false where none stands under this id for the account. */
export async function revokeConsent(
  tx: Transaction,
  world: number,
  account: string,
  id: string,
): Promise<boolean> {
  const taken = await tx.execute({
    text: `update consent set revoked = greatest(given, clock_timestamp() + (
        select clock_offset from world where world = $1))
      where world = $1 and account_id = $2 and id = $3 and revoked is null`,
    values: [world, account, id],
  });
  return taken > 0;
}
