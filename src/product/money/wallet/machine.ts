// The lifecycle of a deposit: money into a wallet from a card, a bank or, in the sandbox, from
// nowhere. [G-49, G-91]
import { defineMachine, move } from '../../../core/machine.ts';
import { events } from '../../events.ts';

const emits = events.depositCompleted;

export const depositMachine = defineMachine('deposit', {
  noun: 'deposit',
  states: ['requested', 'success', 'failed'],
  moves: [
    move(null, 'request', 'requested', 'caller', 'G-49',
      'The deposit is requested; no money has moved yet.'),
    move('requested', 'succeed', 'success', 'processor', 'G-49',
      'The source was charged and the wallet credited at once.', { posts: 'deposit', emits }),
    move('requested', 'fail', 'failed', 'processor', 'G-49',
      'The source could not be charged; the reason is recorded.', { emits }),
  ],
});
