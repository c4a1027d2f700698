// Access to the provider simulators: each workspace has one key at each, derived from the
// installation's keys, so nothing is stored and a key names its workspace. The workspace of every
// row must come from here.
import { timingSafeEqual } from 'node:crypto';
import { purposeOf } from '../../../core/labels.ts';
import type { OperationRequest } from '../../../core/operation.ts';
import { refuse, type RefusalSpec } from '../../../core/refusal.ts';
import type { Keys } from '../../../providers/keys/port.ts';

/** The provider simulators; also the first word of their tables. */
export type Book = 'processor' | 'vendor' | 'receiver';

type Headers = OperationRequest<unknown, unknown, unknown>['headers'];

const KEY = /^Bearer ([1-9][0-9]{0,9})_([0-9a-f]{64})$/;
const LARGEST_WORKSPACE = 2_147_483_647;

/** The workspace's key at a simulator: `<workspace number>_<64 hex digits>`. A secret. */
export function bookKey(keys: Keys, book: Book, workspace: number): string {
  return `${workspace}_${keys.mac(purposeOf(book), String(workspace))}`;
}

/** The workspace whose key the request carries; any other header is refused. Constant time. */
export function workspaceAt(
  keys: Keys,
  book: Book,
  headers: Headers,
  invalid: RefusalSpec,
): number {
  const header = headers['authorization'];
  const match = typeof header === 'string' ? KEY.exec(header) : null;
  const workspace = Number(match?.[1] ?? 0);
  if (match === null || workspace > LARGEST_WORKSPACE) throw refuse(invalid);
  const given = Buffer.from(match[2] ?? '', 'hex');
  const right = Buffer.from(keys.mac(purposeOf(book), String(workspace)), 'hex');
  if (given.length !== right.length || !timingSafeEqual(given, right)) throw refuse(invalid);
  return workspace;
}
