// Chooses folders that the server's account can reach. A root home and a fresh temporary folder
// have mode 0700, so root's server may need a folder elsewhere.
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Operator } from './operator.ts';
import { canEnter } from './operator.ts';

/** Makes a directory that others may pass through; secrets inside have a mode of their own. */
export function openDirectory(path: string): void {
  if (existsSync(path)) return;
  openDirectory(dirname(path));
  try {
    mkdirSync(path, { mode: 0o755 });
    chmodSync(path, 0o755);
  } catch (error) {
    if (existsSync(path)) return;
    const cause = error instanceof Error ? error.message : String(error);
    throw new Error(
      `The directory ${path} cannot be created (${cause}): set HOLDFAST_DATA_DIR to one that can.`,
    );
  }
}

/** Lets the server's account into our directory: mkdtemp and a strict umask make it 0700. */
export function letPass(dataDir: string, operator: Operator): void {
  if (!canEnter(operator, dataDir)) chmodSync(dataDir, 0o711);
}

/**
 * The folder for the cluster of this data directory: inside it if the account can reach it, else
 * below a system folder under a name made from the directory's real path, so that no copy of the
 * directory finds another's data. A pointer file in the data directory records which. Fails if the
 * directory holds a cluster of another major version only.
 */
export function placeCluster(dataDir: string, major: number, operator: Operator): string {
  refuseOtherMajor(dataDir, major);
  const inside = join(dataDir, `postgres-${major}`);
  const pointer = `${inside}.location`;
  const key = keyOf(dataDir);
  if (existsSync(pointer)) {
    const place = readFileSync(pointer, 'utf8').trim();
    if (basename(dirname(place)).startsWith(key) && existsSync(place)) return place;
  }
  if (canEnter(operator, dataDir)) return inside;
  const folder = join(systemFolder(), `${key}-${randomBytes(4).toString('hex')}`);
  openDirectory(folder);
  if (!canEnter(operator, folder)) throw new Error(unreachable(dataDir, operator));
  const place = join(folder, `postgres-${major}`);
  writeFileSync(pointer, `${place}\n`);
  return place;
}

/** The first of two folders that exists or can be made, is ours or root's, and can be entered. */
export function placePrograms(preferred: string, operator: Operator): string {
  const fallback =
    operator.switchTo === null
      ? join(tmpdir(), `holdfast-${process.getuid?.() ?? 0}`)
      : systemFolder();
  for (const folder of [preferred, join(fallback, 'programs')]) {
    try {
      openDirectory(folder);
      const owner = lstatSync(folder);
      const ours = owner.uid === process.getuid?.() || owner.uid === 0;
      if (owner.isDirectory() && ours && canEnter(operator, folder)) return folder;
    } catch {
      // Try the next one: a read-only checkout is no reason to fail.
    }
  }
  throw new Error(unreachable(preferred, operator));
}

function systemFolder(): string {
  for (const folder of ['/var/lib/holdfast', '/var/tmp/holdfast']) {
    try {
      openDirectory(folder);
      if (lstatSync(folder).uid === 0) return folder;
    } catch {
      // A read-only system: try the next one.
    }
  }
  return '/tmp/holdfast';
}

function keyOf(dataDir: string): string {
  return createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 12);
}

function refuseOtherMajor(dataDir: string, major: number): void {
  const majors = readdirSync(dataDir).flatMap((name) => {
    const found = /^postgres-(\d+)(\.location)?$/.exec(name)?.[1];
    return found === undefined ? [] : [Number(found)];
  });
  const other = majors[0];
  if (other === undefined || majors.includes(major)) return;
  throw new Error(
    `The data directory ${dataDir} holds a PostgreSQL ${other} cluster and this Holdfast brings ` +
      `PostgreSQL ${major}: move the data with pg_dump and pg_restore, or set HOLDFAST_DATA_DIR ` +
      'to a new directory.',
  );
}

function unreachable(directory: string, operator: Operator): string {
  const uid = operator.switchTo?.uid ?? process.getuid?.() ?? 0;
  return (
    `PostgreSQL runs here as uid ${uid}, which cannot ` +
    `reach ${directory}: set HOLDFAST_DATA_DIR to a directory that every account can enter.`
  );
}
