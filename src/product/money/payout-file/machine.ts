// The lifecycle of a payout file: collected by one operator, confirmed by another, handed to the
// bank once, and settled when nothing in it is open any more. [G-91]
import { defineMachine, move } from '../../../core/machine.ts';

const cites = 'G-91';

export const payoutFileMachine = defineMachine('payout_file', {
  noun: 'payout file',
  states: ['collected', 'confirmed', 'handed_over', 'settled', 'cancelled'],
  moves: [
    move(null, 'collect', 'collected', 'operator', cites,
      'An operator collected the payouts that waited in one currency.'),
    move('collected', 'confirm', 'confirmed', 'operator', cites,
      'A second operator confirmed number, total and digest.'),
    move('confirmed', 'hand_over', 'handed_over', 'operator', cites,
      'The file goes to the bank: from here on its payouts count as handed over.',
      { posts: 'hand_over_payouts' }),
    move('handed_over', 'settle', 'settled', 'operator', cites,
      'The bank has debited or rejected every payout in it.'),
    move(['collected', 'confirmed'], 'cancel', 'cancelled', 'operator', cites,
      'The file was not handed over; its payouts wait for the next one.'),
  ],
});
