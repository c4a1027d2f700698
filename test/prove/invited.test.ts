// The people of a company are invited by mail: each once, with a link of their own that is nowhere
// but in the mail, over a captured mailbox and over a mail server that others wrote. [G-55]
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BusinessScene, GERMAN, germanBusiness, startBusinesses } from '../api/business-scene.ts';
import { startPlatform, type Platform } from '../api/kit.ts';
import { mailServer, type MailServer } from '../kit/mail-server.ts';
import { until } from '../kit/until.ts';
import type { CapturedMail } from '../../src/providers/mail/port.ts';

const { platform, scene } = await startBusinesses();

const ADA = 'ada.bell@people.example';
const CYD = 'cyd.dorn@people.example';
const LINK = /http\S+\/kyc\/[\w-]{43}/;

const OWNER = { roles: ['beneficial_owner'], ownership: '25-50' };

/** A German company, two of whose people have an address. */
const COMPANY = germanBusiness({
  entity_name: 'Dorn & Bell <Lampen> GmbH',
  agents: [
    { agent_name: 'Ada Bell', agent_email: ADA, roles: ['control_prong'] },
    { agent_name: 'Cyd Dorn', agent_email: CYD, ...OWNER },
    { agent_name: 'Eve Frey', roles: ['beneficial_owner'], ownership: '50' },
  ],
});

async function mailsTo(to: string): Promise<readonly CapturedMail[]> {
  type Page = { readonly mails: readonly CapturedMail[] };
  const path = `/sandbox/mail?to=${to}`;
  return (await platform.api.must<Page>(200, 'invoicing', 'GET', path)).mails;
}

const invitation = (to: string): Promise<CapturedMail> =>
  until(`a mail to ${to}`, async () => {
    return (await mailsTo(to)).find(({ text }) => LINK.test(text));
  });

const linkIn = (text: string): string => LINK.exec(text)?.[0] ?? '';

/** Waits until every event was read for mails. */
const allRead = (on: Platform): Promise<boolean> =>
  until('the events are read', async () => {
    const text = `select from mail_cursor c join seal s on s.workspace = c.workspace
      and s.sequence = c.sequence where not exists (select from outbox)
      and not exists (select from mail where state = 'pending')`;
    return (await on.db.query(text)).length > 0;
  });

const invited = (on: Platform) =>
  on.db.query<{ state: string; reason: string | null; account: string }>(
    `select state, reason, account_id as account from mail where kind = 'business_invited'
      order by at, account_id`,
  );

test('the people of a company open the links in their mails, and it is accepted', async () => {
  const account = await scene.account({ country_iso: 'DE', full_name: 'Zoe Frey' });
  const entity = await scene.onboard(account, COMPANY);
  await allRead(platform);
  assert.deepEqual(await invited(platform), [], 'nobody before it is submitted');
  await scene.submit(account);
  const [ada, cyd] = await Promise.all([invitation(ADA), invitation(CYD)]);
  assert.match(ada.subject, /^Dorn & Bell <Lampen> GmbH named you at /);
  assert.match(ada.html, /Dorn &amp; Bell &lt;Lampen&gt; GmbH named you as one of its people/);
  assert.ok(ada.html.includes(linkIn(ada.text)));
  assert.notEqual(linkIn(ada.text), linkIn(cyd.text));
  assert.equal((await invited(platform)).length, 2, 'who has no address is not invited');

  for (const [mail, last] of [[ada, 'Bell'], [cyd, 'Dorn']] as const) {
    const { token, account: person } = await scene.enter(linkIn(mail.text));
    const { agents } = await scene.read(entity);
    assert.ok(agents.some(({ account_id }) => account_id === person));
    await scene.prove(token, last);
  }
  const { agents } = await scene.read(entity);
  for (const agent of [agents[0], agents[3]]) {
    await scene.verify(agent?.entity_agent_id ?? '', 'Frey');
  }
  await scene.reached(entity, 'ACCEPT');
});

test('a business that is submitted again invites nobody twice, and only who is new', async () => {
  const before = (await invited(platform)).length;
  const account = await scene.account({ country_iso: 'DE', full_name: 'Zoe Frey' });
  const entity = await scene.onboard(account, COMPANY);
  const set = (status: string) =>
    platform.api.must(200, 'invoicing', 'PUT', `/sandbox/entities/${entity}/state`, {
      body: { status },
    });
  await scene.submit(account);
  await until('both are invited', async () => (await invited(platform)).length === before + 2);
  await set('INCOMPLETE');
  const session = await scene.session(account);
  const { agents } = await scene.read(entity);
  const known = agents.map(({ entity_agent_id, agent_name, roles, ownership }) => {
    return { entity_agent_id, agent_name, roles, ownership };
  });
  const next = { agent_name: 'Jan Kant', agent_email: 'jan@people.example' };
  const form = (more: object) => ({
    ...GERMAN,
    agents: [...known.slice(0, 3), { ...next, ...OWNER, ...more }],
  });
  const twice = form({ entity_agent_id: known[3]?.entity_agent_id });
  const refused = await scene.form(session, 'PUT', '', twice);
  assert.deepEqual(Object.keys(refused.errors), ['agents[3].agent_email']);
  const wrong = await scene.form(session, 'PUT', '', form({ agent_email: 'nobody' }));
  assert.deepEqual(Object.keys(wrong.errors), ['agents[3].agent_email']);
  assert.equal((await scene.form(session, 'PUT', '', form({}))).status, 200);
  await scene.submit(account);
  await invitation('jan@people.example');
  await allRead(platform);
  assert.equal((await invited(platform)).length, before + 3);
});

test('no link and no address is in an event, a row or the log', async () => {
  const nonces = [...(await mailsTo(ADA)), ...(await mailsTo(CYD))].flatMap(({ text }) => {
    const link = linkIn(text);
    return link === '' ? [] : [link.split('/').at(-1) ?? ''];
  });
  assert.equal(nonces.length, 4);
  const rows = await platform.db.query<{ text: string }>(
    `select m::text as text from mail m union all select e::text from audit_entry e
      union all select v.body from event v union all select c::text from captured_mail c
      union all select l::text from link l union all select a::text from entity_agent a
      union all select i::text from idempotency i`,
  );
  const all = [...rows.map(({ text }) => text), platform.log()].join('\n');
  assert.doesNotMatch(all, /people\.example/);
  for (const nonce of nonces) assert.ok(!all.includes(nonce));
});

test('over a mail server that is busy first, the mail has a link that opens', async () => {
  const server: MailServer = await mailServer();
  const settings = {
    HOLDFAST_SMTP_URL: `smtp://127.0.0.1:${server.port}`,
    HOLDFAST_MAIL_FROM: 'payments@platform.example',
  };
  const other = await startPlatform({ settings });
  try {
    const there = new BusinessScene(other);
    server.answer = () => 450;
    const account = await there.account({ country_iso: 'DE' });
    const entity = await there.onboard(account, COMPANY);
    await there.submit(account);
    const waits = `select from mail where state = 'pending' and lease is null and tries > 0`;
    await until('both wait', async () => (await other.db.query(waits)).length === 2);
    const { agents } = await there.read(entity);
    await there.verify(agents[2]?.entity_agent_id ?? '', 'Dorn');
    await until('one is verified', async () => {
      return (await there.read(entity)).agents[2]?.status === 'ACCEPT';
    });
    server.answer = () => null;
    await other.db.execute(`update mail set due = now() where state = 'pending'`);
    const linksTo = (who: string): string[] =>
      server.mails.flatMap(({ to, source }) => {
        const link = to.includes(who) ? linkIn(source.replace(/=\r\n/g, '')) : '';
        return link === '' ? [] : [link];
      });
    const link = await until('the mail', () => linksTo(ADA)[0]);
    assert.ok((await there.enter(link)).token);
    await until('the other ends', async () => {
      return (await invited(other)).some(({ reason }) => reason === 'not_awaited');
    });
    assert.deepEqual(linksTo(CYD), []);
    assert.equal(linksTo(ADA).length, 1);
  } finally {
    await other.stop();
    await server.close();
  }
});
