// Who signed in at the identity provider becomes an operator: made at the first time, with the
// roles of their groups at each. Only two administrators make an administrator, no group does.
import { hash } from 'node:crypto';
import { purposeOf } from '../../../core/labels.ts';
import { SignOnFailed, type SignedOn, type SignOn } from '../../../providers/sign-on/port.ts';
import { audit } from '../../tell/audit/index.ts';
import { beginSessionFrom, type Begun, type Came } from './devices.ts';
import { decidesAndAdministers, roleNamed, roleNames, rolesOf, storedRoles } from './roles.ts';
import type { Role } from './roles.ts';
import { setEmail } from './email.ts';
import { USERNAME, type MailingServices, type MakingServices } from './sealed.ts';
import { endSessionsOf } from './sessions.ts';
import { operatorNamed } from './read.ts';
import { change, createOperator } from './store.ts';
import { sql } from '../../../db/index.ts';

const NO_GROUP = 'None of your groups has a role here. Ask whoever manages groups.';
const DISABLED = 'Your access here is disabled. Ask an administrator.';
const BOTH = 'An administrator cannot decide about people or money too. Ask who manages groups.';

interface Row {
  readonly id: string;
  readonly roles: string[];
  readonly disabled: boolean;
}

/**
 * Begins a session of who signed on; gives its token. Throws `SignOnFailed` with a sentence where
 * they have no role or no access. [G-98]
 */
export async function signInAs(
  services: MakingServices & MailingServices & { readonly signOn: SignOn },
  person: SignedOn,
  came: Came,
): Promise<Begun> {
  const { db, keys, signOn } = services;
  const who = JSON.stringify([signOn.issuer, person.subject]);
  const key = keys.mac(purposeOf('operatorSignOn'), who);
  const [row] = await db.query<Row>(sql`
    select id, roles || tasks as roles, disabled is not null as disabled from operator
    where sign_on_key = ${key}`);
  const named = person.groups.flatMap((group) => signOn.groups.get(group) ?? []).map(roleNamed);
  const roles = named.filter((role) => role !== null);
  const held = row === undefined ? [] : rolesOf(row.roles);
  const all = held.includes('operator') ? [...roles, 'operator' as const] : roles;
  const isBoth = services.env !== 'staging' && decidesAndAdministers(all);
  const wrong = row?.disabled === true ? DISABLED : roles.length === 0 ? NO_GROUP : null;
  const why = wrong ?? (isBoth ? BOTH : null);
  const entry = { workspace: 0, actor: 'system' } as const;
  if (why !== null) {
    await db.transaction(async (tx) => {
      if (row !== undefined) await endSessionsOf(tx, row.id);
      await audit(tx, { ...entry, act: 'operator_sign_on_refused', subject: row?.id ?? '' });
    });
    throw new SignOnFailed(why);
  }
  const id = row?.id ?? (await made(services, person, all, key));
  return db.transaction(async (tx) => {
    if (row !== undefined && roleNames(held) !== roleNames(rolesOf(all))) {
      const what = { id, ...entry, act: 'operator_roles_changed' } as const;
      const detail = { roles: all.join(' ') };
      await change(tx, { ...what, detail }, 'roles = $2, tasks = $3', storedRoles(all));
    }
    // Their address is the provider's to say, at each sign-in anew.
    if (person.email !== null) await setEmail(tx, services, id, person.email, 'system');
    const detail = { by: 'identity provider' };
    const actor = `operator:${id}`;
    await audit(tx, { workspace: 0, actor, act: 'operator_signed_in', subject: id, detail });
    return beginSessionFrom(tx, services, id, came);
  });
}

/** Makes the operator, whose password nobody knows. */
async function made(
  services: MakingServices,
  { name, username }: SignedOn,
  roles: readonly Role[],
  signOnKey: string,
): Promise<string> {
  const wished = username?.toLowerCase() ?? '';
  const isFree = USERNAME.test(wished) && (await operatorNamed(services, wished)) === null;
  // Whoever has the username with a password stays who they are.
  const own = isFree ? wished : `sso-${hash('sha256', signOnKey).slice(0, 16)}`;
  const request = {
    ...{ name: name?.trim().slice(0, 120) || own, username: own, roles, signOnKey },
    ...{ workspaces: 'all', mustChange: false } as const,
  };
  return (await createOperator(services, request, 'system')).id;
}
