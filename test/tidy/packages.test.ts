// Installed packages: exact versions, licences compatible with ours, no download URL in the lock
// file; and our package holds what it runs and nothing else.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from './tree.ts';

interface About {
  readonly version?: string;
  readonly workspaces?: readonly string[];
  readonly license?: string;
  readonly files?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const about = JSON.parse(read('package.json')) as About;
const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> };
const locked = Object.entries(lock.packages).filter(
  ([path, { link }]) => path.startsWith('node_modules/') && link !== true,
);
const workspaces = (about.workspaces ?? []).map(
  (folder) => [folder, JSON.parse(read(`${folder}/package.json`)) as About] as const,
);

const FREE = [
  ...['MIT', 'MIT-0', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Apache-2.0', 'BlueOak-1.0.0'],
];
/** Given to the public domain. */
const PUBLIC = ['Unlicense', 'CC0-1.0'];
/** Fonts: their licence stays with them, and binds nothing that is written with them. */
const FONTS = ['OFL-1.1'];
/** Their licence is in a file alone; these are its first words. */
const IN_A_FILE: Readonly<Record<string, string>> = { 'node_modules/png-js': 'MIT License' };
/** Free to use as it is: for what only tests run, of which nothing is ever distributed. */
const FREE_TO_USE = ['MPL-2.0'];

test('the licence file is the one the package names', () => {
  assert.equal(about.license, 'Apache-2.0');
  assert.match(read('LICENSE'), /Apache License\s+Version 2\.0/);
});

test('every version is exact', () => {
  const all = { ...about.dependencies, ...about.devDependencies, ...about.optionalDependencies };
  assert.ok(Object.keys(all).length > 10);
  for (const [name, version] of Object.entries(all)) {
    assert.match(version, /^\d+\.\d+\.\d+(?:-[\w.]+)?$/, name);
  }
});

test('the packages of one release have its version, and depend on nothing', () => {
  assert.deepEqual(workspaces.map(([folder]) => folder), ['client', 'widget']);
  for (const [folder, { version, dependencies, devDependencies = {} }] of workspaces) {
    assert.deepEqual([version, dependencies], [about.version, undefined], folder);
    // npm would install what only its development needs beside the server, were it not named twice.
    for (const [name, wanted] of Object.entries(devDependencies)) {
      assert.equal(wanted, about.devDependencies?.[name], `${folder}: ${name}`);
    }
  }
  const beside = Object.entries(lock.packages).filter(([, one]) => one.link === true);
  assert.deepEqual(beside.map(([, one]) => one.resolved), ['client', 'widget']);
  assert.deepEqual([lock.packages['node_modules/react']?.dev], [true]);
});

test('everything that is installed may be distributed with ours', () => {
  assert.ok(locked.length > 30);
  let seen = 0;
  for (const [path, { license, dev }] of locked) {
    const file = join(ROOT, path, 'package.json');
    const installed = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as About) : null;
    if (installed !== null) seen += 1;
    const first = IN_A_FILE[path];
    const inFile = first !== undefined && read(`${path}/LICENSE`).startsWith(first);
    const said = installed?.license ?? license ?? (inFile ? 'MIT' : 'none');
    const offered = said.replaceAll(/[()]/g, '').split(/ or /i);
    const font = path.startsWith('node_modules/@fontsource/') ? FONTS : [];
    const fine = [...FREE, ...PUBLIC, ...font, ...(dev === true ? FREE_TO_USE : [])];
    const free = offered.some((one) => fine.includes(one));
    assert.ok(free, `${path}: ${said}`);
  }
  assert.ok(seen > 30, `${seen} were looked at`);
});

test('the lock file names no registry, and a digest for everything', () => {
  assert.deepEqual(locked.filter(([, one]) => one.resolved?.startsWith('http')), []);
  assert.deepEqual(locked.filter(([, one]) => one.integrity === undefined), []);
});

test('the package holds what it runs', () => {
  const files = about.files ?? [];
  for (const needed of ['dist', 'scripts/holdfast.mjs']) {
    assert.ok(files.includes(needed), needed);
  }
  const missing = files.filter((one) => one.endsWith('.mjs') && !existsSync(join(ROOT, one)));
  assert.deepEqual(missing, []);
  assert.deepEqual(files.filter((one) => /^(?:src|test|docs|bench)/.test(one)), []);
});

test('the image is built from every folder that a build compiles', () => {
  const { include } = JSON.parse(read('tsconfig.build.json')) as { include: string[] };
  const taken = read('.dockerignore').split('\n');
  assert.deepEqual(include.filter((folder) => !taken.includes(`!${folder}`)), []);
});
