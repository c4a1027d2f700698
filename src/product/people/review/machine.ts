// The lifecycle of a proposal, a decision that a second operator must confirm.
import { defineMachine, move } from '../../../core/machine.ts';

export const proposalMachine = defineMachine('review_proposal', {
  noun: 'decision of a review that a second operator must confirm',
  states: ['open', 'confirmed', 'rejected'],
  moves: [
    move(null, 'propose', 'open', 'operator', 'G-51',
      'The case is above the limit for one reviewer: a second must confirm.'),
    move('open', 'confirm', 'confirmed', 'operator', 'G-51',
      'Another operator agreed; the decision is in effect.'),
    move('open', 'reject', 'rejected', 'operator', 'G-51',
      'Another operator disagreed; the case stays open.'),
    move('rejected', 'propose', 'open', 'operator', 'G-51',
      'The case did not change in the meantime and is decided again.'),
  ],
});
