// Stands where no identity vendor is configured: every check stays unknown, so nobody is accepted
// or denied by guesswork, and nobody claims that a vendor of before has forgotten something.
import type { IdentityVendor } from '../ports/identity-vendor.ts';

/** A vendor that nobody answers for. */
export const absentVendor: IdentityVendor = {
  begin: async () => ({ state: 'unknown' }),
  look: async () => ({ state: 'unknown' }),
  forget: async () => false,
  readNotice: () => null,
};
