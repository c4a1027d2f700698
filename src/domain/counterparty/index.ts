// Counterparties on command: what a test tells the processor, the bank, the vendor and receivers of
// events to do, and what they have seen. Not there in production. Refuses to know how they do it (a
// port).
import { commandOperations } from './api.ts';
import { receiverOperations } from './receivers-api.ts';
export { refusals } from './refusals.ts';

export const operations = [...commandOperations, ...receiverOperations];
