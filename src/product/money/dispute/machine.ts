// The lifecycles of a dispute and of an answer to it. [G-93]
import { defineMachine, move, type StateOf } from '../../../core/machine.ts';
import { events } from '../../events.ts';

/** States in which the outcome is still open. */
export const OPEN_STATES = ['needs_response', 'under_review'] as const;
const OPEN: readonly string[] = OPEN_STATES;

export function isOpen(state: string): boolean {
  return OPEN.includes(state);
}

const ENDS = [
  ['won', 'The bank rejected the dispute: the money is returned.'],
  ['lost', 'The bank upheld the dispute: the money is lost.'],
  ['withdrawn', 'The cardholder withdrew the dispute: the money is returned.'],
] as const;

export const disputeMachine = defineMachine('dispute', {
  noun: 'dispute',
  states: ['needs_response', 'under_review', 'won', 'lost', 'withdrawn', 'returned'],
  moves: [
    move(null, 'open', 'needs_response', 'processor', 'G-93',
      'A cardholder disputes a charge: the processor withholds the money until it ends.',
      { emits: events.disputeCreated }),
    move(null, 'open', 'returned', 'processor', 'G-93',
      'A bank debit was returned unpaid: this is final, so the dispute closes at once.',
      { emits: events.disputeCreated }),
    move('needs_response', 'review', 'under_review', 'processor', 'G-93',
      'The bank is reviewing the response; no money moves.', { emits: events.disputeUpdated }),
    move('needs_response', 'add_evidence', 'needs_response', 'caller', 'G-93',
      'A text or file was added; nothing was sent to the processor.'),
    move('needs_response', 'submit', 'needs_response', 'caller', 'G-93',
      'All evidence is on its way to the processor; its statement says how it goes on.',
      { emits: events.disputeUpdated }),
    move('needs_response', 'decline_answer', 'needs_response', 'processor', 'G-93',
      'The processor declined the evidence: until the deadline it can be submitted again.',
      { emits: events.disputeUpdated }),
    move('needs_response', 'warn', 'needs_response', 'system', 'G-93',
      'The deadline is near and nothing was submitted: without a response the bank decides.',
      { emits: events.disputeDue }),
    move('needs_response', 'lapse', 'needs_response', 'system', 'G-93',
      'The deadline has passed without a response: the bank decides without one.'),
    ...OPEN_STATES.flatMap((from) =>
      ENDS.map(([to, why]) => {
        return move(from, 'close', to, 'processor', 'G-93', why, { emits: events.disputeClosed });
      }),
    ),
  ],
});

export const answerMachine = defineMachine('dispute_answer', {
  noun: 'answer to a dispute',
  states: ['sending', 'accepted', 'declined'],
  moves: [
    move(null, 'begin', 'sending', 'caller', 'R5',
      'Its key is stored before the first call to the processor.'),
    move('sending', 'accept', 'accepted', 'processor', 'G-93', 'The processor has the evidence.'),
    move('sending', 'decline', 'declined', 'processor', 'G-93',
      'The processor declined the evidence, or it was erased before it was sent.'),
  ],
});

export type DisputeState = StateOf<typeof disputeMachine>;
