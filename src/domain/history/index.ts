// The history of an account: what it bought, sold, paid out and got back, as its owner sees it.
// Answers for reading only; refuses to know how any of it came to be.
export { operations } from './api.ts';
export { transactionPageOf } from './page.ts';
export { refusals } from './refusals.ts';
