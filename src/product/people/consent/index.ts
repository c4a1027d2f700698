// Consents: what people allow a tenant to see and do for them, and revoke. A session never holds a
// scope that its person did not agree to.
export { operations, refusals } from './api.ts';
export { askedOf } from './sentences.ts';
export type { AskedScope } from './sentences.ts';
export { attestConsent, giveConsent, missingConsent, standingConsents } from './store.ts';
export type { Consent, ConsentRow } from './store.ts';
