// The lifecycle of an outbound transfer: begun with its key, requested, settled; or queued for a
// payout file and handed to the bank in it. Where the processor contradicts itself it goes to
// manual review; nobody guesses. [M12, M13, G-91]
import { defineMachine, listed, type OnOf, type StateOf } from '../../../core/machine.ts';

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
    {
      from: null,
      on: 'begin',
      to: 'sending',
      by: 'system',
      why: 'The key is stored before the first call, so that asking again is safe.',
      cites: 'G-43',
    },
    {
      from: ['sending', 'pending'],
      on: 'paid',
      to: 'paid',
      by: 'processor',
      why: 'The processor confirms that the money has left.',
      cites: 'G-43',
    },
    {
      from: ['sending', 'pending'],
      on: 'declined',
      to: 'declined',
      by: 'processor',
      why: 'The processor said no for good: nothing leaves under this key.',
      cites: 'G-43',
    },
    {
      from: ['sending', 'pending'],
      on: 'refused',
      to: 'parked',
      by: 'processor',
      why: 'What must go back was refused: it stays owed, and a person decides how it goes.',
      cites: 'G-35',
    },
    {
      from: ['sending', 'pending'],
      on: 'mismatched',
      to: 'parked',
      by: 'processor',
      why: 'The book shows another amount or currency: a person decides.',
      cites: 'G-39',
    },
    {
      from: ['sending', 'pending'],
      on: 'returned',
      to: 'returned',
      by: 'processor',
      why: 'It was paid and has come back before we heard of either.',
      cites: 'G-43',
    },
    {
      from: 'sending',
      on: 'accepted',
      to: 'pending',
      by: 'processor',
      why: 'The processor took the order; the bank has not confirmed it.',
      cites: 'G-43',
    },
    {
      from: 'paid',
      on: 'returned',
      to: 'returned',
      by: 'processor',
      why: 'The bank sent the money back after it was paid.',
      cites: 'G-43',
    },
    {
      from: 'declined',
      on: 'contradicted',
      to: 'parked',
      by: 'processor',
      why: 'The book shows money under a key that it had declined: a person decides.',
      cites: 'G-39',
    },
    {
      from: 'parked',
      on: 'accept',
      to: 'paid',
      by: 'operator',
      posts: 'keep_for_integrator',
      why: 'A person found that the money has reached its receiver.',
      cites: 'G-39',
    },
    {
      from: 'parked',
      on: 'retry',
      to: 'replaced',
      by: 'operator',
      why: 'A person has it sent again, under a new key.',
      cites: 'G-39',
    },
    {
      from: null,
      on: 'queue',
      to: 'waiting',
      by: 'system',
      why: 'It goes to an account by IBAN and waits until a payout file collects it.',
      cites: 'G-91',
    },
    {
      from: 'waiting',
      on: 'declined',
      to: 'declined',
      by: 'operator',
      why: 'A person found that it cannot be paid to this account; no live file lists it.',
      cites: 'G-91',
    },
    {
      from: 'waiting',
      on: 'hand_over',
      to: 'handed_over',
      by: 'operator',
      why: 'The file that lists it was handed to the bank.',
      cites: 'G-91',
    },
    {
      from: 'handed_over',
      on: 'paid',
      to: 'paid',
      by: 'operator',
      why: "The tenant's bank account was debited for it.",
      cites: 'G-91',
    },
    {
      from: 'handed_over',
      on: 'declined',
      to: 'declined',
      by: 'operator',
      posts: 'free_handed_over',
      why: 'The bank did not carry it out: nothing was debited.',
      cites: 'G-91',
    },
  ],
});

export type TransferEvent = OnOf<typeof transferMachine>;
export type TransferState = StateOf<typeof transferMachine>;

/** SQL: states in which an answer of the processor is outstanding. */
export const transferOpen = listed(transferMachine, 'sending', 'pending');
