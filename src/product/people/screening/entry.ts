// An entry of a watch-list, read from a row of OpenSanctions' `targets.simple.csv`: whom it names
// and what it says of them. Pure. [G-51]
import { hash } from 'node:crypto';
import { CsvError, valuesOf } from './csv.ts';

/** What a list says of one person or organization, as published. */
export interface Entry {
  readonly id: string;
  /** Such as `Person`, `Company`, `LegalEntity`. */
  readonly schema: string;
  /** The main name first; aliases in any script. */
  readonly names: readonly string[];
  /** `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; others are left out. */
  readonly births: readonly string[];
  /** Lower-case ISO 3166-1 codes. */
  readonly countries: readonly string[];
  readonly identifiers: readonly string[];
  readonly sanctions: readonly string[];
}

const NEEDED = ['id', 'schema', 'name'] as const;
type Further = 'aliases' | 'birth_date' | 'countries' | 'identifiers' | 'sanctions';
type Column = (typeof NEEDED)[number] | Further;
const ID_MAX = 255;

/** Reads rows by the header's order; columns that are not known are ignored. */
export function entryReader(header: readonly string[]): (row: readonly string[]) => Entry {
  const at = new Map(header.map((name, index) => [name.replace(/^\uFEFF/, ''), index]));
  const absent = NEEDED.filter((name) => !at.has(name));
  if (absent.length > 0) throw new CsvError(`The header has no column ${absent.join(', ')}.`);
  return (row) => {
    if (row.length !== header.length) {
      throw new CsvError(`It has ${row.length} fields, the header ${header.length}.`);
    }
    const text = (name: Column): string => row[at.get(name) ?? -1] ?? '';
    const several = (name: Column): string[] => valuesOf(text(name));
    const id = text('id').trim();
    const names = [...new Set([text('name').trim(), ...several('aliases')])].filter(Boolean);
    if (id === '' || id.length > ID_MAX || names.length === 0) {
      throw new CsvError(`It has no id of at most ${ID_MAX} signs, or no name.`);
    }
    return {
      ...{ id, schema: text('schema').trim(), names },
      births: several('birth_date').filter((day) => /^\d{4}(?:-\d{2}){0,2}$/.test(day)),
      countries: several('countries').map((code) => code.toLowerCase()),
      identifiers: several('identifiers'),
      sanctions: several('sanctions'),
    };
  };
}

/** Two entries that say the same have the same digest; dates of publication are no part of it. */
export function digestOf(entry: Entry): string {
  return hash('sha256', JSON.stringify(entry), 'hex');
}
