// Rows of endpoints and their secrets: create, change, rotate, delete; always inside the caller's
// transaction. An endpoint has at most two active secrets.
import { raw, sql, type Queryable, type Transaction } from '../../../db/index.ts';
import type { Instant } from '../../../core/time.ts';
import { deadLetter } from './queue.ts';
import { newSecret, openSecret, publicKeyOf, sealSecret } from './secret.ts';
import type { SealedSecret, Signing } from './secret.ts';
import type { SealingServices } from './services.ts';

/** Seconds that a rotated secret still signs. [G-62] */
export const OVERLAP_SECONDS = 86_400;
/** The most endpoints of one tenant: each event is sent to each of them. */
export const ENDPOINTS_MAX = 50;

/** The states of an endpoint that can be seen. */
export const SHOWN_STATES = ['enabled', 'disabled'] as const;

/** An endpoint; times are the workspace's. */
export interface EndpointRow {
  readonly workspace: number;
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly state: (typeof SHOWN_STATES)[number] | 'deleted';
  readonly disabled_reason: 'request' | 'gone' | null;
  readonly description: string;
  readonly signing: Signing;
  readonly created: Instant;
  readonly updated: Instant;
  /** Of the current secret; '' for v1. */
  readonly public_key: string;
  /** When the previous secret stops signing (real time), or null. */
  readonly rotating_until: Instant | null;
}

/** A requested endpoint. */
export interface EndpointRequest {
  readonly url: string;
  readonly events: readonly string[];
  readonly description: string;
  readonly signing: Signing;
}

const COLUMNS = `e.workspace, e.id, e.url, e.events, e.state, e.disabled_reason, e.description,
  e.signing, e.created, e.updated,
  coalesce((select s.public_key from webhook_secret s where s.workspace = e.workspace
    and s.endpoint_id = e.id and s.expires is null), '') as public_key,
  (select s.expires from webhook_secret s where s.workspace = e.workspace and s.endpoint_id = e.id
    and s.expires > clock_timestamp()) as rotating_until`;

/** The workspace's endpoints, oldest first, without deleted ones. */
export async function listEndpoints(db: Queryable, workspace: number): Promise<EndpointRow[]> {
  return db.query<EndpointRow>(sql`select ${raw(COLUMNS)} from webhook_endpoint e
    where e.workspace = ${workspace} and e.state <> 'deleted' order by e.id`);
}

/** One endpoint; null for an unknown, foreign or deleted one. */
export async function findEndpoint(
  db: Queryable,
  workspace: number,
  id: string,
): Promise<EndpointRow | null> {
  const rows = await db.query<EndpointRow>(sql`select ${raw(COLUMNS)} from webhook_endpoint e
    where e.workspace = ${workspace} and e.id = ${id} and e.state <> 'deleted'`);
  return rows[0] ?? null;
}

/** Locks an endpoint for a change; false for an unknown one. */
export async function lockEndpoint(
  tx: Transaction,
  workspace: number,
  id: string,
): Promise<boolean> {
  const rows = await tx.query(sql`select e.id from webhook_endpoint e
    where e.workspace = ${workspace} and e.id = ${id} and e.state <> 'deleted' for no key update`);
  return rows.length > 0;
}

export async function countEndpoints(db: Queryable, workspace: number): Promise<number> {
  const rows = await db.query<{ n: number }>(sql`
    select count(*)::integer as n from webhook_endpoint e
    where e.workspace = ${workspace} and e.state <> 'deleted'`);
  return rows[0]?.n ?? 0;
}

/** Inserts an enabled endpoint with its first secret, which it gives in clear text. */
export async function insertEndpoint(
  tx: Transaction,
  services: SealingServices,
  workspace: number,
  id: string,
  request: EndpointRequest,
): Promise<string> {
  await tx.execute(sql`insert into webhook_endpoint
      (workspace, id, url, events, state, description, signing, created, updated)
    select w.workspace, ${id}, ${request.url}, ${request.events}::text[], 'enabled',
      ${request.description}, ${request.signing}, t.now, t.now
    from workspace w cross join lateral (select clock_timestamp() + w.clock_offset as now) t
    where w.workspace = ${workspace}`);
  const secret = newSecret(services.random, request.signing);
  await insertSecret(tx, services, workspace, id, 1, secret);
  return secret;
}

async function insertSecret(
  tx: Transaction,
  services: SealingServices,
  workspace: number,
  endpointId: string,
  number: number,
  secret: string,
): Promise<void> {
  const at = { workspace, endpoint_id: endpointId, number };
  const row = await sealSecret(services.keys, services.random, at, secret);
  await tx.execute(sql`insert into webhook_secret
      (workspace, endpoint_id, number, wrapped_key, sealed, public_key)
    values (${workspace}, ${endpointId}, ${number}, ${row.wrapped_key}, ${row.sealed},
      ${publicKeyOf(secret)})`);
}

/** A secret by its number in clear text; null once it has ended. */
export async function secretByNumber(
  db: Queryable,
  services: SealingServices,
  workspace: number,
  endpointId: string,
  number: number,
): Promise<string | null> {
  const rows = await db.query<SealedSecret>(sql`
    select s.workspace, s.endpoint_id, s.number, s.wrapped_key, s.sealed
    from webhook_secret s
    where s.workspace = ${workspace} and s.endpoint_id = ${endpointId} and s.number = ${number}
      and (s.expires is null or s.expires > clock_timestamp())`);
  return rows[0] === undefined ? null : openSecret(services.keys, rows[0]);
}

/**
 * Creates a new current secret and gives it in clear text. The previous one signs for
 * `overlapSeconds` more (0: not at all), an older one ends now. The endpoint must be locked.
 */
export async function replaceSecret(
  tx: Transaction,
  services: SealingServices,
  endpoint: { readonly workspace: number; readonly id: string; readonly signing: Signing },
  overlapSeconds: number,
  given: string | null = null,
): Promise<{ readonly secret: string; readonly number: number }> {
  const { workspace, id } = endpoint;
  const rows = await tx.query<{ number: number }>(sql`select s.number from webhook_secret s
    where s.workspace = ${workspace} and s.endpoint_id = ${id} and s.expires is null`);
  const before = rows[0]?.number ?? 0;
  // Ended secrets are deleted: what is not stored cannot leak.
  await tx.execute(sql`
    delete from webhook_secret s where s.workspace = ${workspace} and s.endpoint_id = ${id}
    and (s.expires is not null or ${overlapSeconds} = 0)`);
  await tx.execute(sql`
    update webhook_secret s set expires = $now + ${overlapSeconds} * interval '1 second'
    where s.workspace = ${workspace} and s.endpoint_id = ${id}`);
  const secret = given ?? newSecret(services.random, endpoint.signing);
  await insertSecret(tx, services, workspace, id, before + 1, secret);
  return { secret, number: before + 1 };
}

/** Fields to change; absent ones stay. */
export interface EndpointChange {
  readonly url?: string | undefined;
  readonly events?: readonly string[] | undefined;
  readonly description?: string | undefined;
  readonly state?: (typeof SHOWN_STATES)[number] | undefined;
}

/**
 * Changes a locked endpoint. Disabling turns pending deliveries into visible dead letters, which
 * can be replayed; nothing is queued for or sent to a disabled endpoint.
 */
export async function changeEndpoint(
  tx: Transaction,
  workspace: number,
  id: string,
  change: EndpointChange,
): Promise<void> {
  await tx.execute(sql`update webhook_endpoint e set
      url = coalesce(${change.url ?? null}, e.url),
      events = coalesce(${change.events ?? null}::text[], e.events),
      description = coalesce(${change.description ?? null}, e.description),
      state = coalesce(${change.state ?? null}, e.state),
      disabled_reason = case $4 when 'disabled' then coalesce(e.disabled_reason, 'request')
        when 'enabled' then null else e.disabled_reason end,
      updated = $now + w.clock_offset
    from workspace w where w.workspace = e.workspace and e.workspace = ${workspace}
      and e.id = ${id}`);
  if (change.state === 'disabled') await deadLetter(tx, workspace, id, 'endpoint_disabled');
}

/** Deletes a locked endpoint: its secrets are destroyed, its deliveries stay as history. */
export async function removeEndpoint(
  tx: Transaction,
  workspace: number,
  id: string,
): Promise<void> {
  await tx.execute(sql`update webhook_endpoint e set state = 'deleted', disabled_reason = null,
      updated = $now + w.clock_offset
    from workspace w where w.workspace = e.workspace and e.workspace = ${workspace}
      and e.id = ${id}`);
  await tx.execute(sql`
    delete from webhook_secret s where s.workspace = ${workspace} and s.endpoint_id = ${id}`);
  await deadLetter(tx, workspace, id, 'endpoint_deleted');
}
