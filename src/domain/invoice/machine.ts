// The lifecycle of an invoice. [seed: Invoice state]
import { defineMachine } from '../../kernel/machine.ts';

export const invoiceMachine = defineMachine({
  name: 'invoice',
  noun: 'invoice',
  moves: [
    {
      from: null,
      on: 'create',
      to: 'open',
      by: 'caller',
      why: 'A valid request makes an invoice; nobody is charged yet.',
      cites: 'seed: Invoice state',
    },
    {
      from: 'open',
      on: 'pay',
      to: 'processing',
      by: 'caller',
      posts: 'hold_wallet_parts',
      why: 'The invoice is submitted; the wallet parts wait in holding while cards are asked.',
      cites: 'seed: Invoice state',
    },
    {
      from: 'processing',
      on: 'payment_succeeded',
      to: 'success',
      by: 'processor',
      posts: 'settle',
      emits: 'invoice-completed',
      why: 'All parts were taken; sellers and integrator are credited in the same commit.',
      cites: 'seed: Invoice state',
    },
    {
      from: 'processing',
      on: 'payment_failed',
      to: 'failed',
      by: 'processor',
      posts: 'release_wallet_parts',
      emits: 'invoice-completed',
      why: 'One part could not be taken, so none stays taken; the reason is kept.',
      cites: 'seed: Invoice state',
    },
  ],
});
