// `npm run build`: JavaScript of the sources in dist/, for the package: Node strips no types below
// node_modules. Always from an empty folder, so that nothing of an earlier build is published.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
rmSync(join(root, 'dist'), { recursive: true, force: true });
const compiler = join(root, 'node_modules/typescript/bin/tsc');
// The compiler's words go to stderr: `npm pack --json` owns stdout.
const built = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: ['ignore', 2, 2],
});
process.exitCode = built.status ?? 1;
