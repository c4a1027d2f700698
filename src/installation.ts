// Ties a database to its installation: the environment its data belongs to, and the master keys
// that opened it first. A mismatch is refused with one sentence. [G-04]
import { sql, type Database } from './db/index.ts';
import { purposeOf, sealedPlace, type Place } from './core/labels.ts';
import type { Random } from './core/random.ts';
import { open, seal } from './core/sealing.ts';
import type { WrappedColumn } from './providers/keys/versions.ts';
import type { Keys } from './providers/keys/port.ts';

type Environment = 'staging' | 'production';

/** The data belongs to another environment or to other keys. */
export class InstallationMismatch extends Error {}

async function isMade(db: Database): Promise<boolean> {
  const made = await db.query<{ there: boolean }>(
    `select to_regclass('installation') is not null as there`,
  );
  return made[0]?.there === true;
}

async function factOf(db: Database, name: string): Promise<string | null> {
  if (!(await isMade(db))) return null;
  const text = 'select value from installation where name = $1';
  return (await db.query<{ value: string }>({ text, values: [name] }))[0]?.value ?? null;
}

/** True if the database was opened with keys before: then no others open it, and none are made. */
export async function isSealed(db: Database): Promise<boolean> {
  return (await factOf(db, 'keys')) !== null;
}

/** Refuses a database without tables. */
export async function requireMade(db: Database): Promise<void> {
  if (await isMade(db)) return;
  throw new Error('The database is empty: run `holdfast migrate` or `holdfast start` first.');
}

async function requireEnvironment(db: Database, env: Environment): Promise<void> {
  const made = await factOf(db, 'environment');
  if (made === null || made === env) return;
  throw new InstallationMismatch(`The database holds ${made} data and cannot start as ${env}.`);
}

/**
 * Refuses data of another environment, before rights and moves are changed; and without the outside
 * a new database: a sandbox is not created without its processor.
 */
export async function requireUsable(
  db: Database,
  env: Environment,
  outbound = true,
): Promise<void> {
  await requireEnvironment(db, env);
  if (outbound || (await isSealed(db))) return;
  throw new Error(
    '--no-outbound needs a database that was used before: start a new one without it.',
  );
}

/** Marks a new database; refuses one of another environment or another key file. */
export async function claimInstallation(
  db: Database,
  env: Environment,
  keys: Keys,
): Promise<void> {
  const facts = { environment: env, keys: keys.mac(purposeOf('installation'), 'which keys') };
  await db.query(sql`
    insert into installation (name, value) select * from unnest(${Object.keys(facts)}::text[],
      ${Object.values(facts)}::text[])
    on conflict do nothing`);
  await requireEnvironment(db, env);
  if ((await factOf(db, 'keys')) !== facts.keys) {
    throw new InstallationMismatch(
      'The database belongs to other master keys: use the key file that it was created with.',
    );
  }
}

/** How many tenants an installation can number. */
const NUMBERS = 1_000_000;

/**
 * Gives an installation its number, once and for all, and begins its tenants' workspaces at its own
 * million, so that no two of several installations ever have the same. The first needs nothing.
 */
async function numberInstallation(owner: Database, number: number): Promise<void> {
  if (number === 0) return;
  await owner.query(sql`
    insert into installation (name, value) values ('number', ${String(number)})
      on conflict do nothing`);
  const [row] = await owner.query<{ value: string }>(
    `select value from installation where name = 'number'`,
  );
  if (row?.value !== String(number)) {
    throw new InstallationMismatch(
      `This is installation ${row?.value ?? ''}: HOLDFAST_INSTALLATION cannot make it ${number}.`,
    );
  }
  await owner.query(sql`select setval('workspace_workspace_seq', ${number * NUMBERS})
    from workspace_workspace_seq where last_value < $1`);
}

/** What the owner makes beside the schema: the number, and what a sandbox wants. */
export function preparation(number: number, more?: (owner: Database) => Promise<void>) {
  return async (owner: Database): Promise<void> => {
    await numberInstallation(owner, number);
    await more?.(owner);
  };
}

/** Reads an encrypted note of the installation, or null. */
export async function readNote(db: Database, keys: Keys, name: string): Promise<string | null> {
  const note = await factOf(db, name);
  if (note === null) return null;
  const [wrapped = '', sealed = ''] = note.split(' ');
  return open(await keys.unwrap(wrapped, placeOf(name)), sealed, placeOf(name));
}

/** Stores a note, encrypted with a key of its own. */
export async function keepNote(
  db: Database,
  keys: Keys,
  random: Random,
  name: string,
  note: string,
): Promise<void> {
  const key = random.bytes(32);
  const wrapped = await keys.wrap(key, placeOf(name));
  const sealed = seal(key, random.bytes(12), note, placeOf(name));
  await db.query({
    text: 'insert into installation (name, value) values ($1, $2)',
    values: [name, `${wrapped} ${sealed}`],
  });
}

/** Notes hold the wrapped key, a blank and the ciphertext; plain facts hold no blank. */
export const wrappedNoteKeys: WrappedColumn = {
  table: 'installation',
  key: ['name'],
  column: 'value',
  where: `value like '% %'`,
  context: ({ name = '' }) => placeOf(name),
};

function placeOf(name: string): Place {
  return sealedPlace('installation', 0, name);
}
