// The lifecycle of a block of an account. [G-20, G-22]
import { defineMachine, move } from '../../../core/machine.ts';
import { events } from '../../events.ts';

const emits = events.blockChanged;

export const blockMachine = defineMachine('account_block', {
  noun: 'block of an account',
  states: ['ACTIVE', 'LIFTED'],
  moves: [
    move(null, 'block', 'ACTIVE', 'caller', 'G-20',
      'The integrator or an operator blocked this capability of the account.', { emits }),
    move('ACTIVE', 'unblock', 'LIFTED', 'caller', 'G-20',
      'The block was lifted; blocks never expire by themselves.', { emits }),
    move('LIFTED', 'block', 'ACTIVE', 'caller', 'G-20',
      'The same capability was blocked again.', { emits }),
    move(null, 'merge', 'ACTIVE', 'caller', 'G-22',
      'The account was merged into another, which has its money; it is closed for good.',
      { posts: 'move_balances', emits }),
    move('ACTIVE', 'merge', 'ACTIVE', 'caller', 'G-22',
      'Money reached the closed account later, as by a refund: it moves to the other one.',
      { posts: 'move_balances' }),
  ],
});
