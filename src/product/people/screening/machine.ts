// The lifecycle of a hit: a likeness to an entry of a watch-list, until a person decides or the
// list is dropped. [G-51]
import { defineMachine, move } from '../../../core/machine.ts';

export const hitMachine = defineMachine('screening_hit', {
  noun: 'likeness of a person or business to an entry of a watch-list',
  states: ['open', 'dismissed', 'upheld', 'dropped'],
  moves: [
    move(null, 'find', 'open', 'system', 'G-51',
      'An application or business resembles an entry; operators decide whether it is the same.'),
    move('open', 'dismiss', 'dismissed', 'operator', 'G-51',
      'Operators decided that it is another person or business.'),
    move('open', 'uphold', 'upheld', 'operator', 'G-51',
      'Operators decided that it is the same, or denied the application or business.'),
    move('open', 'drop', 'dropped', 'operator', 'G-51',
      'The watch-list was dropped before operators decided.'),
  ],
});
