// Changes that move no money and so run outside the engine: once for each Idempotency-Key, in the
// same transaction as the claim. Answers for the same answer to the same request, a secret included
// while it lives, and for forgetting both in time. Refuses to know what is changed.
export { forgetAnswers, forgetSecrets, KEPT_DAYS } from './forget.ts';
export { once } from './once.ts';
export type { Changed } from './once.ts';
export { onceSealed, wrappedSecretKeys } from './sealed.ts';
export type { OnceServices, Secret, SecretAnswer } from './sealed.ts';
