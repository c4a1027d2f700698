// Terms of service: one text for the whole installation, in versions, and who agreed to which. No
// session pays under terms that its person has not agreed to.
export { ensureSandboxTerms, publishTerms, currentTerms, readTerms } from './publish.ts';
export { refusals } from './refusals.ts';
export { requireSignedTerms, signTerms, termsFor } from './sign.ts';
