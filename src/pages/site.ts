// Where the built documentation lies: beside a package's program, or in a checkout in a folder that
// is named after everything it is made of, so that an old one is never served.
import { hash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A file of the site. */
export interface SiteFile {
  readonly type: string;
  readonly tag: string;
  /** True if its name carries a hash of the content. */
  readonly immutable: boolean;
  /** True if it is there compressed too, with `.gz` behind its name. */
  readonly packed: boolean;
  /** Of a page: hashes of its inline scripts, for its policy. */
  readonly scripts?: readonly string[];
}

/** The files of a site by path. */
export type SiteFiles = Readonly<Record<string, SiteFile>>;

/** What the builder leaves beside the files. */
export const FILES = 'files.json';
/** The path of the site on its host. */
export const SITE_PATH = '/docs/';

const ROOT = join(import.meta.dirname, '../..');
const MADE_OF = [
  ...['docs/**/*.*', '*.md', 'LICENSE', 'package-lock.json'],
  ...['scripts/docs-site.ts', 'scripts/site/*', 'src/pages/site.ts'],
];

/** The folder of a checkout's site as its sources are now. */
export function siteFolder(root = ROOT): string {
  const paths = globSync(MADE_OF, { cwd: root }).toSorted();
  const each = paths.map((path) => `${path} ${hash('sha256', readFileSync(join(root, path)))}`);
  return join(root, '.holdfast/site', hash('sha256', each.join('\n')).slice(0, 16));
}

/** A built site. */
export interface Site {
  readonly folder: string;
  readonly files: SiteFiles;
}

/** The built site; null: it is not built. */
export async function builtSite(): Promise<Site | null> {
  const packaged = join(ROOT, 'site');
  const folder = existsSync(join(packaged, FILES)) ? packaged : siteFolder();
  if (!existsSync(join(folder, FILES))) return null;
  return { folder, files: JSON.parse(await readFile(join(folder, FILES), 'utf8')) as SiteFiles };
}

/** What node is given to build it; null in a package, which has it. */
export function siteBuilder(): readonly string[] | null {
  const script = 'scripts/docs-site.ts';
  if (!existsSync(join(ROOT, script))) return null;
  return [join(ROOT, 'scripts/run.mjs'), '--dev', script];
}
