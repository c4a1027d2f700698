// The lifecycle of a block of an account. [G-20, G-22]
import { defineMachine, type StateOf } from '../../../core/machine.ts';
import { events } from '../../events.ts';

export const blockMachine = defineMachine('account_block', {
  noun: 'block of an account',
  states: ['ACTIVE', 'LIFTED'],
  moves: [
    {
      from: null,
      on: 'block',
      to: 'ACTIVE',
      by: 'caller',
      emits: events.blockChanged,
      why: 'The integrator or an operator blocked this capability of the account.',
      cites: 'G-20',
    },
    {
      from: 'ACTIVE',
      on: 'unblock',
      to: 'LIFTED',
      by: 'caller',
      emits: events.blockChanged,
      why: 'The block was lifted; blocks never expire by themselves.',
      cites: 'G-20',
    },
    {
      from: 'LIFTED',
      on: 'block',
      to: 'ACTIVE',
      by: 'caller',
      emits: events.blockChanged,
      why: 'The same capability was blocked again.',
      cites: 'G-20',
    },
    {
      from: null,
      on: 'merge',
      to: 'ACTIVE',
      by: 'caller',
      posts: 'move_balances',
      emits: events.blockChanged,
      why: 'The account was merged into another, which has its money; it is closed for good.',
      cites: 'G-22',
    },
    {
      from: 'ACTIVE',
      on: 'merge',
      to: 'ACTIVE',
      by: 'caller',
      posts: 'move_balances',
      why: 'Money reached the closed account later, as by a refund: it moves to the other one.',
      cites: 'G-22',
    },
  ],
});

export type BlockState = StateOf<typeof blockMachine>;
