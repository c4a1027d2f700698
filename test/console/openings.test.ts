// Opening balances at the console: who sees which button, what a form that was sent too often does,
// and that the running server books what a second person confirmed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import {
  createOperator,
  resetOperator,
  type Credentials,
  type MakingServices,
  type Role,
} from '../../src/product/access/operator/index.ts';
import {
  accounts,
  importFile,
  listOpenings,
  prepareFile,
} from '../../src/product/tenant/imports/index.ts';
import { workspaceDirectory } from '../../src/product/tenant/tenant/index.ts';
import { Lineages } from '../../src/core/lineages.ts';
import { systemRandom } from '../../src/core/random.ts';
import { startPlatform, type Platform } from '../api/kit.ts';
import { engineOn } from '../kit/engine.ts';
import { signedIn, type Browser } from './kit.ts';

let platform: Platform;
let services: MakingServices;
let engine: ReturnType<typeof engineOn>;
let workspace = 0;
let ruth: Credentials;
const browsers: Record<string, Browser> = {};

async function employ(username: string, roles: readonly Role[]): Promise<Credentials> {
  const wish = { name: username, username, roles, workspaces: 'all', mustChange: false } as const;
  const made = await createOperator(services, wish, 'operator');
  browsers[username] = await signedIn(consoleUrl(), made);
  return made;
}

const consoleUrl = (): string =>
  (platform.ready.urls as Record<string, string>)['console'] ?? '';

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** A file of one balance of this person, as Ruth prepares it. */
async function prepared(reference: string): Promise<string> {
  const { keys } = platform;
  const parts = { db: platform.db, engine, keys, random: systemRandom };
  const stated = { currency: 'USD', total: 700n, lines: 1, operator: ruth.id };
  const by = { workspace, actor: `operator:${ruth.id}`, trial: false };
  const text = `account,currency,amount\n${reference},USD,700\n`;
  const found = await prepareFile(parts, bytesOf(text), { ...stated, ...by }, () => {});
  assert.ok(found.id);
  return found.id;
}

before(async () => {
  platform = await startPlatform();
  const { db, keys, ready } = platform;
  services = { db, keys, random: systemRandom, env: 'staging' };
  const integrator = (ready as unknown as { integrator: string }).integrator;
  const [row] = await db.query<{ workspace: number }>({
    text: 'select workspace from workspace where integrator = $1 and main',
    values: [integrator],
  });
  workspace = row?.workspace ?? 0;
  engine = engineOn(db, db, { lineages: new Lineages() });
  const parts = { ...services, engine, workspaces: workspaceDirectory(db) };
  const listener = { refused: () => assert.fail('a row was refused'), known() {} };
  const task = { place: { workspace, integrator }, actor: 'operator', trial: false, listener };
  const rows = 'account,username\nm-1,moved-1\nm-2,moved-2\nm-3,moved-3\n';
  await importFile(parts, bytesOf(rows), { ...task, kind: accounts });
  ruth = await employ('ruth', ['reviewer', 'supervisor']);
  await employ('sven', ['supervisor']);
  await employ('rita', ['reviewer']);
  await employ('vera', ['viewer']);
});
after(async () => {
  await engine.stop();
  await platform.stop();
});

const at = (name: string): Browser => browsers[name] as Browser;

async function states(): Promise<readonly string[]> {
  return (await listOpenings(platform.db, workspace)).map(({ state }) => state);
}

test('each sees the buttons of their roles, and nobody confirms what they prepared', async () => {
  const id = await prepared('m-1');
  assert.match((await at('vera').get('/')).text, /Opening balances to confirm/);
  assert.equal((await at('vera').get('/openings')).status, 403);
  const buttons = async (name: string): Promise<string[]> => {
    const { text } = await at(name).get('/openings');
    assert.match(text, /7\.00 USD[^]+0 of 1[^]+ruth/);
    return [...text.matchAll(/action="\/openings\/[^"]+\/(\w+)"/g)].map(([, on = '']) => on);
  };
  assert.deepEqual(await buttons('ruth'), ['cancel']);
  assert.deepEqual(await buttons('rita'), ['cancel']);
  assert.deepEqual(await buttons('sven'), ['confirm', 'cancel']);
  const own = await at('ruth').post(`/openings/${id}/confirm`);
  assert.deepEqual([own.status, /OPENING_SAME_PERSON/.test(own.text)], [403, true]);
  assert.equal((await at('rita').post(`/openings/${id}/confirm`)).status, 403);
  assert.equal((await at('sven').post('/openings/nothing/confirm')).status, 404);
  assert.deepEqual(await states(), ['prepared']);
});

test('the server books what was confirmed, once, however often it is sent', async () => {
  const [one] = await listOpenings(platform.db, workspace);
  const confirm = `/openings/${one?.id}/confirm`;
  const answers = await Promise.all([1, 2, 3].map(() => at('sven').post(confirm)));
  assert.deepEqual(answers.map(({ status }) => status), [303, 303, 303]);
  while ((await states())[0] !== 'booked') await pause(50);
  assert.equal((await at('sven').post(confirm)).status, 303, 'a repetition');
  const late = await at('rita').post(`/openings/${one?.id}/cancel`);
  assert.deepEqual([late.status, /OPENING_NOT_WAITING/.test(late.text)], [409, true]);
  const { text } = await at('sven').get('/openings');
  assert.match(text, /1 of 1[^]+booked[^]+ruth[^]+sven/);
  assert.doesNotMatch(text, /action="\/openings/);
  const held = await platform.db.query<{ amount: bigint }>({
    text: `select b.amount from balance b join opening_line l
      on l.workspace = b.workspace and l.wallet_id = b.id where b.workspace = $1`,
    values: [workspace],
  });
  assert.deepEqual(held, [{ amount: 700n }]);
});

test('their money arrives at the bank by the word of two people', async () => {
  const before = await at('rita').get('/openings');
  assert.match(before.text, /Still expected at the bank: <strong>7\.00/);
  const body = { currency: 'USD', amount: 300 };
  type Made = { transfer_id: string };
  const { transfer_id } = await platform.api.must<Made>(
    ...([201, 'invoicing', 'POST', '/sandbox/bank_transfers', { body }] as const),
  );
  const page = `/transfers/${transfer_id}`;
  assert.match((await at('rita').get(page)).text, /7\.00 USD moved in with accounts/);
  const given = { purpose: 'openings', version: '1' };
  assert.equal((await at('vera').post(`${page}/allocate`, given)).status, 403);
  assert.equal((await at('rita').post(`${page}/allocate`, given)).status, 303);
  const word = { word: 'confirm', version: '2' };
  assert.equal((await at('rita').post(`${page}/second`, word)).status, 403);
  assert.match((await at('sven').get(page)).text, /none: opening balances[^]+it covers opening/);
  assert.equal((await at('sven').post(`${page}/second`, word)).status, 303);
  const { text } = await at('sven').get(page);
  assert.match(text, /Confirmed: it covers opening balances\.[^]+badge-good">covered/);
  assert.match((await at('rita').get('/transfers')).text, /opening balances: 4\.00 USD expected/);
  const facts = { currency: 'USD', amount: '4.01', wallet: '', value_date: '2026-11-20' };
  const record = { ...facts, purpose: 'openings', bank_reference: 'OPEN-9' };
  const more = await at('rita').post('/transfers', record);
  assert.deepEqual([more.status, /BANK_NOT_EXPECTED/.test(more.text)], [400, true]);
  assert.equal((await at('rita').post('/transfers', { ...record, amount: '4.00' })).status, 303);
});

test('a supervisor whose access the first one gave out does not count as a second', async () => {
  const id = await prepared('m-2');
  const made = await employ('uma', ['supervisor']);
  const reset = await resetOperator(
    services,
    { id: made.id, password: false },
    `operator:${ruth.id}`,
  );
  const uma = await signedIn(consoleUrl(), { ...reset, password: made.password });
  const refused = await uma.post(`/openings/${id}/confirm`);
  assert.deepEqual([refused.status, /OPENING_NOT_INDEPENDENT/.test(refused.text)], [403, true]);
  assert.equal((await at('rita').post(`/openings/${id}/cancel`)).status, 303);
  assert.deepEqual((await states()).toSorted(), ['booked', 'cancelled']);
  await prepared('m-2');
});
