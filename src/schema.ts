// The schema of the database, by the role that owns it: migrations, the legal moves, the sandbox's
// snapshot storage and the rights of the server's role. Production starts only check it.
import { machines } from './catalogue.ts';
import type { Place, StartOptions } from './config.ts';
import { Database, grantRights, roleFacts } from './db/index.ts';
import { finishUpgrade, isFinished, UNFINISHED } from './db/index.ts';
import { checkSchema, migrate, refuseUnusable, SchemaMismatch } from './db/migrate.ts';
import { differingMoves, loadMoves } from './engine/index.ts';
import { openMissing } from './ledger/index.ts';

export const MIGRATIONS = new URL('../migrations/', import.meta.url);

/** How a schema is made ready. */
export interface SchemaOptions<T> extends Place {
  /** What else is made by the owner: the storage of a sandbox, the number of the installation. */
  readonly prepare?: ((owner: Database) => Promise<void>) | undefined;
  /** Looks at the database before anything is changed. */
  look(db: Database): Promise<T>;
  /** Called before the first migration, if there is one. */
  begins?(): void;
}

/** What was done to a schema. */
export interface Brought<T> {
  readonly seen: T;
  /** Names of the migrations just applied. */
  readonly applied: readonly string[];
  /** The role that the rights were given to; null: the server connects as the owner. */
  readonly role: string | null;
}

/** Brings the schema to this release as the owner. */
export async function bringSchema<T>(options: SchemaOptions<T>): Promise<Brought<T>> {
  const { env, databaseUrl, ownerUrl = null, prepare, begins } = options;
  const settings = { statement_timeout: '0' };
  const owner = new Database({ url: ownerUrl ?? databaseUrl, max: 2, settings });
  try {
    await refuseUnusable(owner);
    const seen = await options.look(owner);
    const role = ownerUrl === null ? null : await serverRole(databaseUrl, owner);
    const applied = await migrate(owner, MIGRATIONS, begins, async (connection) => {
      await loadMoves(connection, machines, env === 'staging');
      await prepare?.(owner);
      // A sandbox is never rolled back to an older program, so nobody has to decide it.
      if (env === 'staging') await finishUpgrade(connection);
      if (role === null) return;
      await connection.execute('begin');
      await grantRights(connection, role, env);
      await connection.execute('commit');
    });
    return { seen, applied, role };
  } finally {
    await owner.close();
  }
}

/** The role that the server connects as; null if it is the owner itself. */
async function serverRole(databaseUrl: string, owner: Database): Promise<string | null> {
  const server = new Database({ url: databaseUrl, max: 1 });
  try {
    const [{ name: own }, { name, owns }] = [await roleFacts(owner), await roleFacts(server)];
    if (name === own) return null;
    if (!owns) return name;
    throw new Error(
      `The role ${name} of DATABASE_URL is a superuser, owns tables or is a member of their ` +
        'owner: give the server a role of its own, without these.',
    );
  } finally {
    await server.close();
  }
}

/**
 * What a start does: staging brings the schema to this release where it may; production, and a
 * role that owns nothing, only check it. System accounts that a node of an earlier release left out
 * are opened. Gives what an operator should know, as sentences.
 */
export async function readySchema<T>(
  db: Database,
  options: SchemaOptions<T>,
): Promise<{ readonly seen: T; readonly says: readonly string[] }> {
  if (options.env === 'staging' && (options.ownerUrl || (await mayCreate(db)))) {
    const { seen } = await bringSchema(options);
    await openMissing(db);
    return { seen, says: (await isFinished(db)) ? [] : [UNFINISHED] };
  }
  await refuseUnusable(db);
  const seen = await options.look(db);
  const newer = await requireSchema(db, options.env);
  await openMissing(db);
  const { name, owns } = await roleFacts(db);
  const says = [
    ...((await isFinished(db)) ? [] : [UNFINISHED]),
    ...(newer.length > 0 ? [`the schema is newer than this program: ${newer.join(', ')}`] : []),
    ...(owns && options.env === 'production'
      ? [`the role ${name} owns the tables, so it could rewrite history: see "Two roles" in ` +
          'docs/operations.md']
      : []),
  ];
  return { seen, says };
}

/** Which installation a command opens, and how. */
export interface OpenOptions extends Place, Pick<StartOptions, 'dataDir' | 'providers'> {
  readonly migrated: Migrated;
  /** Its settings; absent: those of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** What a command does with the schema: as a start, bring it as the owner, or leave it. */
export type Migrated = boolean | 'by the owner';

/** Opens a database for a command. */
export async function openSchema<T>(
  db: Database,
  options: SchemaOptions<T>,
  migrated: Migrated,
): Promise<{ readonly seen: T; readonly brought: Brought<T> | null }> {
  if (migrated === true) return { seen: (await readySchema(db, options)).seen, brought: null };
  if (migrated === 'by the owner') {
    const brought = await bringSchema(options);
    return { seen: brought.seen, brought };
  }
  if (options.ownerUrl) await refuseAsOwner(options.ownerUrl);
  await refuseUnusable(db);
  return { seen: await options.look(db), brought: null };
}

/** Connections as the owner, for a command that works on whole tables. */
export function ownerOf({ databaseUrl, ownerUrl }: Place): Database {
  const settings = { statement_timeout: '0', jit: 'off' };
  const url = ownerUrl ?? databaseUrl;
  return new Database({ url, max: 3, applicationName: 'holdfast cli', settings });
}

/** The server's role has no rights in a database of 0.1, which is the better reason to refuse. */
async function refuseAsOwner(url: string): Promise<void> {
  const owner = new Database({ url, max: 2 });
  try {
    await refuseUnusable(owner);
  } finally {
    await owner.close();
  }
}

/**
 * Refuses a schema that this program cannot work on, or that lets it make other moves than its
 * own: a release may add moves without a migration. Gives the newer migrations.
 */
export async function requireSchema(db: Database, env: Place['env']): Promise<string[]> {
  const newer = await checkSchema(db, MIGRATIONS);
  const [first, ...more] = await differingMoves(db, machines, env === 'staging');
  if (first === undefined) return newer;
  throw new SchemaMismatch(
    `The legal moves in the database are not those of this program in ${env} (${first}` +
      `${more.length > 0 ? ` and ${more.length} more` : ''} differ): run \`holdfast migrate\` ` +
      'of this release first.',
  );
}

async function mayCreate(db: Database): Promise<boolean> {
  const [may] = await db.query<{ may: boolean }>(
    `select has_schema_privilege(current_schema(), 'create') as may`,
  );
  return may?.may === true;
}
