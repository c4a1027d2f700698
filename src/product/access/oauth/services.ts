// What this module needs from the platform, part by part, so that a script or a test can supply it
// alone.
import type { Services } from '../../context.ts';

export type OAuthServices = Pick<Services, 'env' | 'db' | 'keys' | 'random' | 'urls'>;
