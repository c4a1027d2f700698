// Who agreed to which version of the terms. Only the current version can be agreed to, and each
// agreement is stored once.
import { prepared, type Queryable } from '../../../db/index.ts';
import { accountId, uuidOfWireId } from '../../../core/ids.ts';
import type { Caller } from '../../../core/operation.ts';
import { refuse } from '../../../core/refusal.ts';
import { audit } from '../../tell/audit/index.ts';
import { currentTerms, type Terms } from './publish.ts';
import { refusals } from './refusals.ts';

/** The current terms, null where none were published, and whether an account agreed to them. */
export interface TermsFor {
  readonly current: Terms | null;
  /** True also where there is nothing to agree to. */
  readonly signed: boolean;
}

/** The terms for an account, given by its UUID. [G-21] */
export async function termsFor(
  db: Queryable,
  workspace: number,
  account: string,
): Promise<TermsFor> {
  const current = await currentTerms(db);
  return { current, signed: await hasSigned(db, workspace, account) };
}

/** True where nothing is left to agree to; does not read the text. `account` is a UUID. */
export async function hasSigned(
  db: Queryable,
  workspace: number,
  account: string,
): Promise<boolean> {
  const [row] = await db.query<{ signed: boolean }>(prepared('terms_signed')`
    select v.version is null or exists (select from terms_signature s
      where s.workspace = ${workspace} and s.account_id = ${account}
      and s.version = v.version) as signed
    from (select max(version) as version from terms_version) v`);
  return row?.signed === true;
}

/**
 * Stores that an account (its UUID) agrees to a version; repeating changes nothing. `db` is the
 * caller's transaction, so that agreement and audit commit together. Throws TERMS_VERSION_STALE for
 * another version than the current one. [G-21]
 */
export async function signTerms(
  db: Queryable,
  workspace: number,
  account: string,
  version: number,
  actor = `account:${accountId(account)}`,
): Promise<void> {
  const [newest] = await db.query<{ version: number | null }>(prepared('terms_newest')`
    select max(version) as version from terms_version`);
  if (newest?.version !== version) throw refuse(refusals.TERMS_VERSION_STALE);
  const signed = await db.query(prepared('terms_sign')`
    insert into terms_signature (workspace, account_id, version, signed)
    select workspace, ${account}, ${version}, clock_timestamp() + clock_offset from workspace
      where workspace = ${workspace}
    on conflict do nothing returning version`);
  if (signed.length === 0) return;
  const subject = accountId(account);
  await audit(db, { workspace, actor, act: 'terms_signed', subject, detail: { version } });
}

/**
 * Throws TERMS_NOT_SIGNED for a session whose person has not agreed to the current terms; a client
 * is responsible for its own calls. [G-21]
 */
export async function requireSignedTerms(db: Queryable, caller: Caller): Promise<void> {
  if (caller.kind !== 'session') return;
  const account = uuidOfWireId('acct', caller.accountId ?? '');
  const signed = account !== null && (await hasSigned(db, caller.workspace, account));
  if (!signed) throw refuse(refusals.TERMS_NOT_SIGNED);
}
