// How references of another service are stored: as keyed hashes, because a reference may be an
// email address. Nobody without the master keys can tell whether a reference was imported.
import { derivedUuid } from '../../../core/ids.ts';
import { lineagePurpose } from '../../../core/labels.ts';
import type { Keys } from '../../../providers/keys/port.ts';

/** The id of the row `imported` of a reference, or of a token, in a workspace. */
export function importedId(
  keys: Keys,
  workspace: number,
  kind: 'account' | 'method',
  text: string,
): string {
  return derivedUuid(`imported/${macOf(keys, workspace, `${kind}/${text}`)}`);
}

/** Tells a repeated row from another one. Cells in the order of the table's columns. */
export function fingerprint(
  keys: Keys,
  workspace: number,
  cells: Readonly<Record<string, string>>,
): string {
  return macOf(keys, workspace, `row/${JSON.stringify(Object.values(cells))}`);
}

function macOf(keys: Keys, workspace: number, text: string): string {
  return keys.mac(lineagePurpose('imported', keys.lineageOf(workspace)), text);
}
