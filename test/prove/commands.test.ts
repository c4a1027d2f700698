// Every command that a document names runs in a clone where only `npm start` ran, or says in one
// line what is missing and how to get it. A test of test/tidy holds that each has a row.
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { after, before, test } from 'node:test';
import { testDatabase } from '../kit/database.ts';
import { endAll, freeBlock, patiently, remove, temporaryFolder } from '../start/launch.ts';
import { terminate, tree, type Launch, type Launched } from '../start/launch.ts';
import { writtenBy } from '../start/patience.ts';
import { soldMug, type ReadySandbox } from '../start/tenant.ts';
import { newcomer, type Newcomer } from './clone.ts';
import { facts, SCRIPTS, STARTS, TOOLS, type Row } from './command-rows.ts';
import { documentedCommands } from './documented.ts';

const folder = temporaryFolder();
const commands = documentedCommands();
let someone: Newcomer;

before(async () => {
  someone = await newcomer(folder);
});
after(() => {
  endAll();
  remove(folder);
});

const filled = (command: string): string =>
  command
    .replace(/^holdfast/, 'npx holdfast')
    .replace(/--integrator (?:<id>|ID)/, `--integrator ${facts.integrator}`)
    .replace(/--tenant <id>/, `--tenant ${facts.integrator}`)
    .replace(/--client-id <id>/, `--client-id ${facts.client}`)
    .replace(/explain (?:<id>|\$INVOICE|[0-9a-f-]{36})$/, `explain ${facts.invoice}`)
    .replace('<account>', facts.account)
    .replace('<event>', 'invoice-completed')
    .replace('<secret>', 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP');

/** Runs a line until it ends, or until it has said so and is asked to end. */
async function tried(line: string, row: Row, more: Partial<Launch> = {}): Promise<Launched> {
  const started = someone.run(line, more);
  const said = (): string => started.stdout() + started.stderr();
  let ended: number | string | null = null;
  void started.ended.then((code) => (ended = code));
  const reached = (): boolean => ended !== null || (row.stays === true && row.says.test(said()));
  const progress = (): string => `${said().length} ${writtenBy(tree(started.child.pid ?? 0))}`;
  const moved = await patiently(reached, progress, COMPUTES_MS);
  if (!moved) process.kill(-(started.child.pid ?? 0), 'SIGKILL');
  assert.ok(moved, `${line} stands still: ${said()}`);
  if (row.stays === true) {
    assert.equal(ended, null, `${line} ended by itself: ${said()}`);
    await interrupted(started);
  } else assert.equal(ended, row.code ?? 0, `${line}: ${said()}`);
  assert.match(said(), row.says, line);
  return started;
}

/** As Ctrl-C in a terminal does. */
async function interrupted({ child, ended }: Launched): Promise<void> {
  process.kill(-(child.pid ?? 0), 'SIGINT');
  await ended;
}

/** A compiler computes for so long without a word or a file, on a machine that is busy. */
const COMPUTES_MS = 240_000;

async function tryAll(rows: readonly Row[]): Promise<void> {
  for (const row of rows) {
    for (const command of [...commands.keys()].filter((one) => row.fits.test(one))) {
      if (row.fresh) someone.renew();
      const line = filled((row.as ?? String)(command));
      const began = performance.now();
      const { stdout } = await tried(line, row);
      if (command.includes('tenant create')) facts.integrator = UUID.exec(stdout())?.[0] ?? '';
      if (command.includes('client create')) facts.client = UUID.exec(stdout())?.[0] ?? '';
      const seconds = Math.round((performance.now() - began) / 1_000);
      process.stdout.write(`${command}: ${seconds} s\n`);
    }
  }
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}/;

test('the scripts of the package', () => tryAll(SCRIPTS));

test('what a command lacks on this machine is said in one line before it begins', async () => {
  const place = join(folder, 'programs');
  mkdirSync(place);
  const folders = (process.env['PATH'] ?? '').split(delimiter).reverse();
  for (const from of folders.filter((one) => existsSync(one))) {
    for (const name of readdirSync(from).filter((one) => !/chrom/.test(one))) {
      rmSync(join(place, name), { force: true });
      symlinkSync(join(from, name), join(place, name));
    }
  }
  const row = { fits: /./, says: /apt-get install chromium/, code: 1 };
  const lines = ['npm run screens', 'npm run prove browser', 'npm run bench -- --only widget'];
  for (const line of lines) {
    const code = line.includes('bench') ? 2 : 1;
    const { stderr } = await tried(line, { ...row, code }, { env: { PATH: place } });
    const own = stderr().split('\n').filter((one) => one.startsWith('holdfast: '));
    const said = own.filter((one) => !SETUP.test(one));
    assert.equal(said.length, 1, stderr());
    assert.doesNotMatch(stderr(), /^ +at /m);
  }
});

const SETUP = /installing|installed|in place/;

test('the start commands', async () => {
  facts.port = (await freeBlock()) + 13;
  for (const row of STARTS) {
    const base = await testDatabase();
    facts.database = base.url;
    // A pool that stays open would keep this file from ending, and so from saying what failed.
    await tryAll([row]).finally(() => base.drop());
  }
});

test('the tools beside a sandbox that runs', async () => {
  writeFileSync(join(someone.clone, 'list.txt'), 'Ada Specimen;1990-01-31\n');
  const page = readFileSync(join(someone.clone, 'docs/moving-in.md'), 'utf8');
  for (const [, name = '', rows = ''] of page.matchAll(/^`(\w+\.csv)`:\n\n```csv\n([^]*?)```/gm)) {
    writeFileSync(join(someone.clone, name), rows);
  }
  const server = someone.run(`exec npm start --silent -- --json --port-base ${await freeBlock()}`);
  const ready = (await server.ready()) as unknown as ReadySandbox & { integrator: string };
  facts.integrator = ready.integrator;
  facts.account = ready.accounts.seller2['account_id'] ?? '';
  const { invoice_id } = await soldMug(ready);
  facts.invoice = invoice_id;
  await tryAll(TOOLS);
  assert.equal(await terminate(server), 0);
});

/** The package that `npm pack` leaves in the clone, of whatever version. */
const PACKED = '../holdfast/holdfast-[0-9]*.tgz';

test('projects beside the clone, as the pages describe', async () => {
  const readme = readFileSync(join(someone.clone, 'examples/marketplace-tests/README.md'), 'utf8');
  const [, block = ''] = /```sh\n([^]*?)```/.exec(readme) ?? [];
  assert.match(block, /npm pack[^]+npm install[^]+npm test/);
  await tried(`set -e\n${block}`, { fits: /./, says: /pass 6\n/ });
  const own = join(folder, 'own');
  mkdirSync(own);
  const example = join(someone.clone, 'docs/examples/ten-minutes.test.mjs');
  cpSync(example, join(own, 'money.test.mjs'));
  const install = `npm install --save-dev ${PACKED}`;
  const lines = `set -e\n(cd ../holdfast && npm pack)\nnpm init -y\n${install}\nnode --test`;
  await tried(lines, { fits: /./, says: /pass 3\n/ }, { cwd: own });
  const light = join(folder, 'light');
  mkdirSync(light);
  const client = `set -e\n(cd ../holdfast && npm pack --workspace client)\nnpm init -y
npm install ../holdfast/holdfast-client-*.tgz
node -e "import('@holdfast/client').then(({ createClient }) => console.log(typeof createClient))"`;
  await tried(client, { fits: /./, says: /^function$/m }, { cwd: light });
});
