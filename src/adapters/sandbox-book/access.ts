// Answers for who may speak to a foreign system of the sandbox: each world has one key at each of
// them, derived from the installation's own, so nothing is stored and a key names its world. The
// world of every row comes from here only. Knows nothing of what is asked.
import { timingSafeEqual } from 'node:crypto';
import type { OperationRequest } from '../../kernel/operation.ts';
import { refuse, type RefusalSpec } from '../../kernel/refusal.ts';
import type { Keys } from '../../ports/keys.ts';

/** The foreign systems of the sandbox; also the first word of their tables. */
export type Book = 'processor' | 'vendor' | 'receiver';

type Headers = OperationRequest<unknown, unknown, unknown>['headers'];

const KEY = /^Bearer ([1-9][0-9]{0,9})_([0-9a-f]{64})$/;
const LARGEST_WORLD = 2_147_483_647;

/** The key of a world at a foreign system: `<world>_<64 hex digits>`. A secret. */
export function bookKey(keys: Keys, book: Book, world: number): string {
  return `${world}_${keys.mac(book, String(world))}`;
}

/** The world whose key the request carries; any other header is refused. Takes constant time. */
export function worldAt(keys: Keys, book: Book, headers: Headers, invalid: RefusalSpec): number {
  const header = headers['authorization'];
  const match = typeof header === 'string' ? KEY.exec(header) : null;
  const world = Number(match?.[1] ?? 0);
  if (match === null || world > LARGEST_WORLD) throw refuse(invalid);
  const given = Buffer.from(match[2] ?? '', 'hex');
  const right = Buffer.from(keys.mac(book, String(world)), 'hex');
  if (given.length !== right.length || !timingSafeEqual(given, right)) throw refuse(invalid);
  return world;
}
