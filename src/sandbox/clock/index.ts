// The sandbox's clock: a test advances a workspace's time from one due item to the next, and the
// loops do what becomes due. Absent in production.
export { freeLeft } from './abandoned.ts';
