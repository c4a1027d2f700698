// Operators as others see them: with their names opened, and never their credentials.
import { isUuid } from '../../../core/ids.ts';
import type { Instant } from '../../../core/time.ts';
import { rolesOf, type Role } from './roles.ts';
import {
  opener,
  usernameKey,
  type OperatorServices,
  type SealedRow,
  type Workspaces,
} from './sealed.ts';
import { raw, sql } from '../../../db/index.ts';

/** An operator as shown to others. */
export interface Operator {
  readonly id: string;
  readonly name: string;
  readonly username: string;
  /** Where they are mailed; null: nowhere. */
  readonly email: string | null;
  readonly roles: readonly Role[];
  readonly workspaces: Workspaces;
  readonly disabled: boolean;
  /** True until the invitation was used. */
  readonly invited: boolean;
  /** True for who signs in at the identity provider. */
  readonly signsOn: boolean;
  /** True while a change waits for a second administrator. */
  readonly waits: boolean;
  readonly created: Instant;
  /** When the newest session was last used, or null. */
  readonly seen: Instant | null;
}

interface OperatorRow extends SealedRow {
  readonly roles: string[];
  readonly workspaces: number[] | null;
  readonly disabled: Instant | null;
  readonly invited: boolean;
  readonly signs_on: boolean;
  readonly waits: boolean;
  readonly sealed_email: string | null;
  readonly created: Instant;
  readonly seen: Instant | null;
}

const COLUMNS = `id, wrapped_key, sealed_name, sealed_username, sealed_totp,
  roles || tasks as roles, workspaces, disabled, created, sealed_email,
  invite_hash is not null as invited, sign_on_key is not null as signs_on,
  exists (select from operator_proposal p
    where p.operator_id = operator.id and p.decision is null) as waits,
  (select max(seen) from operator_session s where s.operator_id = operator.id) as seen`;

/** At most five hundred operators, newest last. */
export async function listOperators(services: OperatorServices): Promise<Operator[]> {
  const rows = await services.db.query<OperatorRow>(
    `select ${COLUMNS} from operator order by id limit 500`,
  );
  return Promise.all(rows.map((row) => shown(services, row)));
}

export async function findOperator(
  services: OperatorServices,
  id: string,
): Promise<Operator | null> {
  if (!isUuid(id)) return null;
  const [row] = await services.db.query<OperatorRow>(sql`
    select ${raw(COLUMNS)} from operator where id = ${id}`);
  return row === undefined ? null : shown(services, row);
}

/** The id of a username, or null. */
export async function operatorNamed(
  services: OperatorServices,
  username: string,
): Promise<string | null> {
  const [row] = await services.db.query<{ id: string }>(sql`
    select id from operator where username_key = ${usernameKey(services, username)}`);
  return row?.id ?? null;
}

async function shown(services: OperatorServices, row: OperatorRow): Promise<Operator> {
  const { id, workspaces, disabled, invited, waits, created, seen } = row;
  const text = await opener(services, row);
  const [name, username] = [text(row.sealed_name, 'name'), text(row.sealed_username, 'username')];
  const roles = rolesOf(row.roles);
  const about = { roles, workspaces: workspaces ?? ('all' as const), disabled: disabled !== null };
  const email = row.sealed_email === null ? null : text(row.sealed_email, 'email');
  const door = { invited, signsOn: row.signs_on, waits };
  return { id, name, username, email, ...about, ...door, created, seen };
}
