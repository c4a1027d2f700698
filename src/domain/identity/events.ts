// The webhook event of an account's identity state. [seed: Events]
import { kycStatusRecord } from './schema.ts';

export const kycChanged = {
  name: 'kyc-webhook',
  when: 'A person submitted identity information, or the identity state changed.',
  cites: 'seed: Events',
  message: kycStatusRecord,
} as const;

export const events = [kycChanged] as const;
