// The lifecycle of an escrow. [seed: Escrow status]
import { defineMachine, type StateOf } from '../../../core/machine.ts';
import { events } from '../../events.ts';

const update = events.escrowChanged;

export const escrowMachine = defineMachine('escrow', {
  noun: 'escrow',
  states: ['OPEN', 'ESCROWED', 'ESCROW-FAILED', 'COMMITTED', 'CANCELLED'],
  moves: [
    {
      from: null,
      on: 'create',
      to: 'OPEN',
      by: 'caller',
      why: 'The escrow and its invoice are created; nobody is charged yet.',
      cites: 'seed: Escrow status',
    },
    {
      from: 'OPEN',
      on: 'payment_succeeded',
      to: 'ESCROWED',
      by: 'processor',
      posts: 'hold_in_escrow',
      emits: update,
      why: 'The buyer was charged; the money is held.',
      cites: 'seed: Escrow status',
    },
    {
      from: 'OPEN',
      on: 'payment_failed',
      to: 'ESCROW-FAILED',
      by: 'processor',
      posts: 'release_wallet_parts',
      emits: update,
      why: 'The buyer could not be charged; the reason is on the escrow invoice.',
      cites: 'seed: Escrow status',
    },
    {
      from: 'ESCROWED',
      on: 'commit',
      to: 'COMMITTED',
      by: 'caller',
      posts: 'commit_escrow',
      emits: update,
      why: 'Sellers and integrator are paid from the held money.',
      cites: 'seed: Escrow status',
    },
    {
      from: 'ESCROWED',
      on: 'cancel',
      to: 'CANCELLED',
      by: 'caller',
      posts: 'give_back',
      emits: update,
      why: 'All held money goes back to the payment methods that were charged.',
      cites: 'seed: Escrow status',
    },
    {
      from: 'ESCROWED',
      on: 'warn',
      to: 'ESCROWED',
      by: 'system',
      emits: events.escrowExpiring,
      why: 'The holding limit is near: commit or cancel before the escrow is cancelled.',
      cites: 'G-42',
    },
    {
      from: 'ESCROWED',
      on: 'expire',
      to: 'CANCELLED',
      by: 'system',
      posts: 'give_back',
      emits: update,
      why: 'The holding limit has passed: the money is returned automatically.',
      cites: 'G-42',
    },
    {
      from: 'ESCROWED',
      on: 'dispute',
      to: 'ESCROWED',
      by: 'processor',
      why: 'One of its charges is disputed: the escrow is frozen and its time limit paused.',
      cites: 'G-93',
    },
    {
      from: 'ESCROWED',
      on: 'resume',
      to: 'ESCROWED',
      by: 'processor',
      why: 'All disputed money is held again: the escrow continues with its remaining time.',
      cites: 'G-93',
    },
    {
      from: 'ESCROWED',
      on: 'charged_back',
      to: 'CANCELLED',
      by: 'processor',
      posts: 'give_back',
      emits: update,
      why: 'A dispute was lost or a debit returned: the rest goes back to its payment methods.',
      cites: 'G-93',
    },
  ],
});

export type EscrowState = StateOf<typeof escrowMachine>;
