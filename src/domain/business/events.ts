// The webhook event of a business. [seed: Events, G-55]
import { statusMessage } from './schema.ts';

export const entityChanged = {
  name: 'kyb-webhook',
  when: 'The verification of a business was started, or its status changed.',
  cites: 'G-55',
  message: statusMessage,
} as const;

export const events = [entityChanged] as const;
