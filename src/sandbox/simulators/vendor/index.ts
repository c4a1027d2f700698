// The identity vendor simulator: a provider with its own records, reached over HTTP like a real
// one. Test persons, checks that happen once per key, webhooks, and failures on request. It stores
// no personal data, must not use the product's domain, and its acceptances have no legal value.
export { EXCHANGES, operations, vendorKey } from './api.ts';
export { NOTICES } from './notices.ts';
export { refusals } from './refusals.ts';
export { DECISIONS, TEST_PERSONS } from './persons.ts';
export type { TestPerson } from './persons.ts';
