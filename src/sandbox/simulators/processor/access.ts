// Access to the processor simulator: by a workspace's key.
import type { Keys } from '../../../providers/keys/port.ts';
import { bookKey } from '../store/access.ts';

/** A workspace's merchant key at the simulator: `<workspace number>_<64 hex digits>`. A secret. */
export function processorKey(keys: Keys, workspace: number): string {
  return bookKey(keys, 'processor', workspace);
}
