// The lifecycle of an incoming transfer: money that came in at the bank, until it is in a wallet or
// was sent back. What nobody's reference explains waits for a person. [G-91]
import { defineMachine, listed } from '../../../core/machine.ts';

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
    {
      from: null,
      on: 'match',
      to: 'credited',
      by: 'system',
      why: 'The statement names the reference of a wallet, which is credited at once.',
      cites: 'G-91',
    },
    {
      from: null,
      on: 'find',
      to: 'unallocated',
      by: 'system',
      posts: 'bank_in',
      why: 'The money is at the bank, and no wallet can be credited: a person must look.',
      cites: 'G-91',
    },
    {
      from: null,
      on: 'record',
      to: 'credited',
      by: 'operator',
      why: 'An operator recorded the transfer, below the limit of a second person.',
      cites: 'G-91',
    },
    {
      from: null,
      on: 'propose',
      to: 'proposed',
      by: 'operator',
      why: 'An operator recorded the transfer; a second person must confirm it.',
      cites: 'G-91',
    },
    {
      from: ['proposed', 'allocating'],
      on: 'confirm',
      to: 'credited',
      by: 'operator',
      why: 'A second operator confirmed; the wallet is credited.',
      cites: 'G-91',
    },
    {
      from: 'proposed',
      on: 'reject',
      to: 'rejected',
      by: 'operator',
      why: 'A second operator rejected what the first one recorded; no money was booked.',
      cites: 'G-91',
    },
    {
      from: 'credited',
      on: 'see',
      to: 'credited',
      by: 'system',
      why: 'The statement shows the transfer that an operator had recorded.',
      cites: 'G-91',
    },
    {
      from: 'unallocated',
      on: 'allocate',
      to: 'credited',
      by: 'operator',
      why: 'An operator gave the money to a wallet, below the limit of a second person.',
      cites: 'G-91',
    },
    {
      from: 'unallocated',
      on: 'propose',
      to: 'allocating',
      by: 'operator',
      why: 'An operator proposed a wallet; a second person must confirm it.',
      cites: 'G-91',
    },
    {
      from: 'allocating',
      on: 'reject',
      to: 'unallocated',
      by: 'operator',
      why: 'A second operator rejected the wallet; the transfer stays open.',
      cites: 'G-91',
    },
    {
      from: 'unallocated',
      on: 'send_back',
      to: 'returning',
      by: 'operator',
      why: 'The money is to be sent back, by hand at the bank, with the reference shown.',
      cites: 'G-91',
    },
    {
      from: 'returning',
      on: 'keep',
      to: 'unallocated',
      by: 'operator',
      why: 'The money is not sent back after all.',
      cites: 'G-91',
    },
    {
      from: 'returning',
      on: 'sent_back',
      to: 'returned',
      by: 'system',
      posts: 'bank_out',
      why: 'The statement shows that the money was sent back.',
      cites: 'G-91',
    },
    {
      from: 'unallocated',
      on: 'same',
      to: 'duplicate',
      by: 'operator',
      posts: 'bank_out',
      why: 'The row is a transfer that was recorded by hand before: it is not booked twice.',
      cites: 'G-91',
    },
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
