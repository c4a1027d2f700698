// The key file is created once and readable by its owner only, and wrapped keys open only in their
// context, also after a rotation.
import assert from 'node:assert/strict';
import {
  chmodSync,
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

const KEY = Buffer.alloc(32, 7);

test(
  'the file is made once, for its owner only',
  withFolder(async (folder) => {
    const path = join(folder, 'deep', 'keys.json');
    const first = fileKeys(path);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    const text = readFileSync(path, 'utf8');
    const second = fileKeys(path);
    assert.equal(readFileSync(path, 'utf8'), text);
    assert.equal(first.mac('a', 'x'), second.mac('a', 'x'));
    assert.deepEqual(await second.unwrap(await first.wrap(KEY, 'place'), 'place'), KEY);
    assert.deepEqual(readdirSync(join(folder, 'deep')), ['keys.json']);
  }),
);

test(
  'a wrapped key opens in its context only, and not with a character changed',
  withFolder(async (folder) => {
    const keys = fileKeys(join(folder, 'keys.json'));
    const wrapped = await keys.wrap(KEY, 'here');
    assert.ok(!wrapped.includes(KEY.toString('base64')));
    assert.notEqual(wrapped, await keys.wrap(KEY, 'here'));
    await assert.rejects(keys.unwrap(wrapped, 'there'));
    const at = 30;
    const changed =
      wrapped.slice(0, at) + (wrapped[at] === 'A' ? 'B' : 'A') + wrapped.slice(at + 1);
    await assert.rejects(keys.unwrap(changed, 'here'));
    await assert.rejects(keys.unwrap(wrapped.replace('v1.', 'v9.'), 'here'));
    await assert.rejects(keys.unwrap('', 'here'));
  }),
);

test(
  'after a rotation old keys open, new ones use the new version, look-ups still work',
  withFolder(async (folder) => {
    const path = join(folder, 'keys.json');
    const before = fileKeys(path);
    const wrapped = await before.wrap(KEY, 'place');
    const found = before.mac('username', 'anna');
    const versions = fileKeyVersions(path);
    assert.equal(await versions.prepare(), 'v2');
    assert.ok((await before.wrap(KEY, 'place')).startsWith('v1.'), 'prepared wraps nothing');
    await versions.promote('v2');
    assert.ok((await before.wrap(KEY, 'place')).startsWith('v2.'), 'a running process follows');
    const after = fileKeys(path);
    assert.deepEqual(await after.unwrap(wrapped, 'place'), KEY);
    assert.ok((await after.wrap(KEY, 'place')).startsWith('v2.'));
    assert.equal(after.mac('username', 'anna'), found);
    assert.equal(statSync(path).mode & 0o777, 0o600);
  }),
);

test(
  'each purpose has a key of its own',
  withFolder(async (folder) => {
    const keys = fileKeys(join(folder, 'keys.json'));
    assert.match(keys.mac('a', 'x'), /^[0-9a-f]{64}$/);
    assert.notEqual(keys.mac('a', 'x'), keys.mac('b', 'x'));
    assert.notEqual(keys.mac('a', 'x'), fileKeys(join(folder, 'other.json')).mac('a', 'x'));
  }),
);

test(
  'a file that others can read, or that is damaged, is refused without showing it',
  withFolder(async (folder) => {
    const path = join(folder, 'keys.json');
    fileKeys(path);
    chmodSync(path, 0o644);
    assert.throws(() => fileKeys(path), /600/);
    chmodSync(path, 0o600);
    writeFileSync(
      path,
      JSON.stringify({ current: 'v1', wrapping: { v1: 'c2hvcnQ=' }, lookup: '' }),
    );
    assert.throws(
      () => fileKeys(path),
      (error: Error) => !error.message.includes('c2hvcnQ='),
    );
  }),
);

test(
  'a version is dropped only when it no longer wraps and its wrapped keys are stored',
  withFolder(async (folder) => {
    const path = join(folder, 'keys.json');
    const keys = fileKeys(path);
    const versions = fileKeyVersions(path);
    const wrapped = await keys.wrap(KEY, 'place');
    await assert.rejects(versions.drop('v1'), /the current one/);
    await versions.promote(await versions.prepare());
    await assert.rejects(versions.drop('v1'), /less than 15 minutes/);
    await assert.rejects(versions.drop('v9'), /no version/);
    const file = JSON.parse(readFileSync(path, 'utf8')) as { replaced: Record<string, string> };
    file.replaced['v1'] = '2020-01-01T00:00:00Z';
    writeFileSync(path, JSON.stringify(file), { mode: 0o600 });
    assert.deepEqual(await keys.unwrap(wrapped, 'place'), KEY);
    await versions.drop('v1');
    assert.deepEqual(await versions.list(), { current: 'v2', all: ['v2'], fresh: false });
    await assert.rejects(keys.unwrap(wrapped, 'place'), /does not have/);
    assert.equal(await versions.prepare(), 'v3');
    assert.deepEqual(readdirSync(folder), ['keys.json']);
  }),
);

test(
  'a file that is damaged or gone while the process runs does not stop it',
  withFolder(async (folder) => {
    const path = join(folder, 'keys.json');
    const keys = fileKeys(path);
    const wrapped = await keys.wrap(KEY, 'place');
    writeFileSync(path, '{', { mode: 0o600 });
    assert.deepEqual(await keys.unwrap(wrapped, 'place'), KEY);
    rmSync(path);
    assert.deepEqual(await keys.unwrap(wrapped, 'place'), KEY);
  }),
);
