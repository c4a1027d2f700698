// Answers for who may speak to the sandbox processor: whoever has the key of a world. Knows nothing
// of cards and charges.
import type { OperationRequest } from '../../kernel/operation.ts';
import type { Keys } from '../../ports/keys.ts';
import { bookKey, worldAt } from '../sandbox-book/access.ts';
import { refusals } from './refusals.ts';

/** The key of a world's merchant at the sandbox processor: `<world>_<64 hex digits>`. A secret. */
export function processorKey(keys: Keys, world: number): string {
  return bookKey(keys, 'processor', world);
}

/** The world whose key the request carries; any other header is refused. Takes constant time. */
export function worldOf(
  keys: Keys,
  headers: OperationRequest<unknown, unknown, unknown>['headers'],
): number {
  return worldAt(keys, 'processor', headers, refusals.PROCESSOR_KEY_INVALID);
}
