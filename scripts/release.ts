// `npm run release`: the package as an archive, its bill of materials, the SHA-256 of both and
// the notes of its version, into dist-release/. Nothing is published or tagged; the same commit
// gives the same files.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly version: string;
};
const changed = output('git', ['status', '--porcelain']).trimEnd();
if (changed !== '') refuse(`Commit or remove what differs from the last commit first:\n${changed}`);
const notes = notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version);
if ('objection' in notes) refuse(notes.objection);

const folder = join(root, FOLDER);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
const packed = output('npm', ['pack', '--json', '--pack-destination', folder]);
const [archive] = JSON.parse(packed) as readonly { readonly filename: string }[];
if (archive === undefined) refuse('npm pack made no archive; there is no release.');
const { filename } = archive;
const bill = filename.replace(/\.tgz$/, '.cdx.json');
writeFileSync(join(folder, bill), output(process.execPath, ['scripts/bill.ts']));
const sums = [filename, bill].map((file) => checksumLine(file, readFileSync(join(folder, file))));
writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
writeFileSync(join(folder, 'release-notes.md'), `# Holdfast ${version}\n\n${notes.text}`);
const commit = output('git', ['rev-parse', 'HEAD']).trim();
process.stdout.write(
  `${FOLDER}/ holds ${filename}, ${bill}, SHA256SUMS and release-notes.md of commit ${commit}.\n`,
);
