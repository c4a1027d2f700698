// Clients, their secrets, and the proof that a caller is one. A secret is shown once and stored as
// a keyed hash.
import { hash, timingSafeEqual } from 'node:crypto';
import { purposeOf } from '../../../core/labels.ts';
import type { TenantLimits } from '../../../core/operation.ts';
import { refuse } from '../../../core/refusal.ts';
import { isUuid } from '../../../core/ids.ts';
import type { Instant } from '../../../core/time.ts';
import { prepared, raw, sql } from '../../../db/index.ts';
import type { Queryable, Statement, Transaction } from '../../../db/index.ts';
import { engineRefusals } from '../../../engine/index.ts';
import { audit, type Act } from '../../tell/audit/index.ts';
import { LIMIT_COLUMNS, limitsOf, type LimitsRow } from '../../tenant/tenant/index.ts';
import { refusals } from './refusals.ts';
import { isScope } from './scopes.ts';
import type { OAuthServices } from './services.ts';

/** A client as its tokens need it. */
export interface Client {
  readonly clientId: string;
  readonly workspace: number;
  /** The tenant's id. */
  readonly integrator: string;
  readonly scopes: readonly string[];
  readonly disabled: boolean;
  /** The tenant's own limits; null: those of each process. [G-06] */
  readonly limits: TenantLimits | null;
}

/** Shown once, when a client is created or its secret is rotated. */
export interface ClientCredentials {
  readonly client_id: string;
  readonly client_secret: string;
}

/** What storing a client needs. */
export type Store = Pick<OAuthServices, 'db' | 'keys' | 'random'>;

const SECRET_BYTES = 32;
/** A rotated secret stays valid for a day by default, so that servers can follow. */
export const ROTATION_OVERLAP_SECONDS = 86_400;

export interface NewClient {
  readonly workspace: number;
  readonly name: string;
  readonly scopes: readonly string[];
}

/** Who acts at the command line. */
export const OPERATOR = 'operator';

/** Creates a client of a workspace. Throws a fault for an unknown scope. [G-04] */
export function createClient(services: Store, client: NewClient): Promise<ClientCredentials> {
  return services.db.transaction((tx) => addClient(tx, services, client));
}

/** As `createClient`, inside a transaction. */
export async function addClient(
  tx: Transaction,
  services: Pick<Store, 'keys' | 'random'>,
  client: NewClient,
  actor = OPERATOR,
): Promise<ClientCredentials> {
  const unknown = client.scopes.find((scope) => !isScope(scope));
  if (unknown !== undefined) throw new Error('a client was to be given a scope that is not listed');
  const clientId = services.random.uuid();
  const secret = freshSecret(services);
  const { workspace, name } = client;
  const scopes = [...new Set(client.scopes)];
  await tx.execute(sql`insert into client (client_id, workspace, name, scopes, secret_hash)
    values (${clientId}, ${workspace}, ${name}, ${scopes},
      ${secretHash(services, clientId, secret)})`);
  const detail = { scopes: scopes.join(' ') };
  await audit(tx, { workspace, actor, act: 'client_created', subject: clientId, detail });
  return { client_id: clientId, client_secret: secret };
}

/**
 * Gives a client a new secret. The previous one stays valid for `overlapSeconds` (0: not at all);
 * an older one ends now. Throws a fault for an unknown client.
 */
export async function rotateSecret(
  services: Store,
  clientId: string,
  overlapSeconds: number = ROTATION_OVERLAP_SECONDS,
): Promise<ClientCredentials> {
  return services.db.transaction((tx) =>
    replaceClientSecret(tx, services, clientId, overlapSeconds),
  );
}

/** As `rotateSecret`, inside a transaction. */
export async function replaceClientSecret(
  tx: Transaction,
  services: Pick<Store, 'keys' | 'random'>,
  clientId: string,
  overlapSeconds: number,
  actor = OPERATOR,
): Promise<ClientCredentials> {
  const secret = freshSecret(services);
  await changeClient(tx, actor, clientId, 'client_rotated', {
    text: `update client set
        previous_secret_hash = secret_hash,
        previous_until = $now + make_interval(secs => $3),
        secret_hash = $2
      where client_id = $1 returning workspace`,
    values: [clientId, secretHash(services, clientId, secret), overlapSeconds],
  });
  return { client_id: clientId, client_secret: secret };
}

/** Enables or disables a client; its tokens follow within seconds. */
export async function setClientDisabled(
  services: Pick<Store, 'db'>,
  clientId: string,
  disabled: boolean,
  actor = OPERATOR,
): Promise<void> {
  await services.db.transaction((tx) =>
    changeClient(tx, actor, clientId, disabled ? 'client_disabled' : 'client_enabled', {
      text: 'update client set disabled = $2 where client_id = $1 returning workspace',
      values: [clientId, disabled],
    }),
  );
}

async function changeClient(
  tx: Transaction,
  actor: string,
  subject: string,
  act: Act,
  change: Statement,
): Promise<void> {
  const [row] = await tx.query<{ workspace: number }>(change);
  if (row === undefined) throw new Error('the client to be changed does not exist');
  await audit(tx, { workspace: row.workspace, actor, act, subject });
}

/** A client as people see it: without its secrets. */
export interface ShownClient {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly disabled: boolean;
  readonly created: Instant;
  /** Until when the secret before is valid too, or null. */
  readonly rotating_until: Instant | null;
  /** Since when a new secret waits for a second person, or null. */
  readonly pending_since: Instant | null;
}

/** The clients of a workspace, oldest first; with `id` that one alone, if it is there. */
export async function listClients(
  db: Queryable,
  workspace: number,
  id: string | null = null,
): Promise<ShownClient[]> {
  return db.query<ShownClient>(sql`
    select client_id as id, name, scopes, disabled, created, pending_since,
      case when previous_until > clock_timestamp() then previous_until end as rotating_until
    from client where workspace = ${workspace} and (${id}::uuid is null or client_id = $2)
    order by created, client_id`);
}

/** A secret, 256 random bits. */
export function freshSecret(services: Pick<Store, 'random'>): string {
  return services.random.bytes(SECRET_BYTES).toString('base64url');
}

/** The id is part of the hashed text, so that a hash moved to another row is useless. */
export function secretHash(
  services: Pick<Store, 'keys'>,
  clientId: string,
  secret: string,
): string {
  return services.keys.mac(purposeOf('clientSecret'), `${clientId}:${secret}`);
}

/** Hashes both sides again, so that timing reveals neither length nor a common prefix. [ID8] */
function sameText(left: string, right: string): boolean {
  return timingSafeEqual(hash('sha256', left, 'buffer'), hash('sha256', right, 'buffer'));
}

interface ClientRow extends Omit<Client, 'limits'>, LimitsRow {
  /** Its tenant is being moved to another installation, or is there. */
  readonly away: 'moving' | 'moved' | null;
  readonly secretHash: string;
  /** Null once it is no longer valid. */
  readonly previousHash: string | null;
}

/** Clients by id; unknown ones are absent. */
async function readRows(
  { db }: Pick<Store, 'db'>,
  ids: readonly string[],
): Promise<(ClientRow & Client)[]> {
  const rows = await db.query<ClientRow>(prepared('oauth_clients')`
    select c.client_id as "clientId", c.workspace, w.integrator, c.scopes, c.disabled,
      case when w.ended = '-infinity' then 'moving' when w.ended is not null then 'moved' end
        as away, c.secret_hash as "secretHash", case when c.previous_until > clock_timestamp()
        then c.previous_secret_hash end as "previousHash", ${raw(LIMIT_COLUMNS)}
    from client c join workspace w on w.workspace = c.workspace
    join tenant t on t.integrator = w.integrator where c.client_id = any(${ids})`);
  return rows.map((row) => ({ ...row, limits: limitsOf(row) }));
}

/** Without their secrets. */
function clientOf({ clientId, workspace, integrator, scopes, disabled, limits }: Client): Client {
  return { clientId, workspace, integrator, scopes, disabled, limits };
}

/** Clients by id, without their secrets; unknown ones are absent. */
export async function readClients(
  db: OAuthServices['db'],
  ids: readonly string[],
): Promise<Client[]> {
  return (await readRows({ db }, ids)).map(clientOf);
}

/** The credentials of a client. */
export interface Proof {
  readonly clientId: string;
  readonly secret: string;
}

/**
 * The client of the credentials. Throws a 401 alike for an unknown, disabled or wrong one, and says
 * where its tenant is, if that is elsewhere.
 */
export async function authenticateClient(services: Store, proof: Proof): Promise<Client> {
  const known = isUuid(proof.clientId);
  // Hashed for an unknown client too, so that timing does not reveal whether it exists.
  const given = secretHash(services, proof.clientId, proof.secret);
  const [row] = known ? await readRows(services, [proof.clientId]) : [];
  const current = sameText(given, row?.secretHash ?? '');
  const previous = sameText(given, row?.previousHash ?? '');
  if (row === undefined || row.disabled || (!current && !previous)) {
    throw refuse(refusals.INVALID_CLIENT);
  }
  if (row.away === 'moved') throw refuse(engineRefusals.TENANT_MOVED);
  if (row.away === 'moving') throw refuse(engineRefusals.TENANT_MOVING, {}, 1);
  return clientOf(row);
}
