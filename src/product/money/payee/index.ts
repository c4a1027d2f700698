// Sellers' own accounts at the card processor: opened by a link, followed by webhooks and
// questions, and a destination of payouts once the processor requires nothing more.
export { settlePayee } from './decide.ts';
export { payeeQueue } from './queue.ts';
export { wakePayee } from './read.ts';
