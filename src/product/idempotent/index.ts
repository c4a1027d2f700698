// Idempotent transactions for changes that move no money and so run outside of the engine: once for
// each Idempotency-Key, in the transaction of the claim. A repeated request gets the same answer,
// with its secrets while they are valid; both are deleted in time.
export { forgetSecrets } from './forget.ts';
export { keptAnswer, once, onlyOnce } from './idempotent.ts';
export type { Changed } from './idempotent.ts';
export { onceSealed } from './sealed.ts';
export type { SecretAnswer } from './sealed.ts';
