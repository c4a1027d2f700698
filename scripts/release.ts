// `npm run release`: the packages as archives, the bill of materials of the server, the SHA-256 of
// all and the notes of their version, into dist-release/. Nothing is published or tagged; the same
// commit gives the same files.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildBundles } from '../src/pages/bundles.ts';
import { checksumLine, notesOf } from './release-notes.ts';

const root = dirname(import.meta.dirname);
const FOLDER = 'dist-release';

function refuse(sentence: string): never {
  process.stderr.write(`holdfast: ${sentence}\n`);
  process.exit(1);
}

/** What a program printed; what goes wrong there ends the release. */
function output(program: string, args: readonly string[]): string {
  const ran = spawnSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (ran.status !== 0) refuse(`${program} ${args[0]} failed; there is no release.`);
  return ran.stdout;
}

interface About {
  readonly version: string;
  readonly workspaces: readonly string[];
}

function aboutOf(folder: string): About {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as About;
}

/**
 * Every release serves the widget's scripts of those before it, to the byte: pages name them with
 * an integrity hash. So the script of this one is committed with it.
 */
async function keepLoader(): Promise<void> {
  const name = `widget/released/${version}.js`;
  const file = join(root, name);
  const { loader } = await buildBundles();
  if (!existsSync(file)) {
    writeFileSync(file, loader);
    refuse(`Commit ${name}, which pages may name from this release on, then run this again.`);
  }
  if (readFileSync(file, 'utf8') === loader) return;
  refuse(`${name} is not what this commit builds: a released script never changes.`);
}

const { version, workspaces } = aboutOf('');
const changed = output('git', ['status', '--porcelain']).trimEnd();
if (changed !== '') refuse(`Commit or remove what differs from the last commit first:\n${changed}`);
const notes = notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version);
if ('objection' in notes) refuse(notes.objection);
const other = workspaces.find((name) => aboutOf(name).version !== version);
if (other !== undefined) refuse(`Set the version ${version} in ${other}/package.json, too.`);
await keepLoader();

const folder = join(root, FOLDER);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
const everything = ['--workspaces', '--include-workspace-root'];
const packed = output('npm', ['pack', '--json', ...everything, '--pack-destination', folder]);
const archives = (JSON.parse(packed) as readonly { readonly filename: string }[])
  .map(({ filename }) => filename)
  .toSorted();
if (archives.length !== workspaces.length + 1) refuse('npm pack left a package out.');
const bill = `holdfast-${version}.cdx.json`;
writeFileSync(join(folder, bill), output(process.execPath, ['scripts/bill.ts']));
const files = [...archives, bill];
const sums = files.map((file) => checksumLine(file, readFileSync(join(folder, file))));
writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
writeFileSync(join(folder, 'release-notes.md'), `# Holdfast ${version}\n\n${notes.text}`);
const commit = output('git', ['rev-parse', 'HEAD']).trim();
process.stdout.write(
  `${FOLDER}/ holds ${files.join(', ')}, SHA256SUMS and release-notes.md of commit ${commit}.\n`,
);
