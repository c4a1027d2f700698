// The lifecycle of one card payment at the processor: begun with its key, asked, settled. All parts
// of an invoice are authorised before any is captured. [G-41]
import { defineMachine } from '../../kernel/machine.ts';

export const attemptMachine = defineMachine({
  name: 'attempt',
  noun: 'card payment at the processor',
  moves: [
    {
      from: null,
      on: 'begin',
      to: 'authorizing',
      by: 'system',
      why: 'The key is stored before the first call, so that asking again is safe.',
      cites: 'G-41',
    },
    {
      from: 'authorizing',
      on: 'authorized',
      to: 'authorized',
      by: 'processor',
      why: 'The money is reserved; the other parts may still be asked.',
      cites: 'G-41',
    },
    {
      from: 'authorizing',
      on: 'declined',
      to: 'declined',
      by: 'processor',
      why: 'The processor said no; nothing is reserved under the key.',
      cites: 'G-39',
    },
    {
      from: 'authorizing',
      on: 'mismatched',
      to: 'parked',
      by: 'processor',
      why: 'The book shows another amount or currency: nobody guesses, a person decides.',
      cites: 'G-39',
    },
    {
      from: 'authorized',
      on: 'capture',
      to: 'capturing',
      by: 'system',
      why: 'All parts are authorised, so the money is taken.',
      cites: 'G-41',
    },
    {
      from: 'authorized',
      on: 'give_back',
      to: 'reversing',
      by: 'system',
      why: 'Another part failed, so this one does not stay taken.',
      cites: 'G-41',
    },
    {
      from: 'capturing',
      on: 'captured',
      to: 'captured',
      by: 'processor',
      why: 'The money was taken.',
      cites: 'G-41',
    },
    {
      from: 'capturing',
      on: 'declined',
      to: 'declined',
      by: 'processor',
      why: 'The authorised money could not be taken.',
      cites: 'G-39',
    },
    {
      from: 'capturing',
      on: 'mismatched',
      to: 'parked',
      by: 'processor',
      why: 'Another amount or currency was taken: no credit against it, a person decides.',
      cites: 'G-39',
    },
    {
      from: 'capturing',
      on: 'give_back',
      to: 'reversing',
      by: 'system',
      why: 'Another part failed while this one was being taken.',
      cites: 'G-41',
    },
    {
      from: 'captured',
      on: 'give_back',
      to: 'reversing',
      by: 'system',
      why: 'Another part could not be taken after this one was.',
      cites: 'G-41',
    },
    {
      from: 'reversing',
      on: 'reversed',
      to: 'reversed',
      by: 'processor',
      why: 'The processor gave the money back or never had it.',
      cites: 'G-41',
    },
  ],
});

/** States in which the processor has to be asked. */
export const ASKING_STATES: readonly string[] = ['authorizing', 'capturing', 'reversing'];
