// The key file is created once and readable by its owner only, and wrapped keys open only in their
// context, also after a rotation.
import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { purposeOf, secretPlace } from '../../core/labels.ts';
import { fileKeyVersions, fileKeys } from './file.ts';

function withFolder(work: (folder: string) => Promise<void>): () => Promise<void> {
  return async () => {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-keys-'));
    try {
      await work(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
}

const HERE = secretPlace('signingKey', 'here');
const THERE = secretPlace('signingKey', 'there');
const NAMES = purposeOf('operatorUsername');
const SECRETS = purposeOf('clientSecret');
const KEY = Buffer.alloc(32, 7);

test(
  'the file is made once, for its owner only',
  withFolder(async (folder) => {
    const path = join(folder, 'deep', 'keys.json');
    const first = await fileKeys(path);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    const text = readFileSync(path, 'utf8');
    const second = await fileKeys(path);
    assert.equal(readFileSync(path, 'utf8'), text);
    assert.equal(first.mac(NAMES, 'x'), second.mac(NAMES, 'x'));
    assert.deepEqual(await second.unwrap(await first.wrap(KEY, HERE), HERE), KEY);
    assert.deepEqual(readdirSync(join(folder, 'deep')), ['keys.json']);
  }),
);

test(
  'a wrapped key opens in its context only, and not with a character changed',
  withFolder(async (folder) => {
    const keys = await fileKeys(join(folder, 'keys.json'));
    const wrapped = await keys.wrap(KEY, HERE);
    assert.ok(!wrapped.includes(KEY.toString('base64')));
    assert.notEqual(wrapped, await keys.wrap(KEY, HERE));
    await assert.rejects(keys.unwrap(wrapped, THERE));
    const at = 30;
    const changed =
      wrapped.slice(0, at) + (wrapped[at] === 'A' ? 'B' : 'A') + wrapped.slice(at + 1);
    await assert.rejects(keys.unwrap(changed, HERE));
    await assert.rejects(keys.unwrap(wrapped.replace('v1.', 'v9.'), HERE));
    await assert.rejects(keys.unwrap('', HERE));
  }),
);

test(
  'after a rotation old keys open, new ones use the new version, look-ups still work',
  withFolder(async (folder) => {
    const path = join(folder, 'keys.json');
    const before = await fileKeys(path);
    const wrapped = await before.wrap(KEY, HERE);
    const found = before.mac(NAMES, 'anna');
    const versions = fileKeyVersions(path);
    assert.equal(await (await versions.make())(), 'v2');
    assert.ok((await before.wrap(KEY, HERE)).startsWith('v1.'), 'prepared wraps nothing');
    await versions.promote('v2');
    assert.ok((await before.wrap(KEY, HERE)).startsWith('v2.'), 'a running process follows');
    const after = await fileKeys(path);
    assert.deepEqual(await after.unwrap(wrapped, HERE), KEY);
    assert.ok((await after.wrap(KEY, HERE)).startsWith('v2.'));
    assert.equal(after.mac(NAMES, 'anna'), found);
    assert.equal(statSync(path).mode & 0o777, 0o600);
  }),
);

test(
  'what root writes stays with the account that the file, or else its folder, belongs to',
  withFolder(async (folder) => {
    const path = join(folder, 'keys.json');
    const isRoot = process.getuid?.() === 0;
    const service = isRoot ? 65_533 : (process.getuid?.() ?? 0);
    if (isRoot) chownSync(folder, service, service);
    await fileKeys(path);
    assert.equal(statSync(path).uid, service);
    if (isRoot) chownSync(folder, 0, 0);
    const versions = fileKeyVersions(path);
    await versions.promote(await (await versions.make())());
    assert.equal(statSync(path).uid, service);
  }),
);

test(
  'each purpose has a key of its own',
  withFolder(async (folder) => {
    const keys = await fileKeys(join(folder, 'keys.json'));
    assert.match(keys.mac(NAMES, 'x'), /^[0-9a-f]{64}$/);
    assert.notEqual(keys.mac(NAMES, 'x'), keys.mac(SECRETS, 'x'));
    const other = await fileKeys(join(folder, 'other.json'));
    assert.notEqual(keys.mac(NAMES, 'x'), other.mac(NAMES, 'x'));
  }),
);

test(
  'a file that others can read, or that is damaged, is refused without showing it',
  withFolder(async (folder) => {
    const path = join(folder, 'keys.json');
    await fileKeys(path);
    chmodSync(path, 0o644);
    await assert.rejects(fileKeys(path), /600/);
    chmodSync(path, 0o600);
    writeFileSync(
      path,
      JSON.stringify({ current: 'v1', wrapping: { v1: 'c2hvcnQ=' }, lookup: '' }),
    );
    await assert.rejects(
      fileKeys(path),
      (error: Error) => !error.message.includes('c2hvcnQ='),
    );
  }),
);

test(
  'a version is dropped only when it no longer wraps and its wrapped keys are stored',
  withFolder(async (folder) => {
    const path = join(folder, 'keys.json');
    const keys = await fileKeys(path);
    const versions = fileKeyVersions(path);
    const wrapped = await keys.wrap(KEY, HERE);
    await assert.rejects(versions.drop('v1'), /the current one/);
    await versions.promote(await (await versions.make())());
    await assert.rejects(versions.drop('v1'), /less than 15 minutes/);
    await assert.rejects(versions.drop('v9'), /no version/);
    const file = JSON.parse(readFileSync(path, 'utf8')) as { replaced: Record<string, string> };
    file.replaced['v1'] = '2020-01-01T00:00:00Z';
    writeFileSync(path, JSON.stringify(file), { mode: 0o600 });
    assert.deepEqual(await keys.unwrap(wrapped, HERE), KEY);
    await versions.drop('v1');
    const listed = { current: 'v2', all: ['v2'], fresh: false, kms: null };
    assert.deepEqual(await versions.list(), listed);
    await assert.rejects(keys.unwrap(wrapped, HERE), /does not have/);
    assert.equal(await (await versions.make())(), 'v3');
    assert.deepEqual(readdirSync(folder), ['keys.json']);
  }),
);

test(
  'a version is not added to a file that changed since it was made',
  withFolder(async (folder) => {
    const path = join(folder, 'keys.json');
    await fileKeys(path);
    const versions = fileKeyVersions(path);
    const [one, other] = [await versions.make(), await versions.make()];
    assert.equal(await one(), 'v2');
    await assert.rejects(other(), /run this one again/);
    assert.deepEqual((await versions.list()).all, ['v1', 'v2']);
  }),
);

test(
  'a file that is damaged, gone or of others while the process runs leaves the keys, and is told',
  withFolder(async (folder) => {
    const path = join(folder, 'keys.json');
    const told: string[] = [];
    const keys = await fileKeys(path, { notice: (text) => void told.push(text) });
    const whole = readFileSync(path, 'utf8');
    const wrapped = await keys.wrap(KEY, HERE);
    const opens = async () => assert.deepEqual(await keys.unwrap(wrapped, HERE), KEY);
    writeFileSync(path, '{', { mode: 0o600 });
    await opens();
    await opens();
    assert.match(told.join(), /^The key file .+ is damaged: .+ stay in use\.$/, 'once');
    rmSync(path);
    await opens();
    assert.match(told.at(-1) ?? '', /is missing/);
    await fileKeys(path);
    await opens();
    assert.match(told.at(-1) ?? '', /of another installation/);
    writeFileSync(path, whole, { mode: 0o600 });
    await fileKeyVersions(path).promote(await (await fileKeyVersions(path).make())());
    assert.ok((await keys.wrap(KEY, HERE)).startsWith('v2.'));
    assert.equal(told.length, 3);
  }),
);
