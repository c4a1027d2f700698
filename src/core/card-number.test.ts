// Card numbers are found however their digits are grouped, and other numbers are left alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { containsCardNumber, maskCardNumbers } from './card-number.ts';

/** Test numbers that the brands and processors publish. */
const CARDS: Readonly<Record<string, string>> = {
  visa: '4111111111111111',
  visa2: '4242424242424242',
  visa13: '4222222222222',
  visa19: '4000000000000000006',
  mastercard: '5555555555554444',
  mastercard2: '2223003122003222',
  mastercard2High: '2720992593319364',
  amex: '378282246310005',
  discover: '6011111111111117',
  diners: '30569309025904',
  diners36: '36227206271667',
  jcb: '3530111333300000',
  unionpay: '6200000000000005',
  unionpay19: '6205500000000000004',
  maestro: '6759649826438453',
};

test('each brand is found, alone, grouped, and inside a text', () => {
  for (const [name, number] of Object.entries(CARDS)) {
    const fours = number.replace(/(.{4})(?=.)/g, '$1 ');
    const spellings = [
      number,
      fours,
      fours.replaceAll(' ', '-'),
      `Card ${number}.`,
      `tel 555 ${fours}`,
      `${fours} 12/29 123`,
      `no 7-${number}`,
      `naïve ${number} ☃`,
      number.replace(/\d/g, (d) => String.fromCharCode(0xff10 + Number(d))),
      fours.replaceAll(' ', '\u00a0'),
    ];
    for (const text of spellings) assert.ok(containsCardNumber(text), `${name}: ${text}`);
  }
  assert.ok(containsCardNumber('3782 822463 10005'));
  assert.ok(containsCardNumber('4222 222 222 222'));
  assert.ok(containsCardNumber('620550 0000000000004'));
  assert.ok(containsCardNumber('+4111111111111111'), 'too long for a telephone number');
});

test('digits not grouped as on a card are not a card number', () => {
  for (const number of Object.values(CARDS)) {
    const glued = [
      ...[`a${number}`, `${number}b`, `SKU${number.replace(/(.{4})(?=.)/g, '$1-')}`],
      number.replace(/(.{5})(?=.)/g, '$1 '),
      `${number.slice(0, 6)}, ${number.slice(6)}`,
      `${number.slice(0, 2)}-${number.slice(2)}`,
    ];
    for (const text of glued) assert.ok(!containsCardNumber(text), text);
    const called = number.length <= 15 ? `+${number}` : '';
    assert.ok(!containsCardNumber(called), called);
  }
});

/** First four digits, from and to, and the lengths that are issued, as the brands publish them. */
const RANGES: readonly (readonly [from: number, to: number, lengths: string])[] = [
  [4000, 4999, '13 16 18 19'],
  ...[[5100, 5599], [2221, 2720]].map(([from = 0, to = 0]) => [from, to, '16'] as const),
  ...[3400, 3700].map((from) => [from, from + 99, '15'] as const),
  ...[[6011, 6011], [6440, 6599], [3528, 3589], [6200, 6299], [8100, 8199]].map(
    ([from = 0, to = 0]) => [from, to, '16 17 18 19'] as const,
  ),
  ...[[3000, 3059], [3095, 3095], [3600, 3699], [3800, 3999]].map(
    ([from = 0, to = 0]) => [from, to, '14 15 16 17 18 19'] as const,
  ),
  ...[5018, 5020, 5038, 5612, 5893, 6304, 6390, 6703].map(
    (from) => [from, from, '13 14 15 16 17 18 19'] as const,
  ),
  [6759, 6763, '13 14 15 16 17 18 19'],
];

/** The digits with the check digit that makes them right, counted another way than in the code. */
function checked(digits: string): string {
  const right = Array.from({ length: 10 }, (_, last) => digits + last).find((number) => {
    const odd = [...number].reverse().map((c, at) => Number(c) * (at % 2 === 0 ? 1 : 2));
    return [...odd.join('')].reduce((sum, c) => sum + Number(c), 0) % 10 === 0;
  });
  return right as string;
}

test('a number is one where a brand issues its first digits in its length, only there', () => {
  const edges = RANGES.flatMap(([from, to]) => [from - 1, from, to, to + 1]);
  const others = Array.from({ length: 150 }, (_, n) => n * 67);
  for (const prefix of new Set([...edges, ...others])) {
    const ranges = RANGES.filter(([from, to]) => prefix >= from && prefix <= to);
    const issued = ranges.flatMap(([, , lengths]) => lengths.split(' ').map(Number));
    for (let length = 12; length <= 20; length += 1) {
      const number = checked(String(prefix).padStart(4, '0') + '7'.repeat(length - 5));
      assert.equal(containsCardNumber(number), issued.includes(length), number);
    }
  }
});

test('the ways in which cards print their groups', () => {
  const shapes = new Set(
    ['4 4 4 1', '4 4 4 2', '4 4 4 3', '4 4 4 4', '4 4 4 4 1', '4 4 4 4 2', '4 4 4 4 3']
      .concat(['4 6 5', '4 6 4', '6 13', '4 3 3 3']),
  );
  const grouped = (number: string, sizes: readonly number[]): string => {
    let at = 0;
    return sizes.map((size) => number.slice(at, (at += size))).join(' ');
  };
  const sizes = [1, 2, 3, 4, 5, 6, 13];
  const pairs = sizes.flatMap((a) => sizes.map((b) => [a, b]));
  const lists = [...pairs, ...pairs.flatMap((pair) => sizes.map((c) => [...pair, c]))];
  const four = [1, 2, 3, 4, 5].flatMap((c) => [[4, 4, 4, c], [4, 4, 4, 4, c], [4, 3, 3, c]]);
  for (const list of [...lists, ...four]) {
    const length = list.reduce((sum, size) => sum + size, 0);
    // Thirteen in one run may be a number by itself.
    if (length < 13 || length > 19 || (list.includes(13) && list[0] !== 6)) continue;
    const number = checked(`6759${'7'.repeat(length - 5)}`);
    const text = grouped(number, list);
    assert.equal(containsCardNumber(text), shapes.has(list.join(' ')), text);
  }
});

test('a mask takes the number and leaves the rest', () => {
  const cases = [
    ['nothing here', 'nothing here'],
    ['naïve ①', 'naïve ①'],
    ['pay 4111 1111 1111 1111, then', 'pay [card number], then'],
    ['4111111111111111 4242-4242-4242-4242', '[card number] [card number]'],
    ['é 378282246310005 12/29', 'é [card number] 12/29'],
    ['4111111111111112', '4111111111111112'],
  ] as const;
  for (const [text, masked] of cases) assert.equal(maskCardNumbers(text), masked);
});

test('one wrong digit is no card number', () => {
  for (const number of Object.values(CARDS)) {
    for (let at = 4; at < number.length; at += 1) {
      const wrong = number.slice(0, at) + ((Number(number[at]) + 1) % 10) + number.slice(at + 1);
      assert.ok(!containsCardNumber(wrong), wrong);
    }
  }
});

test('other numbers are left alone', () => {
  const harmless = [
    '',
    '4111',
    'Two hours of work, 12 March 2026, 10:00-12:00',
    '2026-11-20T09:54:23.123456Z',
    '1111111111111111',
    '0000000000000000',
    '9999999999999995',
    '4111 1111  1111 1111',
    '4111.1111.1111.1111',
    '41111111111111110000',
    '00004111111111111111',
    'DE89 3704 0044 0532 0130 00',
    '+1 (415) 555-2671, +1 (415) 555-2672',
    'acct_01h455vb4pex5vsknk084sn02q',
    '019b76da-a800-7abc-8def-0123456789ab',
    'order 9873e7b4-3948-4248-8218-a7b49ad87ebc, again',
    '105B8C2E-61C7-4097-8697-52222D02AF51',
    '12345678901234567890',
  ];
  for (const text of harmless) assert.ok(!containsCardNumber(text), text);
});

test('a number is found wherever it stands, in linear time', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'abc ,.:é'), maxLength: 30 });
  fc.assert(
    fc.property(letters, fc.constantFrom(...Object.values(CARDS)), letters, (a, number, b) => {
      assert.ok(containsCardNumber(`${a} ${number}.${b}`));
      assert.ok(!containsCardNumber(a + b));
    }),
    { seed: 75 },
  );
  for (const unit of ['1', '1 ', '41 ', '4111-', 'a1', '1  ', 'é']) {
    // Ten times the text takes about ten times as long, not a hundred times.
    const [short, long] = [fastest(unit.repeat(30_000)), fastest(unit.repeat(300_000))];
    assert.ok(long < 40 * Math.max(short, 5_000), `${unit}: ${short} us, then ${long} us`);
  }
});

test('two numbers that share digits are one mask', () => {
  // The first four groups are a card number, and so are the four that begin with the second.
  const [first = '', second = ''] = sharing();
  assert.ok(containsCardNumber(first) && containsCardNumber(second));
  const text = `${first} ${second.slice(-4)}`;
  assert.equal(maskCardNumbers(text), `${maskCardNumbers(first)} ${second.slice(-4)}`);
});

/** Two card numbers in groups of four; the second begins where the first has its second group. */
function sharing(): string[] {
  for (let n = 0; n < 10_000; n += 1) {
    const tail = String(n).padStart(4, '0');
    const second = `4000 0000 ${tail} 0002`;
    if (!containsCardNumber(second)) continue;
    for (let m = 0; m < 1_000; m += 1) {
      const first = `4${String(m).padStart(3, '0')} ${second.slice(0, 14)}`;
      if (containsCardNumber(first)) return [first, second];
    }
  }
  return [];
}

/**
 * Microseconds of this thread's CPU time, the fastest of three searches: other load does not count.
 */
function fastest(text: string): number {
  const times = [1, 2, 3].map(() => {
    const start = process.threadCpuUsage();
    containsCardNumber(text);
    return process.threadCpuUsage(start).user;
  });
  return Math.min(...times);
}
