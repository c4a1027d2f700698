// The lifecycle of an incoming transfer: money that came in at the bank, until it is in a wallet or
// was sent back. What nobody's reference explains waits for a person. [G-91]
import { defineMachine, listed, move } from '../../../core/machine.ts';

export const incomingMachine = defineMachine('incoming_transfer', {
  noun: 'incoming bank transfer',
  states: [
    'proposed',
    'unallocated',
    'allocating',
    'credited',
    'returning',
    'returned',
    'duplicate',
    'rejected',
  ],
  moves: [
    move(null, 'match', 'credited', 'system', 'G-91',
      'The statement names the reference of a wallet, which is credited at once.'),
    move(null, 'find', 'unallocated', 'system', 'G-91',
      'The money is at the bank, and no wallet can be credited: a person must look.',
      { posts: 'bank_in' }),
    move(null, 'record', 'credited', 'operator', 'G-91',
      'An operator recorded the transfer, below the limit of a second person.'),
    move(null, 'propose', 'proposed', 'operator', 'G-91',
      'An operator recorded the transfer; a second person must confirm it.'),
    move(['proposed', 'allocating'], 'confirm', 'credited', 'operator', 'G-91',
      'A second operator confirmed; the wallet is credited.'),
    move('proposed', 'reject', 'rejected', 'operator', 'G-91',
      'A second operator rejected what the first one recorded; no money was booked.'),
    move('credited', 'see', 'credited', 'system', 'G-91',
      'The statement shows the transfer that an operator had recorded.'),
    move('unallocated', 'allocate', 'credited', 'operator', 'G-91',
      'An operator gave the money to a wallet, below the limit of a second person.'),
    move('unallocated', 'propose', 'allocating', 'operator', 'G-91',
      'An operator proposed a wallet; a second person must confirm it.'),
    move('allocating', 'reject', 'unallocated', 'operator', 'G-91',
      'A second operator rejected the wallet; the transfer stays open.'),
    move('unallocated', 'send_back', 'returning', 'operator', 'G-91',
      'The money is to be sent back, by hand at the bank, with the reference shown.'),
    move('returning', 'keep', 'unallocated', 'operator', 'G-91',
      'The money is not sent back after all.'),
    move('returning', 'sent_back', 'returned', 'system', 'G-91',
      'The statement shows that the money was sent back.', { posts: 'bank_out' }),
    move('unallocated', 'same', 'duplicate', 'operator', 'G-91',
      'The row is a transfer that was recorded by hand before: it is not booked twice.',
      { posts: 'bank_out' }),
  ],
});

export const incomingStates = incomingMachine.states;

/** SQL list of the states in which nobody has to look any more. */
export const ENDED_STATES = listed(
  incomingMachine,
  ...(['credited', 'returned', 'duplicate', 'rejected'] as const),
);

/** SQL list of the states in which the money is in no wallet. */
export const OPEN_STATES = listed(incomingMachine, 'unallocated', 'allocating', 'returning');
