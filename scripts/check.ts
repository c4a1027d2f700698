// `npm run check`: type-checks everything, the widget, and the widget's tests.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';

const root = dirname(import.meta.dirname);
const compiler = join(root, 'node_modules/typescript/bin/tsc');

/** True if the project type-checks; the compiler prints what is wrong. */
async function isRight(project: string): Promise<boolean> {
  const args = [compiler, '--noEmit', '-p', project];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 1, 2] });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}

process.stderr.write('holdfast: checking the types of everything\n');
const projects = ['tsconfig.json', 'widget', 'widget/tsconfig.test.json'];
const right = await Promise.all(projects.map(isRight));
process.exit(right.every(Boolean) ? 0 : 1);
