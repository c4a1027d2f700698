// Ids are fresh and ordered, equal TypeID's on the wire, and have exactly one spelling.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { fromUUID, TypeID } from 'typeid-js';
import { seededRandom } from '../../test/kit/seeded-random.ts';
import { systemRandom } from './random.ts';
import {
  accountId,
  derivedUuid,
  isUuid,
  millisOfUuid,
  newUuid,
  uuidOfWireId,
  WIRE_ID_MAX,
  WIRE_PREFIXES,
  wireId,
  writeUuid,
} from './ids.ts';

test('fresh ids are UUIDv7, unique, and ordered within the process even in a burst', () => {
  const before = Date.now();
  let last = '';
  for (let n = 0; n < 200_000; n += 1) {
    const id = newUuid();
    assert.ok(id > last);
    last = id;
  }
  assert.match(last, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.ok(millisOfUuid(last) >= before);
  assert.ok(millisOfUuid(last) < Date.now() + 1000);
});

test('the random part differs between ids', () => {
  const ids = Array.from({ length: 5000 }, newUuid);
  assert.equal(new Set(ids.map((id) => id.slice(19))).size, 5000);
  for (const id of ids) assert.match(id, /^.{14}7.{4}[89ab]/);
});

test('seeded random repeats; different seeds differ; secrets do not move ids', () => {
  const draw = (seed: string): string[] => {
    const random = seededRandom(seed);
    return [random.uuid(), random.bytes(40).toString('hex'), random.uuid()];
  };
  assert.deepEqual(draw('story'), draw('story'));
  assert.notDeepEqual(draw('story'), draw('other'));
  const plain = seededRandom('story');
  const withSecret = seededRandom('story');
  withSecret.bytes(7);
  for (let n = 0; n < 3000; n += 1) {
    const id = plain.uuid();
    assert.equal(withSecret.uuid(), id);
    assert.ok(isUuid(id));
  }
  assert.ok(plain.uuid().startsWith('019b7'));
  assert.equal(plain.bytes(0).length, 0);
  assert.equal(systemRandom.bytes(32).length, 32);
});

test('an id that is derived from a name is half of its hash, as version 8', () => {
  const hex = createHash('sha256').update('holdfast/wallet:7').digest('hex');
  const id = derivedUuid('wallet:7');
  const whole = [...hex.slice(0, 32)].map((digit, at) => (at === 12 || at === 16 ? '8' : digit));
  assert.equal(id.replaceAll('-', ''), whole.join(''));
  assert.deepEqual([id[14], id[19], isUuid(id)], ['8', '8', true]);
  assert.notEqual(derivedUuid('wallet:8'), id);
});

test('isUuid is strict', () => {
  assert.ok(isUuid('019b76da-a800-7000-8000-000000000000'));
  for (const text of [
    '',
    '019B76DA-A800-7000-8000-000000000000',
    '019b76daa80070008000000000000000',
    '019b76da-a800-7000-8000-00000000000g',
    '019b76da-a800-7000-8000-000000000000\n',
    ' 019b76da-a800-7000-8000-00000000000',
  ]) {
    assert.ok(!isUuid(text), text);
  }
});

const uuids = fc.uuid();

test('wire ids are TypeIDs and come back to the same UUID', () => {
  fc.assert(
    fc.property(uuids, fc.constantFrom(...WIRE_PREFIXES), (uuid, prefix) => {
      const id = wireId(prefix, uuid);
      assert.equal(id, fromUUID(uuid, prefix).toString());
      assert.equal(TypeID.fromString(id).toUUID(), uuid);
      assert.equal(uuidOfWireId(prefix, id), uuid);
      assert.ok(id.length <= WIRE_ID_MAX);
    }),
    { seed: 82, numRuns: 500 },
  );
  const full = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  assert.equal(accountId(full), 'acct_7zzzzzzzzzzzzzzzzzzzzzzzzz');
  assert.equal(uuidOfWireId('acct', 'acct_7zzzzzzzzzzzzzzzzzzzzzzzzz'), full);
  assert.equal(uuidOfWireId('acct', 'acct_00000000000000000000000000'), full.replaceAll('f', '0'));
  assert.throws(() => accountId('acct_00000000000000000000000000'));
});

test('a wire id has exactly one accepted spelling', () => {
  const id = accountId('019b76da-a800-7abc-8def-0123456789ab');
  const wrong = [
    '',
    'acct_',
    id.toUpperCase(),
    id.slice(0, -1),
    `${id}0`,
    `${id}\n`,
    ` ${id.slice(1)}`,
    id.replace('acct', 'kyc'),
    id.replace('_', '-'),
    `acct_8${id.slice(6)}`,
    `acct_z${id.slice(6)}`,
    ...[...'ilouILOUA-_ é\u{1F600}\u0000\u007f\u0080'].map(
      (c) => id.slice(0, 10) + c + id.slice(11),
    ),
    ...[...'ilou'].map((c) => id.slice(0, -1) + c),
    ...[...'ilou'].map((c) => `${id.slice(0, 6)}${c}${id.slice(7)}`),
  ];
  for (const text of wrong) assert.equal(uuidOfWireId('acct', text), null, text);
  fc.assert(
    fc.property(fc.string({ minLength: 31, maxLength: 31 }), (text) => {
      const uuid = uuidOfWireId('acct', text);
      assert.ok(uuid === null || accountId(uuid) === text);
    }),
    { seed: 83 },
  );
});

test('a UUID is written as its 16 bytes, and a text that is none is a fault', () => {
  const into = Buffer.alloc(18);
  const uuid = '01890a5d-ac96-774b-bcce-b302099a8057';
  assert.equal(writeUuid(uuid, into, 1), 17);
  assert.equal(into.toString('hex'), `00${uuid.replaceAll('-', '')}00`);
  for (let at = 0; at < 36; at += 1) {
    if (uuid[at] === '-') continue;
    for (const wrong of ['g', 'A', '-', '\u0131', '\ud800']) {
      const text = uuid.slice(0, at) + wrong + uuid.slice(at + 1);
      assert.throws(() => writeUuid(text, into, 0), /not a UUID/, text);
    }
  }
  for (const text of ['', uuid.slice(1), `${uuid}0`]) {
    assert.throws(() => writeUuid(text, into, 0), /not a UUID/);
  }
});
