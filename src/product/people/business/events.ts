// The message of the webhook event of a business. [seed: Events, G-55]
import { statusMessage } from './schema.ts';

export const messages = { entityChanged: statusMessage } as const;
