// The lifecycle of a file of opening balances: read, prepared by one operator, confirmed by
// another, and only then booked, in blocks. [G-97]
import { defineMachine, type StateOf } from '../../../core/machine.ts';

const byOperator = { by: 'operator', cites: 'G-97' } as const;

export const openingMachine = defineMachine('opening', {
  noun: 'file of opening balances',
  states: ['reading', 'prepared', 'confirmed', 'booking', 'booked', 'cancelled'],
  moves: [
    {
      ...byOperator,
      from: null,
      on: 'begin',
      to: 'reading',
      why: 'An operator states the count and the total of a file; its rows are read.',
    },
    {
      ...byOperator,
      from: 'reading',
      on: 'prepare',
      to: 'prepared',
      why: 'Every row was accepted, and count and total are the stated ones.',
    },
    {
      ...byOperator,
      from: ['reading', 'prepared'],
      on: 'cancel',
      to: 'cancelled',
      why: 'The file was refused, or somebody does not agree with it; no money has moved.',
    },
    {
      ...byOperator,
      from: 'prepared',
      on: 'confirm',
      to: 'confirmed',
      why: 'A second operator compared count and total with the other service.',
    },
    {
      from: ['confirmed', 'booking'],
      on: 'book',
      to: ['booking', 'booked'],
      by: 'system',
      posts: 'opening_balances',
      why: 'The next lines are credited to their wallets, and the last ones end it.',
      cites: 'G-97',
    },
  ],
});

export type OpeningState = StateOf<typeof openingMachine>;
