// Simulated counterparties: what a test tells the processor, the bank, the vendor and event
// receivers to do, and what they have seen. Absent in production; the simulators are behind a port.
import type { Module } from '../../product/context.ts';
import { commandOperations } from './api.ts';
import { receiverOperations } from './receivers-api.ts';
import { refusals } from './refusals.ts';

export const module: Module = {
  name: 'counterparty',
  operations: [...commandOperations, ...receiverOperations],
  refusals,
};
