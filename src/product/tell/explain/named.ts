// Finds the UUID in any id that an integrator may use: a plain UUID, or one with a prefix of the
// interface. It does not check that anything has that id.
import { isUuid, uuidOfWireId, WIRE_PREFIXES, type WirePrefix } from '../../../core/ids.ts';

/** An id as given: its UUID, and its prefix. */
export interface NamedId {
  readonly uuid: string;
  readonly prefix: WirePrefix | null;
}

const UUID_LENGTH = 36;
const PREFIXES: ReadonlySet<string> = new Set(WIRE_PREFIXES);

/** Null for a text that is no id in any form. [G-82] */
export function namedId(text: string): NamedId | null {
  if (text.length === UUID_LENGTH) return isUuid(text) ? { uuid: text, prefix: null } : null;
  const prefix = text.slice(0, Math.max(0, text.indexOf('_')));
  if (!PREFIXES.has(prefix)) return null;
  const uuid = uuidOfWireId(prefix as WirePrefix, text);
  return uuid === null ? null : { uuid, prefix: prefix as WirePrefix };
}
