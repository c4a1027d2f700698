// How terminal tools find the running sandbox (by its discovery file or a URL) and deal with a
// busy, restarted or absent server.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { statSync, writeFileSync } from 'node:fs';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { leaveNote, notes } from '../../src/cli/discovery.ts';
import { CallRefused, Server, ServerGone } from '../../src/cli/server.ts';
import { HOST_NAMES } from '../../src/core/operation.ts';
import { endAll } from '../start/launch.ts';
import { run, speak, startSandbox, type Sandbox } from '../cli/terminal.ts';

let sandbox: Sandbox;
const home = mkdtempSync(join(tmpdir(), 'holdfast-notes-'));
before(async () => {
  sandbox = await startSandbox();
});
const closing: HttpServer[] = [];
after(async () => {
  for (const http of closing) http.close();
  await sandbox?.stop();
  endAll();
  rmSync(home, { recursive: true, force: true });
});

const REGISTER = ['trigger', 'register-account-completed', '--json'];
const folder = (): string => join(sandbox.env['HOLDFAST_DATA_DIR'] ?? '', 'running');
const portOf = (url: string): string => new URL(url).port;

test('a start leaves a discovery file for this account only, which is enough', async () => {
  const { urls, client, accounts } = sandbox.ready;
  const file = join(folder(), `${portOf(urls.pii)}.json`);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const { pid, ...note } = JSON.parse(readFileSync(file, 'utf8')) as { pid: number };
  assert.deepEqual(note, { env: 'staging', urls, client, accounts });
  assert.ok(pid > 1);
  assert.equal((await run(sandbox.env, ...REGISTER)).code, 0);
  const port = portOf(urls.shop);
  assert.equal((await speak(sandbox.env, ...REGISTER, '--port', port)).code, 0, 'any of its ports');
});

test('a stale, foreign or damaged discovery file is skipped', async () => {
  const later = (name: string, text: string): void => writeFileSync(join(folder(), name), text);
  const gone = Object.fromEntries(HOST_NAMES.map((host) => [host, 'http://127.0.0.1:9']));
  later('9.json', JSON.stringify({ ...sandbox.ready, urls: gone }));
  const client = { client_id: '01900000-0000-7000-8000-000000000000', client_secret: 'no' };
  later('10.json', JSON.stringify({ ...sandbox.ready, client }));
  later('11.json', '{"ready":true');
  later('12.json', '[]');
  assert.equal((await run(sandbox.env, ...REGISTER)).code, 0);
  const named = await speak(sandbox.env, ...REGISTER, '--port', '9');
  assert.equal(named.code, 1);
  assert.match(named.err, /^holdfast: No sandbox server is running on port 9\. Start one with /);
  for (const name of ['9', '10', '11', '12']) rmSync(join(folder(), `${name}.json`));
});

test('a server is named by its address and a client of it', async () => {
  const { urls, client } = sandbox.ready;
  const env = {
    HOLDFAST_DATA_DIR: home,
    HOLDFAST_CLIENT_ID: client.client_id,
    HOLDFAST_CLIENT_SECRET: client.client_secret,
  };
  assert.equal((await speak(env, ...REGISTER, '--url', urls.invoicing)).code, 0);
  assert.equal((await speak({ ...env, HOLDFAST_URL: `${urls.invoicing}/` }, ...REGISTER)).code, 0);
  const wrong = { ...env, HOLDFAST_URL: urls.invoicing, HOLDFAST_CLIENT_SECRET: 'wrong' };
  const cases: readonly [Record<string, string>, string[], RegExp][] = [
    [env, [], /^holdfast: No sandbox server is running\. /],
    [wrong, [], /^holdfast: POST \/token was refused: 401 INVALID_CLIENT\. /],
    [{ HOLDFAST_URL: urls.invoicing }, [], /^holdfast: --url also needs HOLDFAST_CLIENT_ID and/],
    [env, ['--url', 'http://127.0.0.1:9'], /^holdfast: No answer from http:\/\/127\.0\.0\.1:/],
    [env, ['--url', 'nowhere'], /^holdfast: --url must be the base address of the invoicing host/],
    [env, ['--url', urls.invoicing, '--port', '1'], /either --url or --port, not both/],
    [{ ...env, HOLDFAST_ENV: 'production' }, [], /work on a sandbox only/],
  ];
  for (const [settings, args, sentence] of cases) {
    const refused = await speak(settings, ...REGISTER, ...args);
    assert.equal(refused.code, 1, args.join(' '));
    assert.match(refused.err, sentence);
    assert.equal(refused.err.split('\n').length, 2, 'one sentence');
  }
});

test('production leaves no discovery file; a sandbox removes its own', () => {
  const said: string[] = [];
  const place = { environment: {}, home, say: (line: string) => void said.push(line) };
  leaveNote({ ...sandbox.ready, env: 'production' }, place)();
  assert.deepEqual(notes(place, undefined), []);
  const take = leaveNote({ ...sandbox.ready, env: 'staging' }, place);
  assert.equal(notes(place, undefined).length, 1);
  assert.deepEqual(notes(place, '1'), []);
  take();
  assert.deepEqual(readdirSync(join(home, '.holdfast/running')), []);
  writeFileSync(join(home, 'file'), '');
  const gone = spawnSync('true').pid;
  const left = join(home, '.holdfast/running/9.json');
  writeFileSync(left, JSON.stringify({ ...sandbox.ready, pid: gone }));
  leaveNote({ ...sandbox.ready, env: 'staging' }, place)();
  assert.equal(existsSync(left), false, 'of a server that was killed');
  const elsewhere = { ...place, environment: { HOLDFAST_DATA_DIR: join(home, 'file') } };
  leaveNote({ ...sandbox.ready, env: 'staging' }, elsewhere)();
  assert.match(said.join(), /is not writable/);
});

interface Asked {
  readonly path: string;
  readonly key: string | undefined;
  readonly token: string | undefined;
}

/** A server that answers /token with a new token each time, and all else as it is told. */
async function answering(answers: [number, string][]): Promise<{
  readonly server: Server;
  readonly asked: Asked[];
  readonly http: HttpServer;
}> {
  const asked: Asked[] = [];
  let tokens = 0;
  const http = createServer(({ url: path = '', headers }, response) => {
    if (path === '/token') {
      tokens += 1;
      response.end(JSON.stringify({ access_token: `t${tokens}`, expires_in: 3600 }));
      return;
    }
    const key = headers['idempotency-key']?.toString();
    asked.push({ path, key, token: headers.authorization });
    const [status, text] = answers.shift() ?? [204, ''];
    response.writeHead(status, { 'retry-after': '0' }).end(text);
  });
  closing.push(http);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const urls = Object.fromEntries(HOST_NAMES.map((host) => [host, url])) as Server['urls'];
  return { server: new Server({ urls, client: sandbox.ready.client }), asked, http };
}

test('an expired token is renewed, a busy server retried under the same key', async () => {
  const busy: [number, string] = [503, '{}'];
  const told: number[] = [];
  const { server, asked } = await answering([[401, '{}'], busy, busy]);
  const telling = server.telling(({ status }) => void told.push(status));
  assert.equal(await telling.call('invoicing', 'POST', '/x', {}), undefined);
  assert.deepEqual(asked.map(({ token }) => token), ['Bearer t1', ...Array(3).fill('Bearer t2')]);
  assert.equal(new Set(asked.map(({ key }) => key)).size, 1);
  assert.match(String(asked[0]?.key), /^[0-9a-f-]{36}$/);
  assert.deepEqual(told, [204], 'told once');
});

test('a refusal is a sentence with codes and fields, and so is a foreign answer', async () => {
  const said = { codes: ['NO'], message: ['Not so.'], payload: { errors: { amount: 'is odd' } } };
  const { server, http } = await answering([
    [400, JSON.stringify(said)],
    [200, '<html>'],
    [401, '{}'],
    [401, '{"codes":["TOKEN_INVALID"]}'],
  ]);
  const refusal = (sentence: RegExp): ((error: unknown) => boolean) => (error) =>
    error instanceof CallRefused && sentence.test(error.message);
  const call = (): Promise<unknown> => server.call('invoicing', 'GET', '/x');
  await assert.rejects(call, refusal(/^GET \/x was refused: 400 NO\. Not so\. amount is odd$/));
  await assert.rejects(call, refusal(/200\. This is not an answer from Holdfast: /));
  await assert.rejects(call, refusal(/401 TOKEN_INVALID/), 'renewed once only');
  http.closeAllConnections();
  http.close();
  await assert.rejects(call, (error) => error instanceof ServerGone);
});
