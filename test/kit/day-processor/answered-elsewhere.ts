// For a processor that takes the answer to a dispute on its own pages only: it declines each, so
// the evidence stays with the dispute and nothing is said to be sent. [G-93]
import type { Processor } from '../../../src/providers/processor/port.ts';

export const answeredElsewhere: Pick<Processor, 'answerDispute' | 'retrieveAnswer'> = {
  answerDispute: async ({ reference }) => ({ state: 'declined', reference, code: 'generic_error' }),
  retrieveAnswer: async () => ({ state: 'absent' }),
};
