// What people allow a tenant to see and do for them, and take back. Answers for a session never
// holding a scope that its person did not agree to. Refuses to know how a session is opened.
export { operations, refusals } from './api.ts';
export { askedOf } from './sentences.ts';
export type { AskedScope } from './sentences.ts';
export { attestConsent, giveConsent, missingConsent, standingConsents } from './store.ts';
export type { Consent, ConsentRow } from './store.ts';
