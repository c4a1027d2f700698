// Validation for the entry page: how a number or date is written, when it is complete, and what is
// wrong with it, by the name of a text. No access to the page; a rule may ask for the card number
// beside its text.

/** Digits of any script as the ten of ours: ٤ and ４ are 4. */
export const latin = (text) =>
  text.normalize('NFKC').replace(/\p{Nd}/gu, (digit) => {
    const point = digit.codePointAt(0);
    let value = 0;
    while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(point - value - 1))) value += 1;
    return String(value);
  });
export const digits = (text) => latin(text).replace(/[^0-9]/g, '');

const BRANDS = [
  { name: 'American Express', starts: /^3[47]/, groups: [4, 6, 5], code: 4 },
  { name: 'Visa', starts: /^4/ },
  { name: 'Mastercard', starts: /^(5[1-5]|2(22[1-9]|2[3-9]|[3-6]|7[01]|720))/ },
  { name: 'Diners Club', starts: /^3(0|[68])/, groups: [4, 6, 4] },
  { name: 'Discover', starts: /^6(011|4[4-9]|5)/ },
  { name: 'JCB', starts: /^35/ },
  { name: 'UnionPay', starts: /^6[02]/ },
  { name: 'Maestro', starts: /^(5[06]|6[37])/ },
];
export const brandOf = (number) => BRANDS.find(({ starts }) => starts.test(number));
const lengthOf = (number) => brandOf(number)?.groups?.reduce((sum, one) => sum + one) ?? 16;

function grouped(number) {
  const groups = brandOf(number)?.groups ?? [4, 4, 4, 4, 3];
  let at = 0;
  return groups.map((size) => number.slice(at, (at += size))).filter(Boolean).join(' ');
}

function hasCheckDigit(number) {
  let sum = 0;
  for (let at = 0; at < number.length; at += 1) {
    const digit = Number(number[number.length - 1 - at]) * (at % 2 === 0 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

/** `MM / YY`; a year of four digits stays while it is typed, and is shortened afterwards. */
function dated(given, typing) {
  const text = latin(given);
  const slash = text.indexOf('/');
  const [head, tail] = slash < 0 ? [text, ''] : [text.slice(0, slash), text.slice(slash)];
  const typed = digits(head);
  const alone = /^[2-9]$/.test(typed) || (typed === '1' && slash > 0);
  const month = alone ? `0${typed}` : typed.slice(0, 2);
  const year = (typed.slice(2) + digits(tail)).slice(0, 4);
  if (year !== '') return `${month} / ${year.length === 4 && !typing ? year.slice(2) : year}`;
  return typing && month.length === 2 ? `${month} / ` : month;
}

/** Month and year of a text; 0 for an incomplete year. The century may still be missing. */
export function dateOf(text) {
  const [month = '', year = ''] = text.split('/').map(digits);
  if (year.length === 4) return { month: Number(month), year: Number(year) };
  const whole = year.length === 2 && year !== '20';
  return { month: Number(month), year: whole ? 2000 + Number(year) : 0 };
}

const PAST = 'CARD_DATE_PAST';

function dateFault(text) {
  const { month, year } = dateOf(text);
  if (month < 1 || month > 12) return 'expiry_wrong';
  const now = new Date();
  const past = year < now.getFullYear() || (year === now.getFullYear() && month <= now.getMonth());
  return past ? PAST : '';
}

/** Digits of a card's security code. */
export const codeLength = (number) => brandOf(digits(number))?.code ?? 3;

/** The fields: how each is written, when it is complete, and what is wrong with it. */
export const FIELDS = {
  number: {
    write: (text) => grouped(digits(text).slice(0, 19)),
    whole: (text) => digits(text).length >= lengthOf(digits(text)),
    missing: () => 'number_missing',
    fault: (text) => (hasCheckDigit(digits(text)) ? '' : 'number_wrong'),
  },
  expiry: {
    write: dated,
    whole: (text) => dateOf(text).year > 0,
    missing: (_, text) => (text.endsWith('/ 20') ? PAST : 'expiry_missing'),
    fault: dateFault,
  },
  cvc: {
    write: (text) => digits(text).slice(0, 4),
    whole: (text, number) => text.length >= codeLength(number),
    missing: () => 'cvc_missing',
    fault: () => '',
  },
  routing: {
    write: (text) => digits(text).slice(0, 9),
    whole: (text) => text.length === 9,
    missing: () => 'routing_missing',
    fault: () => '',
  },
  account: {
    write: (text) => digits(text).slice(0, 17),
    whole: (text) => text.length >= 4,
    missing: () => 'account_missing',
    fault: () => '',
  },
};
