// The lifecycle of a file of opening balances: read, prepared by one operator, confirmed by
// another, and only then booked, in blocks. [G-97]
import { defineMachine, move, type StateOf } from '../../../core/machine.ts';

const cites = 'G-97';

export const openingMachine = defineMachine('opening', {
  noun: 'file of opening balances',
  states: ['reading', 'prepared', 'confirmed', 'booking', 'booked', 'cancelled'],
  moves: [
    move(null, 'begin', 'reading', 'operator', cites,
      'An operator states the count and the total of a file; its rows are read.'),
    move('reading', 'prepare', 'prepared', 'operator', cites,
      'Every row was accepted, and count and total are the stated ones.'),
    move(['reading', 'prepared'], 'cancel', 'cancelled', 'operator', cites,
      'The file was refused, or somebody does not agree with it; no money has moved.'),
    move('prepared', 'confirm', 'confirmed', 'operator', cites,
      'A second operator compared count and total with the other service.'),
    move(['confirmed', 'booking'], 'book', ['booking', 'booked'], 'system', cites,
      'The next lines are credited to their wallets, and the last ones end it.',
      { posts: 'opening_balances' }),
  ],
});

export type OpeningState = StateOf<typeof openingMachine>;
