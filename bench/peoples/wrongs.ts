// How one person's second statement differs from the first: one field misspelt, missing or
// replaced, or a move, or everything that a year changes at once.
import type { Stated } from '../../src/product/people/matching/features.ts';
import { below, pick, type Rng } from './draw.ts';
import type { Peopled, Person } from './persons.ts';

/** What differs, in the order of the table. */
export const WRONGS = [
  'the same',
  'a field misspelt',
  'a field missing',
  'a field replaced',
  'moved',
  'moved, new telephone',
  'new telephone',
  'other surname',
  'two fields wrong',
] as const;
export type Wrong = (typeof WRONGS)[number];

type Field = keyof Stated;
const FIELDS: readonly Field[] = [
  ...(['first', 'last', 'date_of_birth', 'street', 'city', 'zip'] as const),
  ...(['phone_number', 'ssn_last4'] as const),
];

/** One slip of the fingers: a letter or digit left out, doubled, replaced, or two swapped. */
export function misspelt(rng: Rng, text: string): string {
  if (text.length < 2) return text;
  const at = below(rng, text.length - 1);
  const [one, next] = [text[at] as string, text[at + 1] as string];
  const other = /\d/.test(one) ? String(below(rng, 10)) : pick(rng, [...'aeinorst']);
  const put = pick(rng, ['', one + one, other, next + one]);
  const isSwap = put === next + one;
  return text.slice(0, at) + put + text.slice(at + (isSwap ? 2 : 1));
}

/** A date with one digit wrong, day and month swapped, or a neighbour. */
function misdated(rng: Rng, text: string): string {
  const [year = '', month = '', day = ''] = text.split('-');
  const kind = rng();
  if (kind < 0.35 && Number(day) <= 12 && day !== month) return `${year}-${day}-${month}`;
  if (kind < 0.6) return `${Number(year) + pick(rng, [-1, 1])}-${month}-${day}`;
  return `${year}-${month}-${String(1 + below(rng, 28)).padStart(2, '0')}`;
}

function wrongField(rng: Rng, from: Peopled, stated: Stated, kind: Wrong): Stated {
  const stating = FIELDS.filter((field) => stated[field] !== '');
  const field = pick(rng, stating);
  if (kind === 'a field missing') return { ...stated, [field]: '' };
  if (kind === 'a field replaced') return { ...stated, [field]: from.alone(rng).stated[field] };
  const change = field === 'date_of_birth' ? misdated : misspelt;
  return { ...stated, [field]: change(rng, stated[field]) };
}

/** The same person's second statement. */
export function again(rng: Rng, from: Peopled, person: Person, wrong: Wrong): Stated {
  const { stated } = person;
  const phone_number = from.phone(rng);
  switch (wrong) {
    case 'the same':
      return stated;
    case 'moved':
      return { ...stated, ...from.address(rng) };
    case 'moved, new telephone':
      return { ...stated, ...from.address(rng), phone_number };
    case 'new telephone':
      return { ...stated, phone_number };
    case 'other surname':
      return { ...stated, last: from.alone(rng).stated.last };
    case 'two fields wrong':
      return wrongField(
        rng,
        from,
        wrongField(rng, from, stated, 'a field misspelt'),
        'a field replaced',
      );
    default:
      return wrongField(rng, from, stated, wrong);
  }
}
