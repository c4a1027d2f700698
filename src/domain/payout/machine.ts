// The lifecycle of a payout; its states are the statuses of the wire. [G-43]
import { defineMachine, type Move } from '../../kernel/machine.ts';

const EMITS = 'payout-completed';

/** States in which the money is ready: it may be sent or given back. */
export const READY_STATES = ['FUNDS-IN-ESCROW', 'FUNDS-IN-ESCROW-ON-HOLD', 'FAILED'] as const;

const cites = 'G-43';

function fromReady(rest: Omit<Move, 'from' | 'cites'>): Move[] {
  return READY_STATES.map((from) => ({ from, ...rest, cites }));
}

function fromHeld(rest: Omit<Move, 'from' | 'cites'>): Move[] {
  return fromReady(rest).filter(({ from }) => from !== 'FAILED');
}

export const payoutMachine = defineMachine({
  name: 'payout',
  noun: 'payout',
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
    ...fromReady({
      on: 'execute',
      to: 'CREDIT-TRANSFER-INITIATED',
      by: 'caller',
      why: 'Staging approves and sends at once, so that an integration can be tested.',
      stagingOnly: true,
    }),
    ...fromHeld({
      on: 'release',
      to: 'CREDIT-TRANSFER-INITIATED',
      by: 'system',
      why: 'The review hold is over and the account is eligible: the money is sent.',
    }),
    {
      from: 'FUNDS-IN-ESCROW',
      on: 'hold_back',
      to: 'FUNDS-IN-ESCROW-ON-HOLD',
      by: 'system',
      why: 'The review hold is over but the account is not eligible: it is checked again later.',
      cites,
    },
    {
      from: 'CREDIT-TRANSFER-INITIATED',
      on: 'paid',
      to: 'SUCCESS',
      by: 'processor',
      posts: 'pay_out',
      emits: EMITS,
      why: 'The processor confirmed the transfer; the fee is charged.',
      cites,
    },
    {
      from: 'CREDIT-TRANSFER-INITIATED',
      on: 'declined',
      to: 'FAILED',
      by: 'processor',
      emits: EMITS,
      why: 'The processor declined the transfer for good; the money is still reserved.',
      cites,
    },
    {
      from: 'CREDIT-TRANSFER-INITIATED',
      on: 'returned',
      to: 'FAILED',
      by: 'processor',
      emits: EMITS,
      why: 'The transfer was paid and returned before either was reported.',
      cites,
    },
    {
      from: 'SUCCESS',
      on: 'returned',
      to: 'FAILED',
      by: 'processor',
      posts: 'take_back_payout',
      emits: EMITS,
      why: 'The bank returned the money; amount and fee are reserved again.',
      cites,
    },
    {
      from: 'FAILED',
      on: 'found_paid',
      to: 'SUCCESS',
      by: 'operator',
      posts: 'pay_out',
      emits: EMITS,
      why: 'A person found that a declined transfer had left after all.',
      cites: 'G-39',
    },
    ...fromReady({
      on: 'cancel',
      to: 'SUPPORT-REJECT-TRANSFER-INITIATED',
      by: 'caller',
      why: 'The payout is cancelled; its record stays.',
    }),
    {
      from: 'SUPPORT-REJECT-TRANSFER-INITIATED',
      on: 'reject',
      to: 'SUPPORT-REJECTED',
      by: 'system',
      posts: 'give_back_payout',
      emits: EMITS,
      why: 'The money is back in the wallet.',
      cites,
    },
    {
      from: 'FAILED',
      on: 'lapse',
      to: 'SYSTEM-REJECTED',
      by: 'system',
      posts: 'give_back_payout',
      emits: EMITS,
      why: 'The failed payout was not resolved for a week: the money goes back.',
      cites,
    },
  ],
});
