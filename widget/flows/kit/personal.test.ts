// What people type with the digits and separators of their keyboards, and what stays as it is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { latinDigits, typedCode, typedForm, typedMoney } from '../../../texts/typed.ts';
import { minorUnits } from './typed-money.ts';
import { nameOrder } from '../kyc/name-order.ts';
import { setTexts } from '../texts.ts';

test('digits of every script are those of ours, and letters stay', () => {
  for (const [typed, read] of [
    ['٠١٢٣٤٥٦٧٨٩', '0123456789'],
    ['۰۱۲۳۴۵۶۷۸۹', '0123456789'],
    ['０１２３４５６７８９', '0123456789'],
    ['०१२३४५६७८९', '0123456789'],
    ['๐๑๒๓๔๕๖๗๘๙', '0123456789'],
    ['𝟬𝟭𝟵 𞥐𞥙', '019 09'],
    ['四 Ⅳ ½ x', '四 IV 1⁄2 x'],
  ] as const) {
    assert.equal(latinDigits(typed), read);
  }
});

test('codes lose what nobody sees, and keep what is wrong with them', () => {
  for (const [typed, read] of [
    ['〒１２３ー４５６７', '123-4567'],
    ['‏١٢٣‎-٤٥−٦٧٨٩', '123-45-6789'],
    ['ＤＥ８９　３７０４', 'DE89 3704'],
    ['+٩٧١', '+971'],
    ['١١١١١١، ٢٢٢٢٢٢', '111111, 222222'],
    ['ｚｏｅ＠ｐｅｏｐｌｅ．example', 'zoe@people.example'],
    ['SW1A 1AA', 'SW1A 1AA'],
    ['١٢٣;--<b>', '123;--<b>'],
    ['', ''],
  ] as const) {
    assert.equal(typedCode(typed), read);
  }
});

test('amounts are read with the separators of Arabic and of full width', () => {
  for (const [typed, minor] of [
    ['١٬٢٣٤٫٥٠', 123_450],
    ['۱۲۳٫۴', 12_340],
    ['１，２３４．５０', 123_450],
    ['٢٤،٧٥', 2_475],
    ['١٢٫٣٤٥', null],
    ['٫', null],
    ['١٢x', null],
    ['−٥', null],
  ] as const) {
    assert.equal(minorUnits(typedMoney(typed), 'USD'), minor, typed);
  }
});

test('of a form, numbers and codes are read alone, however deep', () => {
  const form = { kyc_pii: { first: '٤', zip: '٥٩٠٠٠', extra: null }, agents: [{ tax_id: '１' }] };
  assert.deepEqual(typedForm({ ...form, iban: 7, country: 'ＦＲ' }), {
    ...{ kyc_pii: { first: '٤', zip: '59000', extra: null }, agents: [{ tax_id: '1' }] },
    ...{ iban: 7, country: 'ＦＲ' },
  });
  for (const odd of [null, undefined, '٤', 4, new Date(0)]) assert.equal(typedForm(odd), odd);
});

test('the family name comes first where a language has it so', () => {
  const inLocale = (locale: string): string => {
    setTexts({ about: { name: '', direction: 'ltr', locale, reviewed: '' }, groups: {} });
    return nameOrder().join(' ');
  };
  for (const locale of ['ja', 'ko-KR', 'hu', 'zh-Hant-TW']) {
    assert.equal(inLocale(locale), 'last first middle', locale);
  }
  for (const locale of ['en', 'ar-u-nu-latn', 'de', 'jam', 'huz']) {
    assert.equal(inLocale(locale), 'first middle last', locale);
  }
});
