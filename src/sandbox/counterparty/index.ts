// Simulated counterparties: what a test tells the processor, the bank, the vendor and event
// receivers to do, and what they have seen. Absent in production; the simulators are behind a port.
import { commandOperations } from './api.ts';
import { receiverOperations } from './receivers-api.ts';
export { refusals } from './refusals.ts';

export const operations = [...commandOperations, ...receiverOperations];
