// Used where no processor is configured: nothing can be entered.
import type { MethodEntry } from './port.ts';

export const absentMethodEntry: MethodEntry = {
  begin: async () => null,
  take: async () => null,
};
