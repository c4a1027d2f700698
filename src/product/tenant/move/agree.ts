// What both sides of a move must agree in before anything is changed.
import { sql, type Database, type Transaction } from '../../../db/index.ts';
import type { Anchors } from '../../../providers/anchors/port.ts';
import type { Keys } from '../../../providers/keys/port.ts';
import type { WrappedColumn } from '../../../providers/keys/versions.ts';
import type { Standing } from './store.ts';
import { partsOf, type Parts } from './tables.ts';

/** An installation, as the role that owns its tables. */
export interface Side {
  readonly db: Database;
  readonly keys: Keys;
  readonly wrapped: readonly WrappedColumn[];
  readonly anchors: Anchors;
}

/** Both sides must be of one release, one environment and one look-up key. */
export async function agreedParts(from: Side, to: Side, workspace: number): Promise<Parts> {
  const facts = `select string_agg(value, ' ' order by name) as facts from installation
    where name in ('environment', 'keys')`;
  const [here, there] = await Promise.all([from, to].map(async ({ db }) => {
    const [row] = await db.query<{ facts: string }>(facts);
    return { ...row, ...(await partsOf(db, workspace)) };
  }));
  if (here?.facts !== there?.facts) {
    throw new Error('Both installations need the same environment and the same look-up key.');
  }
  if (here === undefined || here.shape !== there?.shape) {
    throw new Error('Both installations must have the same release: their tables differ.');
  }
  return here.parts;
}

/** Throws a sentence where the tenant cannot leave, or cannot arrive. */
export async function refuseUnmovable(
  from: Side,
  to: Side,
  here: Standing,
  there: Standing | undefined,
): Promise<void> {
  const { workspace } = here;
  if (here.state === 'arriving') throw new Error('This tenant is arriving here.');
  if (!here.live) throw new Error('This tenant is frozen by another move: try again.');
  if (here.siblings > 1) throw new Error('A tenant with clones does not move: archive them first.');
  await from.db.transaction(unguarded);
  const [taken] = await to.db.query<{ by: string }>(sql`
    select integrator::text as by from workspace where workspace = ${workspace}`);
  const isOurs = there?.workspace === workspace;
  const mayReplace = isOurs && (there.state === 'arriving' || there.state === 'moved');
  if (taken === undefined ? there === undefined : mayReplace) {
    if ((await termsOf(from.db, workspace)) !== (await termsOf(to.db, workspace, from.db))) {
      throw new Error('A version of the terms that people signed has another text there.');
    }
    return;
  }
  throw new Error(
    `Workspace ${workspace} or the tenant is there already: give each installation its own ` +
      'HOLDFAST_INSTALLATION.',
  );
}

/** The versions that people of the workspace signed, as `on` has them; it may not have all. */
async function termsOf(on: Database, workspace: number, signed = on): Promise<string> {
  const versions = await signed.query<{ version: number }>(sql`
    select distinct version from terms_signature where workspace = ${workspace} order by version`);
  const numbers = versions.map(({ version }) => version);
  const known = await on.query<{ version: number; digest: string }>(sql`
    select version, md5(content) as digest from terms_version where version = any(${numbers})`);
  if (on !== signed) {
    const missing = numbers.filter((one) => !known.some(({ version }) => version === one));
    known.push(...(await signed.query<(typeof known)[number]>(sql`
      select version, md5(content) as digest from terms_version where version = any(${missing})`)));
  }
  return known.map(({ version, digest }) => `${version} ${digest}`).toSorted().join();
}

/** Without triggers until the transaction ends. */
export async function unguarded(tx: Transaction): Promise<void> {
  await tx.execute('set local session_replication_role = replica').catch(() => {
    throw new Error(
      'The owner on both sides must be allowed to load rows without triggers: as a superuser, ' +
        'grant set on parameter session_replication_role to it.',
    );
  });
}
