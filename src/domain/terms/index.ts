// Terms of service: one text for the whole installation in versions, and who agreed to which.
// Answers for nobody's session paying under terms that it has not seen. Refuses to know the law,
// and how a page shows the text.
export { operations } from './api.ts';
export { ensureSandboxTerms, publishTerms, currentTerms, readTerms } from './publish.ts';
export type { Terms } from './publish.ts';
export { refusals } from './refusals.ts';
export { requireSignedTerms, signTerms, termsFor } from './sign.ts';
export type { TermsFor } from './sign.ts';
