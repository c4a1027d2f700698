// Where a page of a list ends, as text: the key of the last row that was looked at.
import { isUuid } from '../../../core/ids.ts';
import type { KeyType, List } from '../../../core/list.ts';
import { isInstant } from '../../../core/time.ts';

const HOLDS: Readonly<Record<KeyType, (text: string) => boolean>> = {
  uuid: isUuid,
  bigint: (text) => /^\d{1,15}$/.test(text),
  timestamptz: isInstant,
};

const SHOWN: Readonly<Record<KeyType, string>> = {
  uuid: '0195a1c4-7a30-7c31-9f54-2b8f6d0e4a17',
  bigint: '4711',
  timestamptz: '2030-01-31T08:15:00.000000Z',
};

/** The cursor after a key. */
export function cursorOf(key: readonly unknown[]): string {
  return key.map(String).join('~');
}

/** A cursor of the list as documents show one. */
export function exampleCursor({ key }: List): string {
  return cursorOf(Object.values(key).map((type) => SHOWN[type]));
}

/** The key in a cursor; null for a text that is no cursor of this list. */
export function keyOfCursor({ key }: List, cursor: string): readonly string[] | null {
  const parts = cursor.split('~');
  const types = Object.values(key);
  const fits = parts.length === types.length
    && types.every((type, at) => HOLDS[type](parts[at] ?? ''));
  return fits ? parts : null;
}
