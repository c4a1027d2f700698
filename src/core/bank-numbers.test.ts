// IBANs and creditor references: published examples, every mistyped digit, and what payers write.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  creditorReference,
  digitsOfReference,
  ibanOf,
  inFours,
  isIban,
  referencesIn,
} from './bank-numbers.ts';

const REFERENCE = creditorReference('5390075470341234');

test('published numbers have right check digits', () => {
  for (const iban of ['GB82WEST12345698765432', 'DE89370400440532013000', 'NO9386011117947']) {
    assert.ok(isIban(iban), iban);
    assert.equal(ibanOf(iban.slice(0, 2), iban.slice(4)), iban);
  }
  assert.equal(creditorReference('539007547034'), 'RF18539007547034');
  assert.equal(digitsOfReference('RF18539007547034'), '539007547034');
  assert.equal(inFours('RF18539007547034'), 'RF18 5390 0754 7034');
  for (const wrong of ['GB82WEST12345698765433', 'gb82west12345698765432', 'GB82', '12345678']) {
    assert.ok(!isIban(wrong), wrong);
  }
});

test('each wrong digit of a reference, and each swapped pair, is noticed', () => {
  for (let at = 2; at < REFERENCE.length; at += 1) {
    const digit = Number(REFERENCE[at]);
    const next = String((digit + 1) % 10);
    const wrong = REFERENCE.slice(0, at) + next + REFERENCE.slice(at + 1);
    assert.deepEqual(referencesIn(wrong), { right: [], mistyped: 1 });
    const [a = '', b = ''] = REFERENCE.slice(at, at + 2);
    if (b === '' || a === b) continue;
    const swapped = REFERENCE.slice(0, at) + b + a + REFERENCE.slice(at + 2);
    assert.deepEqual(referencesIn(swapped), { right: [], mistyped: 1 });
  }
});

test('a reference is found however a payer writes it', () => {
  const one = { right: [REFERENCE], mistyped: 0 };
  for (const text of [
    REFERENCE,
    REFERENCE.toLowerCase(),
    `Deposit ${inFours(REFERENCE)}, thank you`,
    `REF:${REFERENCE}.`,
    `${REFERENCE} ${inFours(REFERENCE)}`,
    `${REFERENCE.slice(0, 11)}\n${REFERENCE.slice(11)} 20`,
    REFERENCE.replaceAll(/(.{4})/g, '$1-'),
  ]) {
    assert.deepEqual(referencesIn(text), one, text);
  }
  const other = creditorReference('0000000000000001');
  assert.deepEqual(referencesIn(`${REFERENCE} ${other}`).right, [REFERENCE, other]);
  for (const none of ['', 'RF18', `${REFERENCE}1`, 'RF18539007547034', 'rent']) {
    assert.deepEqual(referencesIn(none), { right: [], mistyped: 0 }, none);
  }
});
