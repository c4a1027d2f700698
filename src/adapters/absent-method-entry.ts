// Stands where no processor is configured: nothing can be entered, and nothing was.
import type { MethodEntry } from '../ports/method-entry.ts';

/** Entries that nobody answers for. */
export const absentMethodEntry: MethodEntry = {
  begin: async () => null,
  take: async () => null,
};
