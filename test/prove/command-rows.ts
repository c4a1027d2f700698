// How each command that a document names is tried, in a clone where only `npm start` ran.

/** How a command is tried; without more it is run as it stands, in the clone. */
export interface Row {
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
export const facts = {
  ...{ integrator: '', client: '', account: '', invoice: '' },
  ...{ port: 0, database: '' },
};
/** Of the package: each in a clone as `npm start` left it. */
export const SCRIPTS: readonly Row[] = [
  { fits: /^npm run lint$/, says: /0 errors/, fresh: true },
  { fits: /^npm run check$/, says: /installed in/, fresh: true },
  { fits: /^npm run build$/, says: /installed in/, fresh: true },
  { fits: /^npm pack$/, says: /holdfast-[\d.]+\.tgz/, fresh: true },
  { fits: /^npm pack --workspace client$/, says: /holdfast-client-[\d.]+\.tgz/, fresh: true },
  { fits: /^npm pack --workspace widget$/, says: /holdfast-widget-[\d.]+\.tgz/, fresh: true },
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
    fits: /^npm run bench(?: -- (?:--only (?:matching|ten)|--peers))?$/,
    // Without a number it stores a million invoices: for minutes, of which nothing is heard.
    as: (command) => `${brief(command)} --stored 20000`,
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
    fits: /^npm run bench -- --grown$/,
    as: (command) => `${brief(command)} --connections 8 --stored 20000`,
    says: /time of a sale, large to small database/,
    fresh: true,
  },
  {
    fits: /^npm run bench -- --lists$/,
    as: (command) => `${brief(command)} --connections 8 --stored 20000`,
    says: /export of ledger_entries as jsonl/,
    fresh: true,
  },
  {
    fits: /^npm run bench -- --soak \d+$/,
    as: (command) => `${brief(command.replace(/\d+$/, '1'))} --connections 8`,
    says: /of 250 sales a second were kept up/,
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
    // As it is done: the version of the top section, its day, a commit; then the widget's script.
    as: (command) =>
      'export GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=ada@example.test ' +
      'GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=ada@example.test\n' +
      `version=$(sed -n 's/^## \\([0-9.]*\\),.*/\\1/p' CHANGELOG.md | head -1)\n` +
      'npm pkg set version=$version --workspaces --include-workspace-root\n' +
      "sed -i 's/, not released yet$/, 2026-01-31/' CHANGELOG.md\n" +
      `git commit -qam x; ${command}; git add widget/released && git commit -qm y && ${command}`,
    says: /dist-release\/ holds holdfast-[\d.]+\.tgz/,
    fresh: true,
  },
  { fits: /^npm run docs:site$/, says: /holds the pages/, fresh: true },
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
  const part = command.includes(' -- ') ? '' : ' -- --only calibrate';
  return `${command}${part} --quick --rounds 1 --duration 1 --persons 1000 --folder "$HOME"`;
}

/** The sandbox that the other commands need goes on. */
function ofNobody(command: string): string {
  return `${command.replace('<name>', 'stripe')} --tenant ${'0'.repeat(8)}`;
}

/** Starts, each of which ends when it is asked to. */
export const STARTS: readonly Row[] = [
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
    fits: /holdfast migrate --env production && npm start -- --env production$/,
    as: (command) =>
      `export DATABASE_URL='${facts.database}' HOLDFAST_KEY_FILE="$HOME/keys.json"\n${command}`,
    says: /Holdfast is ready \(production\)/,
    stays: true,
  },
];

/** What a command says that nobody proved who they are for. */
const ASKS = /your password in HOLDFAST_OPERATOR_PASSWORD/;

/** Beside a sandbox that runs, from the same folder. */
export const TOOLS: readonly Row[] = [
  { fits: /^node docs\/examples\/ten-minutes\.mjs$/, says: /^payout +PAYOUT_KYC_REQUIRED/m },
  { fits: /^(?:npx )?holdfast tenant create(?: --name .+)?$/, as: named, says: /integrator/ },
  {
    fits: /holdfast tenant move/,
    as: () => `npx holdfast tenant move ${facts.integrator} --to other.env`,
    says: /The file cannot be read/,
    code: 1,
  },
  {
    fits: /holdfast tenant second-person/,
    as: () => `npx holdfast tenant second-person ${facts.integrator}`,
    says: /USD +1000000/,
  },
  {
    fits: /holdfast tenant matching/,
    as: () => `npx holdfast tenant matching ${facts.integrator}`,
    says: /figures +of invented persons; its own take 1000/,
  },
  {
    fits: /holdfast tenant export/,
    // It writes over nothing, and two documents name it.
    as: () =>
      `rm -f books.jsonl && npx holdfast tenant export ${facts.integrator} --to books.jsonl`,
    says: /digest +[0-9a-f]{64}/,
  },
  { fits: /holdfast verify --export/, as: keyed, says: /BROKEN.*signed/, code: 1 },
  { fits: /holdfast tenant directory/, says: / 0$/m },
  { fits: /holdfast client create /, says: /client_secret/ },
  { fits: /holdfast client rotate /, says: /client_secret/ },
  {
    fits: /holdfast provider set/,
    as: nameless,
    says: /required option|provider|must be a JSON object/,
    code: 1,
  },
  {
    fits: /holdfast provider remove/,
    says: /required option|The tenant has no processor provider/,
    code: 1,
  },
  { fits: /holdfast reporting create/, as: reported, says: /postgres:\/\/reporting_v1_/ },
  { fits: /holdfast reporting list$/, says: /reporting_v1_.* exists$/m },
  { fits: /holdfast reporting remove <role>/, as: unknown, says: /There is no such role/, code: 1 },
  { fits: /holdfast check$/, says: /^ok +database +PostgreSQL/ },
  { fits: /holdfast operator code <secret>$/, says: /\b\d{6}\b/ },
  { fits: /holdfast import accounts accounts\.csv .*--dry-run/, says: /imported +2[^]+true/ },
  { fits: /holdfast import accounts accounts\.csv .*--ids/, says: /imported +2/ },
  { fits: /holdfast import methods methods\.csv/, says: /imported +1/ },
  { fits: /holdfast import balances prepare .*--dry-run$/, says: /total +12500/ },
  { fits: /holdfast import balances prepare .*--code 123456$/, says: ASKS, code: 1 },
  { fits: /holdfast import balances list/, says: /^No opening balances\.$/m },
  { fits: /import balances (?:confirm|cancel) <opening>/, as: guessed, says: ASKS, code: 1 },
  { fits: /holdfast watch-list load FILE/, as: listed, says: /1/ },
  { fits: /holdfast person erase(?: <account> .+)?$/, as: reasoned, says: /acct_/ },
  { fits: /holdfast keys rotate$/, says: /v2/ },
  { fits: /holdfast migrate(?: --finish)?$/, says: /./ },
  { fits: /holdfast stop$/, says: /^Nothing is stopped\.$/m },
  { fits: /holdfast stop \w+/, as: ofNobody, says: /There is no such tenant/, code: 1 },
  {
    fits: /holdfast restored$/,
    says: /^holdfast: Nodes are running on this database.+\.$/m,
    code: 1,
  },
  { fits: /holdfast restored --to /, says: /2026-03-01/ },
  { fits: /holdfast (?:verify(?: --whole)?|reconcile|treasury)$/, says: /./ },
  { fits: /holdfast explain (?:<id>|\$INVOICE|01a1fa79\S+)$/, says: /Now: invoice success/ },
  { fits: /holdfast trigger(?: <event>| invoice-completed)?$/, as: evented, says: /invoice-/ },
  { fits: /holdfast listen(?: --forward-to \S+)?$/, says: /listening|events/i, stays: true },
];

/** By a key that is none of the installation's. */
function keyed(command: string): string {
  const key = 'Sk3Zp0wX9m1vQe7rT5uYb2nL8cD4fG6hJ0kA1sP3iOo';
  return command.endsWith('--export') ? `${command} books.jsonl --key ${key}` : command;
}

function reported(command: string): string {
  return command.endsWith('create') ? `${command} --integrator <id>` : command;
}

function listed(command: string): string {
  return command.replace('FILE', 'list.txt');
}

function nameless(command: string): string {
  return command.replace('<name>', 'nobody').replace('key.json', '/dev/null');
}

function guessed(command: string): string {
  return command.replace('<opening>', '01900000-0000-7000-8000-000000000000');
}

function unknown(command: string): string {
  return command.replace('<role>', 'nobody');
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
  // In tests of their own beside the command line's.
  /^holdfast bank (?:set|list|import|transfers|rows|decide|balance)(?: |$)/,
  /^holdfast payout-file \w/,
  /^holdfast watch-list (?:import|drop|status|screen)/,
  /^npm pack --pack-destination ~\/marketplace-tests$/,
  /^npm install --save-dev \.\/holdfast-[\d.]+\.tgz$/,
  /^npm install --save-dev \.\.\/holdfast\/holdfast-[\d.]+\.tgz$/,
  /^npm install \.\.\/holdfast\/holdfast-client-[\d.]+\.tgz$/,
  /^node --test$/,
  /^npm install --save-dev (?:vitest|jest @jest\/globals) && npm run test:(?:vitest|jest)$/,
  // Only a name.
  /^(?:holdfast(?: import| provider)?|npm|npx|npx holdfast)$/,
];

/** What every named command fits, once. */
export const FITS: readonly RegExp[] = [
  ...[...SCRIPTS, ...STARTS, ...TOOLS].map((row) => row.fits),
  ...ELSEWHERE,
];
