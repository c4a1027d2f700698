// The message of the webhook event of an account's identity state. [seed: Events]
import { kycStatusRecord } from './schema.ts';

export const messages = { kycChanged: kycStatusRecord } as const;
