// The lifecycles of a refund and of a reversal. [G-43, M12, M15]
import { defineMachine, type StateOf } from '../../../core/machine.ts';
import { events } from '../../events.ts';

const emits = events.refundCompleted;

export const refundMachine = defineMachine('refund', {
  noun: 'refund',
  states: [
    'REFUND-WAITING-FUNDS',
    'REFUND-PENDING',
    'REFUND-SUCCESS',
    'REFUND-FAILED',
    'REFUND-REJECTED',
  ],
  moves: [
    {
      from: null,
      on: 'request',
      to: 'REFUND-WAITING-FUNDS',
      by: 'caller',
      why: 'The funds of the integrator are too low: the amounts are reserved, no money moved.',
      cites: 'G-43',
    },
    ...([null, 'REFUND-WAITING-FUNDS'] as const).flatMap((from) => {
      const start = from === null ? 'request' : 'fund';
      const by = from === null ? 'caller' : 'system';
      return [
        {
          from,
          on: start,
          to: 'REFUND-SUCCESS',
          by,
          posts: 'give_back',
          emits,
          why: 'The whole refund went back to wallets at once, paid by the integrator.',
          cites: 'G-43',
        },
        {
          from,
          on: start,
          to: 'REFUND-PENDING',
          by,
          posts: 'give_back',
          why: 'The integrator has paid; the processor is asked to return the money.',
          cites: 'G-43',
        },
      ] as const;
    }),
    {
      from: 'REFUND-WAITING-FUNDS',
      on: 'withdraw',
      to: 'REFUND-REJECTED',
      by: 'caller',
      emits,
      why: 'The integrator withdrew the refund before any money moved.',
      cites: 'G-43',
    },
    {
      from: 'REFUND-WAITING-FUNDS',
      on: 'charged_back',
      to: 'REFUND-REJECTED',
      by: 'system',
      emits,
      why: 'The bank already returned the money to the buyer, who is not paid twice.',
      cites: 'M15',
    },
    {
      from: 'REFUND-PENDING',
      on: 'succeed',
      to: 'REFUND-SUCCESS',
      by: 'processor',
      posts: 'clear_sent',
      emits,
      why: 'The processor confirmed the whole refund.',
      cites: 'M12',
    },
    {
      from: 'REFUND-PENDING',
      on: 'fail',
      to: 'REFUND-FAILED',
      by: 'processor',
      posts: ['return_unsent', 'clear_sent'],
      emits,
      why: "The processor declined a part: that amount goes back to the integrator.",
      cites: 'M12',
    },
  ],
});

export const reversalMachine = defineMachine('reversal', {
  noun: 'chargeback or bank return of a charge',
  states: ['received', 'escrowed', 'covered', 'given_back'],
  moves: [
    {
      from: null,
      on: 'receive',
      to: 'received',
      by: 'processor',
      posts: 'reverse',
      why: 'The processor took the charge back; the sale itself does not change.',
      cites: 'M15',
    },
    {
      from: null,
      on: 'receive',
      to: 'escrowed',
      by: 'processor',
      posts: 'reverse',
      why: 'The escrow held the whole amount and bears it: the integrator owes nothing.',
      cites: 'G-93',
    },
    {
      from: 'received',
      on: 'cover',
      to: 'covered',
      by: 'system',
      posts: 'cover',
      why: 'The funds of the integrator covered it.',
      cites: 'G-43',
    },
    {
      from: ['received', 'escrowed', 'covered'],
      on: 'give_back',
      to: 'given_back',
      by: 'processor',
      posts: 'restore',
      why: 'The dispute was won or withdrawn: whoever paid has the money back.',
      cites: 'G-93',
    },
  ],
});

export type RefundState = StateOf<typeof refundMachine>;
export type ReversalState = StateOf<typeof reversalMachine>;
