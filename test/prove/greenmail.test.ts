// Mails over GreenMail, with a login and TLS, read back from its mailboxes by Python: what a
// receipt is made of in two languages, and what becomes of it while the server cannot take it.
// GreenMail knows no STARTTLS and takes every address: these are tried against smtp-server.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { smtpMail } from '../../src/providers/mail/smtp.ts';
import { Market } from '../api/market.ts';
import type { Api } from '../kit/api.ts';
import { greenMail, HOST, type GreenMail, type ReadMail } from '../kit/greenmail.ts';
import { startFleet, type Fleet } from '../kit/platform.ts';
import { until } from '../kit/until.ts';
import { ROOT } from '../tidy/tree.ts';

const BUYER = 'zoe@people.example';
const SENDER = 'payments@platform.example';
const PASSWORD = 'invented-1';
const SHOP = 'Grüne Lämpchen';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-greenmail-'));
const passwordFile = join(folder, 'password');
let server: GreenMail;
let fleet: Fleet;
let api: Api;
let market: Market;

before(async () => {
  server = await greenMail(folder, { [BUYER]: 'invented-2', [SENDER]: PASSWORD });
  await server.start();
  writeFileSync(passwordFile, `${PASSWORD}\n`, { mode: 0o600 });
  fleet = await startFleet(1, {
    HOLDFAST_SMTP_URL: `smtps://${encodeURIComponent(SENDER)}@${HOST}:${server.ports.smtps}`,
    HOLDFAST_SMTP_PASSWORD_FILE: passwordFile,
    HOLDFAST_MAIL_FROM: SENDER,
    NODE_EXTRA_CA_CERTS: server.certificate,
  });
  [api] = fleet.apis as [Api];
  market = new Market(api);
  const { account_id } = api.ready.accounts.buyer;
  const body = { email: { address: BUYER, requires_verification: false } };
  await api.must(200, 'accounts', 'PUT', `/user-info/${account_id}`, { body });
  await api.must(200, 'invoicing', 'PUT', '/v1/settings/mail', {
    body: { enabled: true, from_name: SHOP, reply_to: 'help@lamps.example' },
  });
});

after(async () => {
  await fleet?.stop();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The subject of a receipt as the file of a language has it. */
function subjectIn(language: string): string {
  const file = readFileSync(join(ROOT, `texts/${language}.json`), 'utf8');
  const texts = JSON.parse(file) as { readonly mail: { readonly receipt_subject: string } };
  return texts.mail.receipt_subject.replace('{shop}', SHOP);
}

/** Sells once in a language, and gives the mail about it. */
async function soldIn(language: string, amount: number): Promise<ReadMail> {
  const body = { language, name: SHOP };
  await api.must(200, 'invoicing', 'PATCH', '/v1/settings', { body });
  const before = await sent();
  await market.sold(market.sale(amount));
  await until('the receipt', async () => (await sent()) > before);
  const mail = server.read(BUYER).at(-1);
  assert.ok(mail);
  return mail;
}

/** How many mails the server took. */
async function sent(): Promise<number> {
  return (await fleet.db.query(`select from mail where state = 'sent'`)).length;
}

/** Sells once, waits until the mail is to be tried again, and says why it was not taken. */
async function put(amount: number): Promise<string | undefined> {
  await market.sold(market.sale(amount));
  const text = `select reason from mail where state = 'pending' and tries = 1 and lease is null`;
  const rows = await until('the first try', async () => {
    const found = await fleet.db.query<{ reason: string }>(text);
    return found.length > 0 && found;
  });
  return rows.map(({ reason }) => reason).join();
}

/** Tries again what waits, until it was taken. */
async function tried(): Promise<void> {
  await fleet.db.execute(`update mail set due = now() where state = 'pending'`);
  await until('it is taken', async () => {
    return (await fleet.db.query(`select from mail where state <> 'sent'`)).length === 0;
  });
}

test('a receipt in Arabic is read back with its headers and both parts', async () => {
  const { headers, types, text, html, defects } = await soldIn('ar', 1_234);
  assert.deepEqual(defects, []);
  assert.equal(headers['subject'], subjectIn('ar'));
  assert.equal(headers['from'], `${SHOP} <${SENDER}>`);
  assert.equal(headers['to'], BUYER);
  assert.equal(headers['reply-to'], 'help@lamps.example');
  assert.equal(headers['auto-submitted'], 'auto-generated');
  assert.match(headers['message-id'] ?? '', /^<[0-9a-f-]{36}@mail\.holdfast\.invalid>$/);
  assert.match(headers['date'] ?? '', /^\w{3}, \d{2} \w{3} \d{4} /);
  assert.deepEqual(types, ['multipart/alternative', 'text/plain', 'text/html']);
  assert.match(text, /\p{Script=Arabic}[^]*12\.34[^]*\/receipt\//u);
  assert.match(html, /<html lang="ar" dir="rtl">[^]*\p{Script=Arabic}[^]*12\.34/u);
});

test('a receipt in German keeps its umlauts in subject, text and HTML', async () => {
  const { headers, text, html, defects } = await soldIn('de', 5_678);
  assert.deepEqual(defects, []);
  assert.equal(headers['subject'], subjectIn('de'));
  for (const part of [text, html]) assert.match(part, /Grüne Lämpchen[^]*56,78/);
});

test('while the server is down a mail waits, and is sent once when it is back', async () => {
  await server.stop();
  assert.equal(await put(301), 'connection');
  // It kept its mails in memory: what is there now came since.
  await server.start();
  await tried();
  assert.equal(server.read(BUYER).length, 1);
  await soldIn('en', 302);
  const ids = server.read(BUYER).map(({ headers }) => headers['message-id']);
  assert.deepEqual([ids.length, new Set(ids).size], [2, 2]);
});

test('a login that is refused is tried again with the password as it is then', async () => {
  const before = server.read(BUYER).length;
  writeFileSync(passwordFile, 'another');
  assert.equal(await put(401), 'login');
  assert.equal(server.read(BUYER).length, before);
  writeFileSync(passwordFile, PASSWORD);
  await tried();
  assert.equal(server.read(BUYER).length, before + 1);
});

test('without TLS, or by a certificate that nobody trusts, nothing is sent', async () => {
  const before = server.read(BUYER).length;
  const outcome = (port: number, secure: boolean) =>
    smtpMail({
      ...{ host: HOST, port, secure, isHere: false },
      ...{ user: SENDER, passwordFile, from: SENDER },
    }).send(
      {
        ...{ id: '<1@mail.invalid>', to: BUYER, fromName: SHOP, replyTo: null, headers: {} },
        ...{ subject: 'Receipt', text: 'Thank you.', html: '<p>Thank you.</p>', inline: [] },
      },
      { workspace: 1, account: '' },
    );
  assert.deepEqual(await outcome(server.ports.smtp, false), { kind: 'later', reason: 'tls' });
  const untrusted = await outcome(server.ports.smtps, true);
  assert.deepEqual(untrusted, { kind: 'later', reason: 'connection' });
  assert.equal(server.read(BUYER).length, before);
});
