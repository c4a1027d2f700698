// Before `npm pack` packs a workspace, such as `npm pack --workspace client`: its JavaScript and
// types in its dist/, always into an empty folder, and the licence beside them.
import { spawnSync } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = dirname(import.meta.dirname);
/** By workspace: the project that its compiler reads. */
const PROJECTS: Readonly<Record<string, string>> = { client: 'client', widget: 'widget/package' };

const [name = ''] = process.argv.slice(2);
const project = PROJECTS[name];
if (project === undefined) throw new Error(`There is no package ${name}.`);
const dist = join(root, name, 'dist');
rmSync(dist, { recursive: true, force: true });
// The compiler's output goes to stderr: `npm pack --json` owns stdout.
const compiler = [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, project)];
const built = spawnSync(process.execPath, compiler, { stdio: ['ignore', 2, 2] });
copyFileSync(join(root, 'LICENSE'), join(dist, 'LICENSE'));
process.exitCode = built.status ?? 1;
