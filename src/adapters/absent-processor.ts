// Stands where no processor is configured: every exchange stays unknown, so no payment succeeds or
// fails by guesswork. Cards cannot be attached without a processor, so nothing asks it in practice.
import type { Processor, Unknown } from '../ports/processor.ts';

const UNKNOWN: Unknown = { state: 'unknown' };

/** A processor that nobody answers for. */
export const absentProcessor: Processor = {
  authorize: async () => UNKNOWN,
  capture: async () => UNKNOWN,
  reverse: async () => UNKNOWN,
  look: async () => UNKNOWN,
  remit: async () => UNKNOWN,
  lookRemittance: async () => UNKNOWN,
  statement: async () => null,
  readNotice: () => null,
};
