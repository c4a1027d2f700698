// Used where no processor is configured: every outcome is unknown, so no payment succeeds or fails
// by guesswork. Without a processor no card can be attached, so in practice nothing calls it.
import type { Processor, Unknown } from './port.ts';

const UNKNOWN: Unknown = { state: 'unknown' };

export const absentProcessor: Processor = {
  onceKinds: async () => [],
  payoutEntries: async () => [],
  authorize: async () => UNKNOWN,
  capture: async () => UNKNOWN,
  reverse: async () => UNKNOWN,
  retrieve: async () => UNKNOWN,
  remit: async () => UNKNOWN,
  retrieveTransfer: async () => UNKNOWN,
  answerDispute: async () => UNKNOWN,
  retrieveAnswer: async () => UNKNOWN,
  statement: async () => null,
  readNotice: () => null,
};
