// Where a page of a list ends, as text: the key of the last row that was looked at.
import { isUuid } from '../../../core/ids.ts';
import type { KeyType, List } from '../../../core/list.ts';
import { isInstant } from '../../../core/time.ts';

const HOLDS: Readonly<Record<KeyType, (text: string) => boolean>> = {
  uuid: isUuid,
  bigint: (text) => /^\d{1,15}$/.test(text),
  timestamptz: isInstant,
};

/** The cursor after a key. */
export function cursorOf(key: readonly unknown[]): string {
  return key.map(String).join('~');
}

/** The key in a cursor; null for a text that is no cursor of this list. */
export function keyOfCursor({ key }: List, cursor: string): readonly string[] | null {
  const parts = cursor.split('~');
  const types = Object.values(key);
  const fits = parts.length === types.length
    && types.every((type, at) => HOLDS[type](parts[at] ?? ''));
  return fits ? parts : null;
}
