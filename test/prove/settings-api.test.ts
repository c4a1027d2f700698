// A tenant's settings over HTTP: what is accepted, what stays, what a picture may be, and isolation
// from another tenant. [G-64]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dataUri, exif, jpeg, pdfOf, PDF_PAGES, png, pngChunk } from '../kit/sample-files.ts';
import type { Reply } from '../kit/api.ts';
import { startPlatform, type Platform } from '../api/kit.ts';
import type { Body } from '../api/market.ts';
import type { HostName } from '../../src/core/operation.ts';

let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform?.stop());

interface Settings {
  readonly name: string;
  readonly registered_origins: readonly string[];
  readonly return_addresses: readonly string[];
  readonly oauth_return_addresses: readonly string[];
  readonly wallet_alerts: readonly object[];
  readonly look: Readonly<Record<'background_color' | 'primary_color' | 'logo', string>>;
}

const PATH = '/v1/settings';
const USD = { currency: 'USD', warning: 5 };
const read = (): Promise<Settings> => platform.api.must(200, 'invoicing', 'GET', PATH);
const change = (body: Body, headers = {}): Promise<Reply> =>
  platform.api.send('invoicing', 'PATCH', PATH, { body, headers });
const changed = async (body: Body): Promise<Settings> => {
  const reply = await change(body);
  assert.equal(reply.status, 200, reply.text);
  return reply.body.payload as Settings;
};

test('a tenant that set nothing has all settings', async () => {
  const settings = await read();
  assert.equal(settings.name, 'Sandbox', 'the name that the tenant was made with');
  assert.deepEqual(settings.registered_origins, []);
  assert.match(settings.look.primary_color, /^#[0-9a-f]{6}$/);
  assert.equal(settings.look.logo, '');
});

test('what is absent or null stays, a list takes the place of the one before', async () => {
  const registered_origins = ['https://shop.example', 'http://localhost:3000'];
  const before = await changed({ name: 'Caf\u00e9', registered_origins });
  assert.deepEqual(await read(), before);
  const look = { primary_color: '#AABBCC', preview_text: 'Buy.' };
  const after = await changed({ look, name: null, registered_origins: null });
  const { look: was, ...rest } = before;
  assert.deepEqual(after, { ...rest, look: { ...was, ...look, primary_color: '#aabbcc' } });
  assert.deepEqual(await changed({}), after);
  const fewer = await changed({ registered_origins: ['https://shop.example'] });
  assert.deepEqual(fewer.registered_origins, ['https://shop.example']);
  assert.deepEqual((await changed({ registered_origins: [] })).registered_origins, []);
  const alerts = async (body: Body): Promise<unknown> => (await changed(body)).wallet_alerts;
  const kept = [{ ...USD, critical: 0 }];
  assert.deepEqual(await alerts({ wallet_alerts: [{ ...USD, critical: null }] }), kept);
  assert.deepEqual(await alerts({ wallet_alerts: null }), kept);
  assert.deepEqual(await alerts({ wallet_alerts: [] }), []);
});

test('what is wrong is named, and nothing of the rest is taken', async () => {
  const before = await read();
  for (const [body, place] of [
    [{ registered_origins: ['https://a.example', 'https://a.example/x'] }, 'registered_origins[1]'],
    [{ registered_origins: ["https://a.example;script-src 'x'"] }, 'registered_origins[0]'],
    [{ registered_origins: Array(51).fill('https://a.example') }, 'registered_origins'],
    [{ return_addresses: ['myapp://return'] }, 'return_addresses[0]'],
    [{ return_addresses: ['javascript:alert(1)'] }, 'return_addresses[0]'],
    [{ oauth_return_addresses: ['javascript://x/%0aalert(1)'] }, 'oauth_return_addresses[0]'],
    [{ oauth_return_addresses: ['http://shop.example/'] }, 'oauth_return_addresses[0]'],
    [{ return_addresses: [`https://a.example/${'x'.repeat(2_048)}`] }, 'return_addresses[0]'],
    [{ look: { primary_color: 'red' } }, 'look.primary_color'],
    [{ look: { background_color: '#fff' } }, 'look.background_color'],
    [{ look: { background_color: '#ffffff;x' } }, 'look.background_color'],
    [{ look: { preview_text: 'x'.repeat(256) } }, 'look.preview_text'],
    [{ wallet_alerts: [{ currency: 'CHF', warning: 5 }] }, 'wallet_alerts[0].currency'],
    [{ wallet_alerts: [USD, USD] }, 'wallet_alerts[1].currency'],
    [{ wallet_alerts: [{ ...USD, critical: 6 }] }, 'wallet_alerts[0].critical'],
    [{ wallet_alerts: [{ ...USD, warning: -1 }] }, 'wallet_alerts[0].warning'],
    [{ name: ' ' }, 'name'],
    [{ name: '4111 1111 1111 1111' }, 'name'],
  ] as const) {
    const reply = await change({ name: 'Other', ...body });
    assert.deepEqual([reply.status, Object.keys(reply.errors)], [400, [place]], reply.text);
  }
  assert.deepEqual(await read(), before);
});

test('a logo is a small picture without anything beside it, or none', async () => {
  const made = async (logo: string): Promise<string> => {
    return (await changed({ look: { logo } })).look.logo;
  };
  const hidden = pngChunk('tEXt', Buffer.from('Comment\0hidden'));
  const logo = await made(dataUri('image/png', png(8, 8, [hidden])));
  assert.match(logo, /^data:image\/png;base64,/);
  const bytes = Buffer.from(logo.split(',')[1] ?? '', 'base64');
  assert.ok(!bytes.includes('hidden'), 'rewritten');
  const photo = await made(dataUri('image/jpeg', jpeg([exif(1, 'a place on earth')])));
  assert.ok(!Buffer.from(photo.split(',')[1] ?? '', 'base64').includes('a place on earth'));
  for (const [bad, code] of [
    ['https://shop.example/logo.png', 'FILE_NOT_BASE64'],
    ['data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=', 'FILE_TYPE_UNKNOWN'],
    ['data:text/html,<script>alert(1)</script>', 'FILE_NOT_BASE64'],
    [dataUri('image/png', Buffer.from('GIF89a')), 'FILE_TYPE_UNKNOWN'],
    [dataUri('image/png', pdfOf(PDF_PAGES)), 'FILE_TYPE_UNKNOWN'],
    [dataUri('image/jpeg', png(2, 2)), 'FILE_TYPE_MISMATCH'],
    [dataUri('image/png', Buffer.concat([png(2, 2), Buffer.from('<script>')])), 'FILE_DAMAGED'],
    ['data:image/png;base64,', 'FILE_EMPTY'],
    [dataUri('image/png', Buffer.alloc(65_537)), 'FILE_TOO_LARGE'],
  ] as const) {
    const reply = await change({ look: { logo: bad } });
    const said = [reply.status, reply.code, Object.keys(reply.errors)];
    assert.deepEqual(said, [400, code, ['look.logo']], bad.slice(0, 60));
  }
  const large = await change({ look: { logo: dataUri('image/png', Buffer.alloc(70_000)) } });
  assert.deepEqual([large.status, Object.keys(large.errors)], [400, ['look.logo']]);
  assert.equal((await read()).look.logo, photo);
  assert.equal(await made(''), '');
});

test('a change is noted with the fields it touched, and done once for a key', async () => {
  const entries = (): Promise<{ actor: string; detail: string }[]> =>
    platform.db.query(`select actor, detail from audit_entry
      where act = 'tenant_settings_changed' order by at desc, id desc`);
  const before = await entries();
  const key = { 'idempotency-key': 'rename' };
  const first = await change({ name: 'Renamed', look: { preview_text: 'secret plans' } }, key);
  await changed({ name: 'Again' });
  const repeated = await change({ name: 'Renamed', look: { preview_text: 'secret plans' } }, key);
  assert.equal(repeated.text, first.text, 'as it was then');
  assert.equal((await read()).name, 'Again', 'without a second effect');
  const added = (await entries()).slice(0, -before.length);
  assert.equal(added.length, 2);
  assert.match(added[1]?.detail ?? '', /"fields":"name look"/);
  assert.match(added[1]?.actor ?? '', /^client:/);
  assert.ok(!JSON.stringify(added).includes('secret plans'));
});

test('`{}` changes nothing, and no body at all is refused', async () => {
  const rows = await platform.rows();
  const kept = await read();
  for (const body of [{}, { name: null }, { look: {} }, { look: { logo: null } }]) {
    assert.deepEqual(await changed(body), kept);
  }
  const { account_id } = platform.ready.accounts.buyer;
  const places = [['invoicing', 'PATCH', PATH], ['accounts', 'PUT', `/user-info/${account_id}`]];
  for (const [host = '', method = '', path = ''] of places) {
    for (const raw of ['', 'null']) {
      const reply = await platform.api.send(host as HostName, method, path, { raw });
      const { status, code, errors } = reply;
      assert.deepEqual([status, code, errors], [400, 'MISSING_FIELD', { body: 'is required' }]);
    }
  }
  assert.deepEqual(await platform.rows(), rows);
});

test('thirty changes at once are counted, none is lost', async () => {
  const version = async (): Promise<number> => {
    const rows = await platform.db.query<{ version: number }>('select version from tenant_setting');
    return rows[0]?.version ?? 0;
  };
  const before = await version();
  const all = Array.from({ length: 30 }, (_, at) => changed({ look: { preview_text: `${at}` } }));
  await Promise.all(all);
  assert.equal(await version(), before + 30);
});

test("another tenant's settings are its own", async () => {
  const other = await platform.tenant();
  const call = { token: other.token };
  const theirs = await platform.api.must<Settings>(200, 'invoicing', 'GET', PATH, call);
  assert.equal(theirs.name, 'Twin');
  const mine = await read();
  const body = { name: 'Two', registered_origins: ['https://two.example'] };
  await platform.api.must(200, 'invoicing', 'PATCH', PATH, { ...call, body });
  assert.deepEqual(await read(), mine);
});

test('every answer above is declared by its operation', () => {
  assert.deepEqual([...platform.api.undeclared], []);
});
