// The lifecycle of a seller's account at the processor. What the processor says of it decides each
// step but the first. [G-91]
import { defineMachine, type StateOf } from '../../../core/machine.ts';

const common = { by: 'processor', cites: 'G-91' } as const;

export const payeeMachine = defineMachine('payee', {
  noun: "seller's account at the processor",
  states: ['opening', 'restricted', 'ready', 'closed'],
  moves: [
    {
      from: null,
      on: 'begin',
      to: 'opening',
      by: 'caller',
      why: 'The key is stored before the first call, so that asking again is safe.',
      cites: 'G-91',
    },
    {
      ...common,
      from: 'opening',
      on: 'open',
      to: 'restricted',
      why: 'The processor opened it; the seller says on its page what is due.',
    },
    {
      ...common,
      from: 'opening',
      on: 'refuse',
      to: 'closed',
      why: 'The processor opens none under this key.',
    },
    {
      ...common,
      from: 'restricted',
      on: 'enable',
      to: 'ready',
      why: 'The processor requires nothing more of the seller: it takes payouts.',
    },
    {
      ...common,
      from: 'ready',
      on: 'restrict',
      to: 'restricted',
      why: 'The processor requires more of the seller: payouts wait until that is done.',
    },
    {
      ...common,
      from: ['restricted', 'ready'],
      on: 'close',
      to: 'closed',
      why: 'The processor has no such account any more: another one can be opened.',
    },
  ],
});

export type PayeeState = StateOf<typeof payeeMachine>;
