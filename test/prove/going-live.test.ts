// docs/going-live.md as it stands, from an empty PostgreSQL server to a restored backup: every
// command in the page's order, behind TLS, with people who do what the page says between them. Only
// Stripe and the bank are stand-ins. Days pass by `clock_offset`, which only this test moves.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { until } from '../kit/until.ts';
import { openFlow } from '../../client/driver.ts';
import { Database } from '../../src/db/index.ts';
import { oldestBinaries, startTestServer } from '../../src/db/embedded/test-server.ts';
import type { TestServer } from '../../src/db/embedded/test-server.ts';
import { Staff } from '../console/staff.ts';
import { camtFile, type TestEntry } from '../kit/bank.ts';
import { openFront, type Front } from '../kit/front/index.ts';
import { DOMAIN } from '../kit/front/names.ts';
import { payOut } from '../kit/stripe/bank.ts';
import { PERSON } from '../kit/identity.ts';
import { notify } from '../kit/stripe/platform.ts';
import { openStripe, type StripeServer } from '../kit/stripe/server.ts';
import { cleanEnvironment, CHECKOUT, copyCheckout, endAll, freeBlock } from '../start/launch.ts';
import { launch, remove, temporaryFolder, terminate, type Launched } from '../start/launch.ts';
import { stepsOf, Terminal, write, type Step } from './guide.ts';

const SECRET_KEY = 'sk_live_goinglive1';
const WEBHOOK_SECRET = 'whsec_goinglive1';
const IBAN = 'DE89370400440532013000';

const folder = temporaryFolder();
const clone = join(folder, 'holdfast');
/** What stands in angle brackets in the page. */
const facts = new Map([['sk_live_...', SECRET_KEY]]);
const printed: string[] = [];
let server: TestServer;
let stripe: StripeServer;
let front: Front;
let service: Launched;
let terminal: Terminal;
let staff: Staff;
let db: Database;
let replaced: readonly (readonly [string | RegExp, string])[] = [];

before(async () => {
  const binaries = oldestBinaries();
  assert.ok(binaries, 'this needs the programs of PostgreSQL: apt-get install postgresql');
  server = await startTestServer(binaries);
  stripe = await openStripe();
  const { hostname, port, username, password } = new URL(server.url);
  const [ports, proxy] = [await freeBlock(), String((await freeBlock()) + 20)];
  front = await openFront(Number(proxy), folder);
  replaced = [
    ['127.0.0.1:5432', `${hostname}:${port}`],
    // The name of the test server's own superuser.
    [/(?<=create role |--owner |postgres:\/\/)holdfast\b/g, 'service'],
    ['--port-base 7400', `--port-base ${ports}`],
    ['7420', proxy],
    [/(?<=\.)pay\.example\.com/g, `${DOMAIN}:${front.port}`],
    [/(?<![\w.])\/(?=(?:etc|var|mnt|tmp)\/)/g, `${folder}/`],
    ['/opt/holdfast', clone],
    ['--provider stripe', `--provider stripe --base-url ${stripe.url}`],
  ];
  copyCheckout(clone);
  const PG = `PGHOST=${hostname} PGPORT=${port} PGUSER=${username} PGPASSWORD=${password}`;
  const sudo = join(folder, 'bin/sudo');
  write(sudo, `#!/bin/sh\nshift 2\nexec env ${PG} PGDATABASE=postgres "$@"\n`);
  for (const name of ['etc/holdfast/x', 'mnt/safe/x', 'mnt/backup/x', 'var/lib/holdfast/x']) {
    write(join(folder, name), '');
  }
  const own = cleanEnvironment();
  const PATH = `${join(folder, 'bin')}:${own['PATH']}`;
  const npm = { npm_config_prefer_offline: 'true', npm_config_update_notifier: 'false' };
  terminal = new Terminal(folder, { ...own, ...npm, ...front.env, PATH });
  await terminal.run(`chmod +x ${sudo}`);
  // As on a fresh machine.
  await terminal.run('sudo -u postgres dropdb holdfast');
});
after(async () => {
  terminal?.close();
  if (service !== undefined) await terminate(service);
  endAll();
  await db?.close();
  front?.stop();
  await stripe?.close();
  await server?.stop();
  remove(folder);
});

function filled(text: string): string {
  const placed = replaced.reduce<string>((all, [from, to]) => all.replaceAll(from, to), text);
  return placed.replaceAll(/<([^<>\n]+)>/g, (whole, name: string) => facts.get(name) ?? whole);
}

const states = (text: string): Promise<true> =>
  until(text, async () => (await db.query(text)).length > 0, 60_000);

/** Days pass for the service and at Stripe. */
async function pass(days: number): Promise<void> {
  stripe.account(SECRET_KEY).ahead += days * 86_400;
  await db.execute(`update workspace set clock_offset = clock_offset + interval '${days} days'`);
}

/** The person who got a link, in a browser of their own. */
async function visit(redirect: string) {
  const flow = await openFlow({ redirect });
  await flow.agree();
  return flow;
}

async function buy(): Promise<void> {
  const flow = await visit(facts.get('redirect') ?? '');
  const { entry_id, url } = await flow.api.payments.createPaymentMethodEntry({ kind: 'card' });
  stripe.complete(SECRET_KEY, url.split('/').at(-1) ?? '', { type: 'card' });
  const { id } = await flow.api.payments.createPaymentMethod({ entry_id });
  assert.equal(await flow.pay({ methods: [{ payment_method_id: id, amount: 4_000 }] }), 'success');
}

async function proveIdentity(): Promise<void> {
  const flow = await visit(facts.get('redirect') ?? '');
  const { result } = await flow.submitKyc({ kyc_pii: PERSON });
  assert.equal(result, 'MANUAL_REVIEW');
  const rita = await staff.at('rita');
  const path = /\/reviews\/kyc_\w+/.exec((await rita.get('/reviews')).text)?.[0] ?? '';
  const opened = await rita.post(`${path}/open`, { reason: 'review', note: 'To decide' });
  assert.equal(opened.status, 200, opened.text);
  const version = /name="version" value="(\d+)"/.exec((await rita.get(path)).text)?.[1] ?? '';
  const word = { version, decision: 'accept', note: 'Papers read' };
  assert.equal((await rita.post(`${path}/decide`, word)).status, 303);
}

/** The bank's file of a day, in the folder of the service. */
function statement(name: string, balances: readonly [string, string], entries: TestEntry[]): void {
  const [opening, closing] = balances;
  writeFileSync(join(clone, name), camtFile({ number: IBAN, opening, closing, entries }));
}

/** Stripe has paid out, and somebody has sent 25.00 EUR with the reference. */
async function bankDay(): Promise<void> {
  await pass(3);
  await states(`select from settlement where kind = 'capture' and state = 'available'`);
  const sent = payOut(stripe.account(SECRET_KEY), 'eur');
  await states(`select from settlement where kind = 'provider_payout'`);
  assert.equal(sent?.amount, 3_970);
  const structured = facts.get('reference') ?? '';
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

/** What the page says between two commands: done before the one that fits. */
const BEFORE: readonly (readonly [RegExp, () => Promise<unknown>])[] = [
  [/terms publish/, async () => writeFileSync(join(clone, 'terms.txt'), 'Pay what you owe.\n')],
  [/import targets/, async () => writeFileSync(join(clone, 'targets.simple.csv'), LIST)],
  [/import statement\.xml/, bankDay],
  [/payout-file make/, async () => {
    await pass(2);
    await states(`select from transfer where purpose = 'payout'`);
  }],
  [/import next-statement\.xml/, bankDebits],
  // The service settles within seconds.
  [/payout-file show.*\n?$/, async () => {
    if (printed.some((text) => /debits +1/.test(text))) {
      await states(`select from payout_file where state = 'settled'`);
    }
  }],
  [/holdfast verify/, () => states(`select where not exists (select from outbox)`)],
];
const LIST = 'id,schema,name\nx-1,Person,Nobody Specimen\n';

/** The same, done after it. */
const AFTER: readonly (readonly [RegExp, (out: string) => unknown])[] = [
  [/operator create/, (out) => staff.hired(out)],
  [/username sven/, async () => {
    for (const name of ['ada', 'rita', 'sven']) await staff.at(name);
  }],
  [/provider set/, connected],
  [/authorize\/invoice --header/, buy],
  [/"flow": "kyc"/, proveIdentity],
];

/** From the second time on Stripe has the address, and sends webhooks to it. */
async function connected(out: string): Promise<void> {
  const [url = ''] = /https:\S+\/processor_notices\/\S+/.exec(out) ?? [];
  const file = join(folder, 'etc/holdfast/stripe.json');
  const text = readFileSync(file, 'utf8');
  if (!text.includes(WEBHOOK_SECRET)) {
    writeFileSync(file, text.replace('[]', JSON.stringify([WEBHOOK_SECRET])));
    return;
  }
  stripe.account(SECRET_KEY).listen((event) => {
    void notify(url, event, WEBHOOK_SECRET).then((status) => heard.push(status));
  });
}
const heard: number[] = [];

/** What a command must print. */
const SAYS: readonly (readonly [RegExp, RegExp])[] = [
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
  [/well-known/, /"issuer":"https:\/\/auth\.pay\.example\.com/],
];

/** What of the output fills which brackets. */
const NAMES: Readonly<Record<string, RegExp>> = {
  integrator: /^integrator +(\S+)$/m,
  client_id: /^client_id +(\S+)$/m,
  client_secret: /^client_secret +(\S+)$/m,
  access_token: /"access_token":"([^"]+)"/,
  authorized_invoice_id: /"authorized_invoice_id":"([^"]+)"/,
  redirect: /"redirect":"([^"]+)"/,
  reference: /"reference":"([^"]+)"/,
  file: /^file +([0-9a-f-]{36})$/m,
  sha256: /^sha256 +([0-9a-f]{64})$/m,
};

function remember(command: string, out: string): void {
  for (const [name, fits] of Object.entries(NAMES)) {
    const [, found] = fits.exec(out) ?? [];
    if (found !== undefined) facts.set(name, found);
  }
  const person = /"username": "first\.(\w+)"/.exec(command)?.[1];
  const [, account] = /"account_id":"(acct_\w+)"/.exec(out) ?? [];
  if (person !== undefined && account !== undefined) facts.set(person, account);
  if (!command.startsWith('curl') || !/payment_method/.test(command)) return;
  type Method = { id: string; provider: string; provider_data: { wallet_id: string } };
  const { payload } = JSON.parse(out) as { payload: Method | readonly Method[] };
  for (const { id, provider, provider_data } of [payload].flat()) {
    facts.set(provider === 'bank' ? 'bank_account' : 'wallet_method', id);
    if (provider === 'wallet') facts.set('wallet_id', provider_data.wallet_id);
  }
}

async function take(step: Step): Promise<void> {
  if (step.kind === 'file') {
    const path = filled(step.path);
    write(path, filled(step.text));
    if (path.endsWith('.service')) await serve(filled(step.text));
    return;
  }
  for (const [fits, act] of BEFORE) if (fits.test(step.text)) await act();
  const whose = /<code of (\w+)>/.exec(step.text)?.[1];
  if (whose !== undefined) facts.set(`code of ${whose}`, await staff.code(whose));
  const command = filled(step.text);
  assert.doesNotMatch(command, /<[^>]+>/);
  const person = /Password of (\w+)/.exec(command)?.[1];
  const out = await terminal.run(command, person === undefined ? [] : [staff.passwordOf(person)]);
  printed.push(out);
  remember(step.text, out);
  for (const [fits, says] of SAYS) if (fits.test(step.text)) assert.match(out, says, step.text);
  for (const [fits, act] of AFTER) if (fits.test(step.text)) await act(out);
}

/** Starts the service as systemd does. */
async function serve(unit: string): Promise<void> {
  const of = (name: string): string => new RegExp(`^${name}=(.+)$`, 'm').exec(unit)?.[1] ?? '';
  const settings = readFileSync(of('EnvironmentFile'), 'utf8').trim().split('\n');
  const env = Object.fromEntries(
    settings.map((line) => [line.split('=', 1)[0] ?? '', line.slice(line.indexOf('=') + 1)]),
  );
  const [command = '', ...args] = of('ExecStart').split(' ');
  service = launch({ command, args, cwd: of('WorkingDirectory'), env });
  await service.said('Holdfast is ready (production)');
  assert.match(service.stderr(), /^holdfast: processor +none/m);
  const url = new URL(server.url);
  url.pathname = '/holdfast';
  db = new Database({ url: url.href, max: 2 });
  staff = new Staff(`https://console.${DOMAIN}:${front.port}`);
}

test('every command of the page works, in its order', { timeout: 600_000 }, async (t) => {
  const steps = stepsOf(readFileSync(join(CHECKOUT, 'docs/going-live.md'), 'utf8'));
  assert.ok(steps.length > 40, String(steps.length));
  for (const step of steps) {
    const began = performance.now();
    await take(step);
    const ms = Math.round(performance.now() - began);
    if (step.kind === 'command') t.diagnostic(`${ms} ms: ${step.text.slice(0, 100)}`);
  }
});

test('the checks that the page promises have each been seen', () => {
  for (const [, says] of SAYS) assert.ok(printed.some((out) => says.test(out)), String(says));
  assert.deepEqual([...new Set(heard)], [200]);
});

test('nobody is named in the log of the service', () => {
  const log = service.stderr();
  assert.doesNotMatch(log, /"event":"fault"/);
  assert.doesNotMatch(log, /first\.(?:buyer|seller)|Zoë|First (?:Seller|Payer)|NL91|94110|415/);
  assert.doesNotMatch(log + printed.join(''), new RegExp(`${SECRET_KEY}|${WEBHOOK_SECRET}`));
});
