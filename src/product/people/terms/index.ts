// Terms of service: one text for the whole installation, in versions, and who agreed to which. No
// session pays under terms that its person has not agreed to.
export { operations } from './api.ts';
export { ensureSandboxTerms, publishTerms, currentTerms, readTerms } from './publish.ts';
export type { Terms } from './publish.ts';
export { refusals } from './refusals.ts';
export { requireSignedTerms, signTerms, termsFor } from './sign.ts';
export type { TermsFor } from './sign.ts';
