// Large bodies: which texts are offloaded, which stay, and that the refusals are those of the
// strict reader, word for word, wherever a long text stands.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { readJson } from '../../../core/json.ts';
import type { Bytes, Offloaded } from './jobs.ts';
import { lift } from './offload.ts';

const LONG = 'A'.repeat(4_097);

function liftText(text: string | Buffer, cut = 0): Offloaded {
  const bytes = new Uint8Array(Buffer.from(text as string)) as Bytes;
  return lift(cut === 0 ? [bytes] : [bytes.slice(0, cut), bytes.slice(cut)]);
}

/** The offloaded texts by place, and the value with the random marker removed. */
function taken(text: string, cut = 0) {
  const found = liftText(text, cut);
  assert.ok(found.ok, found.ok ? '' : found.sentence);
  const rest = Buffer.from(found.rest).toString().replaceAll(found.marker, '#');
  return { rest, texts: found.texts.map((one) => Buffer.from(one.bytes).toString()), all: found };
}

test('long texts are taken out in order, and nothing else', () => {
  const text = `{"a":"${LONG}","b":["${'x'.repeat(4_096)}",{"c":"${LONG}B"}],"${LONG}":1.50}`;
  for (const cut of [0, 1, 20, text.length - 1]) {
    const { rest, texts } = taken(text, cut);
    assert.deepEqual(texts, [LONG, `${LONG}B`]);
    assert.equal(rest, text.replace(`"${LONG}B"`, '"#1"').replace(`:"${LONG}"`, ':"#0"'));
  }
});

test('length and hash are of the text, not of its JSON spelling', () => {
  const spelt = ['/', '\\/', '\\u002F'].map((one) => `"${one.repeat(5_000)}"`);
  const digest = `sha256:${hash('sha256', '/'.repeat(5_000), 'hex')}`;
  for (const one of spelt) {
    const [text] = taken(one).all.texts;
    assert.deepEqual([text?.length, text?.digest, text?.bytes.length], [5_000, digest, 5_000]);
  }
  // Many bytes but few UTF-16 units: an ordinary field may hold this.
  for (const unit of ['\\u0041', '€', '😀']) {
    const { length } = JSON.parse(`"${unit}"`) as string;
    const short = `["${unit.repeat(4_096 / length)}"]`;
    assert.equal(taken(short).rest, short);
    assert.equal(taken(`["${unit.repeat(4_096 / length)}B"]`).rest, '["#0"]');
  }
  const [mixed] = taken(`"\\"\\\\${LONG}\\n€"`).texts;
  assert.equal(mixed, `"\\${LONG}\n€`);
});

test('what the strict reader refuses is refused with the same sentence and path', () => {
  const bad = [
    ...['', ' ', '{', '{"a":1}x', '[1,]', '{"a":01}', '"\\x"', '\ufeff{}', 'nul'],
    ...['{"a":"\\u0000"}', '{"a":"\u0000"}', '{"a":"\n"}', '{"a":"\\ud800"}', '{"b":[{"c":tru}]}'],
    ...[`${'['.repeat(33)}${']'.repeat(33)}`, '{"a":"', '"'],
  ];
  const wrap = (one: string) => [one, `{"f":"${LONG}","g":[${one}]}`, `{"g":${one},"f":"${LONG}"}`];
  const cut = [`{"f":"${LONG}`, `{"f":"${LONG}\n"}`, `"${LONG}\\u00"`];
  for (const text of [...bad.flatMap(wrap), ...cut]) {
    const expected = readJson(Buffer.from(text));
    if (!expected.ok) assert.deepEqual(liftText(text), expected, text.slice(0, 60));
  }
  const latin = Buffer.from(`{"f":"${LONG}\xff"}`, 'latin1');
  assert.deepEqual(liftText(latin), readJson(latin));
  // Found when the rest is parsed, which has the same keys in the same places.
  const later = [`{"a":1,"f":"${LONG}","\\u0061":2}`, `{"f":"${LONG}","b":{"__proto__":"x"}}`];
  for (const text of later) {
    const { all } = taken(text);
    assert.deepEqual(readJson(all.rest), readJson(Buffer.from(text)));
    assert.equal(readJson(all.rest).ok, false);
  }
});

test('without its long texts a body is no larger than an ordinary one', () => {
  const code = (text: string): string => {
    const found = liftText(text);
    return found.ok ? 'fine' : found.code;
  };
  const room = 1_048_576;
  assert.equal(code(`[${' '.repeat(room - 2)}]`), 'fine');
  assert.equal(code(`[${' '.repeat(room - 1)}]`), 'BODY_TOO_LARGE');
  assert.equal(code(`[${'"",'.repeat(room / 3)}1]`), 'BODY_TOO_LARGE');
  assert.equal(code(`{"${'k'.repeat(room)}":1}`), 'BODY_TOO_LARGE');
  assert.equal(code(`["${'k'.repeat(room)}","${'\\u0041'.repeat(room)}"]`), 'fine');
  const many = (count: number) => JSON.stringify(Array(count).fill(LONG));
  assert.deepEqual([code(many(100)), code(many(101))], ['fine', 'BODY_TOO_LARGE']);
});
