// The lifecycle of a proposal, a decision that a second operator must confirm.
import { defineMachine, type StateOf } from '../../../core/machine.ts';

export const proposalMachine = defineMachine('review_proposal', {
  noun: 'decision of a review that a second operator must confirm',
  states: ['open', 'confirmed', 'rejected'],
  moves: [
    {
      from: null,
      on: 'propose',
      to: 'open',
      by: 'operator',
      why: 'The case is above the limit for one reviewer: a second must confirm.',
      cites: 'G-51',
    },
    {
      from: 'open',
      on: 'confirm',
      to: 'confirmed',
      by: 'operator',
      why: 'Another operator agreed; the decision is in effect.',
      cites: 'G-51',
    },
    {
      from: 'open',
      on: 'reject',
      to: 'rejected',
      by: 'operator',
      why: 'Another operator disagreed; the case stays open.',
      cites: 'G-51',
    },
    {
      from: 'rejected',
      on: 'propose',
      to: 'open',
      by: 'operator',
      why: 'The case did not change in the meantime and is decided again.',
      cites: 'G-51',
    },
  ],
});

export type ProposalState = StateOf<typeof proposalMachine>;
