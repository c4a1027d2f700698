// Master keys wrapped by a key service that nobody here wrote: a running node follows every change
// of the file, and whatever is wrong with service or file is told in one sentence.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { secretPlace } from '../../src/core/labels.ts';
import { fileKeys } from '../../src/providers/keys/file.ts';
import type { KeyFile } from '../../src/providers/keys/key-file.ts';
import { startKeyService, type KeyService } from '../kit/kms.ts';
import { startFleet, startNode, type Fleet } from '../kit/platform.ts';
import { CHECKOUT, endAll, launch } from '../start/launch.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-kms-'));
const keyFile = join(folder, 'keys.json');
const PLACE = secretPlace('signingKey', 'here');
const KEY = Buffer.alloc(32, 7);
/** A node tries a file that it could not use again after this time. */
const RETRY_MS = 10_000;

let service: KeyService;
let fleet: Fleet;
let first = '';
let second = '';
before(async () => {
  service = await startKeyService();
  [first, second] = [await service.makeKey(), await service.makeKey()];
  fleet = await startFleet(1, { HOLDFAST_KEY_FILE: keyFile, ...service.settings });
  Object.assign(process.env, service.settings);
});
after(async () => {
  await fleet?.stop();
  endAll();
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

const read = (): KeyFile => JSON.parse(readFileSync(keyFile, 'utf8')) as KeyFile;

async function holdfast(...args: string[]): Promise<{ code: number | string; said: string }> {
  const run = launch({
    command: process.execPath,
    args: [join(CHECKOUT, 'src/main.ts'), ...args],
    env: fleet.settings,
  });
  return { code: await run.ended, said: run.stdout() + run.stderr() };
}

async function must(...args: string[]): Promise<Record<string, unknown>> {
  const { code, said } = await holdfast(...args, '--json');
  assert.equal(code, 0, said);
  return JSON.parse(said) as Record<string, unknown>;
}

/** The node seals an account and opens it again. */
async function serves(): Promise<void> {
  const [api] = fleet.apis;
  assert.ok(api);
  const { account_id } = await api.register(`person ${performance.now()}`);
  const reply = await api.send('accounts', 'GET', `/v1/user-info/${account_id}`);
  assert.equal(reply.status, 200, reply.text);
}

async function versionOfNewest(): Promise<string> {
  const [row] = await fleet.db.query<{ version: string }>(
    `select split_part(wrapped_key, '.', 1) as version from account_person
      order by updated desc limit 1`,
  );
  return row?.version ?? '';
}

const clear: string[] = [];

test('what is wrapped leaves no key in the clear, and the node goes on', async () => {
  const plain = read();
  clear.push(...[...Object.values(plain.wrapping), plain.lookup].map(String));
  assert.equal(service.calls.length, 0, 'nobody is asked about a file in the clear');
  assert.equal((await must('keys', 'wrap', '--kms', first))['kms'], first);
  const text = readFileSync(keyFile, 'utf8');
  assert.deepEqual(clear.filter((key) => text.includes(key)), []);
  await serves();
  assert.ok(service.calls.includes('Decrypt'));
  assert.deepEqual((await must('keys', 'rotate'))['kms'], first);
  await serves();
  assert.equal(await versionOfNewest(), 'v2');
  assert.ok(typeof read().wrapping['v2'] === 'object', 'a new version is wrapped too');
});

test('the keys are wrapped by another key, and the first one is not needed any more', async () => {
  await must('keys', 'wrap', '--kms', second);
  service.mood.disabled = first;
  await serves();
  const { said } = await holdfast('check');
  assert.match(said, new RegExp(`key file +complete; v2 wraps new keys, unwrapped by ${second}`));
  const node = await startNode(fleet.settings);
  await node.ready();
  node.child.kill('SIGTERM');
  assert.equal(await node.ended, 0, node.stderr());
  const standing = read();
  const refused = await holdfast('keys', 'wrap', '--kms', first);
  assert.equal(refused.code, 1);
  assert.deepEqual(read(), standing);
  assert.match(refused.said, /key service cannot be used for arn:.+: the key is disabled\.\n$/);
});

test('too many calls are tried again, and a service that stays so or is away is told', async () => {
  service.mood.throttles = 2;
  const keys = await fileKeys(keyFile);
  assert.deepEqual(await keys.unwrap(await keys.wrap(KEY, PLACE), PLACE), KEY);
  service.mood.throttles = Number.POSITIVE_INFINITY;
  await assert.rejects(fileKeys(keyFile), /: it takes no more calls now\.$/);
  service.mood.throttles = 0;
  service.mood.isAway = true;
  const began = performance.now();
  const start = await startNode(fleet.settings);
  assert.equal(await start.ended, 1);
  assert.match(start.stderr(), /^holdfast: The key service cannot be used for .+ECONNRESET\)\.$/m);
  assert.ok(performance.now() - began < 30_000);
});

test('a node serves while the service is away, and follows once it is back', async () => {
  await serves();
  const before = readFileSync(keyFile, 'utf8');
  const failed = await holdfast('keys', 'rotate');
  assert.deepEqual([failed.code, readFileSync(keyFile, 'utf8')], [1, before]);
  // A file with a version that the node cannot have unwrapped.
  service.mood.isAway = false;
  await must('keys', 'prepare');
  service.mood.isAway = true;
  await serves();
  const [node] = fleet.nodes;
  assert.match(node?.process.stderr() ?? '', /"notice".+ECONNRESET\)\. The keys .+ stay in use\./);
  assert.equal(await versionOfNewest(), 'v2');
  service.mood.isAway = false;
  await pause(RETRY_MS);
  await must('keys', 'rotate');
  await serves();
  assert.equal(await versionOfNewest(), 'v3');
  assert.deepEqual(fleet.faults(), []);
});

test('a file with keys mixed up, of another installation or key is refused', async () => {
  const other = join(folder, 'other.json');
  const put = (file: KeyFile): void => writeFileSync(other, JSON.stringify(file), { mode: 0o600 });
  const { wrapping, ...rest } = read();
  const { v1 = '', v2 = '' } = wrapping;
  put({ ...rest, wrapping: { ...wrapping, v1: v2, v2: v1 } });
  await assert.rejects(fileKeys(other), /damaged, or mixed with that of another installation/);
  put({ ...rest, wrapping, installation: 'another' });
  await assert.rejects(fileKeys(other), /damaged, or mixed with that of another installation/);
  const third = await service.makeKey();
  const moved = JSON.stringify(read()).replaceAll(second, third);
  put(JSON.parse(moved) as KeyFile);
  await assert.rejects(fileKeys(other), /cannot be used for arn:/);
  put(JSON.parse(moved.replaceAll(third, `${third.slice(0, -4)}0000`)) as KeyFile);
  await assert.rejects(fileKeys(other), /cannot be used for arn:/);
});

test('without credentials one sentence says so', async () => {
  const node = await startNode({ ...fleet.settings, AWS_ACCESS_KEY_ID: '', HOME: folder });
  assert.equal(await node.ended, 1);
  assert.match(node.stderr(), /: there are no credentials for it: .+ AWS\.$/m);
});

test('the keys can stand in the clear again, and are the same', async () => {
  await must('keys', 'wrap', '--kms', 'none');
  const { lookup, wrapping } = read();
  assert.equal(lookup, clear.at(-1));
  assert.equal(wrapping['v1'], clear[0]);
  service.mood.isAway = true;
  await serves();
  assert.equal((await must('keys', 'status'))['kms'], null);
});
