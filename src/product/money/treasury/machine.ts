// The lifecycle of a settlement: a statement row as it is booked, from pending at the processor to
// our bank account. [G-91]
import { defineMachine, move } from '../../../core/machine.ts';

const cites = 'G-91';

export const settlementMachine = defineMachine('settlement', {
  noun: 'settlement of a statement row',
  states: ['pending', 'available', 'in_transit', 'at_bank', 'returned'],
  moves: [
    move(null, 'report', 'pending', 'processor', cites,
      'The processor reported money that is not available yet; what it kept is a cost.',
      { posts: 'book_fee' }),
    move([null, 'pending'], 'settle', 'available', 'system', cites,
      'The money is available, or gone, by the date of its statement row.',
      { posts: 'make_available' }),
    move(null, 'depart', 'in_transit', 'processor', cites,
      'The processor sent available money to our bank account.', { posts: 'send_to_bank' }),
    move('in_transit', 'arrive', 'at_bank', 'system', cites,
      "Our bank's statement shows the transfer of the processor.", { posts: 'arrive_at_bank' }),
    move('in_transit', 'return', 'returned', 'processor', cites,
      'Our bank did not take the transfer; the row that says so brings the money back.'),
  ],
});
