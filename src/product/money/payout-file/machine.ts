// The lifecycle of a payout file: collected by one operator, confirmed by another, handed to the
// bank once, and settled when nothing in it is open any more. [G-91]
import { defineMachine, type StateOf } from '../../../core/machine.ts';

const cites = 'G-91';

export const payoutFileMachine = defineMachine('payout_file', {
  noun: 'payout file',
  states: ['collected', 'confirmed', 'handed_over', 'settled', 'cancelled'],
  moves: [
    {
      from: null,
      on: 'collect',
      to: 'collected',
      by: 'operator',
      why: 'An operator collected the payouts that waited in one currency.',
      cites,
    },
    {
      from: 'collected',
      on: 'confirm',
      to: 'confirmed',
      by: 'operator',
      why: 'A second operator confirmed number, total and digest.',
      cites,
    },
    {
      from: 'confirmed',
      on: 'hand_over',
      to: 'handed_over',
      by: 'operator',
      posts: 'hand_over_payouts',
      why: 'The file goes to the bank: from here on its payouts count as handed over.',
      cites,
    },
    {
      from: 'handed_over',
      on: 'settle',
      to: 'settled',
      by: 'operator',
      why: 'The bank has debited or rejected every payout in it.',
      cites,
    },
    {
      from: ['collected', 'confirmed'],
      on: 'cancel',
      to: 'cancelled',
      by: 'operator',
      why: 'The file was not handed over; its payouts wait for the next one.',
      cites,
    },
  ],
});

export type PayoutFileState = StateOf<typeof payoutFileMachine>;
