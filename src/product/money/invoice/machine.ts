// The lifecycle of an invoice. [seed: Invoice state]
import { defineMachine, type StateOf } from '../../../core/machine.ts';
import { events } from '../../events.ts';

export const invoiceMachine = defineMachine('invoice', {
  noun: 'invoice',
  states: ['open', 'processing', 'success', 'failed'],
  moves: [
    {
      from: null,
      on: 'create',
      to: 'open',
      by: 'caller',
      why: 'The invoice is created; nobody is charged yet.',
      cites: 'seed: Invoice state',
    },
    {
      from: 'open',
      on: 'pay',
      to: 'processing',
      by: 'caller',
      posts: 'hold_wallet_parts',
      why: 'Payment started: wallet parts are held while the cards are charged.',
      cites: 'seed: Invoice state',
    },
    {
      from: 'processing',
      on: 'payment_succeeded',
      to: 'success',
      by: 'processor',
      posts: ['settle', 'hold_in_escrow', 'clear_sent'],
      emits: events.invoiceCompleted,
      why: 'All parts were charged (or refunded) and everybody was credited at once.',
      cites: 'seed: Invoice state',
    },
    {
      from: 'processing',
      on: 'payment_failed',
      to: 'failed',
      by: 'processor',
      posts: ['release_wallet_parts', 'clear_sent'],
      emits: events.invoiceCompleted,
      why: 'One part could not be charged, so all parts are returned; the reason is recorded.',
      cites: 'seed: Invoice state',
    },
    {
      from: null,
      on: 'commit',
      to: 'success',
      by: 'caller',
      posts: 'commit_escrow',
      emits: events.invoiceCompleted,
      why: 'The commit invoice of an escrow credits everybody from the held money at once.',
      cites: 'G-35',
    },
    {
      from: null,
      on: 'give_back',
      to: 'success',
      by: 'caller',
      posts: 'give_back',
      emits: events.invoiceCompleted,
      why: 'All of it went back to wallets: the cancelled escrow or refund is complete.',
      cites: 'G-35',
    },
    {
      from: null,
      on: 'give_back',
      to: 'processing',
      by: 'caller',
      posts: 'give_back',
      why: 'Wallet parts are back; the rest is on its way to where it was charged.',
      cites: 'G-35',
    },
  ],
});

export type InvoiceState = StateOf<typeof invoiceMachine>;
