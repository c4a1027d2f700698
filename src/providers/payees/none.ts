// Used where no processor is configured, or it cannot be reached: nothing is known, so that no
// seller is told that there will be no account.
import type { Payees } from './port.ts';

export const absentPayees: Payees = {
  open: async () => ({ state: 'unknown' }),
  retrieve: async () => ({ state: 'unknown' }),
  page: async () => null,
};
