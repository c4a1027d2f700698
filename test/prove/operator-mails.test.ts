// Mails to operators: an invitation that the invited alone gets, and a sign-in from a browser that
// was not used before, by password and by single sign-on; over a capture and over a mail server.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { codeAt, createOperator } from '../../src/product/access/operator/index.ts';
import type { Credentials, OperatorServices } from '../../src/product/access/operator/index.ts';
import { fileKeys } from '../../src/providers/keys/file.ts';
import { systemRandom } from '../../src/core/random.ts';
import { Browser, signedIn } from '../console/kit.ts';
import { signOnAt, startIdentityProvider, Visitor } from '../kit/identity-provider.ts';
import type { IdentityProvider } from '../kit/identity-provider.ts';
import { mailServer } from '../kit/mail-server.ts';
import { dataFolder, startPlatform, type Platform } from '../kit/platform.ts';
import { until } from '../kit/until.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
let platform: Platform;
let provider: IdentityProvider;
let folder: string;
let base: string;
let services: OperatorServices;
let ada: Browser;

async function employ(on: Platform, username: string, email = '', role = 'viewer' as const) {
  const at = { db: on.db, keys: await fileKeys(on.keyFile), random: systemRandom };
  const wish = { name: username, username, email, roles: [role], workspaces: 'all' } as const;
  return createOperator(at, { ...wish, mustChange: false }, 'operator');
}

before(async () => {
  folder = dataFolder();
  provider = await startIdentityProvider();
  const settings = signOnAt(provider, folder, 'Finance team=accountant');
  platform = await startPlatform({ settings });
  base = platform.ready.urls.console;
  provider.serve(base);
  services = { db: platform.db, keys: await fileKeys(platform.keyFile), random: systemRandom };
  const wish = { name: 'Ada', username: 'ada', roles: ['operator'], workspaces: 'all' } as const;
  ada = await signedIn(base, await createOperator(services, wish, 'operator'));
  await platform.db.query('update operator set password_initial = false');
});
after(async () => {
  await platform.stop();
  await provider.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The mails to an operator that have ended: their kind and state, oldest first. */
async function mails(id: string, count: number, on = platform): Promise<string[]> {
  return until(`${count} mails`, async () => {
    const rows = await on.db.query<{ text: string }>({
      text: `select kind || ' ' || state as text from operator_mail
        where operator_id = $1 and state <> 'pending' order by at, id`,
      values: [id],
    });
    return rows.length >= count && rows.map(({ text }) => text);
  });
}

/** What an administrator reads of them. */
async function captured(id: string): Promise<string> {
  return (await ada.get(`/operators/${id}`)).text.replaceAll('&amp;', '&');
}

/** Signs in, `steps` codes later than now. */
async function comes(visitor: Visitor, made: Credentials, steps: number): Promise<Response> {
  const { username, password, totp_secret } = made;
  const code = codeAt(totp_secret, Date.now() / 1_000 + 30 * steps);
  const body = new URLSearchParams({ username, password, code, next: '/' });
  const headers = { origin: base, 'user-agent': FIREFOX };
  const answer = await visitor.ask(`${base}/sign-in`, { method: 'POST', body, headers });
  assert.equal(answer.status, 303);
  return answer;
}

test('a new browser is told once: time, browser, network, and a link to sessions', async () => {
  const made = await employ(platform, 'rea', 'rea@staff.example');
  const home = new Visitor();
  const first = await comes(home, made, -1);
  const device = first.headers.getSetCookie().find((set) => set.includes('_device')) ?? '';
  assert.match(device, /^holdfast_device=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+/);
  assert.deepEqual(await mails(made.id, 1), ['signed_in sent']);
  const text = await captured(made.id);
  assert.match(text, /To: rea@staff\.example/);
  assert.match(text, /Time: 20\d\d-\d\d-\d\d \d\d:\d\d UTC/);
  assert.match(text, /Browser: Firefox on Linux\s+Network: 127\.0\.0\.0\/24/);
  assert.ok(text.includes(`See and end your sessions: ${base}/sessions`));
  assert.match(text, /sign out everywhere/);
  await comes(home, made, 0);
  await comes(new Visitor(), made, 1);
  assert.equal((await mails(made.id, 2)).length, 2, 'the known browser is not told of');
});

test('nobody is mailed without an address, and operators set their own with a code', async () => {
  const made = await employ(platform, 'nea');
  const browser = await signedIn(base, made, -1);
  const code = codeAt(made.totp_secret, Date.now() / 1_000);
  const save = async (email: string, by: string) => {
    await browser.post('/sessions/email', { email, code: by });
    return (await browser.get('/sessions')).text;
  };
  assert.match(await save('nea@staff.example', '000000'), /The code is wrong/);
  assert.match(await save('nea@staff.example', code), /Saved\.[\s\S]*value="nea@staff\.example"/);
  await signedIn(base, made, 1);
  assert.deepEqual(await mails(made.id, 1), ['signed_in sent'], 'the first was not mailed');
  const acts = await platform.db.query<{ act: string }>({
    text: `select act from audit_entry where subject = $1 and act = 'operator_email_changed'`,
    values: [made.id],
  });
  assert.equal(acts.length, 1);
});

test('an invitation is mailed to the invited alone, and its link works once', async () => {
  const fields = { name: 'Ina', username: 'ina', email: 'ina@staff.example', role_viewer: 'on' };
  const page = await ada.post('/operators', { ...fields, workspace_all: 'on' });
  assert.doesNotMatch(page.text, /\/invitation\//);
  const id = /\/operators\/([0-9a-f-]{36})/.exec(page.text)?.[1] ?? '';
  assert.deepEqual(await mails(id, 1), ['invited sent']);
  const links = async () =>
    [...(await captured(id)).matchAll(/\/invitation\/[\w-]{43}/g)].map(([path]) => path);
  const [path = ''] = await links();
  await ada.post(`/operators/${id}/invitation`);
  await mails(id, 2);
  assert.equal((await ada.get(path)).status, 404, 'the newer one replaced it');
  const shown = await ada.post(`/operators/${id}/invitation`, { show: 'yes' });
  assert.match(shown.text, /\/invitation\/[\w-]{43}/);
  await ada.post(`/operators/${id}/invitation`);
  await mails(id, 3);
  const open = await until('a link that opens', async () => {
    for (const link of await links()) {
      const { status, text } = await ada.get(link);
      if (status === 200) return { link, text };
    }
    return false;
  });
  const secret = />([A-Z2-7]{32})</.exec(open.text)?.[1] ?? '';
  const password = 'a long sentence of my own';
  const entered = { password, again: password, code: codeAt(secret, Date.now() / 1_000) };
  const joined = await new Browser(base).raw(
    ...([open.link, new URLSearchParams(entered).toString()] as const),
  );
  assert.equal(joined.status, 303, joined.text);
  assert.equal((await mails(id, 4)).at(-1), 'signed_in sent');
  const bad = await ada.post('/operators', { ...fields, username: 'ira', email: 'nobody' });
  assert.match(bad.text, /no mail address|at least one tenant/);
});

test('who signs on is mailed at the address of the identity provider', async () => {
  const person = { name: 'Fay', preferred_username: 'fay', groups: ['Finance team'] };
  provider.people.set('fay', { ...person, email: 'fay@staff.example' });
  const visitor = new Visitor();
  const arrive = async (who: Visitor): Promise<string> => {
    const answer = await who.ask(await who.signOn(base, 'fay'));
    assert.equal(answer.status, 200);
    const { text } = await ada.get('/operators');
    return /\/operators\/([0-9a-f-]{36})">Fay</.exec(text)?.[1] ?? '';
  };
  const id = await arrive(visitor);
  assert.deepEqual(await mails(id, 1), ['signed_in sent']);
  assert.match(await captured(id), /To: fay@staff\.example/);
  await arrive(visitor);
  await arrive(new Visitor());
  assert.equal((await mails(id, 2)).length, 2);
});

test('no address, link, cookie or network is in a row in clear', async () => {
  const rows = await platform.db.query<{ text: string }>(
    `select o::text as text from operator o union all select m::text from operator_mail m
      union all select d::text from operator_device d union all select a::text from audit_entry a`,
  );
  const all = rows.map(({ text }) => text).join('\n');
  assert.doesNotMatch(all, /staff\.example|\/invitation\/|127\.0\.0\.0\/24|Firefox/);
});

test('over a mail server, what it does not take is seen', async () => {
  const server = await mailServer();
  server.answer = (address) => (address.startsWith('gone') ? 550 : null);
  const settings = {
    HOLDFAST_SMTP_URL: `smtp://127.0.0.1:${server.port}`,
    HOLDFAST_MAIL_FROM: 'console@platform.example',
  };
  const sends = await startPlatform({ settings });
  try {
    const [here, gone] = await Promise.all([
      employ(sends, 'here', 'here@staff.example'),
      employ(sends, 'gone', 'gone@staff.example'),
    ]);
    for (const made of [here, gone]) await signedIn(sends.ready.urls.console, made);
    assert.deepEqual(await mails(here.id, 1, sends), ['signed_in sent']);
    assert.deepEqual(await mails(gone.id, 1, sends), ['signed_in bounced']);
    const [mail] = server.mails.filter(({ source }) => source.includes('To: here@staff.example'));
    assert.match(mail?.source ?? '', /Subject: A new sign-in to the console at /);
  } finally {
    await sends.stop();
    await server.close();
  }
});
