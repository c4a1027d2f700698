// The lifecycle of a disagreement between buyer and seller of an escrow. [G-96]
import { defineMachine, move, type StateOf } from '../../../core/machine.ts';
import { events } from '../../events.ts';

const proposed = { emits: events.disagreementProposed };
const ended = { emits: events.disagreementEnded };

export const disagreementMachine = defineMachine('disagreement', {
  noun: 'disagreement',
  states: ['open', 'resolved', 'closed'],
  moves: [
    move(null, 'open', 'open', 'caller', 'G-96',
      'Buyer, seller or tenant opened it: the escrow is frozen.',
      { emits: events.disagreementOpened }),
    move('open', 'state', 'open', 'caller', 'G-96',
      'A side stated something, or handed in a file.', { emits: events.disagreementStated }),
    move('open', 'propose', 'open', 'caller', 'G-96',
      'A side proposed how to divide what is held; a proposal before it is gone.', proposed),
    move('open', 'decline', 'open', 'caller', 'G-96',
      'The other side declined the proposal.', proposed),
    move('open', 'warn', 'open', 'system', 'G-96',
      'The limit is near: then the default outcome follows.', { emits: events.disagreementDue }),
    move('open', 'lapse', 'open', 'system', 'G-96',
      'The limit has passed and nothing is to follow: a person decides.'),
    move('open', 'accept', 'resolved', 'caller', 'G-96',
      'The other side accepted the proposal: what is held is divided so.', ended),
    move('open', 'resolve', 'resolved', 'caller', 'G-96',
      'The tenant divided what is held.', ended),
    move('open', 'default', 'resolved', 'system', 'G-96',
      'The limit has passed: its default outcome follows.', ended),
    move('open', 'charged_back', 'closed', 'processor', 'G-93',
      'A dispute of a charge was lost, which ended the escrow: nothing is left to divide.', ended),
  ],
});

export type DisagreementState = StateOf<typeof disagreementMachine>;
