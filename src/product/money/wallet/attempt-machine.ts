// The lifecycle of one card payment at the processor: begun with its key, requested, settled. All
// parts of an invoice are authorised before any is captured. [G-41]
import { defineMachine, listed, move, type OnOf, type StateOf } from '../../../core/machine.ts';

export const attemptMachine = defineMachine('attempt', {
  noun: 'card payment at the processor',
  states: [
    'authorizing',
    'authorized',
    'declined',
    'parked',
    'challenged',
    'reversing',
    'capturing',
    'captured',
    'reversed',
  ],
  moves: [
    move(null, 'begin', 'authorizing', 'system', 'G-41',
      'The key is stored before the first call, so that asking again is safe.'),
    move('authorizing', 'authorized', 'authorized', 'processor', 'G-41',
      'The money is reserved; the other parts may still be asked.'),
    move('authorizing', 'declined', 'declined', 'processor', 'G-39',
      'The processor said no; nothing is reserved under the key.'),
    move('authorizing', 'mismatched', 'parked', 'processor', 'G-39',
      'The book shows another amount or currency: nobody guesses, a person decides.'),
    move('authorizing', 'challenged', 'challenged', 'processor', 'G-39',
      'The bank wants the buyer to confirm: nothing is reserved until then.'),
    move('challenged', 'authorized', 'authorized', 'processor', 'G-39',
      'The buyer confirmed, and the money is reserved.'),
    move('challenged', 'declined', 'declined', 'processor', 'G-39',
      'The buyer refused, or the bank did after all; nothing is reserved under the key.'),
    move('challenged', 'mismatched', 'parked', 'processor', 'G-39',
      'The book shows another amount or currency: nobody guesses, a person decides.'),
    move('challenged', 'voided', 'declined', 'processor', 'G-39',
      'The processor gave the key up before the buyer confirmed; nothing is taken.'),
    move('challenged', 'give_back', 'reversing', 'system', 'G-39',
      'The buyer took too long, gave up, or another part failed: it can be confirmed no more.'),
    move('authorized', 'capture', 'capturing', 'system', 'G-41',
      'All parts are authorised, so the money is taken.'),
    move('authorized', 'give_back', 'reversing', 'system', 'G-41',
      'Another part failed, so this one does not stay taken.'),
    move('capturing', 'captured', 'captured', 'processor', 'G-41', 'The money was taken.'),
    move('capturing', 'declined', 'declined', 'processor', 'G-39',
      'The authorised money could not be taken.'),
    move('authorizing', 'voided', 'declined', 'processor', 'G-41',
      'The processor gave the key up before anything was reserved; nothing is taken.'),
    move('capturing', 'voided', 'declined', 'processor', 'G-41',
      'The processor let the reservation go before it was taken; nothing is taken.'),
    move('capturing', 'mismatched', 'parked', 'processor', 'G-39',
      'Another amount or currency was taken: no credit against it, a person decides.'),
    move('capturing', 'give_back', 'reversing', 'system', 'G-41',
      'Another part failed while this one was being taken.'),
    move('captured', 'give_back', 'reversing', 'system', 'G-41',
      'Another part could not be taken after this one was.'),
    move('reversing', 'reversed', 'reversed', 'processor', 'G-41',
      'The processor gave the money back or never had it.'),
    move('reversing', 'refused', 'parked', 'processor', 'M13',
      'The processor keeps what it took for a payment that failed: it stays owed, in sight.'),
    move('declined', 'contradicted', 'parked', 'processor', 'G-39',
      'The book shows money under a key that was declined: no credit, a person decides.'),
    move('parked', 'accept', 'captured', 'operator', 'G-39',
      'A person found that the agreed money was taken after all.'),
    move('parked', 'give_back', 'reversing', 'operator', 'G-39',
      'A person has whatever was taken paid back.'),
  ],
});

export type AttemptEvent = OnOf<typeof attemptMachine>;
export type AttemptState = StateOf<typeof attemptMachine>;

/** SQL: states in which an answer of the processor, or of the buyer's bank, is outstanding. */
export const attemptOpen = listed(
  attemptMachine,
  'authorizing',
  'challenged',
  'capturing',
  'reversing',
);
