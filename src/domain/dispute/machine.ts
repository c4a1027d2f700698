// The lifecycle of a dispute. [G-93]
import { defineMachine, type Move } from '../../kernel/machine.ts';

/** States of a dispute, as on the wire. [G-93] */
export const DISPUTE_STATES = [
  'needs_response',
  'under_review',
  'won',
  'lost',
  'withdrawn',
  'returned',
] as const;
export type DisputeState = (typeof DISPUTE_STATES)[number];

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

export const disputeMachine = defineMachine({
  name: 'dispute',
  noun: 'dispute',
  moves: [
    {
      ...common,
      from: null,
      on: 'open',
      to: 'needs_response',
      emits: 'dispute-created',
      why: 'A cardholder disputes a charge: the processor withholds the money until it ends.',
    },
    {
      ...common,
      from: null,
      on: 'open',
      to: 'returned',
      emits: 'dispute-created',
      why: 'A bank debit was returned unpaid: this is final, so the dispute closes at once.',
    },
    {
      ...common,
      from: 'needs_response',
      on: 'review',
      to: 'under_review',
      emits: 'dispute-updated',
      why: 'The bank is reviewing the response; no money moves.',
    },
    ...OPEN_STATES.flatMap((from) =>
      ENDS.map(([to, why]): Move => {
        return { ...common, from, on: 'close', to, emits: 'dispute-closed', why };
      }),
    ),
  ],
});
