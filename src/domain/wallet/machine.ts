// The lifecycle of a deposit: money into a wallet from a card or, in the sandbox, from nowhere.
// [G-49]
import { defineMachine, type Machine } from '../../kernel/machine.ts';

export const depositMachine: Machine = defineMachine({
  name: 'deposit',
  noun: 'deposit',
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
      emits: 'deposit-completed',
      why: 'The source was charged and the wallet credited at once.',
      cites: 'G-49',
    },
    {
      from: 'requested',
      on: 'fail',
      to: 'failed',
      by: 'processor',
      emits: 'deposit-completed',
      why: 'The source could not be charged; the reason is recorded.',
      cites: 'G-49',
    },
  ],
});
