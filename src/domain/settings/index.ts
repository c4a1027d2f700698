// What a tenant says about itself: the sites that may hold our pages in a frame, where people may
// be sent, its name and look. Answers for what is registered being safe to act on. Refuses to know
// the pages.
export { operations } from './api.ts';
export { addressAllowed, frameOrigins } from './address.ts';
export { color } from './schema.ts';
export { settingsOf } from './store.ts';
export type { Look, TenantSettings } from './store.ts';
