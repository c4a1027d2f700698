// The lifecycle of an invoice. [seed: Invoice state]
import { defineMachine, move, type StateOf } from '../../../core/machine.ts';
import { events } from '../../events.ts';

const emits = events.invoiceCompleted;

export const invoiceMachine = defineMachine('invoice', {
  noun: 'invoice',
  states: ['open', 'processing', 'success', 'failed'],
  moves: [
    move(null, 'create', 'open', 'caller', 'seed: Invoice state',
      'The invoice is created; nobody is charged yet.'),
    move('open', 'pay', 'processing', 'caller', 'seed: Invoice state',
      'Payment started: wallet parts are held while the cards are charged.',
      { posts: 'hold_wallet_parts' }),
    move('processing', 'payment_succeeded', 'success', 'processor', 'seed: Invoice state',
      'All parts were charged (or refunded) and everybody was credited at once.',
      { posts: ['settle', 'hold_in_escrow', 'clear_sent'], emits }),
    move('processing', 'payment_failed', 'failed', 'processor', 'seed: Invoice state',
      'One part could not be charged, so all parts are returned; the reason is recorded.',
      { posts: ['release_wallet_parts', 'clear_sent'], emits }),
    move(null, 'commit', 'success', 'caller', 'G-35',
      'The commit invoice of an escrow credits everybody from the held money at once.',
      { posts: 'commit_escrow', emits }),
    move(null, 'give_back', 'success', 'caller', 'G-35',
      'All of it went back to wallets: the cancelled escrow or refund is complete.',
      { posts: 'give_back', emits }),
    move(null, 'give_back', 'processing', 'caller', 'G-35',
      'Wallet parts are back; the rest is on its way to where it was charged.',
      { posts: 'give_back' }),
  ],
});

export type InvoiceState = StateOf<typeof invoiceMachine>;
