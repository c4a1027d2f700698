// What a tenant says about itself: the sites that may hold our pages in a frame, where people may
// be sent, its name and look. Everything registered here was checked and is safe to use.
export { addressAllowed, frameOrigins } from './address.ts';
export { disagreementPolicy } from './disagreement.ts';
export { chooseMatchThresholds, matchThresholds, reviewedFrom } from './matching.ts';
export type { MatchThresholds } from './matching.ts';
export { color } from './schema.ts';
export {
  BEARERS,
  coverageIsPublished,
  disputePolicy,
  mailSettings,
  setMailSettings,
  settingsOf,
  verifiedByProcessor,
} from './store.ts';
export type { Bearer, TenantSettings } from './store.ts';
