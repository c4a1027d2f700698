// Operators: create, disable, reset. Names and second factors are sealed, every change is
// audited, and nobody can create an operator who sees more than they do. Credentials are shown
// once, in the answer only.
import { brokenConstraint, sql, type Transaction } from '../../../db/index.ts';
import { seal } from '../../../core/sealing.ts';
import { isAddress } from '../../../core/mail-address.ts';
import { audit, type Entry } from '../../tell/audit/index.ts';
import { freshSecret, secretAddress } from './code.ts';
import { freshPassword, hashPassword } from './password.ts';
import { decidesAndAdministers, storedRoles, type Role } from './roles.ts';
import {
  opener,
  pepperOf,
  placeOf,
  USERNAME,
  usernameKey,
  type MakingServices,
  type OperatorServices,
  type SealedColumn,
  type SealedRow,
  type Workspaces,
} from './sealed.ts';
import { endSessionsOf, forgetDevices, operatorOfActor } from './sessions.ts';
import { freeName } from './throttle.ts';

/** Shown once, to be handed to the operator. */
export interface Credentials {
  readonly id: string;
  readonly username: string;
  /** '' where it was not renewed. */
  readonly password: string;
  /** Base32, for an authenticator app. */
  readonly totp_secret: string;
  /** The same as an otpauth: address. */
  readonly totp_address: string;
}

/** A request that cannot be granted; the message is one sentence for the operator. */
export class OperatorRefused extends Error {}

const LONGEST_NAME = 120;
const KEY_BYTES = 32;
const NONCE_BYTES = 12;

export interface NewOperator {
  readonly name: string;
  readonly username: string;
  readonly roles: readonly Role[];
  readonly workspaces: Workspaces;
  /** False: the initial password may stay, as in the sandbox. */
  readonly mustChange?: boolean;
  /** The hash of an invitation's token, with which the person chooses how to sign in. */
  readonly inviteHash?: string;
  /** Who they are at the identity provider. */
  readonly signOnKey?: string;
  /** Where they are mailed; '' and absent: nowhere. */
  readonly email?: string;
}

/** Days in which an invitation can be used. */
export const INVITATION_DAYS = 3;

/**
 * Creates an operator. Throws `OperatorRefused` for a malformed or taken name and, outside of the
 * sandbox, for roles that both decide and make operators. [G-51]
 */
export async function createOperator(
  services: MakingServices,
  request: NewOperator,
  actor: string,
): Promise<Credentials> {
  const { username } = request;
  const name = request.name.trim();
  const roles = [...new Set(request.roles)];
  const { email = '' } = request;
  checkRequest({ ...request, name, roles });
  checkEmail(email);
  checkTogether(services, roles);
  const { db, keys, random } = services;
  const id = random.uuid();
  const [password, secret] = [freshPassword(random), freshSecret()];
  const key = random.bytes(KEY_BYTES);
  const sealed = (text: string, column: SealedColumn): string =>
    seal(key, random.bytes(NONCE_BYTES), text, placeOf(id, column));
  const values = [
    ...[id, usernameKey(services, username), await keys.wrap(key, placeOf(id))],
    ...[sealed(name, 'name'), sealed(username, 'username'), sealed(secret, 'totp')],
    ...[await hashPassword(password, pepperOf(services, id)), request.mustChange ?? true],
    ...[...storedRoles(roles), request.workspaces === 'all' ? null : request.workspaces],
    ...[operatorOfActor(actor), request.inviteHash ?? null, request.signOnKey ?? null],
    email === '' ? null : sealed(email, 'email'),
  ];
  try {
    await db.transaction(async (tx) => {
      await tx.execute({
        text: `insert into operator (id, username_key, wrapped_key, sealed_name, sealed_username,
            sealed_totp, password_hash, password_initial, roles, tasks, workspaces, made_by,
            invite_hash, sign_on_key, sealed_email, invite_expires)
          values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13::text, $14, $15,
            ${inviteExpires('$13::text')})`,
        values,
      });
      const workspaces = request.workspaces === 'all' ? 'all' : request.workspaces.join(' ');
      const detail = { roles: roles.join(' '), workspaces };
      const act = request.inviteHash === undefined ? 'operator_created' : 'operator_invited';
      await audit(tx, { workspace: 0, actor, act, subject: id, detail });
    });
  } catch (error) {
    if (brokenConstraint(error) !== 'operator_username_key_key') throw error;
    throw new OperatorRefused('This username is taken.');
  }
  const totp_address = secretAddress(secret, username);
  return { id, username, password, totp_secret: secret, totp_address };
}

/** When an invitation with this hash ends, as SQL. */
export function inviteExpires(hash: string): string {
  return `case when ${hash} is not null
    then clock_timestamp() + interval '${INVITATION_DAYS} days' end`;
}

/** Throws `OperatorRefused`, outside of the sandbox, for roles that nobody has together. */
export function checkTogether(
  { env }: Partial<Pick<MakingServices, 'env'>>,
  roles: readonly Role[],
): void {
  if (env !== 'staging' && decidesAndAdministers(roles)) {
    throw new OperatorRefused('Who decides about people or money cannot also be an administrator.');
  }
}

/** Throws `OperatorRefused` for what is no mail address; '' is none. */
export function checkEmail(email: string): void {
  if (email !== '' && !isAddress(email)) throw new OperatorRefused('This is no mail address.');
}

function checkRequest({ name, username, roles, workspaces }: NewOperator): void {
  if (name === '' || name.length > LONGEST_NAME) {
    throw new OperatorRefused(`A name has 1 to ${LONGEST_NAME} characters.`);
  }
  if (!USERNAME.test(username)) {
    throw new OperatorRefused(
      'A username has 3 to 64 lower-case letters, digits and . _ @ -; a letter or digit first.',
    );
  }
  if (roles.length === 0) throw new OperatorRefused('Choose at least one role.');
  if (workspaces !== 'all' && workspaces.length === 0) {
    throw new OperatorRefused('Choose at least one tenant.');
  }
}

/** Disables an operator and ends every session, or enables one again. */
export async function setOperatorDisabled(
  { db }: Pick<OperatorServices, 'db'>,
  id: string,
  disabled: boolean,
  actor: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const act = disabled ? 'operator_disabled' : 'operator_enabled';
    await change(tx, { id, act, actor }, `disabled = ${disabled ? 'clock_timestamp()' : 'null'}`);
    if (disabled) await endSessionsOf(tx, id);
  });
}

/**
 * Gives an operator a new second factor, and with `password` also a new initial password; ends
 * every session and every wait. An administrator is reset at the command line. Throws
 * `OperatorRefused`.
 */
export async function resetOperator(
  services: OperatorServices,
  request: { readonly id: string; readonly password: boolean },
  actor: string,
): Promise<Credentials> {
  const { db, random, keys } = services;
  const { id } = request;
  const secret = freshSecret();
  const password = request.password ? freshPassword(random) : '';
  const hashed = request.password ? await hashPassword(password, pepperOf(services, id)) : null;
  return db.transaction(async (tx) => {
    const [row] = await tx.query<SealedRow & { roles: string[]; signs_on: boolean }>(sql`
      select id, wrapped_key, sealed_name, sealed_username, sealed_totp, roles,
        sign_on_key is not null as signs_on
      from operator where id = ${id} for update`);
    if (row === undefined) throw new OperatorRefused('There is no such operator.');
    const by = operatorOfActor(actor);
    if (by !== null && by !== id && row.roles.includes('operator')) {
      throw new OperatorRefused('An administrator is reset by `holdfast operator reset` alone.');
    }
    if (request.password && row.signs_on) {
      throw new OperatorRefused('This operator signs in at the identity provider.');
    }
    const key = await keys.unwrap(row.wrapped_key, placeOf(id));
    const username = (await opener(services, row))(row.sealed_username, 'username');
    const sealed = seal(key, random.bytes(NONCE_BYTES), secret, placeOf(id, 'totp'));
    const act = request.password ? 'operator_reset' : 'operator_second_factor_reset';
    await change(
      tx,
      { id, act, actor },
      `sealed_totp = $2, totp_step = 0, password_hash = coalesce($3, password_hash),
        password_initial = password_initial or $3 is not null, invite_hash = null,
        invite_expires = null,
        reset_by = case when $4::uuid = id then reset_by else $4 end`,
      [sealed, hashed, by],
    );
    await endSessionsOf(tx, id);
    await forgetDevices(tx, id);
    await freeName(tx, keys, username);
    const totp_address = secretAddress(secret, username);
    return { id, username, password, totp_secret: secret, totp_address };
  });
}

/** Changes an operator's row and writes the entry. Throws `OperatorRefused` where there is none. */
export async function change(
  tx: Transaction,
  { id, ...entry }: Pick<Entry, 'act' | 'actor' | 'detail'> & { readonly id: string },
  set: string,
  values: readonly unknown[] = [],
): Promise<void> {
  const count = await tx.execute({
    text: `update operator set ${set} where id = $1`,
    values: [id, ...values],
  });
  if (count === 0) throw new OperatorRefused('There is no such operator.');
  await audit(tx, { workspace: 0, ...entry, subject: id });
}
