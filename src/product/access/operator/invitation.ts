// Invitations: a link shown once to who invites. The invited chooses a password and sets up a
// second factor; nobody else ever sees the password. Only the hash of the link's token is stored.
import { audit } from '../../tell/audit/index.ts';
import { secretAddress, stepOf } from './code.ts';
import { beginSessionFrom, type Begun, type Came } from './devices.ts';
import { freshToken, hashOf } from './invitation-link.ts';
import { queueMail } from './mails.ts';
import { hashPassword, LONGEST, SHORTEST } from './password.ts';
import { opener, pepperOf, type MailingServices, type MakingServices } from './sealed.ts';
import type { OperatorServices, SealedRow } from './sealed.ts';
import { change, createOperator, inviteExpires, OperatorRefused } from './store.ts';
import type { NewOperator } from './store.ts';
import { sql } from '../../../db/index.ts';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/**
 * Invites an operator; gives the id, and the token of the link, or null where it is mailed to the
 * invited alone. Throws `OperatorRefused` as creating does, and for an administrator: that takes
 * two.
 */
export async function invite(
  services: MakingServices & MailingServices,
  request: NewOperator,
  actor: string,
): Promise<{ readonly id: string; readonly token: string | null }> {
  if (request.roles.includes('operator')) {
    throw new OperatorRefused(
      'Invite an administrator with the role read, then propose the role: it takes two.',
    );
  }
  const token = freshToken(services.random);
  const { id } = await createOperator(services, { ...request, inviteHash: hashOf(token) }, actor);
  const mailed = await services.db.transaction((tx) => queueMail(tx, services, id, 'invited', {}));
  return { id, token: mailed ? null : token };
}

/**
 * A new link for somebody who has not joined; the one before leads nowhere. Gives its token, or
 * null where it is mailed to them; `shown`: it is not mailed.
 */
export function inviteAgain(
  services: MailingServices,
  id: string,
  actor: string,
  shown: boolean,
): Promise<string | null> {
  const token = freshToken(services.random);
  return services.db.transaction(async (tx) => {
    const set = `invite_hash = case when invite_hash is not null then $2 end,
      invite_expires = ${inviteExpires('invite_hash')}`;
    await change(tx, { id, act: 'operator_invited', actor }, set, [hashOf(token)]);
    return !shown && (await queueMail(tx, services, id, 'invited', {})) ? null : token;
  });
}

/** What the invited sees. */
export interface Invitation {
  readonly id: string;
  readonly username: string;
  readonly name: string;
  readonly totp_secret: string;
  /** The same as an otpauth: address. */
  readonly totp_address: string;
}

interface InvitedRow extends SealedRow {
  readonly seconds: number;
}

/** The invitation of a token; null where it was used, has expired or never was. */
export async function invitationOf(
  services: Pick<OperatorServices, 'db' | 'keys'>,
  token: string,
): Promise<(Invitation & Pick<InvitedRow, 'seconds'>) | null> {
  if (!TOKEN.test(token)) return null;
  const [row] = await services.db.query<InvitedRow>(sql`
    select id, wrapped_key, sealed_name, sealed_username, sealed_totp,
      extract(epoch from clock_timestamp())::float8 as seconds
    from operator where invite_hash = ${hashOf(token)} and invite_expires > clock_timestamp()
      and disabled is null`);
  if (row === undefined) return null;
  const text = await opener(services, row);
  const [name, username] = [text(row.sealed_name, 'name'), text(row.sealed_username, 'username')];
  const totp_secret = text(row.sealed_totp, 'totp');
  const totp_address = secretAddress(totp_secret, username);
  return { id: row.id, name, username, totp_secret, totp_address, seconds: row.seconds };
}

/** The token of the session that begins, or why it does not. */
export type Joined =
  | (Begun & { readonly ok: true })
  | { readonly ok: false; readonly why: 'gone' | 'weak' | 'code' };

/** Uses an invitation up, with a code that proves the authenticator, and begins a session. */
export async function join(
  services: MailingServices,
  token: string,
  { password, code, came }: Record<'password' | 'code', string> & { readonly came: Came },
): Promise<Joined> {
  const invited = await invitationOf(services, token);
  if (invited === null) return { ok: false, why: 'gone' };
  if (password.length < SHORTEST || password.length > LONGEST) return { ok: false, why: 'weak' };
  const step = stepOf(invited.totp_secret, code.replaceAll(/\s/g, ''), invited.seconds);
  if (step === null) return { ok: false, why: 'code' };
  const { id } = invited;
  const hashed = await hashPassword(password, pepperOf(services, id));
  return services.db.transaction(async (tx): Promise<Joined> => {
    const used = await tx.execute(sql`
      update operator set invite_hash = null, invite_expires = null, totp_step = ${step},
        password_hash = ${hashed}, password_initial = false
      where id = ${id} and invite_hash = ${hashOf(token)} and invite_expires > $now
        and disabled is null`);
    if (used === 0) return { ok: false, why: 'gone' };
    const entry = { workspace: 0, actor: `operator:${id}`, subject: id } as const;
    await audit(tx, { ...entry, act: 'operator_joined' });
    return { ok: true, ...(await beginSessionFrom(tx, services, id, came)) };
  });
}
