// What is sealed opens with its key at its place and nowhere else, and shows when it was touched.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { open, openBytes, seal, sealBytes } from './sealing.ts';

const key = randomBytes(32);
const nonce = randomBytes(12);
const plain = 'Marker-Secret \u{1f512} é';

test('a text and bytes come back as they were', () => {
  assert.equal(open(key, seal(key, nonce, plain, 'row:1'), 'row:1'), plain);
  assert.equal(open(key, seal(key, nonce, '', 'row:1'), 'row:1'), '');
  const bytes = randomBytes(100_000);
  assert.deepEqual(openBytes(key, sealBytes(key, nonce, bytes, 'file'), 'file'), bytes);
});

test('nothing of the text shows, and each nonce gives other bytes', () => {
  const sealed = sealBytes(key, nonce, Buffer.from(plain), 'row:1');
  assert.ok(!sealed.includes('Marker'));
  assert.notEqual(seal(key, nonce, plain, 'a'), seal(key, randomBytes(12), plain, 'a'));
});

test('another place, another key or a changed byte opens nothing', () => {
  const sealed = sealBytes(key, nonce, Buffer.from(plain), 'row:1');
  assert.throws(() => openBytes(key, sealed, 'row:2'));
  assert.throws(() => openBytes(randomBytes(32), sealed, 'row:1'));
  for (const at of [0, 12, 28, sealed.length - 1]) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] as number) ^ 1;
    assert.throws(() => openBytes(key, changed, 'row:1'), `byte ${at}`);
  }
  assert.throws(() => openBytes(key, sealed.subarray(0, -1), 'row:1'));
});
