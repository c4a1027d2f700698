// `npm run docs:site`: builds the documentation as static pages, which this server or any other one
// serves at /docs/, and says where they are. With a folder, copies them there.
import { cpSync, existsSync, globSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FILES, siteFolder } from '../src/pages/site.ts';
import { buildSite } from './site/build.ts';

const DAY_MS = 86_400_000;
const [given] = process.argv.slice(2);
const root = dirname(import.meta.dirname);
const folder = siteFolder(root);
if (!existsSync(`${folder}/${FILES}`)) await buildSite(root, folder);
// What is left of older sources, or of a build that was ended.
for (const path of globSync('*', { cwd: dirname(folder) }).map((one) => join(folder, '..', one))) {
  const old = Date.now() - statSync(path).mtimeMs > DAY_MS;
  if (old && path !== folder) rmSync(path, { recursive: true, force: true });
}
if (given !== undefined) cpSync(folder, given, { recursive: true });
process.stdout.write(`${given ?? folder} holds the pages.\n`);
// What the generator leaves open would keep the process alive.
process.exit(0);
