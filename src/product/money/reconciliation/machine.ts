// The lifecycle of a discrepancy: a statement row that our books do not explain. It ends explained:
// by the books later, by money given back, or by a person. [M18]
import { defineMachine, move, type StateOf } from '../../../core/machine.ts';

export const discrepancyMachine = defineMachine('difference', {
  noun: "discrepancy between the processor's statement and the books",
  states: ['found', 'returning', 'explained'],
  moves: [
    move(null, 'find', 'found', 'system', 'M18',
      'A statement row contradicts the books or is unknown to them: a person must look.'),
    move([null, 'found'], 'give_back', 'returning', 'system', 'M18',
      'The processor captured the same money twice: the surplus is returned.',
      { posts: 'book_second_capture' }),
    move('returning', 'given_back', 'explained', 'processor', 'M18',
      'The processor confirmed that the surplus was returned.', { posts: 'clear_second_capture' }),
    move('found', 'match', 'explained', 'system', 'M18',
      'The books now agree with the statement row.'),
    move('found', 'explain', 'explained', 'operator', 'M18',
      'A person found the reason and wrote it down; no money moves.'),
  ],
});

export type DifferenceState = StateOf<typeof discrepancyMachine>;
