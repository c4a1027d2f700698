// docs/going-live.md as it stands, on the production that docs/operations.md makes: every command
// in the page's order, each block in a new terminal, with people who do what the page says between
// them. Only Stripe and the bank are stand-ins. Days pass by `clock_offset`, moved by this test.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { until } from '../kit/until.ts';
import { openFlow } from '../../client/driver.ts';
import { Database } from '../../src/db/index.ts';
import { camtFile, type TestEntry } from '../kit/bank.ts';
import { payOut } from '../kit/stripe/bank.ts';
import { PERSON } from '../kit/identity.ts';
import { notify } from '../kit/stripe/platform.ts';
import type { Reader, Story } from './guide.ts';
import { openingOf, operatorSteps } from './machine.ts';
import { Production } from './production.ts';

const SECRET_KEY = 'sk_live_goinglive1';
const WEBHOOK_SECRET = 'whsec_goinglive1';
const IBAN = 'DE89370400440532013000';
/** The folder of the service, where the files of the page lie. */
const HOME = '/var/lib/holdfast';

let production: Production;
let reader: Reader;
let home: string;
let db: Database;

before(async () => {
  production = await Production.open();
  ({ reader } = production);
  home = join(production.machine.folder, HOME);
  reader.facts.set('sk_live_...', SECRET_KEY);
  const steps = operatorSteps('operations');
  const last = steps.findIndex(({ text }) => text.endsWith('systemctl enable --now holdfast'));
  const does = (text: string): Promise<boolean> => production.does(text);
  await reader.read(steps.slice(0, last + 1), { before: [], after: [], says: [], does });
  assert.match(production.log(), /^holdfast: processor +none/m);
  const url = new URL(production.machine.server.url);
  url.pathname = '/holdfast';
  db = new Database({ url: url.href, max: 2 });
});
after(async () => {
  await db?.close();
  await production?.close();
});

const states = (text: string): Promise<true> =>
  until(text, async () => (await db.query(text)).length > 0, 60_000);

/** Days pass for the service and at Stripe. */
async function pass(days: number): Promise<void> {
  production.stripe.account(SECRET_KEY).ahead += days * 86_400;
  await db.execute(`update workspace set clock_offset = clock_offset + interval '${days} days'`);
}

/** The person who got a link, in a browser of their own. */
async function visit(redirect: string) {
  const flow = await openFlow({ redirect });
  await flow.agree();
  return flow;
}

async function buy(): Promise<void> {
  const flow = await visit(reader.facts.get('redirect') ?? '');
  const { entry_id, url } = await flow.api.payments.createPaymentMethodEntry({ kind: 'card' });
  production.stripe.complete(SECRET_KEY, url.split('/').at(-1) ?? '', { type: 'card' });
  const { id } = await flow.api.payments.createPaymentMethod({ entry_id });
  assert.equal(await flow.pay({ methods: [{ payment_method_id: id, amount: 4_000 }] }), 'success');
}

async function proveIdentity(): Promise<void> {
  const flow = await visit(reader.facts.get('redirect') ?? '');
  const { result } = await flow.submitKyc({ kyc_pii: PERSON });
  assert.equal(result, 'MANUAL_REVIEW');
  const rita = await production.staff.at('rita');
  const path = /\/reviews\/kyc_\w+/.exec((await rita.get('/reviews')).text)?.[0] ?? '';
  const opened = await rita.post(`${path}/open`, { reason: 'review', note: 'To decide' });
  assert.equal(opened.status, 200, opened.text);
  const version = /name="version" value="(\d+)"/.exec((await rita.get(path)).text)?.[1] ?? '';
  const word = { version, decision: 'accept', note: 'Papers read' };
  assert.equal((await rita.post(`${path}/decide`, word)).status, 303);
}

/** Somebody brings a file into the service's folder. */
function bring(name: string, text: string): void {
  production.machine.write(`${HOME}/${name}`, text);
}

/** The bank's file of a day. */
function statement(name: string, balances: readonly [string, string], entries: TestEntry[]): void {
  const [opening, closing] = balances;
  bring(name, camtFile({ number: IBAN, opening, closing, entries }));
}

/** Stripe has paid out, and somebody has sent 25.00 EUR with the reference. */
async function bankDay(): Promise<void> {
  await pass(3);
  await states(`select from settlement where kind = 'capture' and state = 'available'`);
  const sent = payOut(production.stripe.account(SECRET_KEY), 'eur');
  await states(`select from settlement where kind = 'provider_payout'`);
  assert.equal(sent?.amount, 3_970);
  const structured = reader.facts.get('reference') ?? '';
  statement('statement.xml', ['0.00', '64.70'], [
    { amount: '39.70', reference: 'B1', text: `STRIPE ${sent.id}`, payer: 'STRIPE' },
    { amount: '25.00', reference: 'B2', structured, payer: 'First Payer' },
  ]);
}

async function bankDebits(): Promise<void> {
  const [one] = await db.query<{ id: string; amount: string }>(
    `select replace(id::text, '-', '') as id, (amount / 100.0)::numeric(9, 2)::text as amount
      from transfer where purpose = 'payout'`,
  );
  const details = `<TxDtls><Refs><EndToEndId>${one?.id}</EndToEndId></Refs></TxDtls>`;
  const amount = one?.amount ?? '';
  const closing = (64.7 - Number(amount)).toFixed(2);
  const row: TestEntry = { amount, sign: 'DBIT', reference: 'B3', details, day: '2026-11-21' };
  statement('next-statement.xml', ['64.70', closing], [row]);
}

const LIST = 'id,schema,name\nx-1,Person,Nobody Specimen\n';

/** From the second time on Stripe has the address, and sends webhooks to it. */
async function connected(out: string): Promise<void> {
  const [url = ''] = /https:\S+\/processor_notices\/\S+/.exec(out) ?? [];
  const file = join(home, 'stripe.json');
  const text = readFileSync(file, 'utf8');
  if (!text.includes(WEBHOOK_SECRET)) {
    writeFileSync(file, text.replace('[]', JSON.stringify([WEBHOOK_SECRET])));
    return;
  }
  production.stripe.account(SECRET_KEY).listen((event) => {
    void notify(url, event, WEBHOOK_SECRET).then((status) => heard.push(status));
  });
}
const heard: number[] = [];

/** The ids of a seller's wallet, or of a bank account, as ways to pay. */
function methods(out: string): void {
  type Method = { id: string; provider: string };
  const { payload } = JSON.parse(out) as { payload: Method | readonly Method[] };
  for (const { id, provider } of [payload].flat()) {
    reader.facts.set(provider === 'bank' ? 'bank_account' : 'wallet_method', id);
  }
}

/** Who was registered. */
const known = (name: string) => (): unknown =>
  reader.facts.set(name, reader.facts.get('account_id') ?? assert.fail(name));

const STORY: Story = {
  before: [
    [/terms publish/, () => bring('terms.txt', 'Pay what you owe.\n')],
    [/import targets/, () => bring('targets.simple.csv', LIST)],
    [/import statement\.xml/, bankDay],
    [/payout-file make/, async () => {
      await pass(2);
      await states(`select from transfer where purpose = 'payout'`);
    }],
    [/import next-statement\.xml/, bankDebits],
    // The service settles within seconds.
    [/payout-file show/, async () => {
      if (!/debits +1/.test(reader.printed)) return;
      await states(`select from payout_file where state = 'settled'`);
    }],
    [/holdfast verify/, () => states(`select where not exists (select from outbox)`)],
  ],
  after: [
    [/operator create/, (out) => production.staff.hired(out)],
    [/username sven/, async () => {
      for (const name of ['ada', 'rita', 'sven']) await production.staff.at(name);
    }],
    [/provider set/, connected],
    [/"first\.seller"/, known('seller')],
    [/"first\.buyer"/, known('buyer')],
    [/payment_methods --header|bank_account --header/, methods],
    [/authorize\/invoice --header/, buy],
    [/"flow": "kyc"/, proveIdentity],
    [/hand-over/, () => assert.equal(statSync(join(home, 'payouts.xml')).mode & 0o077, 0)],
  ],
  says: [
    [
      /holdfast check/,
      /^ok +database[^]+^ok +role +\w+, which owns nothing[^]+^ok +webhooks of stripe/m,
    ],
    [/authorize\/invoice\/\S+ --header/, /"state":"paid"/],
    [/holdfast treasury/, /Both sides are equal\./],
    [/import statement/, /credited +1\nunallocated +0/],
    [/bank transfers/, /^No open transfers\.$/m],
    [/holdfast reconcile/, /^No open items\.$/m],
    [/holdfast verify/, /^All \d+ laws hold\.$/m],
    [/payout-file show/, /^total +EUR 29\.70 in 1 payout$[^]+^payouts\n +EUR 29\.70 /m],
    [/payout-file list/, /^Waiting for a file: nothing\nDeviating: nothing$/m],
  ],
  does: (text) => production.does(text),
};

test('every command of the page works, in its order', { timeout: 600_000 }, async (told) => {
  const steps = operatorSteps('going-live');
  assert.ok(steps.length > 40, String(steps.length));
  await reader.read(steps, STORY, { opening: openingOf(steps), told });
});

test('the checks that the page promises have each been seen', () => {
  reader.usedAll(STORY);
  assert.deepEqual([...new Set(heard)], [200]);
});

test('nobody is named in the log of the service', () => {
  const log = production.log();
  assert.doesNotMatch(log, /"event":"fault"/);
  assert.doesNotMatch(log, /first\.(?:buyer|seller)|Zoë|First (?:Seller|Payer)|NL91|94110|415/);
  assert.doesNotMatch(log + reader.printed, new RegExp(`${SECRET_KEY}|${WEBHOOK_SECRET}`));
});

test('no secret is in a command, in a file that others read, or in one that is left', () => {
  const given = ['client_secret', 'access_token'].map((name) => reader.facts.get(name) ?? '');
  const passwords = ['rita', 'sven'].map((name) => production.staff.passwordOf(name));
  for (const secret of [SECRET_KEY, WEBHOOK_SECRET, ...given, ...passwords]) {
    assert.ok(secret.length > 10);
    assert.ok(reader.lines.every((line) => !line.includes(secret)), secret);
  }
  assert.equal(statSync(home).mode & 0o077, 0);
  const left = readdirSync(home).filter((name) => /^(?:stripe|client|token)\./.test(name));
  assert.deepEqual(left, []);
});
