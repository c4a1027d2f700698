// Mails to people over a mail server that others wrote: each event told once, as long as the server
// takes and whoever is killed; without an address in a log, an event or the audit.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Market } from '../api/market.ts';
import { moved, openEscrow } from '../kit/escrow.ts';
import { mailServer, type MailServer, type TakenMail } from '../kit/mail-server.ts';
import { startFleet, startNode, type Fleet } from '../kit/platform.ts';
import type { Launched } from '../start/launch.ts';
import { Api, type Ready } from '../kit/api.ts';
import { until } from '../kit/until.ts';

let fleet: Fleet;
let server: MailServer;
let api: Api;
let market: Market;
const later: Launched[] = [];

const BUYER = 'zoe.buyer@people.example';
const SELLER = 'yan.seller@people.example';
const FROM = 'payments@platform.example';

before(async () => {
  server = await mailServer();
  const HOLDFAST_SMTP_URL = `smtp://127.0.0.1:${server.port}`;
  fleet = await startFleet(1, { HOLDFAST_SMTP_URL, HOLDFAST_MAIL_FROM: FROM });
  [api] = fleet.apis as [Api];
  market = new Market(api);
  const { buyer, seller } = api.ready.accounts;
  await address(buyer.account_id, BUYER);
  await address(seller.account_id, SELLER);
});

after(async () => {
  for (const one of later) one.child.kill('SIGTERM');
  await Promise.all(later.map((one) => one.ended));
  await fleet.stop();
  await server.close();
});

async function address(account: string, to: string): Promise<void> {
  const body = { email: { address: to, requires_verification: false } };
  await api.must(200, 'accounts', 'PUT', `/user-info/${account}`, { body });
}

/** Tries what waits at once, and what a dead process has under its lease. */
const hasten = () => fleet.db.execute(`update mail set due = now() where state = 'pending'`);
const to = (who: string): readonly TakenMail[] => {
  return server.mails.filter((mail) => mail.to.includes(who));
};
const idOf = ({ source }: TakenMail): string => /^Message-ID: (.*)$/m.exec(source)?.[1] ?? '';
const bodyOf = ({ source }: TakenMail): string => source.replace(/=\r\n/g, '');

test('a buyer gets one receipt, in plain text and in HTML', async () => {
  await api.must(200, 'invoicing', 'PUT', '/v1/settings/mail', {
    body: { enabled: true, from_name: 'Lamps & more', reply_to: 'help@lamps.example' },
  });
  const body = market.sale(1_234);
  const [first] = body['line_items'] as object[];
  const line_items = [{ ...first, description: 'A <b>big</b> lamp' }];
  await market.sold({ ...body, line_items });
  const [mail] = await until('the receipt', () => to(BUYER).length === 1 && to(BUYER));
  assert.ok(mail);
  assert.equal(mail.from, FROM);
  assert.match(mail.source, /^Message-ID: <[0-9a-f-]{36}@mail\.holdfast\.invalid>\r$/m);
  assert.match(mail.source, /^From: .*Lamps & more.* <payments@platform\.example>\r$/m);
  assert.match(mail.source, /^Reply-To: help@lamps\.example\r$/m);
  assert.match(mail.source, /^Auto-Submitted: auto-generated\r$/m);
  assert.match(bodyOf(mail), /A <b>big<\/b> lamp: USD 12\.34/);
  assert.match(bodyOf(mail), /A &lt;b&gt;big&lt;\/b&gt; lamp/);
});

test('a server that asks to come again is asked again, with the same message', async () => {
  const asked = server.asked.length;
  server.answer = () => 450;
  await market.sold(market.sale(200));
  await until('the first try', () => server.asked.length === asked + 1);
  server.answer = () => null;
  await until('the row waits again', async () => {
    return (await fleet.db.query(`select from mail where state = 'pending' and lease is null`))[0];
  });
  await hasten();
  await until('the second', () => to(BUYER).length === 2);
});

test('an address that bounced is not mailed to again until it is another', async () => {
  server.answer = (one) => (one === 'gone@people.example' ? 550 : null);
  const { account_id } = api.ready.accounts.buyer;
  await address(account_id, 'gone@people.example');
  const states = async (): Promise<string> => {
    const rows = await fleet.db.query<{ state: string; reason: string }>(
      `select state, reason from mail where kind = 'receipt' and state <> 'sent' order by at`,
    );
    return rows.map(({ state, reason }) => `${state} ${reason}`).join();
  };
  await market.sold(market.sale(201));
  await until('it bounces', async () => (await states()) === 'bounced smtp_550');
  await market.sold(market.sale(202));
  await until('it is known', async () => (await states()).endsWith('bounced bounced_before'));
  assert.equal(server.asked.filter((one) => one === 'gone@people.example').length, 1);
  await address(account_id, BUYER);
  const before = to(BUYER).length;
  await market.sold(market.sale(203));
  await until('another address', () => to(BUYER).length === before + 1);
});

test('refund and escrow are told to who pays and who is paid', async () => {
  const sold = await market.sold(market.sale(300));
  const funds = { integrator: true, currency: 'USD', amount: 1_000 };
  await api.must(201, 'invoicing', 'POST', '/sandbox/deposits', { body: funds });
  const refund = { invoice_id: sold.invoice_id, reason: 'other' };
  await api.must(200, 'invoicing', 'POST', '/v2/refund', { body: refund });
  const has = (who: string, subject: RegExp): Promise<boolean> =>
    until(`${subject} to ${who}`, () => to(who).some((mail) => subject.test(mail.source)));
  await has(BUYER, /^Subject: Your refund from /m);
  const { buyer } = api.ready.accounts;
  const wallet = { payment_method_id: buyer.wallet_payment_method_id };
  const { id } = await openEscrow(api, 500, [wallet]);
  await moved(api, id, 'pay', 'ESCROWED');
  await has(BUYER, /^Subject: Your payment to .* is held/m);
  await has(SELLER, /^Subject: A payment for you is held/m);
  await moved(api, id, 'commit', 'COMMITTED');
  await has(BUYER, /^Subject: Your payment at .* was released/m);
  await has(SELLER, /^Subject: You were paid/m);
  assert.equal(to(BUYER).filter((mail) => /USD 3\.00/.test(bodyOf(mail))).length, 2);
});

test('kill -9 while mails are on their way loses none, and repeats are recognized', async () => {
  const before = new Set(to(BUYER).map(idOf)).size;
  // The server takes the first ones and holds the others.
  let held = 0;
  server.answer = () => ((held += 1) > 3 ? new Promise(() => {}) : null);
  const sales = Array.from({ length: 8 }, (_, n) => market.sold(market.sale(400 + n)));
  await Promise.all(sales);
  await until('some are held', () => held > 4);
  const [node] = fleet.nodes;
  node?.process.child.kill('SIGKILL');
  await node?.process.ended;
  server.answer = () => null;
  await hasten();
  const next = await startNode(fleet.settings);
  later.push(next);
  api = await Api.open((await next.ready()) as unknown as Ready);
  market = new Market(api);
  await until('all eight', () => new Set(to(BUYER).map(idOf)).size >= before + 8);
  await until('nothing is left', async () => {
    const text = `select from mail where state in ('pending', 'refused')`;
    return (await fleet.db.query(text)).length === 0;
  });
  assert.equal(new Set(to(BUYER).map(idOf)).size, before + 8);
});

test('a sandbox without a mail server captures, and its mails are read by address', async () => {
  for (const one of later.splice(0)) {
    one.child.kill('SIGTERM');
    await one.ended;
  }
  const { HOLDFAST_SMTP_URL: _url, HOLDFAST_MAIL_FROM: _from, ...plain } = fleet.settings;
  const next = await startNode(plain);
  later.push(next);
  api = await Api.open((await next.ready()) as unknown as Ready);
  await new Market(api).sold(market.sale(1_999));
  type Mail = { readonly subject: string; readonly text: string; readonly to: string };
  const read = (query: string): Promise<{ mails: Mail[] }> =>
    api.must(200, 'invoicing', 'GET', `/sandbox/mail${query}`);
  const { mails } = await until('it is captured', async () => {
    const found = await read(`?to=${BUYER.toUpperCase()}`);
    return found.mails.length > 0 && found;
  });
  assert.match(mails[0]?.text ?? '', /Total: USD 19\.99\n/);
  assert.match(mails[0]?.text ?? '', /This is a test/);
  assert.deepEqual(await read('?to=nobody@people.example'), { mails: [] });
  const seen = (await read('')).mails;
  assert.equal(seen[0]?.to, BUYER, 'the newest first');
});

test('no address is in a log, an event, the audit or the queue', async () => {
  const said = [...fleet.nodes.map((node) => node.process), ...later].map((one) => one.stderr());
  const rows = await fleet.db.query<{ text: string }>(
    `select m::text as text from mail m union all select e::text from audit_entry e
      union all select v.body from event v union all select c::text from captured_mail c
      union all select b::text from mail_bounce b`,
  );
  const all = [...said, ...rows.map(({ text }) => text ?? '')].join('\n');
  assert.doesNotMatch(all, /people\.example/);
  assert.deepEqual(fleet.faults().filter((line) => /mail/.test(line)), []);
});
