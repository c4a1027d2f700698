// Importing accounts and saved cards: what each row becomes, what is refused, and that a file which
// is imported again, in part or whole, changes nothing.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accountId, uuidOfWireId } from '../../../core/ids.ts';
import { openBench, type Bench } from '../../../../test/kit/domain-bench.ts';
import { erasePerson } from '../../people/retention/index.ts';
import type { CreatedWorkspace } from '../tenant/index.ts';
import { accounts } from './accounts.ts';
import { importFile, type ImportSummary } from './import-file.ts';
import { methodsAt } from './methods.ts';
import type { RowRefusal } from './row-codes.ts';

let bench: Bench;
before(async () => {
  bench = await openBench();
});
after(() => bench.close());

interface Told {
  readonly summary: ImportSummary;
  readonly refused: readonly RowRefusal[];
  /** Wire ids of accounts by reference. */
  readonly known: ReadonlyMap<string, string>;
}

async function run(
  kind: 'accounts' | 'methods',
  text: string,
  { trial = false, home = bench.home }: { trial?: boolean; home?: CreatedWorkspace } = {},
): Promise<Told> {
  const refused: RowRefusal[] = [];
  const known = new Map<string, string>();
  const { services } = bench;
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text);
  }
  const listener = {
    refused: (why: RowRefusal) => void refused.push(why),
    known: (reference: string, id: string) => void known.set(reference, accountId(id)),
  };
  const task = { place: home, actor: 'operator', trial, listener };
  const summary =
    kind === 'accounts'
      ? await importFile(services, bytes(), { ...task, kind: accounts })
      : await importFile(services, bytes(), { ...task, kind: methodsAt('acme') });
  return { summary, refused, known };
}

const lines = (refused: readonly RowRefusal[]): string[] =>
  refused.map(({ line, column, code }) => `${line} ${column} ${code}`);

const counts = (rows: number, imported: number, unchanged: number, refused: number) => {
  return { rows, imported, unchanged, refused };
};

/** What the workspaces hold, table by table. */
async function everything(): Promise<string> {
  const tables = ['account', 'wallet', 'payment_method', 'imported', 'outbox', 'step', 'kyc'];
  const sums = tables.map((name) => `select '${name}' as name, workspace, count(*) as n,
    sum(hashtext(t::text)) as sum from ${name} t group by workspace`);
  const rows = await bench.db.query(`${sums.join(' union all ')} order by 1, 2`);
  return JSON.stringify(rows, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}

const PEOPLE = `account,username,email,email_verified,full_name,country_iso
u-1,ada,ada@shop.example,true,"=1+1, ""Ada""",DE
u-2,bob,bob@shop.example,,Bob,
ext:3@old.example,cyd,,,,US
`;

test('a row becomes what a registration makes, and its events name ids only', async () => {
  const { summary, refused, known } = await run('accounts', PEOPLE);
  assert.deepEqual(summary, counts(3, 3, 0, 0));
  assert.deepEqual(refused, []);
  const account_id = known.get('u-1') ?? '';
  const info = await bench.must<Record<string, unknown>>('getUserInfo', {
    params: { account_id },
  });
  assert.equal(info['username'], 'ada');
  const email = info['email'] as Record<string, unknown>;
  assert.deepEqual([email['address'], email['is_verified']], ['ada@shop.example', true]);
  const methods = await bench.must<Record<string, unknown>[]>('listPaymentMethods', {
    params: { account_id },
  });
  assert.equal(methods.length, 2, 'a wallet for each currency');
  assert.equal((await bench.events('register-account-completed')).length, 3);
  const reply = await bench.call('registerAccount', { body: { username: 'ada' } });
  assert.equal(reply.code, 'USERNAME_ALREADY_TAKEN');
  const stored = await bench.db.query<{ row: string }>('select i::text as row from imported i');
  assert.doesNotMatch(JSON.stringify(stored), /ada|old\.example|u-1/, 'references are hashed');
  await bench.proved();
});

test('the same file again, in part and in another order of columns, changes nothing', async () => {
  const whole = await everything();
  assert.deepEqual((await run('accounts', PEOPLE)).summary, counts(3, 0, 3, 0));
  const part = 'username,account,country_iso\ncyd,ext:3@old.example,US\n';
  const { summary, known } = await run('accounts', part);
  assert.deepEqual(summary, counts(1, 0, 1, 0));
  assert.match(known.get('ext:3@old.example') ?? '', /^acct_/);
  assert.equal(await everything(), whole);
});

test('a row that differs, takes a name, or is not valid is refused by its place', async () => {
  const whole = await everything();
  const text = `account,username,email,city,email_verified
u-1,ada,ada@other.example,,true
u-9,bob,,,
=cmd,dan,,,
u-10,,nobody,,
u-11,eve,eve@x,4111 1111 1111 1111,maybe
u-12,fay,not-an-address,,
`;
  for (const trial of [true, false]) {
    const { summary, refused } = await run('accounts', text, { trial });
    assert.deepEqual(summary, counts(6, 0, 0, 6));
    assert.deepEqual(lines(refused), [
      '4 account INVALID_FIELD',
      '5 username MISSING_FIELD',
      '6 email_verified INVALID_FIELD',
      '6 city CARD_NUMBER_REFUSED',
      '7 email EMAIL_INVALID',
      '2  ROW_DIFFERS',
      '3 username USERNAME_ALREADY_TAKEN',
    ]);
    assert.doesNotMatch(JSON.stringify(refused), /ada|bob|4111|other\.example|nobody/);
  }
  assert.equal(await everything(), whole);
});

test('a trial writes nothing and tells what the file would do, twins included', async () => {
  const whole = await everything();
  const many = Array.from({ length: 250 }, (_, n) => `t-${n},user-${n}`);
  const twins = ['t-0,user-0', 't-1,another', 't-300,user-2'];
  const text = ['account,username', ...many, ...twins].join('\n');
  const tried = await run('accounts', text, { trial: true });
  assert.equal(await everything(), whole);
  assert.deepEqual(tried.summary, counts(253, 250, 1, 2));
  const twice = ['253  ROW_DIFFERS', '254 username USERNAME_ALREADY_TAKEN'];
  assert.deepEqual(lines(tried.refused), twice);
  const done = await run('accounts', text);
  assert.deepEqual([done.summary, done.refused], [tried.summary, tried.refused]);
  const within = 'account,username\nw-1,wim\nw-1,wim\nw-1,tom\nw-2,wim\n';
  const { summary, refused } = await run('accounts', within);
  assert.deepEqual(summary, counts(4, 1, 1, 2));
  assert.deepEqual(lines(refused), ['4  ROW_DIFFERS', '5 username USERNAME_ALREADY_TAKEN']);
  await bench.proved();
});

const HEAD = 'account,provider,token,brand,last4';
const CARDS = `${HEAD}
u-1,acme,pm_1,visa,4242
u-1,acme,pm_2,ach,6789
u-2,acme,pm_3,master-card,4444
`;

test('a saved card is attached by its token, once', async () => {
  const { summary, known } = await run('methods', CARDS);
  assert.deepEqual(summary, counts(3, 3, 0, 0));
  const params = { account_id: known.get('u-1') };
  const methods = await bench.must<Record<string, unknown>[]>('listPaymentMethods', { params });
  const shown = methods.filter((one) => one['provider'] !== 'wallet');
  assert.deepEqual(
    shown.map((one) => `${one['provider']} ${one['display_string']}`).toSorted(),
    ['ach Bank account ending in 6789', 'card Visa ending in 4242'],
  );
  const whole = await everything();
  assert.deepEqual((await run('methods', CARDS)).summary, counts(3, 0, 3, 0));
  assert.equal(await everything(), whole);
  const tokens = await bench.db.query<{ token: string }>(
    `select processor_token as token from payment_method where processor_token <> '' order by 1`,
  );
  assert.deepEqual(tokens.map(({ token }) => token), ['pm_1', 'pm_2', 'pm_3']);
  await bench.proved();
});

test('a card of nobody, of another processor or of a number is refused', async () => {
  const whole = await everything();
  const text = `account,provider,token,brand,last4
nobody,acme,pm_9,visa,4242
u-1,adyen,pm_9,visa,4242
u-1,acme,4111111111111111,visa,1111
u-2,acme,pm_1,visa,4242
u-1,acme,pm 9,gold,42
`;
  const { summary, refused } = await run('methods', text);
  assert.deepEqual(summary, counts(5, 0, 0, 5));
  assert.deepEqual(lines(refused), [
    '4 token CARD_NUMBER_REFUSED',
    '6 token INVALID_FIELD',
    '6 brand INVALID_FIELD',
    '6 last4 INVALID_FIELD',
    '2 account ACCOUNT_UNKNOWN',
    '3 provider PROVIDER_OTHER',
    '5  ROW_DIFFERS',
  ]);
  assert.equal(await everything(), whole);
});

test('an account has no more than twenty cards, and none after it was closed', async () => {
  const rows = Array.from({ length: 21 }, (_, n) => `u-2,acme,pm_more_${n},visa,4242`);
  const text = [HEAD, ...rows].join('\n');
  for (const trial of [true, false]) {
    const { summary, refused, known } = await run('methods', text, { trial });
    assert.deepEqual(summary, counts(21, 19, 0, 2));
    assert.deepEqual(lines(refused), [
      '21 account PAYMENT_METHOD_LIMIT',
      '22 account PAYMENT_METHOD_LIMIT',
    ]);
    if (trial) continue;
    const block = { block_capability: 'login', block_reason: 'account_close' };
    const body = { account_id: known.get('u-2'), ...block };
    await bench.must('blockAccount', { body });
    const late = await run('methods', `${HEAD}\n${rows[0]}\nu-2,acme,pm_last,visa,4242\n`);
    assert.deepEqual(late.summary, counts(2, 0, 1, 1));
    assert.deepEqual(lines(late.refused), ['3 account ACCOUNT_BLOCKED']);
  }
});

test('of an erased person no hash of a row is left, and nothing is imported again', async () => {
  const text = `account,username,city\ne-1,erased-one,Ghent\n`;
  const { known } = await run('accounts', text);
  await run('methods', `${HEAD}\ne-1,acme,pm_erased,visa,4242\n`);
  const account = uuidOfWireId('acct', known.get('e-1') ?? '') ?? '';
  const request = { account, reason: 'subject_request', actor: 'operator' };
  await erasePerson(bench.services, { ...request, workspace: bench.home.workspace });
  const left = await bench.db.query({
    text: 'select fingerprint from imported where account_id = $1',
    values: [account],
  });
  assert.deepEqual(left, [{ fingerprint: '' }, { fingerprint: '' }]);
  const whole = await everything();
  for (const again of [text, text.replace('Ghent', 'Liège')]) {
    assert.deepEqual((await run('accounts', again)).summary, counts(1, 0, 1, 0));
  }
  const card = await run('methods', `${HEAD}\ne-1,acme,pm_erased,visa,4242\n`);
  assert.deepEqual(card.summary, counts(1, 0, 1, 0));
  assert.equal(await everything(), whole);
  const other = bench.db.query(`update imported set fingerprint = 'x'`);
  await assert.rejects(other, /a reference stands for one thing/);
});

test('references belong to their tenant', async () => {
  const home = bench.other;
  const cards = await run('methods', CARDS, { home });
  assert.deepEqual(cards.summary, counts(3, 0, 0, 3), 'the accounts are those of another tenant');
  const { summary, known } = await run('accounts', PEOPLE, { home });
  assert.deepEqual(summary, counts(3, 3, 0, 0));
  assert.notEqual(known.get('u-1'), (await run('accounts', PEOPLE)).known.get('u-1'));
  await bench.proved();
});
