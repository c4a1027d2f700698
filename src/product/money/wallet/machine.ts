// The lifecycle of a deposit: money into a wallet from a card, a bank or, in the sandbox, from
// nowhere. [G-49, G-91]
import { defineMachine, type StateOf } from '../../../core/machine.ts';
import { events } from '../../events.ts';

export const depositMachine = defineMachine('deposit', {
  noun: 'deposit',
  states: ['requested', 'success', 'failed'],
  moves: [
    {
      from: null,
      on: 'request',
      to: 'requested',
      by: 'caller',
      why: 'The deposit is requested; no money has moved yet.',
      cites: 'G-49',
    },
    {
      from: 'requested',
      on: 'succeed',
      to: 'success',
      by: 'processor',
      posts: 'deposit',
      emits: events.depositCompleted,
      why: 'The source was charged and the wallet credited at once.',
      cites: 'G-49',
    },
    {
      from: 'requested',
      on: 'fail',
      to: 'failed',
      by: 'processor',
      emits: events.depositCompleted,
      why: 'The source could not be charged; the reason is recorded.',
      cites: 'G-49',
    },
  ],
});

export type DepositState = StateOf<typeof depositMachine>;
