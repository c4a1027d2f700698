// Which providers a workspace is connected to, with their credentials sealed. Set by operators on
// the command line only, never by the tenant, and audited without a part of the credentials. [G-90]
import { isUuid } from '../../../core/ids.ts';
import { secretPlace, type Place } from '../../../core/labels.ts';
import type { HostName } from '../../../core/operation.ts';
import type { Random } from '../../../core/random.ts';
import { open, seal } from '../../../core/sealing.ts';
import type { Database, Queryable } from '../../../db/index.ts';
import type { WrappedColumn } from '../../../providers/keys/versions.ts';
import type { Keys } from '../../../providers/keys/port.ts';
import type { Connection, ProviderKind, StoredConnection } from '../../../providers/port.ts';
import { audit } from '../../tell/audit/index.ts';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const STORED = `select c.workspace, w.integrator, c.kind, c.id, c.provider, c.base_url,
    c.wrapped_key, c.sealed
  from provider_connection c join workspace w on w.workspace = c.workspace and w.ended is null`;

interface Row extends Connection {
  readonly integrator: string;
  readonly wrapped_key: string;
  readonly sealed: string;
}

/** A connection to make. */
export interface NewConnection extends Omit<Connection, 'id'> {
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
export const wrappedCredentialKeys: WrappedColumn = {
  table: 'provider_connection',
  key: ['workspace', 'kind'],
  column: 'wrapped_key',
  context: ({ lineage, kind = '' }) => secretPlace('providerCredentials', String(lineage), kind),
};

function keyPlace(keys: Keys, { workspace, kind }: Omit<Connection, 'id'>): Place {
  return secretPlace('providerCredentials', keys.lineageOf(workspace), kind);
}

/** With provider and address, so that who can write the row cannot have credentials sent away. */
function textPlace(keys: Keys, connection: Omit<Connection, 'id'>): Place {
  const { workspace, kind, provider, base_url } = connection;
  const lineage = keys.lineageOf(workspace);
  return secretPlace('providerCredentials', lineage, kind, provider, base_url ?? '');
}

/**
 * Connects a workspace to a provider, or replaces the credentials; gives the id of the connection.
 * It stays while the provider does, so that its webhooks go on arriving.
 */
export async function connectProvider(
  { db, keys, random }: Parts,
  connection: NewConnection,
  actor: string,
): Promise<string> {
  const { workspace, kind, provider, base_url, credentials, mode } = connection;
  const key = random.bytes(KEY_BYTES);
  const text = JSON.stringify(credentials);
  const sealed = seal(key, random.bytes(NONCE_BYTES), text, textPlace(keys, connection));
  const wrapped = await keys.wrap(key, keyPlace(keys, connection));
  return db.transaction(async (tx) => {
    const rows = await tx.query<{ id: string }>({
      text: `insert into provider_connection as c
          (workspace, kind, id, provider, base_url, wrapped_key, sealed, created, updated)
        values ($1, $2, $3, $4, $5, $6, $7, clock_timestamp(), clock_timestamp())
        on conflict (workspace, kind) do update set provider = excluded.provider,
          id = case when c.provider = excluded.provider then c.id else excluded.id end,
          base_url = excluded.base_url, wrapped_key = excluded.wrapped_key,
          sealed = excluded.sealed, updated = excluded.updated
        returning id`,
      values: [workspace, kind, random.uuid(), provider, base_url, wrapped, sealed],
    });
    const id = rows[0]?.id ?? '';
    const detail = { kind, provider, mode, base_url };
    await audit(tx, { workspace, actor, act: 'provider_connected', subject: id, detail });
    return id;
  });
}

/** Removes a connection with its credentials; false if there was none. */
export function disconnectProvider(
  db: Database,
  { workspace, kind }: Pick<Connection, 'workspace' | 'kind'>,
  actor: string,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [gone] = await tx.query<{ id: string; provider: string }>({
      text: `delete from provider_connection where workspace = $1 and kind = $2
        returning id, provider`,
      values: [workspace, kind],
    });
    if (gone === undefined) return false;
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
  const rows = await db.query<Row>({
    name: 'provider_connections',
    text: `${STORED} where $1::integer is null or c.workspace = $1 order by c.workspace, c.kind`,
    values: [workspace],
  });
  return rows.map((row) => stored(keys, row));
}

/** The connection of an id, or null. */
export async function connectionNamed(
  db: Queryable,
  keys: Keys,
  id: string,
): Promise<StoredConnection | null> {
  if (!isUuid(id)) return null;
  const [row] = await db.query<Row>({
    name: 'provider_connection_named',
    text: `${STORED} where c.id = $1`,
    values: [id],
  });
  return row === undefined ? null : stored(keys, row);
}

function stored(keys: Keys, { wrapped_key, sealed, ...row }: Row): StoredConnection {
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
