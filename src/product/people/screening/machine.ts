// The lifecycle of a hit: a likeness to an entry of a watch-list, until a person decides or the
// list is dropped. [G-51]
import { defineMachine } from '../../../core/machine.ts';

export const hitMachine = defineMachine('screening_hit', {
  noun: 'likeness of a person to an entry of a watch-list',
  states: ['open', 'dismissed', 'upheld', 'dropped'],
  moves: [
    {
      from: null,
      on: 'find',
      to: 'open',
      by: 'system',
      why: 'The application resembles an entry; operators decide whether it is the same person.',
      cites: 'G-51',
    },
    {
      from: 'open',
      on: 'dismiss',
      to: 'dismissed',
      by: 'operator',
      why: 'Operators decided that it is another person.',
      cites: 'G-51',
    },
    {
      from: 'open',
      on: 'uphold',
      to: 'upheld',
      by: 'operator',
      why: 'Operators decided that it is the same person, or denied the application.',
      cites: 'G-51',
    },
    {
      from: 'open',
      on: 'drop',
      to: 'dropped',
      by: 'operator',
      why: 'The watch-list was dropped before operators decided.',
      cites: 'G-51',
    },
  ],
});
