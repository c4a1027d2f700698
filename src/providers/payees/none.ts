// For a processor that keeps no accounts of sellers, and where none is configured: none is opened,
// and of what another processor had opened nothing is known.
import type { Payees } from './port.ts';

export const absentPayees: Payees = {
  open: async () => ({ state: 'refused' }),
  retrieve: async () => ({ state: 'unknown' }),
  page: async () => null,
};
