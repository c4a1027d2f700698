// The lifecycle of a seller's account at the processor. What the processor says of it decides each
// step but the first. [G-91]
import { defineMachine, move, type StateOf } from '../../../core/machine.ts';

export const payeeMachine = defineMachine('payee', {
  noun: "seller's account at the processor",
  states: ['opening', 'restricted', 'ready', 'closed'],
  moves: [
    move(null, 'begin', 'opening', 'caller', 'G-91',
      'The key is stored before the first call, so that asking again is safe.'),
    move('opening', 'open', 'restricted', 'processor', 'G-91',
      'The processor opened it; the seller says on its page what is due.'),
    move('opening', 'refuse', 'closed', 'processor', 'G-91',
      'The processor opens none under this key.'),
    move('restricted', 'enable', 'ready', 'processor', 'G-91',
      'The processor requires nothing more of the seller: it takes payouts.'),
    move('ready', 'restrict', 'restricted', 'processor', 'G-91',
      'The processor requires more of the seller: payouts wait until that is done.'),
    move(['restricted', 'ready'], 'close', 'closed', 'processor', 'G-91',
      'The processor has no such account any more: another one can be opened.'),
  ],
});

export type PayeeState = StateOf<typeof payeeMachine>;
