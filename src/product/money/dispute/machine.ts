// The lifecycle of a dispute. [G-93]
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
    ...OPEN_STATES.flatMap((from) =>
      ENDS.map(([to, why]) => {
        return { ...common, from, on: 'close', to, emits: events.disputeClosed, why } as const;
      }),
    ),
  ],
});

export type DisputeState = StateOf<typeof disputeMachine>;
