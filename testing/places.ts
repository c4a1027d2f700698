// Paths of the package, its Node and the folder shared by a project's test files; and the server's
// environment, which must contain nothing of the test run or the integrator's own database.
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = fileURLToPath(import.meta.url);
const up = dirname(dirname(here));

/** The package's folder: of an install, or of a checkout. */
export const ROOT = existsSync(join(up, 'package.json')) ? up : dirname(up);
/** The server's program. */
export const PROGRAM = existsSync(join(ROOT, 'src/main.ts'))
  ? join(ROOT, 'src/main.ts')
  : join(ROOT, 'dist/src/main.js');
/** The supervisor's program: beside this file, with its extension. */
export const KEEPER = join(dirname(here), `keeper${extname(here)}`);

/** What the start scripts know of the pinned Node. */
interface Runtime {
  readonly SERVER_FLAGS: readonly string[];
  findNode(root: string): string | null;
  noNode(): string;
}

interface Preflight {
  gatherFacts(root: string): object;
  findObstacle(facts: object, firstRun: boolean): string | null;
}

async function setup<T>(name: string): Promise<T> {
  return (await import(pathToFileURL(join(ROOT, 'scripts/setup', name)).href)) as T;
}

/** The server's Node and how it is run. Throws one sentence if nothing can run here. */
export async function serverNode(): Promise<{
  readonly node: string;
  readonly flags: readonly string[];
}> {
  const { findNode, noNode, SERVER_FLAGS } = await setup<Runtime>('runtime.mjs');
  const { findObstacle, gatherFacts } = await setup<Preflight>('preflight.mjs');
  const obstacle = findObstacle(gatherFacts(process.cwd()), false);
  const node = findNode(ROOT);
  if (obstacle !== null || node === null) throw new Error(obstacle ?? noNode());
  return { node, flags: SERVER_FLAGS };
}

/**
 * The folder shared by a project's test files: below its node_modules, or in the system's temporary
 * folder if it has none. Created if absent.
 */
export function cacheFolder(): string {
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    const modules = join(folder, 'node_modules');
    if (existsSync(modules)) {
      const cache = join(modules, '.cache', 'holdfast');
      if (made(cache)) return cache;
    }
    if (folder === dirname(folder)) break;
  }
  const name = `holdfast-testing-${process.getuid?.() ?? 0}-${shortHash(process.cwd())}`;
  const cache = join(tmpdir(), name);
  if (made(cache)) return cache;
  throw new Error(`Neither node_modules/.cache nor ${cache} can be written to: make one of them.`);
}

/** True if the folder exists and we can write to it. */
function made(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Twelve hexadecimal digits derived from a text. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/** Variables of the test run, npm and other servers, which must not reach the platform. */
const NOT_OURS = new RegExp(
  '^(?:npm_|HOLDFAST_|NODE_TEST|NODE_V8_|VITEST|JEST|PG)|' +
    '^(?:NODE_OPTIONS|NODE_ENV|NODE_CHANNEL_FD|DATABASE_URL|INIT_CWD)$',
);

/** The server's environment: ours without those, plus these settings. */
export function serverEnvironment(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !NOT_OURS.test(name));
  return { ...Object.fromEntries(kept), ...settings };
}
