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
      why: 'A verified person asks for money out of the wallet.',
      cites,
    },
    {
      from: 'ESCROW-TRANSFER-INITIATED',
      on: 'hold',
      to: 'FUNDS-IN-ESCROW',
      by: 'system',
      posts: 'hold_payout',
      why: 'In the same commit the money leaves the wallet and waits for its review.',
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
      why: 'The review hold is over and nothing speaks against it: the money is sent.',
    }),
    {
      from: 'FUNDS-IN-ESCROW',
      on: 'hold_back',
      to: 'FUNDS-IN-ESCROW-ON-HOLD',
      by: 'system',
      why: 'The account may not be paid out to when the hold is over; it is looked at again.',
      cites,
    },
    {
      from: 'CREDIT-TRANSFER-INITIATED',
      on: 'paid',
      to: 'SUCCESS',
      by: 'processor',
      posts: 'pay_out',
      emits: EMITS,
      why: 'The processor confirms that the money has left; the fee is earned.',
      cites,
    },
    {
      from: 'CREDIT-TRANSFER-INITIATED',
      on: 'declined',
      to: 'FAILED',
      by: 'processor',
      emits: EMITS,
      why: 'The processor said no for good; the money still waits.',
      cites,
    },
    {
      from: 'CREDIT-TRANSFER-INITIATED',
      on: 'returned',
      to: 'FAILED',
      by: 'processor',
      emits: EMITS,
      why: 'It was paid and has come back before we heard of either.',
      cites,
    },
    {
      from: 'SUCCESS',
      on: 'returned',
      to: 'FAILED',
      by: 'processor',
      posts: 'take_back_payout',
      emits: EMITS,
      why: 'The bank sent the money back; all of it waits again, the fee too.',
      cites,
    },
    {
      from: 'FAILED',
      on: 'found_paid',
      to: 'SUCCESS',
      by: 'operator',
      posts: 'pay_out',
      emits: EMITS,
      why: 'A person found that money has left under a key that was declined.',
      cites: 'G-39',
    },
    ...fromReady({
      on: 'cancel',
      to: 'SUPPORT-REJECT-TRANSFER-INITIATED',
      by: 'caller',
      why: 'The money is not wanted out any more; the record stays.',
    }),
    {
      from: 'SUPPORT-REJECT-TRANSFER-INITIATED',
      on: 'reject',
      to: 'SUPPORT-REJECTED',
      by: 'system',
      posts: 'give_back_payout',
      emits: EMITS,
      why: 'In the same commit the money is in the wallet again.',
      cites,
    },
    {
      from: 'FAILED',
      on: 'lapse',
      to: 'SYSTEM-REJECTED',
      by: 'system',
      posts: 'give_back_payout',
      emits: EMITS,
      why: 'Nobody did anything about a failed payout for a week: the money goes back.',
      cites,
    },
  ],
});
