// Signing in, and choosing a password. A wrong username, password or code has the same answer and
// costs the same; a code opens one session only; every session has a new token.
import type { Instant } from '../../../core/time.ts';
import { audit } from '../../tell/audit/index.ts';
import { freshSecret, stepOf } from './code.ts';
import { beginSessionFrom, type Begun, type Came } from './devices.ts';
import {
  checkNothing,
  checkPassword,
  hashPassword,
  LONGEST,
  SHORTEST,
  TooManyHashes,
} from './password.ts';
import {
  endSession,
  endSessionsOf,
  hashOfToken,
  type OperatorSession,
} from './sessions.ts';
import { opener, pepperOf, USERNAME, usernameKey } from './sealed.ts';
import type { MailingServices, OperatorServices } from './sealed.ts';
import { countTry, forgetTries, type Tried } from './throttle.ts';
import { sql } from '../../../db/index.ts';

/** What somebody entered, and from where. */
export interface SignIn {
  readonly username: string;
  readonly password: string;
  readonly code: string;
  /** The client's network, as one throttled subject. */
  readonly address: string;
  /** The token of this browser's earlier session, which ends. */
  readonly before: string | null;
  /** Absent at the command line, which is no browser. */
  readonly came?: Came | undefined;
}

/** The outcome; `wait` is in seconds. */
export type SignedIn =
  | (Begun & { readonly ok: true })
  | { readonly ok: false; readonly why: 'wrong' }
  | { readonly ok: false; readonly why: 'wait'; readonly wait: number };

interface Row {
  readonly id: string;
  readonly wrapped_key: string;
  readonly sealed_totp: string;
  readonly password_hash: string;
  readonly disabled: Instant | null;
}

/** The database's clock. */
interface Clock {
  readonly seconds: number;
}

const WRONG = { ok: false, why: 'wrong' } as const;
const BUSY_SECONDS = 5;

/** Signs in. A failure does not tell what was wrong. */
export async function signIn(services: MailingServices, given: SignIn): Promise<SignedIn> {
  const username = given.username.trim().toLowerCase();
  const password = given.password.length > LONGEST ? '' : given.password;
  const tried = { username, address: given.address };
  const { wait, lastFree } = await countTry(services.db, services.keys, tried);
  if (wait > 0) return { ok: false, why: 'wait', wait };
  try {
    const row = USERNAME.test(username) ? await rowOf(services, username) : null;
    const step = await proven(services, row, { password, code: given.code });
    if (row !== null && step !== null) {
      const { before, came } = given;
      const begun = await begin(services, row, step, { ...tried, before, came });
      if (begun !== null) return { ok: true, ...begun };
    }
    // For an unknown username too, so that the answer takes as long.
    const entry = { workspace: 0, actor: 'system', act: 'operator_held_up' } as const;
    if (lastFree) await audit(services.db, { ...entry, subject: row?.id ?? '' });
    return WRONG;
  } catch (error) {
    if (!(error instanceof TooManyHashes)) throw error;
    return { ok: false, why: 'wait', wait: BUSY_SECONDS };
  }
}

async function rowOf(services: OperatorServices, username: string): Promise<Row | null> {
  const [row] = await services.db.query<Row>(sql`
    select id, wrapped_key, sealed_totp, password_hash, disabled from operator
    where username_key = ${usernameKey(services, username)}`);
  return row ?? null;
}

/** The time step of the code where password and code are right and the operator is enabled. */
async function proven(
  services: OperatorServices,
  row: Row | null,
  { password, code }: Pick<SignIn, 'password' | 'code'>,
): Promise<number | null> {
  const pepper = pepperOf(services, row?.id ?? '');
  const right =
    row === null
      ? await checkNothing(password, pepper)
      : await checkPassword(row.password_hash, password, pepper);
  const secret =
    row === null ? freshSecret() : (await opener(services, row))(row.sealed_totp, 'totp');
  const [now] = await services.db.query<Clock>(
    'select extract(epoch from clock_timestamp())::float8 as seconds',
  );
  const step = stepOf(secret, code.replaceAll(/\s/g, ''), now?.seconds ?? 0);
  return right && row !== null && row.disabled === null ? step : null;
}

/**
 * Begins the session and uses the code up; null where the code was used, or the credentials
 * changed, meanwhile.
 */
function begin(
  services: MailingServices,
  { id, password_hash, sealed_totp }: Row,
  step: number,
  tried: Tried & Pick<SignIn, 'before' | 'came'>,
): Promise<Begun | null> {
  const { db, keys } = services;
  return db.transaction(async (tx) => {
    const used = await tx.execute(sql`update operator set totp_step = ${step}
      where id = ${id} and totp_step < $1 and disabled is null
        and password_hash = ${password_hash} and sealed_totp = ${sealed_totp}`);
    if (used === 0) return null;
    await forgetTries(tx, keys, tried);
    if (tried.before !== null) await endSession(tx, { tokenHash: hashOfToken(tried.before) });
    const begun = await beginSessionFrom(tx, services, id, tried.came);
    await audit(tx, {
      workspace: 0,
      actor: `operator:${id}`,
      act: 'operator_signed_in',
      subject: id,
    });
    return begun;
  });
}

/**
 * Uses up a code of the operator who is signed in, before an act that an open session alone does
 * not allow. Guesses are counted as at signing in.
 */
export async function proveCode(
  services: OperatorServices,
  { operatorId: id }: OperatorSession,
  code: string,
): Promise<'right' | 'wrong' | 'wait'> {
  const { db, keys } = services;
  const about = `code:${id}`;
  const tried = { username: about, address: about };
  if ((await countTry(db, keys, tried)).wait > 0) return 'wait';
  const [row] = await db.query<Pick<Row, 'id' | 'wrapped_key' | 'sealed_totp'> & Clock>(sql`
    select id, wrapped_key, sealed_totp,
      extract(epoch from clock_timestamp())::float8 as seconds
    from operator where id = ${id} and disabled is null`);
  if (row === undefined) return 'wrong';
  const secret = (await opener(services, row))(row.sealed_totp, 'totp');
  const step = stepOf(secret, code.replaceAll(/\s/g, ''), row.seconds);
  if (step === null) return 'wrong';
  return db.transaction(async (tx) => {
    const used = await tx.execute(sql`update operator set totp_step = ${step}
      where id = ${id} and totp_step < $1 and disabled is null
        and sealed_totp = ${row.sealed_totp}`);
    if (used === 0) return 'wrong';
    await forgetTries(tx, keys, tried);
    return 'right';
  });
}

/** Why a new password was refused; null when it was accepted. */
export type PasswordTrouble = 'wrong' | 'weak' | 'same' | 'wait' | null;

/** Sets an operator's own password; ends every other session. */
export async function changePassword(
  services: OperatorServices,
  session: OperatorSession,
  given: { readonly current: string; readonly chosen: string },
): Promise<PasswordTrouble> {
  if (given.chosen.length < SHORTEST || given.chosen.length > LONGEST) return 'weak';
  if (given.chosen === given.current) return 'same';
  // An open session does not prove that its owner is there: guesses are counted here too.
  const about = `password:${session.operatorId}`;
  const tried = { username: about, address: about };
  const { wait } = await countTry(services.db, services.keys, tried);
  if (wait > 0) return 'wait';
  try {
    return await replacePassword(services, session, given, tried);
  } catch (error) {
    if (error instanceof TooManyHashes) return 'wait';
    throw error;
  }
}

async function replacePassword(
  services: OperatorServices,
  { id: sessionId, operatorId: id }: OperatorSession,
  { current, chosen }: { readonly current: string; readonly chosen: string },
  tried: Tried,
): Promise<PasswordTrouble> {
  const [row] = await services.db.query<{ password_hash: string }>(sql`
    select password_hash from operator where id = ${id}`);
  const pepper = pepperOf(services, id);
  if (row === undefined || !(await checkPassword(row.password_hash, current, pepper))) {
    return 'wrong';
  }
  const hashed = await hashPassword(chosen, pepper);
  return services.db.transaction(async (tx) => {
    const changed = await tx.execute(sql`
      update operator set password_hash = ${hashed}, password_initial = false
      where id = ${id} and password_hash = ${row.password_hash} and disabled is null`);
    // Reset meanwhile: the old password proves nothing any more.
    if (changed === 0) return 'wrong';
    await forgetTries(tx, services.keys, tried);
    await endSessionsOf(tx, id, sessionId);
    const actor = `operator:${id}`;
    await audit(tx, { workspace: 0, actor, act: 'operator_password_changed', subject: id });
    return null;
  });
}
