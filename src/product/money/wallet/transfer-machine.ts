// The lifecycle of an outbound transfer: begun with its key, requested, settled; or queued for a
// payout file and handed to the bank in it. Where the processor contradicts itself it goes to
// manual review; nobody guesses. [M12, M13, G-91]
import { defineMachine, listed, move, type OnOf, type StateOf } from '../../../core/machine.ts';

export const transferMachine = defineMachine('transfer', {
  noun: 'refund or payout at the processor or in a payout file',
  states: [
    'sending',
    'pending',
    'paid',
    'declined',
    'parked',
    'returned',
    'replaced',
    'waiting',
    'handed_over',
  ],
  moves: [
    move(null, 'begin', 'sending', 'system', 'G-43',
      'The key is stored before the first call, so that asking again is safe.'),
    move(['sending', 'pending'], 'paid', 'paid', 'processor', 'G-43',
      'The processor confirms that the money has left.'),
    move(['sending', 'pending'], 'declined', 'declined', 'processor', 'G-43',
      'The processor said no for good: nothing leaves under this key.'),
    move(['sending', 'pending'], 'refused', 'parked', 'processor', 'G-35',
      'What must go back was refused: it stays owed, and a person decides how it goes.'),
    move(['sending', 'pending'], 'mismatched', 'parked', 'processor', 'G-39',
      'The book shows another amount or currency: a person decides.'),
    move(['sending', 'pending'], 'returned', 'returned', 'processor', 'G-43',
      'It was paid and has come back before we heard of either.'),
    move('sending', 'accepted', 'pending', 'processor', 'G-43',
      'The processor took the order; the bank has not confirmed it.'),
    move('paid', 'returned', 'returned', 'processor', 'G-43',
      'The bank sent the money back after it was paid.'),
    move('declined', 'contradicted', 'parked', 'processor', 'G-39',
      'The book shows money under a key that it had declined: a person decides.'),
    move('parked', 'accept', 'paid', 'operator', 'G-39',
      'A person found that the money has reached its receiver.', { posts: 'keep_for_integrator' }),
    move('parked', 'retry', 'replaced', 'operator', 'G-39',
      'A person has it sent again, under a new key.'),
    move(null, 'queue', 'waiting', 'system', 'G-91',
      'It goes to an account by IBAN and waits until a payout file collects it.'),
    move('waiting', 'declined', 'declined', 'operator', 'G-91',
      'A person found that it cannot be paid to this account; no live file lists it.'),
    move('waiting', 'hand_over', 'handed_over', 'operator', 'G-91',
      'The file that lists it was handed to the bank.'),
    move('handed_over', 'paid', 'paid', 'operator', 'G-91',
      "The tenant's bank account was debited for it."),
    move('handed_over', 'declined', 'declined', 'operator', 'G-91',
      'The bank did not carry it out: nothing was debited.', { posts: 'free_handed_over' }),
  ],
});

export type TransferEvent = OnOf<typeof transferMachine>;
export type TransferState = StateOf<typeof transferMachine>;

/** SQL: states in which an answer of the processor is outstanding. */
export const transferOpen = listed(transferMachine, 'sending', 'pending');
