// The lifecycle of a proposal, a decision that a second operator must confirm.
import { defineMachine, type Machine } from '../../kernel/machine.ts';

export const proposalMachine: Machine = defineMachine({
  name: 'review_proposal',
  noun: 'decision of a review that a second operator must confirm',
  moves: [
    {
      from: null,
      on: 'propose',
      to: 'open',
      by: 'operator',
      why: 'The case is above a limit: one pair of eyes is not enough.',
      cites: 'G-51',
    },
    {
      from: 'open',
      on: 'confirm',
      to: 'confirmed',
      by: 'operator',
      why: 'Another operator agrees; the case is decided in the same commit.',
      cites: 'G-51',
    },
    {
      from: 'open',
      on: 'reject',
      to: 'rejected',
      by: 'operator',
      why: 'Another operator does not agree; the case waits on.',
      cites: 'G-51',
    },
    {
      from: 'rejected',
      on: 'propose',
      to: 'open',
      by: 'operator',
      why: 'The case did not change meanwhile, and is decided again.',
      cites: 'G-51',
    },
  ],
});

export const machines: readonly Machine[] = [proposalMachine];
