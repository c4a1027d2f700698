// What is sealed opens with its key at its place and nowhere else, and shows when it was touched.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { sealedPlace } from './labels.ts';
import { open, openBytes, seal, sealBytes } from './sealing.ts';

const ROW = sealedPlace('document', 1, 'one');
const OTHER = sealedPlace('document', 1, 'two');
const key = randomBytes(32);
const nonce = randomBytes(12);
const plain = 'Marker-Secret \u{1f512} é';

test('a text and bytes come back as they were', () => {
  assert.equal(open(key, seal(key, nonce, plain, ROW), ROW), plain);
  assert.equal(open(key, seal(key, nonce, '', ROW), ROW), '');
  const bytes = randomBytes(100_000);
  assert.deepEqual(openBytes(key, sealBytes(key, nonce, bytes, ROW), ROW), bytes);
});

test('nothing of the text shows, and each nonce gives other bytes', () => {
  const sealed = sealBytes(key, nonce, Buffer.from(plain), ROW);
  assert.ok(!sealed.includes('Marker'));
  assert.notEqual(seal(key, nonce, plain, ROW), seal(key, randomBytes(12), plain, ROW));
});

test('another place, another key or a changed byte opens nothing', () => {
  const sealed = sealBytes(key, nonce, Buffer.from(plain), ROW);
  assert.throws(() => openBytes(key, sealed, OTHER));
  assert.throws(() => openBytes(randomBytes(32), sealed, ROW));
  for (const at of [0, 12, 28, sealed.length - 1]) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] as number) ^ 1;
    assert.throws(() => openBytes(key, changed, ROW), `byte ${at}`);
  }
  assert.throws(() => openBytes(key, sealed.subarray(0, -1), ROW));
});
