// Consents: what people allow a tenant to see and do for them, and revoke. A session never holds a
// scope that its person did not agree to.
export { askedOf } from './sentences.ts';
export { attestConsent, giveConsent, missingConsent, standingConsents } from './store.ts';
