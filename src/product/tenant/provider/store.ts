// Which providers a workspace is connected to, with their credentials sealed. Set by operators on
// the command line only, never by the tenant, and audited without a part of the credentials. [G-90]
import { isUuid } from '../../../core/ids.ts';
import { secretPlace, type Place } from '../../../core/labels.ts';
import type { HostName } from '../../../core/operation.ts';
import type { Random } from '../../../core/random.ts';
import { open, seal } from '../../../core/sealing.ts';
import { prepared, raw, sql, type Database, type Queryable } from '../../../db/index.ts';
import type { WrappedColumn } from '../../../providers/keys/versions.ts';
import type { Keys } from '../../../providers/keys/port.ts';
import type { Connection, ProviderKind, StoredConnection } from '../../../providers/port.ts';
import { audit } from '../../tell/audit/index.ts';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const COLUMNS = 'workspace, kind, id, provider, merchant, base_url, wrapped_key, sealed';
/** SQL: connections `c` of a source, of workspaces that are not archived. */
const stored = (source: string): string => `select c.workspace, w.integrator, c.kind, c.id,
    c.provider, c.merchant, c.base_url, c.wrapped_key, c.sealed
  from ${source} c join workspace w on w.workspace = c.workspace and w.ended is null`;
/** SQL: true where credentials of provider $3 and account $4 go on with connection `c`. */
const SAME = `c.provider = $3 and (c.merchant is null or $4::text is null or c.merchant = $4)`;

interface Row extends Connection {
  readonly integrator: string;
  readonly wrapped_key: string;
  readonly sealed: string;
}

/** A connection to make. */
export interface NewConnection extends Omit<Connection, 'id' | 'merchant'> {
  /** Whose account it is, as the provider says; absent where nobody asked. */
  readonly merchant?: string | null;
  /** As the provider's schema has read them. */
  readonly credentials: unknown;
  /** For the audit. */
  readonly mode: 'test' | 'live';
}

interface Parts {
  readonly db: Database;
  readonly keys: Keys;
  readonly random: Random;
}

/** Where the keys of credentials are stored. */
export const wrappedCredentialKeys: readonly WrappedColumn[] = [
  { table: 'provider_connection', key: ['workspace', 'kind'] },
  { table: 'former_connection', key: ['workspace', 'kind', 'id'] },
].map((of) => ({
  ...of,
  column: 'wrapped_key',
  context: ({ lineage, kind = '' }) => secretPlace('providerCredentials', String(lineage), kind),
}));

function keyPlace(keys: Keys, { workspace, kind }: Omit<Connection, 'id' | 'merchant'>): Place {
  return secretPlace('providerCredentials', keys.lineageOf(workspace), kind);
}

/** With provider and address, so that who can write the row cannot have credentials sent away. */
function textPlace(keys: Keys, connection: Omit<Connection, 'id' | 'merchant'>): Place {
  const { workspace, kind, provider, base_url } = connection;
  const lineage = keys.lineageOf(workspace);
  return secretPlace('providerCredentials', lineage, kind, provider, base_url ?? '');
}

/**
 * Connects a workspace to a provider, or replaces the credentials; gives the id of the connection.
 * It stays while the account at the provider does, so that its webhooks go on arriving. One that
 * is replaced is kept for the payments that were made there.
 */
export async function connectProvider(
  { db, keys, random }: Parts,
  connection: NewConnection,
  actor: string,
): Promise<string> {
  const { workspace, kind, provider, merchant = null, base_url, credentials, mode } = connection;
  const key = random.bytes(KEY_BYTES);
  const text = JSON.stringify(credentials);
  const sealed = seal(key, random.bytes(NONCE_BYTES), text, textPlace(keys, connection));
  const wrapped = await keys.wrap(key, keyPlace(keys, connection));
  return db.transaction(async (tx) => {
    await tx.execute({
      text: `with replaced as (select * from provider_connection c
          where c.workspace = $1 and c.kind = $2 and not (${SAME}) for update)
        insert into former_connection (${COLUMNS}, created, retired)
        select ${COLUMNS}, created, clock_timestamp() from replaced`,
      values: [workspace, kind, provider, merchant],
    });
    const rows = await tx.query<{ id: string }>({
      text: `insert into provider_connection as c
          (workspace, kind, provider, merchant, id, base_url, wrapped_key, sealed, created, updated)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $now, $now)
        on conflict (workspace, kind) do update set provider = excluded.provider,
          id = case when ${SAME} then c.id else excluded.id end,
          merchant = case when ${SAME} then coalesce($4, c.merchant) else $4 end,
          base_url = excluded.base_url, wrapped_key = excluded.wrapped_key,
          sealed = excluded.sealed, updated = excluded.updated
        returning id`,
      values: [workspace, kind, provider, merchant, random.uuid(), base_url, wrapped, sealed],
    });
    const id = rows[0]?.id ?? '';
    const detail = { kind, provider, mode, base_url, ...(merchant !== null && { merchant }) };
    await audit(tx, { workspace, actor, act: 'provider_connected', subject: id, detail });
    return id;
  });
}

/** Removes a connection and earlier ones with their credentials; false if there was none. */
export function disconnectProvider(
  db: Database,
  { workspace, kind }: Pick<Connection, 'workspace' | 'kind'>,
  actor: string,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [gone] = await tx.query<{ id: string; provider: string }>(sql`
      delete from provider_connection where workspace = ${workspace} and kind = ${kind}
      returning id, provider`);
    if (gone === undefined) return false;
    await tx.execute(sql`
      delete from former_connection where workspace = ${workspace} and kind = ${kind}`);
    const detail = { kind, provider: gone.provider };
    await audit(tx, { workspace, actor, act: 'provider_removed', subject: gone.id, detail });
    return true;
  });
}

/** The connections of a workspace, or of all. */
export async function connectionsOf(
  db: Queryable,
  keys: Keys,
  workspace: number | null,
): Promise<readonly StoredConnection[]> {
  const rows = await db.query<Row>(prepared('provider_connections')`
    ${raw(stored('provider_connection'))}
    where ${workspace}::integer is null or c.workspace = $1 order by c.workspace, c.kind`);
  return rows.map((row) => openable(keys, row));
}

/** The connection of an id, also an earlier one; or null. */
export async function connectionNamed(
  db: Queryable,
  keys: Keys,
  id: string,
): Promise<StoredConnection | null> {
  if (!isUuid(id)) return null;
  const [row] = await db.query<Row>(prepared('provider_connection_named')`
    ${raw(stored('provider_connection'))} where c.id = ${id}
    union all ${raw(stored('former_connection'))} where c.id = $1`);
  return row === undefined ? null : openable(keys, row);
}

function openable(keys: Keys, { wrapped_key, sealed, ...row }: Row): StoredConnection {
  return {
    ...row,
    // Each sealing has a nonce of its own.
    version: sealed,
    async open() {
      const key = await keys.unwrap(wrapped_key, keyPlace(keys, row));
      return JSON.parse(open(key, sealed, textPlace(keys, row))) as unknown;
    },
  };
}

const NOTICES = {
  processor: { host: 'payments', path: '/v1/processor_notices' },
  identity: { host: 'pii', path: '/v1/identity_notices' },
} as const;

/** Where a provider sends the webhooks of a connection. */
export function noticeUrl(
  urls: Readonly<Partial<Record<HostName, string>>>,
  kind: ProviderKind,
  id: string,
): string {
  const { host, path } = NOTICES[kind];
  return `${urls[host] ?? ''}${path}/${id}`;
}

/** Our own addresses that providers are told; the page is where people come back to. */
export function addressesFor(urls: Parameters<typeof noticeUrl>[0]) {
  const returnUrl = `${urls.widget ?? ''}/ui/v1/returned`;
  return { noticeUrlOf: noticeUrl.bind(null, urls), returnUrl };
}
