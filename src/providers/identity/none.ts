// Used where no identity vendor is configured: every outcome is unknown, so nobody is accepted or
// denied by guesswork, and no earlier vendor is reported to have erased anything.
import type { IdentityVendor } from './port.ts';

export const absentVendor: IdentityVendor = {
  begin: async () => ({ state: 'unknown' }),
  retrieve: async () => ({ state: 'unknown' }),
  forget: async () => false,
  readNotice: () => null,
};
