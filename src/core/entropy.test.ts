// Fresh ids by their parts: the millisecond in front, a counter that starts low and goes on through
// a burst, and random bits that no two ids share.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../test/kit/seeded-random.ts';
import { systemRandom } from './random.ts';
import { isUuid, millisOfUuid } from './ids.ts';

const START = Date.UTC(2026, 0, 1);

test('a seeded source gives the ids of one millisecond after the other', () => {
  const { uuid } = seededRandom('parts');
  for (let n = 1; n <= 2_500; n += 1) {
    const id = uuid();
    assert.ok(isUuid(id), id);
    assert.equal(millisOfUuid(id), START + n);
    assert.match(id, /^.{14}7[0-3]..-[89ab]/, 'a counter starts below 1,024');
  }
});

test('a story is the same on every machine and in every version', () => {
  const source = seededRandom('golden');
  assert.equal(source.uuid(), '019b76da-a801-70e0-8e32-9eafa5414a82');
  assert.equal(source.bytes(8).toString('hex'), '7f4fc97a3411158a');
  // Beyond one pool of random bytes.
  const later = Array.from({ length: 602 }, source.uuid).at(-1);
  assert.equal(later, '019b76da-aa5b-71ac-b883-ff0a1f4fcfdf');
});

test('each seed has its own ids and bytes, whatever was drawn in between', () => {
  const draw = (seed: number | string, sizes: readonly number[]): string => {
    const source = seededRandom(seed);
    return sizes.map((size) => source.bytes(size).toString('hex')).join('');
  };
  assert.equal(draw(7, [1, 30, 1, 70]), draw(7, [102]));
  assert.equal(draw(7, [102]), draw('7', [102]));
  assert.notEqual(draw(7, [32]), draw(8, [32]));
  const blocks = draw(7, [96]).match(/.{64}/g) ?? [];
  assert.equal(new Set(blocks).size, 3, 'no block of bytes comes twice');
  const { uuid } = seededRandom(1);
  const tails = Array.from({ length: 3_000 }, () => uuid().slice(19));
  assert.equal(new Set(tails).size, 3_000, 'no random part comes twice');
});

test('each of the 62 random bits is drawn, and the variant is not', () => {
  const { uuid } = seededRandom('bits');
  const [ones, zeros] = [new Set<number>(), new Set<number>()];
  for (let n = 0; n < 200; n += 1) {
    const bits = BigInt(`0x${uuid().slice(19).replace('-', '')}`);
    for (let at = 0; at < 64; at += 1) ((bits >> BigInt(at)) & 1n ? ones : zeros).add(at);
  }
  const all = Array.from({ length: 64 }, (_, at) => at);
  assert.deepEqual(all.filter((at) => !ones.has(at)), [62], 'always 0');
  assert.deepEqual(all.filter((at) => !zeros.has(at)), [63], 'always 1');
});

test('within one millisecond the counter counts, however many ids a burst has', () => {
  const ids = Array.from({ length: 50_000 }, () => systemRandom.uuid());
  const counters = new Map<number, number[]>();
  for (const id of ids) {
    const ms = millisOfUuid(id);
    counters.set(ms, [...(counters.get(ms) ?? []), Number.parseInt(id.slice(15, 18), 16)]);
  }
  for (const list of counters.values()) {
    list.forEach((count, at) => assert.equal(count, (list[0] as number) + at));
    assert.ok((list[0] as number) < 1_024);
  }
});
