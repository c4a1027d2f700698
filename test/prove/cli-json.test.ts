// --json, over the program's own list of commands: each prints lines of JSON on stdout and nothing
// else, also when it fails. A command without a row here, or without the option, fails the test.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Command } from 'commander';
import { buildProgram, runProgram } from '../../src/cli/program.ts';
import type { CommandContext } from '../../src/cli/context.ts';
import { openInstallation } from '../../src/system.ts';
import { camtFile } from '../kit/bank.ts';
import { testDatabase, type TestDatabase } from '../kit/database.ts';

const home = mkdtempSync(join(tmpdir(), 'holdfast-json-'));
const list = join(home, 'list.txt');
const rows = join(home, 'accounts.csv');
const terms = join(home, 'terms.txt');
const statement = join(home, 'statement.xml');
let base: TestDatabase;
let tenant = '';
let client = '';
before(async () => {
  base = await testDatabase();
  writeFileSync(list, 'A B;1990-01-01\n');
  writeFileSync(rows, 'account,username\n');
  writeFileSync(terms, 'Be kind.\n');
  const of = { number: '123456789', currency: 'USD', opening: '0', closing: '0', entries: [] };
  writeFileSync(statement, camtFile(of));
  const make = 'tenant create --name Shop --currencies USD --json';
  tenant = String(linesOf((await run(make.split(' '))).out)[0]?.['integrator']);
});
after(async () => {
  await base.drop();
  rmSync(home, { recursive: true, force: true });
});

const READY = { ready: true, env: 'staging', urls: { pii: 'http://127.0.0.1:1' } };

function contextOf(print: (text: string) => void, say: (line: string) => void): CommandContext {
  return {
    environment: { DATABASE_URL: base?.url ?? '' },
    home,
    print,
    say,
    colours: true,
    startSystem: async () => ({ ready: READY, drainMs: 0, stop: async () => {} }),
    openInstallation,
    asked: Promise.resolve(''),
  };
}

interface Spoken {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function run(args: readonly string[]): Promise<Spoken> {
  let [out, err] = ['', ''];
  const context = contextOf((text) => void (out += text), (line) => void (err += `${line}\n`));
  // A verb that works on a database ends when it is asked to; a start as soon as it is ready.
  const never = new Promise<string>(() => {});
  const code = await runProgram(args, args[0] === 'start' ? context : { ...context, asked: never });
  return { code, out, err };
}

function linesOf(out: string): Record<string, unknown>[] {
  assert.match(out, /^(?:[{[].*\n)*$/, 'lines of JSON alone');
  return out.split('\n').filter(Boolean).map((line) => JSON.parse(line) as never);
}

/** The commands that do something, as they are typed. */
function leaves(command: Command, path: readonly string[] = []): [string, Command][] {
  const below = command.commands.flatMap((one) => leaves(one, [...path, one.name()]));
  return below.length > 0 ? below : [[path.join(' '), command]];
}

/** What each command is given after its name, so that it succeeds; null: it cannot here. */
const GIVEN: Readonly<Record<string, (() => readonly string[]) | null>> = {
  start: () => [],
  migrate: () => [],
  listen: null,
  trigger: () => ['--list'],
  explain: null,
  'tenant create': () => ['--name', 'Other', '--currencies', 'EUR'],
  'tenant limits': () => [tenant],
  'tenant currencies': () => [tenant],
  'tenant move': null,
  'tenant export': () => [tenant, '--to', join(home, 'books.jsonl')],
  'tenant directory': () => [],
  'tenant second-person': () => [tenant],
  'tenant matching': () => [tenant],
  'client create': () => ['--integrator', tenant, '--name', 'x', '--scopes', 'all'],
  'client rotate': () => ['--client-id', client],
  'client disable': () => ['--client-id', client],
  'client enable': () => ['--client-id', client],
  'provider set': null,
  'provider list': () => [],
  'provider remove': null,
  'operator create': () => ['--name', 'Ada', '--username', 'ada', '--roles', 'viewer'],
  'operator disable': () => ['ada'],
  'operator enable': () => ['ada'],
  'operator reset': () => ['ada'],
  'operator code': () => ['A'.repeat(32)],
  'reporting create': () => ['--integrator', tenant],
  'reporting list': () => [],
  'reporting remove': null,
  'import accounts': () => [rows, '--tenant', tenant],
  'import methods': null,
  'import balances prepare': null,
  'import balances list': () => ['--tenant', tenant],
  'import balances confirm': null,
  'import balances cancel': null,
  'terms publish': () => [terms],
  'terms show': () => [],
  'watch-list load': () => [list, '--integrator', tenant],
  'watch-list import': null,
  'watch-list drop': null,
  'watch-list status': () => [],
  'watch-list screen': () => [],
  'person erase': null,
  'person hold': null,
  'bank set': () => [
    ...['--integrator', tenant, '--currency', 'USD', '--account', '123456789'],
    ...['--holder', 'Shop', '--bank', 'Bank'],
  ],
  'bank list': () => ['--integrator', tenant],
  'bank import': () => [statement, '--integrator', tenant],
  'bank transfers': () => ['--integrator', tenant],
  'bank rows': () => ['--integrator', tenant],
  'bank decide': null,
  'bank balance': () => ['--integrator', tenant],
  'person release': null,
  check: () => [],
  stop: () => ['payouts'],
  resume: null,
  verify: () => [],
  reconcile: () => [],
  treasury: () => [],
  'payout-file list': () => ['--integrator', tenant],
  'payout-file make': null,
  'payout-file show': null,
  'payout-file confirm': null,
  'payout-file cancel': null,
  'payout-file hand-over': null,
  'payout-file settle': null,
  'payout-file return': null,
  'payout-file reject': null,
  'keys status': () => [],
  'keys prepare': () => [],
  'keys rotate': () => [],
  'keys drop': null,
  'keys wrap': () => ['--kms', 'none'],
  'keys rotate-signing': () => [],
  'keys rotate-audit': () => [],
  restored: () => ['--to', '2026-01-01T00:00:00Z'],
};

const OF_NOBODY = ['--integrator', 'x'];
const AS_NOBODY = [...OF_NOBODY, '--operator', 'nobody', '--code', '1'];
/** What those that cannot are given, to fail for what they ask about. */
const FAILS: Readonly<Record<string, readonly string[]>> = {
  explain: ['x'],
  resume: ['writes', '--operator', 'nobody', '--code', '1'],
  'tenant move': ['x', '--to', 'none.env'],
  'tenant export': ['x', '--to', join(home, 'none.jsonl')],
  'import methods': ['none.csv', '--tenant', 'x'],
  'import balances prepare': [
    ...['none.csv', '--tenant', 'x', '--currency', 'USD', '--total', '1', '--count', '1'],
  ],
  'import balances confirm': ['x', '--tenant', 'x'],
  'import balances cancel': ['x', '--tenant', 'x'],
  'bank decide': ['x', '--as', 'bank_fee', ...AS_NOBODY],
  'payout-file make': ['--currency', 'EUR', ...AS_NOBODY],
  'payout-file show': ['x', ...OF_NOBODY],
  'payout-file confirm': ['x', '--sha256', 'x', ...AS_NOBODY],
  'payout-file cancel': ['x', ...OF_NOBODY],
  'payout-file hand-over': ['x', '--out', '/nowhere/x', ...OF_NOBODY],
  'payout-file settle': ['x', '--reference', 'x', ...OF_NOBODY],
  'payout-file return': ['x', '--reference', 'x', ...OF_NOBODY],
  'payout-file reject': ['x', '--reference', 'x', ...OF_NOBODY],
  'person erase': ['acct_x', '--reason', 'a'],
  'person hold': ['acct_x', '--reason', 'a'],
  'person release': ['acct_x', '--reason', 'a'],
  'watch-list import': ['none.csv', '--list', 'x'],
  'watch-list drop': ['--list', 'x'],
  'keys drop': ['v9'],
  'provider set': [
    ...[...OF_NOBODY, '--kind', 'processor', '--provider', 'x'],
    ...['--credentials', '/dev/null'],
  ],
  'provider remove': [...OF_NOBODY, '--kind', 'processor'],
  'reporting remove': ['nobody'],
};

const all = leaves(buildProgram(contextOf(() => {}, () => {})));

test('every command of the program has --json and a row here', () => {
  assert.deepEqual(all.map(([name]) => name).toSorted(), Object.keys(GIVEN).toSorted());
  const without = all.filter(([, { options }]) => !options.some(({ long }) => long === '--json'));
  assert.deepEqual(without.map(([name]) => name), []);
});

for (const [name] of all) {
  test(`${name} --json prints JSON, and a failure as JSON`, async () => {
    const words = name.split(' ');
    const given = GIVEN[name] ?? null;
    if (given !== null) {
      const done = await run([...words, ...given(), '--json']);
      assert.equal(done.code, 0, done.err);
      const lines = linesOf(done.out);
      assert.ok(name === 'trigger' ? lines.length > 1 : lines.length === 1, done.out);
      if (name === 'client create') client = String(lines[0]?.['client_id']);
    }
    const failed = await run([...words, ...(FAILS[name] ?? []), '--json', '--frob']);
    assert.equal(failed.code, 1);
    const wrong = given === null ? await run([...words, ...(FAILS[name] ?? []), '--json']) : failed;
    assert.equal(wrong.code, 1);
    for (const { out } of name === 'start' ? [] : [failed, wrong]) {
      const [line, ...more] = linesOf(out);
      assert.deepEqual([Object.keys(line ?? {}), more], [['error'], []]);
    }
    if (name === 'start') assert.equal(failed.out, '', 'the ready line or nothing [G-02]');
    else if (given === null) {
      assert.equal(`${String(linesOf(wrong.out)[0]?.['error'])}\n`, wrong.err);
    }
  });
}

test('a command without its verb is a failure in JSON too', async () => {
  const { code, out } = await run(['tenant', '--json']);
  assert.equal(code, 1);
  assert.equal(out.split('\n').length, 2);
  assert.deepEqual(Object.keys(linesOf(out)[0] ?? {}), ['error']);
});
