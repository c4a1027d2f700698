// Every command that a document names runs in a clone where only `npm start` ran, or says in one
// line what is missing and how to get it. A named command without a row here fails the test.
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
import { documentedCommands } from './documented.ts';

/** How a command is tried; without more it is run as it stands, in the clone. */
interface Row {
  readonly fits: RegExp;
  /** Something that its output holds. */
  readonly says: RegExp;
  /** What is run instead: with real ids, and harmless where it would run long. */
  readonly as?: (command: string) => string;
  /** True: the clone is as `npm start` left it. */
  readonly fresh?: true;
  /** True: it runs until it is asked to end. */
  readonly stays?: true;
  /** 0 unless given. */
  readonly code?: number;
}

/** What commands need that only the running sandbox can tell. */
const facts = { integrator: '', client: '', account: '', invoice: '', port: 0, database: '' };
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
    .replace(/limits <id>/, `limits ${facts.integrator}`)
    .replace(/--client-id <id>/, `--client-id ${facts.client}`)
    .replace(/explain (?:<id>|\$INVOICE|[0-9a-f-]{36})$/, `explain ${facts.invoice}`)
    .replace('<account>', facts.account)
    .replace('<event>', 'invoice-completed')
    .replace('<secret>', 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP');

/** Of the package: each in a clone as `npm start` left it. */
const SCRIPTS: readonly Row[] = [
  { fits: /^npm run lint$/, says: /0 errors/, fresh: true },
  { fits: /^npm run check$/, says: /installed in/, fresh: true },
  { fits: /^npm run build$/, says: /installed in/, fresh: true },
  { fits: /^npm pack$/, says: /holdfast-[\d.]+\.tgz/, fresh: true },
  {
    fits: /^(?:HOLDFAST_RECORD=1 )?npm test(?: -- \S+(?: \S+)*)?$/,
    as: () => 'npm test -- src/core/money.test.ts',
    says: /[1-9]\d* passed, 0 failed/,
    fresh: true,
  },
  {
    fits: /^npm run prove(?: \w+)?$/,
    as: () => 'npm run prove -- nothing',
    says: /holdfast: there is no battery nothing; there are laws/,
    code: 1,
    fresh: true,
  },
  {
    fits: /^npm run bench(?: -- --only (?:matching|ten))?$/,
    as: brief,
    says: /raw results: /,
    fresh: true,
  },
  {
    fits: /^npm run bench -- --paired \.\.\/before$/,
    as: (command) => `cp -al . ../before && ${brief(command)} --connections 8`,
    says: /create \+ pay \+ settled, invoices\/s/,
    fresh: true,
  },
  {
    fits: /^npm run screens(?: front)?$/,
    as: (command) => `${command} desk link-unknown`,
    says: /desk\/link-unknown\.png\n(?:screens\/sale\.png\n)?screens\/ holds them\n/,
    fresh: true,
  },
  {
    fits: /^npm run release$/,
    // As it is done: the version of the top section, its day, a commit.
    as: (command) =>
      `npm pkg set version=$(sed -n 's/^## \\([0-9.]*\\),.*/\\1/p' CHANGELOG.md | head -1) && ` +
      "sed -i 's/, not released yet$/, 2026-01-31/' CHANGELOG.md && " +
      `git -c user.name=Ada -c user.email=ada@example.test commit -qam x && ${command}`,
    says: /dist-release\/ holds holdfast-[\d.]+\.tgz/,
    fresh: true,
  },
  {
    fits: /^npm run docs$/,
    as: (command) => `${command} -- --check`,
    says: /Every page is current/,
    fresh: true,
  },
  {
    fits: /^npm run demo\b/,
    // In the order in which a terminal shows it.
    as: (command) => `${command} 2>&1`,
    says: /^holdfast: preparing .+\n[^]+ 1  .+\n[^]+played in/m,
    fresh: true,
  },
];

function brief(command: string): string {
  const part = / --(?:only|paired) /.test(command) ? '' : ' -- --only calibrate';
  return `${command}${part} --quick --rounds 1 --duration 1 --persons 1000 --folder "$HOME"`;
}

/** Starts, each of which ends when it is asked to. */
const STARTS: readonly Row[] = [
  { fits: /^npm start(?: -- --json)?$/, says: /Press Ctrl-C to stop|"ready":true/, stays: true },
  {
    fits: /^npm start .+ \| node docs\/examples\/first-invoice\.mjs$/,
    as: (command) => `${command.replace(':7420/', `:${facts.port}/`)} ${facts.port}`,
    says: /^read +success$/m,
    stays: true,
  },
  {
    fits: /^DATABASE_URL=\S+ npm start$/,
    as: (command) => command.replace(/=\S+/, `='${facts.database}'`),
    says: /Press Ctrl-C to stop/,
    stays: true,
  },
  {
    fits: /npm start -- --env production$/,
    as: (command) =>
      command
        .replace(/DATABASE_URL=\S+/, `DATABASE_URL='${facts.database}'`)
        .replace(/KEY_FILE=\S+/, 'KEY_FILE="$HOME/keys.json"'),
    says: /Holdfast is ready \(production\)/,
    stays: true,
  },
];

/** What a command says that nobody proved who they are for. */
const ASKS = /your password in HOLDFAST_OPERATOR_PASSWORD/;

/** Beside a sandbox that runs, from the same folder. */
const TOOLS: readonly Row[] = [
  { fits: /^node docs\/examples\/ten-minutes\.mjs$/, says: /^payout +PAYOUT_KYC_REQUIRED/m },
  { fits: /^(?:npx )?holdfast tenant create(?: --name .+)?$/, as: named, says: /integrator/ },
  { fits: /holdfast tenant limits <id>/, says: /./ },
  { fits: /holdfast client create /, says: /client_secret/ },
  { fits: /holdfast client rotate /, says: /client_secret/ },
  { fits: /holdfast provider set/, as: nameless, says: /required option|provider/, code: 1 },
  { fits: /holdfast provider list$/, says: /^No tenant is connected/ },
  { fits: /holdfast provider remove/, says: /The tenant has no processor provider/, code: 1 },
  { fits: /holdfast check$/, says: /^ok +database +PostgreSQL/ },
  { fits: /holdfast operator code <secret>$/, says: /\b\d{6}\b/ },
  { fits: /holdfast operator create --name "Ada/, says: /totp_secret/ },
  { fits: /holdfast operator create --name "Rob/, says: /totp_secret/ },
  { fits: /holdfast operator (?:reset|disable) ada$/, says: /ada/ },
  { fits: /holdfast import accounts accounts\.csv .*--dry-run/, says: /imported +2[^]+true/ },
  { fits: /holdfast import accounts accounts\.csv .*--ids/, says: /imported +2/ },
  { fits: /holdfast import methods methods\.csv/, says: /imported +1/ },
  { fits: /holdfast import balances prepare .*--dry-run$/, says: /total +12500/ },
  { fits: /holdfast import balances prepare .*--code 123456$/, says: ASKS, code: 1 },
  { fits: /holdfast import balances list/, says: /^No opening balances\.$/m },
  { fits: /import balances (?:confirm|cancel) <opening>/, as: guessed, says: ASKS, code: 1 },
  { fits: /holdfast terms (?:publish terms\.txt|show)$/, says: /./ },
  { fits: /holdfast watch-list load FILE/, as: listed, says: /1/ },
  { fits: /holdfast person (?:hold|release) <account> --reason court_order$/, says: /acct_/ },
  { fits: /holdfast person erase(?: <account> .+)?$/, as: reasoned, says: /acct_/ },
  { fits: /holdfast keys status$/, says: /v1/ },
  { fits: /holdfast keys rotate$/, says: /v2/ },
  { fits: /holdfast keys drop v1$/, says: /^holdfast: v1 was current .+\.$/m, code: 1 },
  { fits: /holdfast migrate$/, says: /./ },
  {
    fits: /holdfast restored$/,
    says: /^holdfast: Nodes are running on this database.+\.$/m,
    code: 1,
  },
  { fits: /holdfast restored --to /, says: /2026-03-01/ },
  { fits: /holdfast (?:verify|reconcile)$/, says: /./ },
  { fits: /holdfast explain (?:<id>|\$INVOICE|01a1fa79\S+)$/, says: /Now: invoice success/ },
  { fits: /holdfast trigger(?: <event>| invoice-completed)?$/, as: evented, says: /invoice-/ },
  { fits: /holdfast listen(?: --forward-to \S+)?$/, says: /listening|events/i, stays: true },
];

function listed(command: string): string {
  return command.replace('FILE', 'list.txt');
}

function nameless(command: string): string {
  return command.replace('<name>', 'nobody').replace('key.json', '/dev/null');
}

function guessed(command: string): string {
  return command.replace('<opening>', '01900000-0000-7000-8000-000000000000');
}

function named(command: string): string {
  return command.endsWith('create') ? `${command} --name Other --currencies USD` : command;
}

function reasoned(command: string): string {
  return command.endsWith('erase') ? `${command} <account> --reason subject_request` : command;
}

function evented(command: string): string {
  return command.endsWith('trigger') ? `${command} invoice-completed` : command;
}

/** In projects beside the clone, by the tests at the end; what other runners are is not ours. */
const ELSEWHERE: readonly RegExp[] = [
  // In test/cli/bank.pg.test.ts.
  /^holdfast bank (?:set|list|import|transfers) /,
  /^npm pack --pack-destination ~\/marketplace-tests$/,
  /^npm install --save-dev \.\/holdfast-[\d.]+\.tgz$/,
  /^npm install --save-dev \.\.\/holdfast\/holdfast-[\d.]+\.tgz$/,
  /^npm install \.\.\/holdfast\/holdfast-[\d.]+\.tgz --omit=optional$/,
  /^node --test$/,
  /^npm install --save-dev (?:vitest|jest @jest\/globals) && npm run test:(?:vitest|jest)$/,
  // Only a name.
  /^(?:holdfast(?: import)?|npm|npx|npx holdfast)$/,
];

const ROWS = [...SCRIPTS, ...STARTS, ...TOOLS];

test('every named command is tried, and every row is of a named command', () => {
  const fits = [...ROWS.map((row) => row.fits), ...ELSEWHERE];
  for (const [command, pages] of commands) {
    const known = fits.filter((one) => one.test(command)).length;
    assert.equal(known, 1, `${known} rows fit \`${command}\` of ${pages.join(', ')}`);
  }
  const named = [...commands.keys()];
  assert.deepEqual(fits.filter((one) => !named.some((command) => one.test(command))), []);
});

/** Runs a line until it ends, or until it has said so and is asked to end. */
async function tried(line: string, row: Row, more: Partial<Launch> = {}): Promise<Launched> {
  const started = someone.run(line, more);
  const said = (): string => started.stdout() + started.stderr();
  let ended: number | string | null = null;
  void started.ended.then((code) => (ended = code));
  const reached = (): boolean => ended !== null || (row.stays === true && row.says.test(said()));
  const progress = (): string => `${said().length} ${writtenBy(tree(started.child.pid ?? 0))}`;
  assert.ok(await patiently(reached, progress, COMPUTES_MS), `${line} stands still: ${said()}`);
  if (row.stays) await interrupted(started);
  else assert.equal(ended, row.code ?? 0, `${line}: ${said()}`);
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
    await tryAll([row]);
    await base.drop();
  }
});

test('the tools beside a sandbox that runs', async () => {
  writeFileSync(join(someone.clone, 'terms.txt'), 'Pay what you owe.\n');
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
const PACKED = '../holdfast/holdfast-*.tgz';

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
  const client = `set -e\nnpm init -y\nnpm install ${PACKED} --omit=optional
node -e "import('holdfast/client').then(({ createClient }) => console.log(typeof createClient))"`;
  await tried(client, { fits: /./, says: /^function$/m }, { cwd: light });
});
