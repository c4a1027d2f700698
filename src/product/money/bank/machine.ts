// The lifecycle of an incoming transfer: money that came in at the bank, until it is in a wallet,
// covers opening balances or was sent back. What no reference explains waits for a person. [G-91]
import { defineMachine, listed, move } from '../../../core/machine.ts';

const cites = 'G-91';

export const incomingMachine = defineMachine('incoming_transfer', {
  noun: 'incoming bank transfer',
  states: [
    'proposed',
    'unallocated',
    'allocating',
    'credited',
    'covered',
    'returning',
    'returned',
    'duplicate',
    'rejected',
  ],
  moves: [
    move(null, 'match', 'credited', 'system', cites,
      'The statement names the reference of a wallet, which is credited at once.'),
    move(null, 'find', 'unallocated', 'system', cites,
      'The money is at the bank, and no wallet can be credited: a person must look.',
      { posts: 'bank_in' }),
    move(null, 'record', 'credited', 'operator', cites,
      'An operator recorded the transfer, below the limit of a second person.'),
    move(null, 'propose', 'proposed', 'operator', cites,
      'An operator recorded the transfer; a second person must confirm it.'),
    move(['proposed', 'allocating'], 'confirm', 'credited', 'operator', cites,
      'A second operator confirmed; the wallet is credited.'),
    move(['proposed', 'allocating'], 'cover', 'covered', 'operator', cites,
      'A second operator confirmed: it is the money of opening balances that moved in.',
      { posts: 'cover_openings' }),
    move('proposed', 'reject', 'rejected', 'operator', cites,
      'A second operator rejected what the first one recorded; no money was booked.'),
    move('credited', 'see', 'credited', 'system', cites,
      'The statement shows the transfer that an operator had recorded.'),
    move('covered', 'see', 'covered', 'system', cites,
      'The statement shows the money of opening balances that operators had recorded.'),
    move('unallocated', 'allocate', 'credited', 'operator', cites,
      'An operator gave the money to a wallet, below the limit of a second person.'),
    move('unallocated', 'propose', 'allocating', 'operator', cites,
      'An operator proposed what it is for; a second person must confirm it.'),
    move('allocating', 'reject', 'unallocated', 'operator', cites,
      'A second operator rejected the proposal; the transfer stays open.'),
    move('unallocated', 'send_back', 'returning', 'operator', cites,
      'The money is to be sent back, by hand at the bank, with the reference shown.'),
    move('returning', 'keep', 'unallocated', 'operator', cites,
      'The money is not sent back after all.'),
    move('returning', 'sent_back', 'returned', 'system', cites,
      'The statement shows that the money was sent back.', { posts: 'bank_out' }),
    move('unallocated', 'same', 'duplicate', 'operator', cites,
      'The row is a transfer that was recorded by hand before: it is not booked twice.',
      { posts: 'bank_out' }),
    move('unallocated', 'from_processor', 'duplicate', 'operator', cites,
      'The processor sent it: it is booked as its transfer to the bank, and not as a deposit.',
      { posts: 'bank_out' }),
    move('unallocated', 'own', 'duplicate', 'operator', cites,
      'It is interest of the bank or money of the tenant: it is booked as that.',
      { posts: 'bank_out' }),
    move(['unallocated', 'returning'], 'take', 'returned', 'operator', cites,
      'The bank took it back before anybody had it.', { posts: 'bank_out' }),
  ],
});

/** What a person said that a row of the statement is which settles nothing of ours. */
export const bookingMachine = defineMachine('bank_booking', {
  noun: "decision about a row of the bank's statement",
  states: ['proposed', 'booked', 'rejected'],
  moves: [
    move(null, 'book', 'booked', 'operator', cites,
      'An operator said what the row is, below the limit of a second person.',
      { posts: 'book_bank_row' }),
    move(null, 'propose', 'proposed', 'operator', cites,
      'An operator said what the row is; a second person must confirm it.'),
    move('proposed', 'confirm', 'booked', 'operator', cites,
      'A second operator confirmed; the row is booked.', { posts: 'book_bank_row' }),
    move('proposed', 'reject', 'rejected', 'operator', cites,
      'A second operator rejected it; the row waits for another decision.'),
  ],
});

export const incomingStates = incomingMachine.states;

/** SQL list of the states in which nobody has to look any more. */
export const ENDED_STATES = listed(
  incomingMachine,
  ...(['credited', 'covered', 'returned', 'duplicate', 'rejected'] as const),
);

/** SQL list of the states in which the money is in no wallet. */
export const OPEN_STATES = listed(incomingMachine, 'unallocated', 'allocating', 'returning');
