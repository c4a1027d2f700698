// The lifecycle of an incoming transfer: money that came in at the bank, until it is in a wallet,
// covers opening balances or was sent back. What no reference explains waits for a person. [G-91]
import { defineMachine, listed } from '../../../core/machine.ts';

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
    {
      from: null,
      on: 'match',
      to: 'credited',
      by: 'system',
      why: 'The statement names the reference of a wallet, which is credited at once.',
      cites,
    },
    {
      from: null,
      on: 'find',
      to: 'unallocated',
      by: 'system',
      posts: 'bank_in',
      why: 'The money is at the bank, and no wallet can be credited: a person must look.',
      cites,
    },
    {
      from: null,
      on: 'record',
      to: 'credited',
      by: 'operator',
      why: 'An operator recorded the transfer, below the limit of a second person.',
      cites,
    },
    {
      from: null,
      on: 'propose',
      to: 'proposed',
      by: 'operator',
      why: 'An operator recorded the transfer; a second person must confirm it.',
      cites,
    },
    {
      from: ['proposed', 'allocating'],
      on: 'confirm',
      to: 'credited',
      by: 'operator',
      why: 'A second operator confirmed; the wallet is credited.',
      cites,
    },
    {
      from: ['proposed', 'allocating'],
      on: 'cover',
      to: 'covered',
      by: 'operator',
      posts: 'cover_openings',
      why: 'A second operator confirmed: it is the money of opening balances that moved in.',
      cites,
    },
    {
      from: 'proposed',
      on: 'reject',
      to: 'rejected',
      by: 'operator',
      why: 'A second operator rejected what the first one recorded; no money was booked.',
      cites,
    },
    {
      from: 'credited',
      on: 'see',
      to: 'credited',
      by: 'system',
      why: 'The statement shows the transfer that an operator had recorded.',
      cites,
    },
    {
      from: 'covered',
      on: 'see',
      to: 'covered',
      by: 'system',
      why: 'The statement shows the money of opening balances that operators had recorded.',
      cites,
    },
    {
      from: 'unallocated',
      on: 'allocate',
      to: 'credited',
      by: 'operator',
      why: 'An operator gave the money to a wallet, below the limit of a second person.',
      cites,
    },
    {
      from: 'unallocated',
      on: 'propose',
      to: 'allocating',
      by: 'operator',
      why: 'An operator proposed what it is for; a second person must confirm it.',
      cites,
    },
    {
      from: 'allocating',
      on: 'reject',
      to: 'unallocated',
      by: 'operator',
      why: 'A second operator rejected the proposal; the transfer stays open.',
      cites,
    },
    {
      from: 'unallocated',
      on: 'send_back',
      to: 'returning',
      by: 'operator',
      why: 'The money is to be sent back, by hand at the bank, with the reference shown.',
      cites,
    },
    {
      from: 'returning',
      on: 'keep',
      to: 'unallocated',
      by: 'operator',
      why: 'The money is not sent back after all.',
      cites,
    },
    {
      from: 'returning',
      on: 'sent_back',
      to: 'returned',
      by: 'system',
      posts: 'bank_out',
      why: 'The statement shows that the money was sent back.',
      cites,
    },
    {
      from: 'unallocated',
      on: 'same',
      to: 'duplicate',
      by: 'operator',
      posts: 'bank_out',
      why: 'The row is a transfer that was recorded by hand before: it is not booked twice.',
      cites,
    },
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
