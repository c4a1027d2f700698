// What this module needs from the house, by its parts, so that a tool or a test can supply them
// alone. Refuses to know who supplies them.
import type { Services } from '../context.ts';

/** Services of clients and tokens. */
export type OAuthServices = Pick<Services, 'env' | 'db' | 'keys' | 'entropy' | 'urls'>;
