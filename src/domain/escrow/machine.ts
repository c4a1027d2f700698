// The lifecycle of an escrow. [seed: Escrow status]
import { defineMachine } from '../../kernel/machine.ts';

const update = 'escrow-transaction-update';

export const escrowMachine = defineMachine({
  name: 'escrow',
  noun: 'escrow',
  moves: [
    {
      from: null,
      on: 'create',
      to: 'OPEN',
      by: 'caller',
      why: 'A valid request makes an escrow and its invoice; nobody is charged yet.',
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
      why: 'Sellers and integrator are paid out of what is held.',
      cites: 'seed: Escrow status',
    },
    {
      from: 'ESCROWED',
      on: 'cancel',
      to: 'CANCELLED',
      by: 'caller',
      posts: 'give_back',
      emits: update,
      why: 'All of it goes back to the methods that were charged.',
      cites: 'seed: Escrow status',
    },
    {
      from: 'ESCROWED',
      on: 'warn',
      to: 'ESCROWED',
      by: 'system',
      emits: 'escrow-expiring',
      why: 'The money has been held for long; somebody should decide before the clock does.',
      cites: 'G-42',
    },
    {
      from: 'ESCROWED',
      on: 'expire',
      to: 'CANCELLED',
      by: 'system',
      posts: 'give_back',
      emits: update,
      why: 'The holding limit has passed: the clock gives the money back.',
      cites: 'G-42',
    },
  ],
});
