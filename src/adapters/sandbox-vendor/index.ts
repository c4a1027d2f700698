// The sandbox identity vendor: a counterparty with a book of its own, reached over HTTP like a real
// one. Answers for test persons, checks that happen once for each key, notices, and trouble on
// request. Keeps no personal data. Refuses to know accounts and everything else of ours. An
// acceptance by it has no legal value.
export { EXCHANGES, operations, vendorKey } from './api.ts';
export { startNotices } from './notices.ts';
export { refusals } from './refusals.ts';
export { DECISIONS, TEST_PERSONS } from './persons.ts';
export type { TestPerson } from './persons.ts';
export { REASON_CODES } from './protocol.ts';
