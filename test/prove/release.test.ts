// One command builds the release: from a clean clone the archives, the bill of materials, checksums
// and notes, the same twice. A changed tree, a version that the changelog does not know or that
// only one package has, or a widget's script that was not kept, gives nothing.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { installLinters, LINTERS } from '../kit/linters.ts';
import { CHECKOUT, linkTree, remove, temporaryFolder } from '../start/launch.ts';

/** May be distributed with what is under the Apache License 2.0. */
const COMPATIBLE = [
  ...['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Apache-2.0', 'BlueOak-1.0.0'],
  ...['MIT-0', 'Unlicense', 'CC0-1.0'],
];

const folder = temporaryFolder();
const clone = join(folder, 'holdfast');
const made = join(clone, 'dist-release');

function ran(program: string, ...args: readonly string[]) {
  return spawnSync(program, args, { cwd: clone, encoding: 'utf8' });
}

function commit(): void {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.test'];
  assert.equal(ran('git', ...who, 'commit', '-qam', 'Release').status, 0);
}

/** Sets the version of packages, and the day of the changelog's top section. */
function dated(version: string, changelog: string, folders: readonly string[] = ['.']): void {
  for (const folder of folders) {
    const path = join(clone, folder, 'package.json');
    const about = readFileSync(path, 'utf8');
    writeFileSync(path, about.replace(/"version": "[^"]+"/, `"version": "${version}"`));
  }
  writeFileSync(join(clone, 'CHANGELOG.md'), changelog);
  commit();
}

const ARCHIVES = ['', 'client-', 'widget-'].map((name) => `holdfast-${name}9.9.9.tgz`);
const KEPT = 'widget/released/9.9.9.js';

before(() => {
  assert.equal(spawnSync('git', ['clone', '-q', CHECKOUT, clone]).status, 0);
  linkTree(join(CHECKOUT, 'node_modules'), join(clone, 'node_modules'));
});
after(() => remove(folder));

test('without a section of the changelog, or with a change, there is no release', () => {
  const changelog = readFileSync(join(clone, 'CHANGELOG.md'), 'utf8');
  dated('9.9.9', changelog);
  const unknown = ran('npm', 'run', '--silent', 'release');
  assert.deepEqual([unknown.status, unknown.stdout], [1, '']);
  assert.match(unknown.stderr, /^holdfast: CHANGELOG\.md has no section of 9\.9\.9/m);
  dated('9.9.9', changelog.replace(/^## .*$/m, '## 9.9.9, 2026-01-31'));
  writeFileSync(join(clone, 'new.txt'), 'not committed\n');
  const dirty = ran('npm', 'run', '--silent', 'release');
  assert.equal(dirty.status, 1);
  assert.match(dirty.stderr, /^holdfast: Commit or remove .+\n\?\? new\.txt$/m);
  assert.ok(!existsSync(made));
  remove(join(clone, 'new.txt'));
});

test('one version for all packages, and the script of the widget is kept for good', () => {
  const release = () => ran('npm', 'run', '--silent', 'release').stderr;
  assert.match(release(), /^holdfast: Set the version 9\.9\.9 in client\/package\.json, too\.$/m);
  const changelog = readFileSync(join(clone, 'CHANGELOG.md'), 'utf8');
  dated('9.9.9', changelog, ['client', 'widget']);
  assert.match(release(), /^holdfast: Commit widget\/released\/9\.9\.9\.js, /m);
  assert.equal(ran('git', 'add', KEPT).status, 0);
  commit();
  const kept = readFileSync(join(clone, KEPT), 'utf8');
  writeFileSync(join(clone, KEPT), `${kept};`);
  commit();
  assert.match(release(), /^holdfast: .+ a released script never changes\.$/m);
  assert.ok(!existsSync(made));
  writeFileSync(join(clone, KEPT), kept);
  commit();
});

test('archive, bill, checksums and notes are there, and the same a second time', () => {
  const sums: string[] = [];
  for (const time of ['first', 'second']) {
    const { status, stdout, stderr } = ran('npm', 'run', '--silent', 'release');
    assert.equal(status, 0, `${time}: ${stderr}`);
    assert.match(stdout, /^dist-release\/ holds holdfast-9\.9\.9\.tgz, .+ [0-9a-f]{40}\.\n$/);
    const listed = [...ARCHIVES, 'holdfast-9.9.9.cdx.json'];
    const wanted = ['SHA256SUMS', 'release-notes.md', ...listed];
    assert.deepEqual(readdirSync(made).toSorted(), wanted.toSorted());
    const check = spawnSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: made });
    assert.equal(String(check.stdout), listed.map((file) => `${file}: OK\n`).join(''));
    sums.push(readFileSync(join(made, 'SHA256SUMS'), 'utf8'));
  }
  assert.equal(sums[0], sums[1]);
  const notes = readFileSync(join(made, 'release-notes.md'), 'utf8');
  assert.match(notes, /^# Holdfast 9\.9\.9\n\n/);
  assert.match(notes, /^Interface digest: [0-9a-f]{12}$/m);
  assert.doesNotMatch(notes, /^## /m);
});

/** What a file of CycloneDX 1.5 breaks of its own schema, by the reference library. */
const VALIDATE = `import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
error = JsonStrictValidator(SchemaVersion.V1_5).validate_str(open(sys.argv[1]).read())
print(error or "fits")`;

interface Locked {
  readonly version: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

interface Component {
  readonly purl: string;
  readonly licenses?: readonly {
    readonly license?: { readonly id?: string };
    readonly expression?: string;
  }[];
}

test('the bill of materials fits its schema, and names every package with a free licence', () => {
  installLinters();
  const file = join(made, 'holdfast-9.9.9.cdx.json');
  const said = spawnSync(LINTERS.python, ['-c', VALIDATE, file], { encoding: 'utf8' });
  assert.equal(said.stdout, 'fits\n', said.stderr);
  const bill = JSON.parse(readFileSync(file, 'utf8')) as { readonly components: Component[] };
  const lock = JSON.parse(readFileSync(join(clone, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  const wanted = Object.entries(lock.packages)
    .filter(([at, { dev, link }]) => at.startsWith('node_modules/') && !dev && !link)
    .map(([at, { version }]) => `${at.split('node_modules/').at(-1)}@${version}`);
  // npm may put one version of a package at several places.
  assert.equal(bill.components.length, new Set(wanted).size);
  for (const { purl, licenses = [] } of bill.components) {
    const [first] = licenses;
    const stated = first?.expression ?? first?.license?.id ?? 'none';
    const offered = stated.replaceAll(/[()]/g, '').split(/ or /i);
    const fine = purl.includes('/%40fontsource/') ? ['OFL-1.1'] : COMPATIBLE;
    // It says its licence, MIT, in a file alone, which npm does not read.
    const silent = purl.startsWith('pkg:npm/png-js@') && stated === 'none';
    assert.ok(silent || offered.some((one) => fine.includes(one)), `${purl}: ${stated}`);
  }
});
