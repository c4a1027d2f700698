// Answers for who may speak to the sandbox processor: each world has one key, derived from the
// installation's own, so nothing is stored and a key names its world. The world of every row comes
// from here only. Knows nothing of cards and charges.
import { timingSafeEqual } from 'node:crypto';
import type { OperationRequest } from '../../kernel/operation.ts';
import { refuse } from '../../kernel/refusal.ts';
import type { Keys } from '../../ports/keys.ts';
import { refusals } from './refusals.ts';

const KEY = /^Bearer ([1-9][0-9]{0,9})_([0-9a-f]{64})$/;
const LARGEST_WORLD = 2_147_483_647;

/** The key of a world's merchant at the sandbox processor: `<world>_<64 hex digits>`. A secret. */
export function processorKey(keys: Keys, world: number): string {
  return `${world}_${keys.mac('processor', String(world))}`;
}

/** The world whose key the request carries; any other header is refused. Takes constant time. */
export function worldOf(
  keys: Keys,
  headers: OperationRequest<unknown, unknown, unknown>['headers'],
): number {
  const header = headers['authorization'];
  const match = typeof header === 'string' ? KEY.exec(header) : null;
  const world = Number(match?.[1] ?? 0);
  if (match === null || world > LARGEST_WORLD) throw refuse(refusals.PROCESSOR_KEY_INVALID);
  const given = Buffer.from(match[2] ?? '', 'hex');
  const right = Buffer.from(keys.mac('processor', String(world)), 'hex');
  if (given.length !== right.length || !timingSafeEqual(given, right)) {
    throw refuse(refusals.PROCESSOR_KEY_INVALID);
  }
  return world;
}
