// Programs that only a battery of the second tier runs, from npm at exact versions: installed by
// npm itself, once, into a folder of their own in .holdfast.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ran } from './containers.ts';
import { ROOT } from '../tidy/tree.ts';

/** Installs what is missing; gives the folder, in which `node_modules` is. */
export function installTools(name: string, packages: readonly string[]): string {
  const folder = join(ROOT, '.holdfast', name);
  const stamp = join(folder, 'installed');
  const wanted = packages.join('\n');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  ran('npm', ['install', '--silent', '--ignore-scripts', '--prefix', folder, ...packages]);
  writeFileSync(stamp, wanted);
  return folder;
}
