// Used where no identity vendor is configured: nobody is accepted or denied by guesswork. Operators
// review every application. No earlier vendor is reported to have erased anything. [G-92]
import type { IdentityVendor } from './port.ts';

export const absentVendor: IdentityVendor = {
  begin: async () => ({ state: 'unknown' }),
  retrieve: async () => ({ state: 'unknown' }),
  page: async () => null,
  abandon: async () => ({ state: 'unknown' }),
  forget: async () => false,
  readNotice: () => null,
};
