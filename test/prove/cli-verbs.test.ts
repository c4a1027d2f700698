// The operator's commands on a real database: each reports what it did, refuses a wrong option in
// one sentence before writing anything, and `verify` finds a planted breach.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { CommandContext } from '../../src/cli/context.ts';
import { runProgram } from '../../src/cli/program.ts';
import { proofs } from '../../src/catalogue.ts';
import { refuse } from '../../src/core/refusal.ts';
import { refusals } from '../../src/product/tell/explain/refusals.ts';
import { openInstallation, startSystem } from '../../src/system.ts';
import { testDatabase, type TestDatabase } from '../kit/database.ts';

let base: TestDatabase;
const home = mkdtempSync(join(tmpdir(), 'holdfast-verbs-'));
before(async () => {
  base = await testDatabase();
});
after(async () => {
  await base.drop();
  rmSync(home, { recursive: true, force: true });
});

interface Spoken {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const holdfast = (...args: string[]): Promise<Spoken> => holdfastWith({}, args);

async function holdfastWith(
  more: Partial<CommandContext>,
  args: readonly string[],
): Promise<Spoken> {
  let out = '';
  let err = '';
  const code = await runProgram(args, {
    environment: { DATABASE_URL: base.url },
    home,
    print: (text) => void (out += text),
    say: (line) => void (err += `${line}\n`),
    colours: false,
    // Of what is refused alone: nothing here is to run.
    startSystem: (options) => startSystem({ ...options, portBase: 0 }),
    openInstallation,
    asked: new Promise(() => {}),
    ...more,
  });
  return { code, out, err };
}

async function json(...args: string[]): Promise<Record<string, unknown>> {
  const spoken = await holdfast(...args, '--json');
  assert.equal(spoken.code, 0, spoken.err);
  assert.equal(spoken.out.split('\n').length, 2, 'one line');
  return JSON.parse(spoken.out) as Record<string, unknown>;
}

const count = async (table: string): Promise<bigint> => {
  const rows = await base.db.query<{ n: bigint }>(`select count(*) as n from ${table}`);
  return rows[0]?.n ?? -1n;
};

test('what a rule refuses is said in its sentence', async () => {
  const openInstallation = () => Promise.reject(refuse(refusals.RESOURCE_NOT_FOUND));
  const { sentence } = refusals.RESOURCE_NOT_FOUND;
  const made = ['tenant', 'create', '--name', 'Shop', '--currencies', 'USD', '--json'];
  const { code, out, err } = await holdfastWith({ openInstallation }, made);
  assert.deepEqual([code, JSON.parse(out)], [1, { error: sentence }]);
  assert.equal(err, `${sentence}\n`);
});

test('a mistyped verb is not taken for an argument of start', async () => {
  const close = await holdfast('explian', 'x');
  assert.equal(close.code, 1);
  assert.equal(close.err, 'There is no command explian. Did you mean explain?\n');
  assert.match((await holdfast('frob')).err, /^There is no command frob; there are start, /);
});

test('migrate says that a migrated database is current', async () => {
  assert.deepEqual(await json('migrate'), { applied: [], role: null, finished: true });
  assert.match((await holdfast('migrate')).out, /^The schema is up to date\.\n/);
});

test('a tenant gets a client, and the client a new secret', async () => {
  const tenant = await json('tenant', 'create', '--name', 'Shop', '--currencies', 'USD,JPY');
  assert.deepEqual(tenant['currencies'], ['USD', 'JPY']);
  const wish = ['--integrator', String(tenant['integrator']), '--name', 'server'];
  const made = await json('client', 'create', ...wish, '--scopes', 'read_invoices write_invoices');
  assert.deepEqual(made['scopes'], ['read_invoices', 'write_invoices']);
  const id = String(made['client_id']);
  const stored = await base.db.query<{ row: string }>({
    text: 'select client::text as row from client where client_id = $1',
    values: [id],
  });
  assert.equal(stored[0]?.row.includes(String(made['client_secret'])), false, 'kept in the clear');
  const next = await json('client', 'rotate', '--client-id', id, '--overlap-hours', '2');
  assert.notEqual(next['client_secret'], made['client_secret']);
  const overlap = await base.db.query<{ minutes: number }>({
    text: `select round(extract(epoch from previous_until - clock_timestamp()) / 60)::int as minutes
      from client where client_id = $1`,
    values: [id],
  });
  assert.equal(overlap[0]?.minutes, 120);
  const shown = await holdfast('client', 'rotate', '--client-id', id);
  assert.match(shown.out, /^client_id +[0-9a-f-]{36}\nclient_secret +\S{43}\n/);
  assert.match(shown.err, /shown only once/);
});

test('a client is disabled and enabled, and both are audited', async () => {
  const { integrator } = await json('tenant', 'create', '--name', 'Shop', '--currencies', 'USD');
  const wish = ['--integrator', String(integrator), '--name', 'x', '--scopes', 'all'];
  const { client_id } = await json('client', 'create', ...wish);
  const given = ['--client-id', String(client_id)];
  const text = 'select disabled from client where client_id = $1';
  for (const [verb, disabled] of [['disable', true], ['enable', false]] as const) {
    assert.deepEqual(await json('client', verb, ...given), { client_id, disabled });
    assert.deepEqual(await base.db.query({ text, values: [client_id] }), [{ disabled }]);
  }
  const acts = await actsOn(String(client_id));
  assert.deepEqual(acts, ['client_created', 'client_disabled', 'client_enabled']);
});

const actsOn = async (subject: string): Promise<string[]> => {
  const text = 'select act from audit_entry where subject = $1 order by id';
  const rows = await base.db.query<{ act: string }>({ text, values: [subject] });
  return rows.map(({ act }) => act);
};

test('the keys that sign are replaced, once each, and both are audited', async () => {
  for (const [verb, table] of [['signing', 'signing_key'], ['audit', 'audit_key']] as const) {
    const standing = `select * from ${table} where retired is null`;
    await json('keys', `rotate-${verb}`);
    const [before, ...more] = await base.db.query<Record<string, unknown>>(standing);
    assert.deepEqual([before === undefined, more], [false, []]);
    await json('keys', `rotate-${verb}`);
    const [now] = await base.db.query<Record<string, unknown>>(standing);
    assert.notDeepEqual(now, before);
    const acts = await base.db.query(`select from audit_entry where act = '${verb}_key_rotated'`);
    assert.equal(acts.length, 2);
  }
});

test('a tenant gets limits of its own, which are shown, and then the defaults again', async () => {
  const made = await json('tenant', 'create', '--name', 'Large', '--currencies', 'USD');
  const integrator = String(made['integrator']);
  const limits = (...args: string[]) => json('tenant', 'limits', integrator, ...args);
  assert.deepEqual(await limits(), { integrator, limits: 'default' });
  const set = { integrator, in_flight: 9, writes: 700, reads: 0 };
  assert.deepEqual(await limits('--in-flight', '9', '--writes', '700', '--reads', '0'), set);
  assert.deepEqual(await limits(), set);
  assert.deepEqual(await limits('--default'), { integrator, limits: 'default' });
  const noted = await base.db.query<{ detail: string }>({
    text: `select detail from audit_entry where act = 'tenant_limits_changed' and subject = $1
      order by id`,
    values: [integrator],
  });
  const first = JSON.stringify({ inFlight: '9', writes: '700', reads: '0' });
  assert.deepEqual(noted.map(({ detail }) => detail), [first, '{}']);
});

const NOBODY = '01900000-0000-7000-8000-000000000000';
const CREATE = ['client', 'create', '--name', 'x'];
const REFUSED: readonly [string[], RegExp][] = [
  [['tenant', 'create', '--name', 'x', '--currencies', 'usd'], /not usd/],
  [['tenant', 'create', '--name', 'x', '--currencies', 'USD,XYZ'], /not XYZ/],
  [['tenant', 'create', '--name', ' ', '--currencies', 'USD'], /--name must have/],
  [['tenant', 'create', '--name', 'x', '--currencies', ','], /at least one currency/],
  [[...CREATE, '--integrator', NOBODY, '--scopes', 'all'], /no such tenant/],
  [[...CREATE, '--integrator', "'", '--scopes', 'all'], /no such tenant/],
  [[...CREATE, '--integrator', NOBODY, '--scopes', 'al'], /no scope al;/],
  [
    [...CREATE, '--integrator', NOBODY, '--scopes', 'write_sandbox', '--env', 'production'],
    /write_sandbox exists only in staging/,
  ],
  [['client', 'rotate', '--client-id', NOBODY], /no such client/],
  [['client', 'disable', '--client-id', "'"], /no such client/],
  [['tenant', 'currencies', NOBODY, '--add', 'EUR'], /no such tenant/],
  [['tenant', 'currencies', NOBODY, '--add', 'EUR,x'], /--add takes .+, not x/],
  [['keys', 'wrap', '--kms', 'alias/holdfast'], /alias\/holdfast is not the ARN of a key/],
  [['client', 'rotate', '--client-id', NOBODY, '--overlap-hours', '-1'], /from 0 to 720/],
  [['tenant', 'limits', NOBODY, '--default'], /no such tenant/],
  [['tenant', 'limits', NOBODY, '--writes', '1'], /together, or --default/],
  [['tenant', 'limits', NOBODY, '--writes', '-1', '--reads', '1', '--in-flight', '1'], /whole/],
  [['migrate', '--env', 'production'], /HOLDFAST_KEY_FILE/],
  [['verify', '--env', 'test'], /staging or production/],
];

for (const [args, sentence] of REFUSED) {
  test(`${args.join(' ')} is refused and leaves nothing`, async () => {
    const before = [await count('tenant'), await count('client')];
    const spoken = await holdfast(...args);
    assert.equal(spoken.code, 1);
    assert.equal(spoken.out, '');
    assert.match(spoken.err, sentence);
    assert.equal(spoken.err.split('\n').length, 2, 'one sentence');
    assert.deepEqual([await count('tenant'), await count('client')], before);
  });
}

test('reconcile lists open discrepancies between processor and ledger', async () => {
  const nothing = await holdfast('reconcile');
  assert.deepEqual([nothing.code, nothing.out], [0, 'No open items.\n']);
  await base.db.execute(`insert into statement_line
      (workspace, id, line, key, reference, kind, part, amount, currency, seen)
    select min(workspace), '${NOBODY}', 1, 'k', 'r', 'capture', 1, 700, 'USD',
      clock_timestamp() - interval '2 hours 3 minutes' from workspace`);
  const open = await holdfast('reconcile');
  const what = `waiting_line \\(capture\\)  USD 7\\.00  ${NOBODY}`;
  const line = new RegExp(`^02h 03m  workspace \\d+  ${what}\n$`);
  assert.match(open.out, line);
  const spoken = JSON.parse((await holdfast('reconcile', '--json')).out) as { amount: string }[];
  assert.deepEqual(spoken.map(({ amount }) => amount), ['700']);
});

test('treasury shows where money lies and whose it is, and fails where that differs', async () => {
  const nothing = await holdfast('treasury');
  assert.deepEqual([nothing.code, nothing.out], [0, 'No money has moved yet.\n']);
  const plant = (sums: Readonly<Record<string, number>>): Promise<unknown> => {
    const kinds = Object.keys(sums).map((kind) => `'${kind}', ${sums[kind]}`);
    return base.db.execute(`set session_replication_role = replica; delete from posting;
      insert into posting (workspace, resource_id, version, line, account_id, currency, amount)
      select a.workspace, '${NOBODY}', 1, row_number() over (), a.id, 'USD', k.amount
      from ledger_account a join (values (${kinds.join('), (')})) as k (kind, amount)
        on k.kind = a.kind where a.workspace = 1 and a.currency = 'USD';
      set session_replication_role = origin`);
  };
  await plant({ processor_clearing: -900, in_transit: -70, escrow: 1_000, processor_fees: -30 });
  const shown = await holdfast('treasury');
  assert.equal(shown.code, 0);
  for (const line of [
    /^workspace 1 {2}USD$/m,
    /^ {2}lies at processor_clearing +USD 9\.00$/m,
    /^ {2}lies at in_transit +USD 0\.70$/m,
    /^ {2}is owed as escrow +USD 10\.00$/m,
    /^ {2}is our own processor_fees +USD -0\.30$/m,
    /^ {2}Both sides are equal\.$/m,
  ]) {
    assert.match(shown.out, line);
  }
  await plant({ bank: -500, bank_unallocated: 499 });
  const off = await holdfast('treasury', '--json');
  assert.equal(off.code, 1);
  const [standing] = JSON.parse(off.out) as { off: string; lies: object[] }[];
  assert.deepEqual([standing?.off, standing?.lies], ['1', [{ kind: 'bank', amount: '500' }]]);
  await plant({ none: 1 });
});

test('verify proves every law, and names a breach that was planted past the guards', async () => {
  const proved = await json('verify');
  assert.equal(proved['ok'], true);
  assert.equal((proved['laws'] as unknown[]).length, proofs.length + 2, 'and the audit');
  await base.db.execute(`set session_replication_role = replica;
    insert into posting (workspace, resource_id, version, line, account_id, currency, amount)
    values (1, '${NOBODY}', 1, 1, '${NOBODY}', 'USD', 5);
    set session_replication_role = origin`);
  const found = await holdfast('verify');
  assert.equal(found.code, 1);
  assert.match(found.out, /^BROKEN .*\(entries_balance: 1 breach\)\n {10}01900000/m);
  assert.match(found.err, /of \d+ laws are broken/);
});

test('loading a watch-list replaces the earlier one and stores no name', async () => {
  const tenant = await json('tenant', 'create', '--name', 'Watched', '--currencies', 'USD');
  const file = join(home, 'list.txt');
  const of = ['--integrator', String(tenant['integrator'])];
  for (const [text, persons] of [['A B;1990-01-01\nC;1990-01-02\n', 2], ['D;1990-01-01\n', 1]]) {
    writeFileSync(file, String(text));
    assert.equal((await json('watch-list', 'load', file, ...of))['persons'], persons);
    assert.equal(await count('watch_list'), BigInt(Number(persons)));
  }
  writeFileSync(file, 'Secret\n');
  const wrong = await holdfast('watch-list', 'load', file, ...of);
  assert.equal(wrong.code, 1);
  assert.deepEqual([wrong.err.includes('Line 1'), wrong.err.includes('Secret')], [true, false]);
  assert.equal((await holdfast('watch-list', 'load', join(home, 'none'), ...of)).code, 1);
  assert.equal(await count('watch_list'), 1n);
});

test('a published list is imported in versions, whole or not at all', async () => {
  const file = join(home, 'targets.simple.csv');
  const rows = ['id,schema,name,birth_date', 'Q1,Person,Ann Secret,1970', 'Q2,Person,Bo Doe,'];
  const take = (text: string) => {
    writeFileSync(file, text);
    return holdfast('watch-list', 'import', file, '--list', 'test', '--json');
  };
  const first = await take(rows.join('\n'));
  assert.deepEqual(JSON.parse(first.out), {
    ...{ list: 'test', version: 1, entries: 2, added: 2, changed: 0, removed: 0 },
  });
  for (const [text, says] of [
    [rows.slice(0, 2).join('\n'), /lacks 1 entries .* --shrinks/],
    [`${rows.join('\n')}\nQ3,"Secret`, /Row 4 is cut off/],
  ] as const) {
    const wrong = await take(text);
    assert.equal(wrong.code, 1);
    assert.match(wrong.err, says);
    assert.doesNotMatch(wrong.err + wrong.out, /Secret/);
  }
  const none = await holdfast('watch-list', 'import', join(home, 'none'), '--list', 'test');
  assert.match(none.err, /cannot be read/);
  const { lists } = await json('watch-list', 'status');
  const [list, ...others] = lists as readonly Record<string, unknown>[];
  assert.deepEqual([list?.['version'], list?.['entries'], others.length], [1, 2, 0]);
  const { runs } = await json('watch-list', 'screen');
  assert.ok((runs as readonly { ended: boolean }[]).every(({ ended }) => ended));
  const said = await holdfast('watch-list', 'status');
  assert.match(said.out, /version 1, 2 entries, imported 20/);
});

test('terms are published in versions, each text once, and shown again', async () => {
  const none = await holdfast('terms', 'show');
  assert.deepEqual([none.code, none.out], [1, '']);
  assert.match(none.err, /^No terms are published/);
  const file = join(home, 'terms.txt');
  const publish = async (text: string | Buffer): Promise<unknown[]> => {
    writeFileSync(file, text);
    const { version, state } = await json('terms', 'publish', file);
    return [version, state];
  };
  assert.deepEqual(await publish('\ufeffBe kind.  \r\n\r\nPay.\r\n'), [1, 'published']);
  assert.deepEqual(await publish('Be kind.\n\nPay.'), [1, 'unchanged'], 'the same text');
  assert.deepEqual(await publish('Be kind.'), [2, 'published']);
  assert.equal((await json('terms', 'show'))['content'], 'Be kind.');
  assert.match((await holdfast('terms', 'show')).out, /\n\nBe kind\.\n$/);
  for (const wrong of [' \n', 'x'.repeat(200_001), '<p>Hi</p>', 'a\u0007', Buffer.from([0xff])]) {
    writeFileSync(file, wrong);
    const refused = await holdfast('terms', 'publish', file);
    assert.deepEqual([refused.code, refused.out], [1, '']);
    assert.match(refused.err, /^The terms [^\n]*\.\n$/);
  }
  assert.equal((await holdfast('terms', 'publish', join(home, 'none'))).code, 1);
  assert.equal(await count('terms_version'), 2n);
});

test('operators are created, reset, disabled, enabled; credentials are printed once', async () => {
  const wish = ['--name', 'Ada Admin', '--username', 'ada', '--roles', 'operator,viewer'];
  const made = await json('operator', 'create', ...wish);
  assert.equal(made['username'], 'ada');
  assert.match(String(made['password']), /^(?:[a-z0-9]{6}-){3}[a-z0-9]{6}$/);
  assert.match(String(made['totp_secret']), /^[A-Z2-7]{32}$/);
  assert.match(String(made['totp_address']), /^otpauth:\/\/totp\/Holdfast:ada\?/);
  const again = await json('operator', 'reset', 'ada');
  assert.notEqual(again['password'], made['password']);
  assert.notEqual(again['totp_secret'], made['totp_secret']);
  const ended = { username: 'ada', state: 'disabled' };
  assert.deepEqual(await json('operator', 'disable', 'ada'), ended);
  assert.equal((await json('operator', 'enable', 'ada'))['state'], 'enabled');
  const code = await holdfast('operator', 'code', String(again['totp_secret']));
  assert.match(code.out, /^\d{6}\n$/);
});

test('operator: a wrong request is one sentence, and nothing is written', async () => {
  const before = await count('operator');
  const wish = ['operator', 'create', '--name', 'X', '--username'];
  const create = (username: string, roles: string, ...more: string[]): Promise<Spoken> =>
    holdfast(...wish, username, '--roles', roles, ...more);
  assert.match((await create('ada', 'viewer')).err, /^This username is taken/);
  assert.match((await create('A B', 'viewer')).err, /^A username has/);
  assert.match((await create('eve', 'king')).err, /^--roles takes/);
  assert.match((await create('eve', '')).err, /^Choose at least one role/);
  const foreign = ['--tenant', '019a0000-0000-7000-8000-000000000000'];
  assert.match((await create('eve', 'viewer', ...foreign)).err, /^There is no such tenant/);
  assert.match((await holdfast('operator', 'reset', 'nobody')).err, /^There is no such operator/);
  assert.match((await holdfast('operator', 'code', 'x')).err, /^The secret must be the 32/);
  assert.equal(await count('operator'), before);
});

test('without its key file a used database is not opened, and no new file is made', async () => {
  const file = join(home, '.holdfast/staging/keys.json');
  const whole = readFileSync(file, 'utf8');
  const broken: readonly (readonly [string | null, string])[] = [
    [null, 'is missing, and the database cannot be read without it'],
    ['', 'is empty'],
    [whole.slice(0, whole.length / 2), 'is damaged'],
    ['null', 'is damaged'],
    [whole.replace('"v1"', '"v2"'), 'is damaged'],
  ];
  const create = 'tenant create --name x --currencies EUR';
  const verbs = ['start', 'verify', 'migrate', 'keys status', create];
  try {
    for (const [text, what] of broken) {
      rmSync(file, { force: true });
      if (text !== null) writeFileSync(file, text, { mode: 0o600 });
      for (const verb of text === null ? verbs : ['start', 'verify']) {
        const spoken = await holdfast(...verb.split(' '));
        const sentence = `The key file ${file} ${what}: restore it from a backup.\n`;
        assert.deepEqual(spoken, { code: 1, out: '', err: sentence }, verb);
        assert.equal(existsSync(file) ? readFileSync(file, 'utf8') : null, text, verb);
      }
    }
  } finally {
    writeFileSync(file, whole, { mode: 0o600 });
  }
  assert.equal((await json('keys', 'status'))['current'], 'v1');
});
