// Everything that takes two operators, as rows: what one began nobody finishes but an independent
// supervisor, wherever it is done, and what was refused has changed nothing. [G-51, G-91, G-97]
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import {
  createOperator,
  type Credentials,
  type Role,
} from '../../src/product/access/operator/index.ts';
import { systemRandom } from '../../src/core/random.ts';
import { run } from '../cli/terminal.ts';
import { BusinessScene } from '../api/business-scene.ts';
import { startPlatform, type Platform } from '../api/kit.ts';
import { Market, ownLine } from '../api/market.ts';
import { submission } from '../kit/identity.ts';
import { Staff } from '../console/staff.ts';

/** Who tries to finish it; only the last one may. */
const TRY = {
  first: ['sven', 'who began it'],
  reviewer: ['rita', 'a reviewer'],
  dependent: ['uma', 'a supervisor whom the first one made'],
  second: ['vera', 'an independent supervisor'],
} as const;
type Who = keyof typeof TRY;

/** A try: true if it was done, and what was said. */
type Finish = (username: string) => Promise<{ readonly done: boolean; readonly says: string }>;

interface Row {
  readonly name: string;
  /** Sven begins it; how somebody finishes it. */
  begin(): Promise<Finish>;
  readonly refused: Readonly<Record<Exclude<Who, 'second'>, RegExp>>;
}

const folder = mkdtempSync(join(tmpdir(), 'holdfast-four-eyes-'));
let platform: Platform;
let scene: BusinessScene;
let staff: Staff;
let tenant: readonly string[];

before(async () => {
  platform = await startPlatform({ settings: { HOLDFAST_REVIEW_FOUR_EYES_MINOR: '0' } });
  scene = new BusinessScene(platform);
  staff = new Staff((platform.ready.urls as Record<string, string>)['console'] ?? '');
  tenant = ['--integrator', platform.ready.integrator];
  const sven = await employ('sven', ['supervisor'], 'operator');
  await employ('rita', ['reviewer'], 'operator');
  await employ('vera', ['supervisor'], 'operator');
  await employ('uma', ['supervisor'], `operator:${sven.id}`);
});
after(async () => {
  await platform?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function employ(username: string, roles: readonly Role[], by: string): Promise<Credentials> {
  const { db, keys } = platform;
  const services = { db, keys, random: systemRandom, env: 'staging' } as const;
  const wish = { name: username, username, roles, workspaces: 'all' } as const;
  const made = await createOperator(services, wish, by);
  const { password, totp_secret } = made;
  staff.hired(`username ${username}\npassword ${password}\ntotp_secret ${totp_secret}\n`);
  await staff.at(username);
  return made;
}

/** Runs a command with the passwords of these operators. */
async function command(people: readonly string[], ...args: string[]) {
  const { url: DATABASE_URL, keyFile: HOLDFAST_KEY_FILE } = platform;
  const [first = '', second = ''] = people.map((name) => staff.passwordOf(name));
  const passwords = { HOLDFAST_OPERATOR_PASSWORD: first, HOLDFAST_SECOND_PASSWORD: second };
  const env = { DATABASE_URL, HOLDFAST_KEY_FILE, ...passwords };
  const { code, out, err } = await run(env, ...args, '--json');
  return { done: code === 0, says: out + err };
}

/** A code of now that counts: nobody waits here until their last one has passed. */
async function codeOf(username: string): Promise<string> {
  await platform.db.execute('update operator set totp_step = 0');
  return staff.codeIn(0, username);
}

/** A form of the console that somebody sends. */
const form = (path: string, fields: Readonly<Record<string, string>>): Finish => {
  return async (username) => {
    const { status, text } = await (await staff.at(username)).post(path, fields);
    return { done: status === 303, says: `${status} ${text}` };
  };
};

async function began(path: string, fields: Readonly<Record<string, string>>): Promise<string> {
  const answer = await (await staff.at('sven')).post(path, fields);
  assert.equal(answer.status, 303, answer.text);
  return answer.location ?? '';
}

const versionAt = async (path: string): Promise<string> =>
  /name="version"\s+value="(\d+)"/.exec((await (await staff.at('sven')).get(path)).text)?.[1] ?? '';

async function transferArrives(): Promise<string> {
  const body = { currency: 'USD', amount: 1_000_000, remittance_text: 'rent' };
  type Made = { transfer_id: string };
  const path = '/sandbox/bank_transfers';
  const made = await platform.api.must<Made>(201, 'invoicing', 'POST', path, { body });
  return `/transfers/${made.transfer_id}`;
}

const ROLE = /^403/;
const MONEY_ACT = {
  ...{ first: /MONEY_ACT_SAME_PERSON/, reviewer: ROLE, dependent: /MONEY_ACT_NOT_INDEPENDENT/ },
} as const;

/** Sven fills in a form on money; how somebody says the second word about it. */
async function actOnMoney(path: string, fields: Readonly<Record<string, string>>): Promise<Finish> {
  const { text } = await (await staff.at('sven')).get(path);
  const hidden = [...text.matchAll(/name="(token|seen)"\s+value="([^"]+)"/g)];
  const own = Object.fromEntries(hidden.map(([, name, value]) => [name, value ?? '']));
  const at = await began(path, { ...own, ...fields, reason: 'They asked' });
  return form(`${at}/second`, { word: 'confirm' });
}

const ROWS: readonly Row[] = [
  {
    name: 'payouts that were stopped',
    async begin() {
      await began('/stops/payouts/stop', {});
      return form('/stops/payouts/resume', {});
    },
    refused: { first: /STOP_OF_ONE/, reviewer: ROLE, dependent: /STOP_OF_ONE/ },
  },
  {
    name: 'a large refund',
    async begin() {
      const market = new Market(platform.api);
      const body = market.sale(1_000_000, { line_items: [ownLine(1_000_000)] });
      await platform.api.fund(platform.ready.accounts.buyer.account_id, 1_000_000);
      const { invoice_id } = await market.sold(body);
      return actOnMoney(`/objects/${invoice_id}/acts/refund`, { why: 'other' });
    },
    refused: MONEY_ACT,
  },
  {
    name: 'an entry that balances the books',
    async begin() {
      const accounts = { from: 'payout_fees', to: 'bank_fees' };
      return actOnMoney('/money', { ...accounts, currency: 'USD', amount: '0.01' });
    },
    refused: MONEY_ACT,
  },
  {
    name: 'a large transfer that was recorded by hand',
    async begin() {
      const wallet = platform.ready.accounts.buyer.account_id;
      const what = { currency: 'USD', amount: '10000.00', bank_reference: 'HAND-1', wallet };
      const path = await began('/transfers', { ...what, value_date: '2026-11-20' });
      return form(`${path}/second`, { word: 'confirm', version: '1' });
    },
    refused: { first: /BANK_SAME_PERSON/, reviewer: ROLE, dependent: /BANK_NOT_INDEPENDENT/ },
  },
  {
    name: 'a large transfer that is given to a wallet',
    async begin() {
      const path = await transferArrives();
      const wallet = platform.ready.accounts.buyer.account_id;
      await began(`${path}/allocate`, { wallet, version: await versionAt(path) });
      return form(`${path}/second`, { word: 'confirm', version: '2' });
    },
    refused: { first: /BANK_SAME_PERSON/, reviewer: ROLE, dependent: /BANK_NOT_INDEPENDENT/ },
  },
  {
    name: 'what a large row of a statement is',
    async begin() {
      const transfer = await transferArrives();
      const page = await (await staff.at('sven')).get(transfer);
      const path = /\/statements\/rows\/[0-9a-f-]+/.exec(page.text)?.[0] ?? '';
      await began(path, { kind: 'own_payment' });
      const { text } = await (await staff.at('sven')).get(path);
      const where = 'select id from bank_booking where state = $1';
      const [row] = await platform.db.query<{ id: string }>({ text: where, values: ['proposed'] });
      assert.match(text, /Another person must/);
      return form(`${path}/second`, { word: 'confirm', booking: row?.id ?? '' });
    },
    refused: { first: /BANK_SAME_PERSON/, reviewer: ROLE, dependent: /BANK_NOT_INDEPENDENT/ },
  },
  {
    name: 'a decision about a person',
    async begin() {
      const account = await scene.account();
      const token = await scene.session(account);
      const call = { token, body: submission({ last: 'Specimen-Review' }) };
      type Made = { kyc_id: string };
      const { kyc_id } = await platform.api.must<Made>(200, 'pii', 'POST', '/v2/kyc', call);
      for (let tries = 0; (await scene.kyc(account)) !== 'MANUAL_REVIEW'; tries += 1) {
        assert.ok(tries < 200, 'the application came to no review');
        await pause(50);
      }
      const path = `/reviews/${kyc_id}`;
      const version = await versionAt(path);
      await began(`${path}/decide`, { version, decision: 'accept', note: 'Papers read' });
      const fields = { version: await versionAt(path), word: 'confirm', note: 'Read them too' };
      return form(`${path}/second`, fields);
    },
    refused: { first: /REVIEW_SAME_PERSON/, reviewer: ROLE, dependent: /REVIEW_NOT_INDEPENDENT/ },
  },
  {
    name: 'a file of opening balances',
    async begin() {
      const people = join(folder, 'accounts.csv');
      writeFileSync(people, 'account,username\n1,moved.person\n');
      const to = ['--tenant', platform.ready.integrator];
      assert.ok((await command([], 'import', 'accounts', people, ...to)).done);
      const file = join(folder, 'balances.csv');
      writeFileSync(file, 'account,currency,amount\n1,USD,700\n');
      const stated = ['--currency', 'USD', '--total', '700', '--count', '1'];
      const proof = ['--operator', 'sven', '--code', await codeOf('sven')];
      const prepare = ['import', 'balances', 'prepare', file, ...to, ...stated, ...proof];
      const made = await command(['sven'], ...prepare);
      assert.ok(made.done, made.says);
      const { id } = JSON.parse(made.says) as { id: string };
      return form(`/openings/${id}/confirm`, {});
    },
    refused: {
      first: /OPENING_SAME_PERSON/,
      reviewer: ROLE,
      dependent: /OPENING_NOT_INDEPENDENT/,
    },
  },
  {
    name: 'a payout file',
    async begin() {
      await payoutWaits();
      const proof = ['--operator', 'sven', '--code', await codeOf('sven')];
      const make = ['payout-file', 'make', ...tenant, '--currency', 'EUR', ...proof];
      const made = await command(['sven'], ...make);
      assert.ok(made.done, made.says);
      const { file_id, sha256 } = JSON.parse(made.says) as Record<string, string>;
      const digest = ['--sha256', sha256 ?? ''];
      const confirm = ['payout-file', 'confirm', file_id ?? '', ...tenant, ...digest];
      return async (username) => {
        const by = ['--operator', username, '--code', await codeOf(username)];
        return command([username], ...confirm, ...by);
      };
    },
    refused: {
      first: /PAYOUT_FILE_SECOND_PERSON/,
      reviewer: /needs an operator with the role supervisor/,
      dependent: /PAYOUT_FILE_SECOND_PERSON/,
    },
  },
  {
    name: 'another bank account',
    async begin() {
      const holder = ['--currency', 'EUR', '--holder', 'Shop', '--bank', 'Bank'];
      const to = ['bank', 'set', ...tenant, ...holder, '--account', 'FR1420041010050500013M02606'];
      const alone = await command([], ...to);
      assert.deepEqual([alone.done, /takes two operators/.test(alone.says)], [false, true]);
      return async (username) => {
        const first = ['--operator', 'sven', '--code', await codeOf('sven')];
        const second = ['--second', username, '--second-code', staff.codeIn(1, username)];
        return command(['sven', username], ...to, ...first, ...second);
      };
    },
    refused: {
      first: /must be another person/,
      reviewer: /needs an operator with the role supervisor/,
      dependent: /made or reset the other/,
    },
  },
];

/** A payout of a verified person to their IBAN waits for a file. */
async function payoutWaits(): Promise<void> {
  const { api } = platform;
  const transfer = { body: { currency: 'EUR', amount: 50_000, remittance_text: 'none' } };
  await api.must(201, 'invoicing', 'POST', '/sandbox/bank_transfers', transfer);
  const { account_id } = await api.register('paid.by.file');
  await api.setKyc(account_id, { state: 'ACCEPT' });
  const money = { account_id, currency: 'EUR', amount: 5_000 };
  await api.must(201, 'invoicing', 'POST', '/sandbox/deposits', { body: money });
  type Method = { id: string; processing_currency: string };
  const methods = `/v1/${account_id}/payment_methods`;
  const all = await api.must<Method[]>(200, 'payments', 'GET', methods);
  const from = all.find(({ processing_currency }) => processing_currency === 'EUR');
  const body = { account_id, iban: 'NL91ABNA0417164300', holder_name: 'Paid Person' };
  const bank = '/v1/payment_method/bank_account';
  const { id } = await api.must<Method>(201, 'payments', 'POST', bank, { body });
  const wish = { source_payment_method_id: from?.id, destination_payment_method_id: id };
  const path = `/v2/${account_id}/payout`;
  type Made = { payout_status_id: string };
  const asked = { body: { ...wish, amount: 3_000, currency: 'EUR' } };
  const { payout_status_id } = await api.must<Made>(201, 'invoicing', 'POST', path, asked);
  await api.must(200, 'invoicing', 'PATCH', `${path}/${payout_status_id}`);
  const waits = `select from transfer where purpose = 'payout' and state = 'waiting'`;
  for (let tries = 0; (await platform.db.query(waits)).length === 0; tries += 1) {
    assert.ok(tries < 200, 'no payout waits');
    await pause(50);
  }
}

for (const { name, begin, refused } of ROWS) {
  test(`${name} takes two people, who do not depend on each other`, async () => {
    const finish = await begin();
    const before = await platform.rows();
    for (const [who, why] of Object.entries(refused) as [Exclude<Who, 'second'>, RegExp][]) {
      const { done, says } = await finish(TRY[who][0]);
      assert.equal(done, false, `${TRY[who][1]} finished it`);
      assert.match(says, why, TRY[who][1]);
    }
    assert.deepEqual(changed(before, await platform.rows()), []);
    const { done, says } = await finish(TRY.second[0]);
    assert.ok(done, says);
  });
}

/** Tables that differ, but for those that signing in writes. */
function changed(before: Record<string, string>, now: Record<string, string>): string[] {
  const own = /^(?:audit_entry|operator|operator_\w+|sign_in\w*)$/;
  return Object.keys(now).filter((name) => now[name] !== before[name] && !own.test(name));
}
