// `holdfast bank` on a real database: sets bank accounts, imports statements once, and refuses what
// is wrong in one sentence before anything is written.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { runProgram } from '../../src/cli/program.ts';
import { openInstallation } from '../../src/system.ts';
import { camtFile } from '../kit/bank.ts';
import { testDatabase, type TestDatabase } from '../kit/database.ts';

const IBAN = 'DE89370400440532013000';
let base: TestDatabase;
let tenant: readonly string[];
let environment: Readonly<Record<string, string>> = {};
const home = mkdtempSync(join(tmpdir(), 'holdfast-bank-'));
before(async () => {
  base = await testDatabase();
  const { integrator } = await json('tenant', 'create', '--name', 'S', '--currencies', 'EUR,USD');
  tenant = ['--integrator', String(integrator)];
});
after(async () => {
  await base.drop();
  rmSync(home, { recursive: true, force: true });
});

async function holdfast(...args: readonly string[]) {
  let [out, err] = ['', ''];
  const code = await runProgram(args, {
    environment: { DATABASE_URL: base.url, ...environment },
    home,
    print: (text) => void (out += text),
    say: (line) => void (err += `${line}\n`),
    colours: false,
    startSystem: () => Promise.reject(new Error('nothing here is to run')),
    openInstallation,
    asked: new Promise(() => {}),
  });
  return { code, out, err };
}

async function json(...args: readonly string[]): Promise<Record<string, unknown>> {
  const { code, out, err } = await holdfast(...args, '--json');
  assert.equal(code, 0, err);
  return JSON.parse(out) as Record<string, unknown>;
}

function fileWith(name: string, text: string): string {
  const path = join(home, name);
  writeFileSync(path, text);
  return path;
}

async function refused(sentence: RegExp, ...args: readonly string[]): Promise<void> {
  const { code, err } = await holdfast(...args);
  assert.equal(code, 1);
  assert.match(err, sentence);
}

const set = (account: string, ...more: readonly string[]): readonly string[] => [
  ...['bank', 'set', ...tenant, '--account', account, '--holder', 'Shop', '--bank', 'Bank'],
  ...more,
];

test('a bank account is set, listed and replaced', async () => {
  assert.match((await holdfast('bank', 'list', ...tenant)).out, /^No bank accounts/);
  const made = await json(...set('DE89 3704 0044 0532 0130 00', '--currency', 'EUR'));
  assert.deepEqual([made['currency'], made['account']], ['EUR', IBAN]);
  await refused(/check digits/, ...set('DE89370400440532013001', '--currency', 'EUR'));
  await refused(/enabled/, ...set(IBAN, '--currency', 'CHF'));
  await refused(/no such tenant/, 'bank', 'list', '--integrator', 'nobody');
  const { out } = await holdfast('bank', 'list', ...tenant);
  assert.match(out, /^EUR {2}DE8937.*camt\.053 {2}active/);
});

test('a statement is imported once, and what names nobody is listed', async () => {
  const entries = [{ amount: '12.00', text: 'rent', reference: 'B1' }];
  const good = camtFile({ number: IBAN, opening: '1.00', closing: '13.00', entries });
  const file = fileWith('good.xml', good);
  const done = await json('bank', 'import', file, ...tenant);
  const { statement_id: _, ...counts } = done;
  const ends = { entries: 1, debits: 0, credited: 0 };
  assert.deepEqual(counts, { ...ends, state: 'imported', new_entries: 1, unallocated: 1 });
  assert.equal((await json('bank', 'import', file, ...tenant))['state'], 'unchanged');
  const { out } = await holdfast('bank', 'transfers', ...tenant);
  assert.match(out, /^2026-11-20 {2}unallocated {2}no_reference {2}EUR 12\.00 {2}/);
  const wrong = fileWith('wrong.xml', good.replace('>13.00<', '>13.01<'));
  await refused(/do not add up/, 'bank', 'import', wrong, ...tenant);
  const cut = fileWith('cut.xml', good.slice(0, -30));
  await refused(/not a whole bank statement.*XML/, 'bank', 'import', cut, ...tenant);
  await refused(/cannot be read/, 'bank', 'import', join(home, 'none.xml'), ...tenant);
});

test('a debit is explained by an operator, and both sides of the balance are shown', async () => {
  const off = await holdfast('bank', 'balance', ...tenant);
  assert.equal(off.code, 0, off.err);
  const entries = [{ amount: '2.50', sign: 'DBIT', reference: 'F1' } as const];
  const file = camtFile({ number: IBAN, opening: '13.00', closing: '10.50', entries });
  assert.equal((await json('bank', 'import', fileWith('fee.xml', file), ...tenant))['debits'], 1);
  const open = await holdfast('bank', 'rows', ...tenant);
  assert.match(open.out, /^2026-11-20 {2}open {2}debit {2}EUR 2\.50 {2}- {2}[0-9a-f-]{36}\n$/);
  const row = open.out.trim().split('  ').at(-1) ?? '';
  const decide = ['bank', 'decide', row, ...tenant, '--as', 'bank_fee'];
  const who = ['--operator', 'rita', '--code', '000000'];
  await refused(/your password in HOLDFAST_OPERATOR_PASSWORD/, ...decide, ...who);
  const rita = await json(...['operator', 'create', '--name', 'Rita', '--username', 'rita'],
    ...['--roles', 'reviewer']);
  await base.db.execute('update operator set password_initial = false');
  environment = { HOLDFAST_OPERATOR_PASSWORD: String(rita['password']) };
  const { code } = await json('operator', 'code', String(rita['totp_secret']));
  const proof = ['--operator', 'rita', '--code', String(code)];
  assert.equal((await json(...decide, ...proof))['state'], 'booked');
  assert.match((await holdfast('bank', 'rows', ...tenant)).out, /^Every row is explained/);
  const { out } = await holdfast('bank', 'balance', ...tenant);
  assert.match(out, /by the statements +EUR 10\.50\n.*in the books +EUR 9\.50\n/);
  assert.match(out, /there before the first statement +EUR 1\.00\n.*unexplained +EUR 0\.00\n/s);
  const late = camtFile({ number: IBAN, opening: '99.00', closing: '99.00', entries: [] });
  await json('bank', 'import', fileWith('late.xml', late), ...tenant);
  await refused(/a statement is missing/, 'bank', 'balance', ...tenant);
});

test('a CSV statement needs its columns and its currency', async () => {
  const columns = fileWith('columns.json', '{"booked":"day","amount":"sum","text":["text"]}');
  await json(...set('123456789', '--currency', 'USD', '--csv-columns', columns));
  const file = fileWith('statement.csv', 'day,sum,text\n2026-11-20,5.00,rent\n');
  const done = await json('bank', 'import', file, ...tenant, '--currency', 'USD');
  assert.deepEqual([done['state'], done['unallocated']], ['imported', 1]);
  await refused(/not a whole bank statement/, 'bank', 'import', file, ...tenant);
  const bad = fileWith('bad.json', '{"booked":"day","text":["text"]}');
  const asked = set('123456789', '--currency', 'USD', '--csv-columns', bad);
  await refused(/Name either/, ...asked);
  const none = fileWith('none.json', 'day');
  await refused(/must be a JSON file/, ...set('1234', '--currency', 'USD', '--csv-columns', none));
});

test('the commands of the page work as they are written', async () => {
  const page = readFileSync(new URL('../../docs/bank-transfers.md', import.meta.url), 'utf8');
  const blocks = [...page.matchAll(/```(\w+)\n(.*?)```/gs)];
  const text = (kind: string): string => blocks.find(([, of]) => of === kind)?.[2] ?? '';
  const shop = await json('tenant', 'create', '--name', 'Shop', '--currencies', 'EUR');
  const entries = [{ amount: '1.00', day: '2026-11-01' }];
  const files: Readonly<Record<string, string>> = {
    'columns.json': fileWith('page.json', text('json')),
    'statement.csv': fileWith('page.csv', text('csv')),
    'statement.xml': fileWith(
      'page.xml',
      camtFile({ number: IBAN, opening: '0', closing: '1', entries }),
    ),
    ID: String(shop['integrator']),
  };
  const commands = blocks
    .filter(([, kind]) => kind === 'sh')
    .flatMap(([, , lines = '']) => lines.trim().split('\n'));
  assert.equal(commands.length, 7);
  const last: string[] = [];
  for (const command of commands) {
    const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => {
      return quoted ?? plain ?? '';
    });
    const { code, out, err } = await holdfast(...words.slice(1).map((word) => files[word] ?? word));
    assert.equal(code, 0, `${command}: ${err}`);
    last.push(out);
  }
  assert.match(last.at(-3) ?? '', /unallocated +1\n/);
  assert.match(last.at(-1) ?? '', /^2026-11-20 {2}open {2}debit {2}EUR 2\.50 /);
  assert.match(last.at(-2) ?? '', /^2026-11-01 .*\n2026-11-19 {2}unallocated .* EUR 12\.50 /);
});
