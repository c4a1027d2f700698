// Moving in by the command line: 20,000 accounts with their cards and balances, whose import and
// booking are killed on the way and go on; two operators who prove who they are; and reports that
// hold no cell.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { after, before, test } from 'node:test';
import { runProgram } from '../../src/cli/program.ts';
import type { Installation } from '../../src/cli/context.ts';
import { codeAt, createOperator, type Role } from '../../src/product/access/operator/index.ts';
import { openInstallation, startSystem } from '../../src/system.ts';
import { testDatabase, type TestDatabase } from '../kit/database.ts';
import { CHECKOUT, endAll, launch } from '../start/launch.ts';

const PEOPLE = 20_000;
const PASSWORD = 'HOLDFAST_OPERATOR_PASSWORD';

let base: TestDatabase;
let tenant = '';
const home = mkdtempSync(join(tmpdir(), 'holdfast-import-'));
const operators = new Map<string, { readonly password: string; readonly totp_secret: string }>();
before(async () => {
  base = await testDatabase();
  const create = ['tenant', 'create', '--name', 'Shop', '--currencies', 'USD'];
  tenant = String((await json(create))['integrator']);
  const plan = { env: 'staging', databaseUrl: base.url, migrated: true } as const;
  const installation = await openInstallation({ ...plan, dataDir: join(home, 'staging') });
  for (const [username, role] of Object.entries(ROLES)) await employ(installation, username, role);
  await installation.close();
});
after(async () => {
  endAll();
  await base.drop();
  rmSync(home, { recursive: true, force: true });
});

const ROLES = { ada: 'reviewer', bob: 'supervisor', eve: 'viewer', sam: 'supervisor' } as const;

async function employ(installation: Installation, username: string, role: Role): Promise<void> {
  const request = { name: username, username, roles: [role], workspaces: 'all' as const };
  // Sam has not chosen a password yet.
  const mustChange = username === 'sam';
  const made = await createOperator(installation, { ...request, mustChange }, 'operator');
  operators.set(username, made);
}

interface Spoken {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const environment = (more: Readonly<Record<string, string>> = {}) => {
  return { DATABASE_URL: base.url, HOLDFAST_DATA_DIR: home, ...more };
};

async function holdfast(args: readonly string[], env = {}): Promise<Spoken> {
  let [out, err] = ['', ''];
  const code = await runProgram(args, {
    environment: environment(env),
    home,
    print: (text) => void (out += text),
    say: (line) => void (err += `${line}\n`),
    colours: false,
    startSystem,
    openInstallation,
    asked: new Promise(() => {}),
  });
  return { code, out, err };
}

async function json(args: readonly string[], code = 0): Promise<Record<string, unknown>> {
  const spoken = await holdfast([...args, '--json']);
  assert.equal(spoken.code, code, spoken.err);
  assert.equal(spoken.out.split('\n').length, 2, 'one line');
  return JSON.parse(spoken.out) as Record<string, unknown>;
}

/** Signs in as an operator; `ahead` steps of the authenticator, since a code is used once. */
function as(username: string, ahead = 0): [args: string[], env: Record<string, string>] {
  const { password = '', totp_secret = '' } = operators.get(username) ?? {};
  const code = codeAt(totp_secret, Date.now() / 1000 + ahead * 30);
  return [['--operator', username, '--code', code], { [PASSWORD]: password }];
}

function file(name: string, lines: readonly string[]): string {
  const path = join(home, name);
  writeFileSync(path, `${lines.join('\r\n')}\r\n`);
  return path;
}

const people = Array.from({ length: PEOPLE }, (_, n) => n);
const accounts = (): string =>
  file('accounts.csv', [
    'account,username,email',
    ...people.map((n) => `u-${n},user-${n},${n}@secret.example`),
  ]);
const balances = (): string =>
  file('balances.csv', ['account,currency,amount', ...people.map((n) => `u-${n},USD,${n + 1}`)]);
const TOTAL = (PEOPLE * (PEOPLE + 1)) / 2;

async function count(sql: string): Promise<number> {
  const [row] = await base.db.query<{ n: number }>(`select count(*)::int as n from ${sql}`);
  return row?.n ?? -1;
}

/** Runs a command as a process of its own, and kills it once `begun` holds. */
async function killed(
  args: readonly string[],
  begun: () => Promise<boolean>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const program = join(CHECKOUT, 'src/main.ts');
  const one = launch({
    ...{ command: process.execPath, args: [program, ...args], env: environment(env) },
  });
  let over = false;
  void one.ended.then(() => (over = true));
  while (!over && !(await begun())) await pause(10);
  one.child.kill('SIGKILL');
  assert.equal(await one.ended, 'SIGKILL', `it was over before: ${one.stderr()}`);
}

const toTenant = (): string[] => ['--tenant', tenant];

test('an import that is killed goes on, and is complete after it ran again', async () => {
  const path = accounts();
  const command = ['import', 'accounts', path, ...toTenant()];
  await killed(command, async () => (await count('account')) >= 500);
  const begun = await count('imported');
  assert.ok(begun >= 500 && begun < PEOPLE, String(begun));
  assert.equal(await count('account'), begun, 'each account with its reference');
  const ids = join(home, 'ids.csv');
  const rest = { import: 'accounts', rows: PEOPLE, refused: 0, dry_run: false };
  const done = await json([...command, '--ids', ids]);
  assert.deepEqual(done, { ...rest, imported: PEOPLE - begun, unchanged: begun });
  assert.equal(await count('account'), PEOPLE);
  const known = readFileSync(ids, 'utf8').split('\n');
  assert.equal(known.length, PEOPLE + 2);
  assert.match(known[1] ?? '', /^u-0,acct_[0-9a-z]{26}$/);
  assert.equal(statSync(ids).mode & 0o777, 0o600);
});

test('refused rows are told by line, column and code; nothing of a cell is printed', async () => {
  const path = file('wrong.csv', [
    ...['account,username,email', 'u-0,user-0,other@secret.example', 'x-1,,a@secret.example'],
    ...['x-2,user-2,', 'x-3,fine,nowhere@secret', 'x-4,good,', 'x-5,"secret'],
  ]);
  const report = join(home, 'report.csv');
  const before = await count('account');
  for (const dry of [['--dry-run'], []]) {
    const command = ['import', 'accounts', path, ...toTenant(), '--report', report, ...dry];
    const spoken = await holdfast(command);
    assert.equal(spoken.code, 1);
    assert.match(spoken.out, /^refused +5$/m);
    assert.match(spoken.err, /^Line 3, username: MISSING_FIELD: is required$/m);
    assert.match(spoken.err, /\n5 rows were refused\. Correct the file and import it again\.\n$/);
    assert.deepEqual(
      readFileSync(report, 'utf8').split('\n').map((line) => line.split(',"')[0]),
      [
        ...['line,column,code,sentence', '3,username,MISSING_FIELD', '5,email,EMAIL_INVALID'],
        ...['7,,QUOTES_INVALID', '2,,ROW_DIFFERS', '4,username,USERNAME_ALREADY_TAKEN', ''],
      ].toSorted((a, b) => order(a) - order(b)),
    );
    assert.doesNotMatch(spoken.out + spoken.err + readFileSync(report, 'utf8'), /secret|user-/);
    assert.equal(await count('account'), before + (dry.length === 0 ? 1 : 0));
  }
});

/** Where a line of a report must stand: what is refused before a block is looked up comes first. */
function order(line: string): number {
  if (line === '') return 9;
  const places = ['line', '7', '3', '5', '2', '4'];
  return places.indexOf(line.split(',')[0] ?? '');
}

test('saved cards come by their tokens, and only those of the connected processor', async () => {
  const head = 'account,provider,token,brand,last4';
  const rows = ['u-1,sandbox,tok_1,visa,4242', 'u-2,other,tok_2,visa,4242'];
  const command = ['import', 'methods', file('cards.csv', [head, ...rows]), ...toTenant()];
  const counts = { import: 'methods', rows: 2, dry_run: false, refused: 1 };
  assert.deepEqual(await json(command, 1), { ...counts, imported: 1, unchanged: 0 });
  assert.deepEqual(await json(command, 1), { ...counts, imported: 0, unchanged: 1 });
});

test('a wrong order is one sentence, and nothing is written', async () => {
  const path = file('short.csv', ['account,currency,amount', 'u-1,USD,5']);
  const head = file('head.csv', ['account,username,password', 'y,y,y']);
  const stated = ['--currency', 'USD', '--total', '5', '--count', '1'];
  const prepare = ['import', 'balances', 'prepare', path, ...toTenant(), ...stated];
  const cases: [string[], RegExp, Record<string, string>?][] = [
    [['import', 'accounts', join(home, 'none'), ...toTenant()], /^The file cannot be read\.$/],
    [['import', 'accounts', path, '--tenant', 'x'], /^There is no such tenant/],
    [['import', 'accounts', head, ...toTenant()], /^The header names an unknown column;/],
    [['import', 'accounts', path, ...toTenant(), '--report', home], /cannot be written/],
    [prepare, /^Give --operator and --code, and your password in HOLDFAST_OPERATOR_PASSWORD\.$/],
    [[...prepare, '--total', '0', '--dry-run'], /^--total must be a positive whole number\.$/],
    [[...prepare, '--currency', 'usd', '--dry-run'], /^--currency takes codes/],
    [[...prepare, ...as('ada')[0]], /is wrong, or the code was used/, { [PASSWORD]: 'guess' }],
    [[...prepare, ...as('eve')[0]], /^This needs an operator with the role reviewer/, as('eve')[1]],
    [[...prepare, ...as('sam')[0]], /^Choose a password of your own/, as('sam')[1]],
    [['import', 'balances', 'list', '--tenant', 'x'], /^There is no such tenant/],
  ];
  for (const [args, sentence, env] of cases) {
    const spoken = await holdfast(args, env);
    assert.deepEqual([spoken.code, spoken.out], [1, ''], args.join(' '));
    assert.match(spoken.err.trimEnd(), sentence);
  }
  assert.equal(await count('opening'), 0);
});

test('balances that two operators agree on are booked once, through a kill too', async () => {
  const path = balances();
  const stated = ['--currency', 'USD', '--total', String(TOTAL), '--count', String(PEOPLE)];
  const prepare = ['import', 'balances', 'prepare', path, ...toTenant(), ...stated];
  const dry = await json([...prepare, '--dry-run']);
  assert.deepEqual(
    [dry['state'], dry['rows'], dry['total']],
    ['not stored', PEOPLE, String(TOTAL)],
  );
  const few = file('few.csv', ['account,currency,amount', 'u-1,USD,5']);
  const other = prepare.map((word) => (word === path ? few : word));
  assert.match((await holdfast([...other, '--dry-run'])).err, /another count or total/);
  const [mine, secret] = as('ada');
  const spoken = await holdfast([...prepare, ...mine, '--json'], secret);
  assert.equal(spoken.code, 0, spoken.err);
  const { id, state } = JSON.parse(spoken.out) as { id: string; state: string };
  assert.equal(state, 'prepared');

  const confirm = ['import', 'balances', 'confirm', id, ...toTenant()];
  const own = await holdfast([...confirm, ...as('ada', 1)[0]], secret);
  assert.match(own.err, /^This needs an operator with the role supervisor/);
  const [theirs, password] = as('bob');
  const booking = async (): Promise<boolean> => (await count('opening where booked > 1000')) > 0;
  await killed([...confirm, ...theirs], booking, password);
  const again = await holdfast([...confirm, ...as('bob', 1)[0], '--json'], password);
  assert.deepEqual(JSON.parse(again.out), { id, state: 'booked' }, again.err);

  const listed = await holdfast(['import', 'balances', 'list', ...toTenant()]);
  const shown = `${id}  booked  ${TOTAL} USD  ${PEOPLE} of ${PEOPLE} lines booked\n`;
  assert.equal(listed.out, shown);
  assert.equal(await count('balance where amount > 0'), PEOPLE);
  assert.equal((await json(['verify']))['ok'], true);
});
