// The lifecycle of a payout; its states are the statuses of the wire. [G-43]
import { defineMachine, type StateOf } from '../../../core/machine.ts';
import { events } from '../../events.ts';

const emits = events.payoutCompleted;

/** States in which the money is ready: it may be sent or given back. */
export const READY_STATES = ['FUNDS-IN-ESCROW', 'FUNDS-IN-ESCROW-ON-HOLD', 'FAILED'] as const;

const cites = 'G-43';

export const payoutMachine = defineMachine('payout', {
  noun: 'payout',
  states: [
    'ESCROW-TRANSFER-INITIATED',
    'FUNDS-IN-ESCROW',
    'CREDIT-TRANSFER-INITIATED',
    'FUNDS-IN-ESCROW-ON-HOLD',
    'FAILED',
    'SUCCESS',
    'SUPPORT-REJECT-TRANSFER-INITIATED',
    'SUPPORT-REJECTED',
    'SYSTEM-REJECTED',
  ],
  moves: [
    {
      from: null,
      on: 'request',
      to: 'ESCROW-TRANSFER-INITIATED',
      by: 'caller',
      why: 'A verified person requested a payout from the wallet.',
      cites,
    },
    {
      from: 'ESCROW-TRANSFER-INITIATED',
      on: 'hold',
      to: 'FUNDS-IN-ESCROW',
      by: 'system',
      posts: 'hold_payout',
      why: 'The money left the wallet and waits for the payout review.',
      cites,
    },
    {
      from: READY_STATES,
      on: 'execute',
      to: 'CREDIT-TRANSFER-INITIATED',
      by: 'caller',
      why: 'Staging approves and sends at once, so that an integration can be tested.',
      stagingOnly: true,
      cites,
    },
    {
      from: ['FUNDS-IN-ESCROW', 'FUNDS-IN-ESCROW-ON-HOLD'],
      on: 'release',
      to: 'CREDIT-TRANSFER-INITIATED',
      by: 'system',
      why: 'The review hold is over, the account eligible, the money available: it is sent.',
      cites,
    },
    {
      from: 'FUNDS-IN-ESCROW',
      on: 'hold_back',
      to: 'FUNDS-IN-ESCROW-ON-HOLD',
      by: 'system',
      why: 'Not eligible, or the money is not available yet: it is checked again later.',
      cites,
    },
    {
      from: 'CREDIT-TRANSFER-INITIATED',
      on: 'paid',
      to: 'SUCCESS',
      by: 'processor',
      posts: 'pay_out',
      emits,
      why: 'The processor confirmed the transfer; the fee is charged.',
      cites,
    },
    {
      from: 'CREDIT-TRANSFER-INITIATED',
      on: 'declined',
      to: 'FAILED',
      by: 'processor',
      emits,
      why: 'The processor declined the transfer for good; the money is still reserved.',
      cites,
    },
    {
      from: 'CREDIT-TRANSFER-INITIATED',
      on: 'returned',
      to: 'FAILED',
      by: 'processor',
      emits,
      why: 'The transfer was paid and returned before either was reported.',
      cites,
    },
    {
      from: 'SUCCESS',
      on: 'returned',
      to: 'FAILED',
      by: 'processor',
      posts: 'take_back_payout',
      emits,
      why: 'The bank returned the money; amount and fee are reserved again.',
      cites,
    },
    {
      from: 'FAILED',
      on: 'found_paid',
      to: 'SUCCESS',
      by: 'operator',
      posts: 'pay_out',
      emits,
      why: 'A person found that a declined transfer had left after all.',
      cites: 'G-39',
    },
    {
      from: READY_STATES,
      on: 'cancel',
      to: 'SUPPORT-REJECT-TRANSFER-INITIATED',
      by: 'caller',
      why: 'The payout is cancelled; its record stays.',
      cites,
    },
    {
      from: 'SUPPORT-REJECT-TRANSFER-INITIATED',
      on: 'reject',
      to: 'SUPPORT-REJECTED',
      by: 'system',
      posts: 'give_back_payout',
      emits,
      why: 'The money is back in the wallet.',
      cites,
    },
    {
      from: 'FAILED',
      on: 'lapse',
      to: 'SYSTEM-REJECTED',
      by: 'system',
      posts: 'give_back_payout',
      emits,
      why: 'It was not resolved for a week after it failed, or never left: the money goes back.',
      cites,
    },
  ],
});

export type PayoutState = StateOf<typeof payoutMachine>;
