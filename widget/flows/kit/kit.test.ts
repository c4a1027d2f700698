// The pure parts of the kit: amounts, dates, and which messages of a frame are accepted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../../../test/kit/english.ts';
import { isoDate, partsOf } from './date.ts';
import { frameEvent } from './frame-message.ts';
import { amountText, moneyText } from './money-text.ts';

test('an amount has the digits of its currency, grouped', () => {
  assert.equal(moneyText(123_450, 'USD'), 'USD 1,234.50');
  assert.equal(moneyText(155, 'JPY'), 'JPY 155');
  assert.equal(moneyText(1_234_567, 'JPY'), 'JPY 1,234,567');
  assert.equal(moneyText(1, 'KWD'), 'KWD 0.001');
});

test("the server's text is grouped and otherwise kept", () => {
  assert.equal(amountText('USD 1000000.05'), 'USD 1,000,000.05');
  assert.equal(amountText('KWD 1.2345'), 'KWD 1.2345');
  assert.equal(amountText('JPY 155'), 'JPY 155');
});

test('a date is one of the calendar', () => {
  assert.equal(isoDate({ day: '9', month: '02', year: '1980' }), '1980-02-09');
  assert.equal(isoDate({ day: '29', month: '02', year: '2024' }), '2024-02-29');
  for (const day of ['30', '', '0', 'x', '29 ']) {
    assert.equal(isoDate({ day, month: '02', year: '2023' }), null, day);
  }
  assert.equal(isoDate({ day: '1', month: '13', year: '2023' }), null);
  assert.equal(isoDate({ day: '1', month: '1', year: '23' }), null);
  assert.deepEqual(partsOf('1980-02-09'), { day: '09', month: '02', year: '1980' });
  assert.deepEqual(partsOf(''), { day: '', month: '', year: '' });
});

test('only messages of that window and origin are accepted', () => {
  const frame = {};
  const origin = 'https://processor.example';
  const posted = { data: { holdfast_processor: 1, type: 'complete' }, origin, source: frame };
  assert.deepEqual(frameEvent(posted, frame, origin), { type: 'complete' });
  assert.equal(frameEvent({ ...posted, source: {} }, frame, origin), null);
  assert.equal(frameEvent({ ...posted, source: null }, null, origin), null);
  for (const other of ['https://processor.example.org', 'http://processor.example', 'null']) {
    assert.equal(frameEvent({ ...posted, origin: other }, frame, origin), null);
  }
  for (const data of [null, 'complete', { type: 'complete' }, { holdfast_processor: 1 }]) {
    assert.equal(frameEvent({ ...posted, data }, frame, origin), null);
  }
});

test('a height is a limited number above zero', () => {
  const frame = {};
  const heightOf = (height: unknown) => {
    const data = { holdfast_processor: 1, type: 'resize', height };
    return frameEvent({ data, origin: 'o', source: frame }, frame, 'o');
  };
  assert.deepEqual(heightOf(320.2), { type: 'resize', height: 321 });
  assert.deepEqual(heightOf(1e9), { type: 'resize', height: 4000 });
  for (const bad of [0, -1, Number.NaN, '300', null]) assert.equal(heightOf(bad), null);
});
