// The lifecycle of an escrow. [seed: Escrow status]
import { defineMachine, move, type StateOf } from '../../../core/machine.ts';
import { events } from '../../events.ts';

const update = events.escrowChanged;

export const escrowMachine = defineMachine('escrow', {
  noun: 'escrow',
  states: ['OPEN', 'ESCROWED', 'ESCROW-FAILED', 'COMMITTED', 'CANCELLED'],
  moves: [
    move(null, 'create', 'OPEN', 'caller', 'seed: Escrow status',
      'The escrow and its invoice are created; nobody is charged yet.'),
    move('OPEN', 'payment_succeeded', 'ESCROWED', 'processor', 'seed: Escrow status',
      'The buyer was charged; the money is held.', { posts: 'hold_in_escrow', emits: update }),
    move('OPEN', 'payment_failed', 'ESCROW-FAILED', 'processor', 'seed: Escrow status',
      'The buyer could not be charged; the reason is on the escrow invoice.',
      { posts: 'release_wallet_parts', emits: update }),
    move('ESCROWED', 'commit', 'COMMITTED', 'caller', 'seed: Escrow status',
      'Sellers and integrator are paid from the held money.',
      { posts: 'commit_escrow', emits: update }),
    move('ESCROWED', 'cancel', 'CANCELLED', 'caller', 'seed: Escrow status',
      'All held money goes back to the payment methods that were charged.',
      { posts: 'give_back', emits: update }),
    move('ESCROWED', 'warn', 'ESCROWED', 'system', 'G-42',
      'The holding limit is near: commit or cancel before the escrow is cancelled.',
      { emits: events.escrowExpiring }),
    move('ESCROWED', 'expire', 'CANCELLED', 'system', 'G-42',
      'The holding limit has passed: the money is returned automatically.',
      { posts: 'give_back', emits: update }),
    move('ESCROWED', 'dispute', 'ESCROWED', 'processor', 'G-93',
      'One of its charges is disputed: the escrow is frozen and its time limit paused.'),
    move('ESCROWED', 'resume', 'ESCROWED', 'processor', 'G-93',
      'All disputed money is held again: the escrow continues with its remaining time.'),
    move('ESCROWED', 'charged_back', 'CANCELLED', 'processor', 'G-93',
      'A dispute was lost or a debit returned: the rest goes back to its payment methods.',
      { posts: 'give_back', emits: update }),
  ],
});

export type EscrowState = StateOf<typeof escrowMachine>;
