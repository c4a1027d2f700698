// Access to the processor simulator: by a workspace's key.
import type { OperationRequest } from '../../../core/operation.ts';
import type { Keys } from '../../../providers/keys/port.ts';
import { bookKey, workspaceAt } from '../store/access.ts';
import { refusals } from './refusals.ts';

/** A workspace's merchant key at the simulator: `<workspace number>_<64 hex digits>`. A secret. */
export function processorKey(keys: Keys, workspace: number): string {
  return bookKey(keys, 'processor', workspace);
}

/** The workspace whose key the request carries; any other header is refused. Constant time. */
export function workspaceOf(
  keys: Keys,
  headers: OperationRequest<unknown, unknown, unknown>['headers'],
): number {
  return workspaceAt(keys, 'processor', headers, refusals.PROCESSOR_KEY_INVALID);
}
