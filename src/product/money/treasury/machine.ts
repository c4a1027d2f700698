// The lifecycle of a settlement: a statement row as it is booked, from pending at the processor to
// our bank account. [G-91]
import { defineMachine } from '../../../core/machine.ts';

const cites = 'G-91';

export const settlementMachine = defineMachine('settlement', {
  noun: 'settlement of a statement row',
  states: ['pending', 'available', 'in_transit', 'at_bank', 'returned'],
  moves: [
    {
      from: null,
      on: 'report',
      to: 'pending',
      by: 'processor',
      posts: 'book_fee',
      why: 'The processor reported money that is not available yet; what it kept is a cost.',
      cites,
    },
    {
      from: [null, 'pending'],
      on: 'settle',
      to: 'available',
      by: 'system',
      posts: 'make_available',
      why: 'The money is available, or gone, by the date of its statement row.',
      cites,
    },
    {
      from: null,
      on: 'depart',
      to: 'in_transit',
      by: 'processor',
      posts: 'send_to_bank',
      why: 'The processor sent available money to our bank account.',
      cites,
    },
    {
      from: 'in_transit',
      on: 'arrive',
      to: 'at_bank',
      by: 'system',
      posts: 'arrive_at_bank',
      why: "Our bank's statement shows the transfer of the processor.",
      cites,
    },
    {
      from: 'in_transit',
      on: 'return',
      to: 'returned',
      by: 'processor',
      why: 'Our bank did not take the transfer; the row that says so brings the money back.',
      cites,
    },
  ],
});
