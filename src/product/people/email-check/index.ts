// Verified e-mail addresses: a code is mailed, and entered again.
export { forgetChecks } from './store.ts';
