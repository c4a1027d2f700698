// The lifecycle of a discrepancy: a statement row that our books do not explain. It ends explained:
// by the books later, by money given back, or by a person. [M18]
import { defineMachine, type StateOf } from '../../../core/machine.ts';

export const discrepancyMachine = defineMachine('difference', {
  noun: "discrepancy between the processor's statement and the books",
  states: ['found', 'returning', 'explained'],
  moves: [
    {
      from: null,
      on: 'find',
      to: 'found',
      by: 'system',
      why: 'A statement row contradicts the books or is unknown to them: a person must look.',
      cites: 'M18',
    },
    {
      from: [null, 'found'],
      on: 'give_back',
      to: 'returning',
      by: 'system',
      posts: 'book_second_capture',
      why: 'The processor captured the same money twice: the surplus is returned.',
      cites: 'M18',
    },
    {
      from: 'returning',
      on: 'given_back',
      to: 'explained',
      by: 'processor',
      posts: 'clear_second_capture',
      why: 'The processor confirmed that the surplus was returned.',
      cites: 'M18',
    },
    {
      from: 'found',
      on: 'match',
      to: 'explained',
      by: 'system',
      why: 'The books now agree with the statement row.',
      cites: 'M18',
    },
    {
      from: 'found',
      on: 'explain',
      to: 'explained',
      by: 'operator',
      why: 'A person found the reason and wrote it down; no money moves.',
      cites: 'M18',
    },
  ],
});

export type DifferenceState = StateOf<typeof discrepancyMachine>;
