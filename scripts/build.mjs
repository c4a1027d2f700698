// `npm run build`: compiles the sources to JavaScript in dist/ for the package, because Node strips
// no types below node_modules. dist mirrors the checkout, so that paths relative to a file still
// work, and is always built from an empty folder.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
rmSync(dist, { recursive: true, force: true });
const compiler = join(root, 'node_modules/typescript/bin/tsc');
// The compiler's output goes to stderr: `npm pack --json` owns stdout.
const built = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: ['ignore', 2, 2],
});
if (built.status === 0) {
  // Type declarations are for the public parts only; the server's are not published.
  for (const path of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    if (path.endsWith('.d.ts') && !/^(?:client|testing)/.test(path)) rmSync(join(dist, path));
  }
  // Files served or read as they are; TypeScript's output is there already.
  for (const folder of ['src', 'shop', 'texts', 'migrations']) copyRest(folder);
  const { writeBundles } = await import(join(dist, 'src/pages/bundles.js'));
  await writeBundles(join(dist, 'widget'), join(root, 'widget'));
  const site = [join(root, 'scripts/docs-site.ts'), join(dist, 'site')];
  process.exitCode = spawnSync(process.execPath, site, { stdio: ['ignore', 2, 2] }).status ?? 1;
} else process.exitCode = built.status ?? 1;

/** @param {string} folder */
function copyRest(folder) {
  const from = join(root, folder);
  if (!existsSync(from)) return;
  const filter = (/** @type {string} */ path) => !/\.tsx?$/.test(path);
  cpSync(from, join(dist, folder), { recursive: true, filter });
}
