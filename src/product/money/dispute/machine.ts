// The lifecycles of a dispute and of an answer to it. [G-93]
import { defineMachine, type StateOf } from '../../../core/machine.ts';
import { events } from '../../events.ts';

/** States in which the outcome is still open. */
export const OPEN_STATES = ['needs_response', 'under_review'] as const;
const OPEN: readonly string[] = OPEN_STATES;

export function isOpen(state: string): boolean {
  return OPEN.includes(state);
}

const common = { by: 'processor', cites: 'G-93' } as const;

const ENDS = [
  ['won', 'The bank rejected the dispute: the money is returned.'],
  ['lost', 'The bank upheld the dispute: the money is lost.'],
  ['withdrawn', 'The cardholder withdrew the dispute: the money is returned.'],
] as const;

export const disputeMachine = defineMachine('dispute', {
  noun: 'dispute',
  states: ['needs_response', 'under_review', 'won', 'lost', 'withdrawn', 'returned'],
  moves: [
    {
      ...common,
      from: null,
      on: 'open',
      to: 'needs_response',
      emits: events.disputeCreated,
      why: 'A cardholder disputes a charge: the processor withholds the money until it ends.',
    },
    {
      ...common,
      from: null,
      on: 'open',
      to: 'returned',
      emits: events.disputeCreated,
      why: 'A bank debit was returned unpaid: this is final, so the dispute closes at once.',
    },
    {
      ...common,
      from: 'needs_response',
      on: 'review',
      to: 'under_review',
      emits: events.disputeUpdated,
      why: 'The bank is reviewing the response; no money moves.',
    },
    {
      from: 'needs_response',
      on: 'add_evidence',
      to: 'needs_response',
      by: 'caller',
      why: 'A text or file was added; nothing was sent to the processor.',
      cites: 'G-93',
    },
    {
      from: 'needs_response',
      on: 'submit',
      to: 'needs_response',
      by: 'caller',
      emits: events.disputeUpdated,
      why: 'All evidence is on its way to the processor; its statement says how it goes on.',
      cites: 'G-93',
    },
    {
      ...common,
      from: 'needs_response',
      on: 'decline_answer',
      to: 'needs_response',
      emits: events.disputeUpdated,
      why: 'The processor declined the evidence: until the deadline it can be submitted again.',
    },
    {
      from: 'needs_response',
      on: 'warn',
      to: 'needs_response',
      by: 'system',
      emits: events.disputeDue,
      why: 'The deadline is near and nothing was submitted: without a response the bank decides.',
      cites: 'G-93',
    },
    {
      from: 'needs_response',
      on: 'lapse',
      to: 'needs_response',
      by: 'system',
      why: 'The deadline has passed without a response: the bank decides without one.',
      cites: 'G-93',
    },
    ...OPEN_STATES.flatMap((from) =>
      ENDS.map(([to, why]) => {
        return { ...common, from, on: 'close', to, emits: events.disputeClosed, why } as const;
      }),
    ),
  ],
});

export const answerMachine = defineMachine('dispute_answer', {
  noun: 'answer to a dispute',
  states: ['sending', 'accepted', 'declined'],
  moves: [
    {
      from: null,
      on: 'begin',
      to: 'sending',
      by: 'caller',
      why: 'Its key is stored before the first call to the processor.',
      cites: 'R5',
    },
    {
      ...common,
      from: 'sending',
      on: 'accept',
      to: 'accepted',
      why: 'The processor has the evidence.',
    },
    {
      ...common,
      from: 'sending',
      on: 'decline',
      to: 'declined',
      why: 'The processor declined the evidence, or it was erased before it was sent.',
    },
  ],
});

export type DisputeState = StateOf<typeof disputeMachine>;
