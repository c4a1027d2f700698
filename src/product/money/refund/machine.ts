// The lifecycles of a refund and of a reversal. [G-43, M12, M15]
import { defineMachine, move, type StateOf } from '../../../core/machine.ts';
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
    move(null, 'request', 'REFUND-WAITING-FUNDS', 'caller', 'G-43',
      'The funds of the integrator are too low: the amounts are reserved, no money moved.'),
    ...([[null, 'request', 'caller'], ['REFUND-WAITING-FUNDS', 'fund', 'system']] as const).flatMap(
      ([from, on, by]) => [
        move(from, on, 'REFUND-SUCCESS', by, 'G-43',
          'The whole refund went back to wallets at once, paid by the integrator.',
          { posts: 'give_back', emits }),
        move(from, on, 'REFUND-PENDING', by, 'G-43',
          'The integrator has paid; the processor is asked to return the money.',
          { posts: 'give_back' }),
      ],
    ),
    move('REFUND-WAITING-FUNDS', 'withdraw', 'REFUND-REJECTED', 'caller', 'G-43',
      'The integrator withdrew the refund before any money moved.', { emits }),
    move('REFUND-WAITING-FUNDS', 'charged_back', 'REFUND-REJECTED', 'system', 'M15',
      'The bank already returned the money to the buyer, who is not paid twice.', { emits }),
    move('REFUND-PENDING', 'succeed', 'REFUND-SUCCESS', 'processor', 'M12',
      'The processor confirmed the whole refund.', { posts: 'clear_sent', emits }),
    move('REFUND-PENDING', 'fail', 'REFUND-FAILED', 'processor', 'M12',
      "The processor declined a part: that amount goes back to the integrator.",
      { posts: ['return_unsent', 'clear_sent'], emits }),
  ],
});

export const reversalMachine = defineMachine('reversal', {
  noun: 'chargeback or bank return of a charge',
  states: ['received', 'escrowed', 'covered', 'given_back'],
  moves: [
    move(null, 'receive', 'received', 'processor', 'M15',
      'The processor took the charge back; the sale itself does not change.', { posts: 'reverse' }),
    move(null, 'receive', 'escrowed', 'processor', 'G-93',
      'The escrow held the whole amount and bears it: the integrator owes nothing.',
      { posts: 'reverse' }),
    move('received', 'cover', 'covered', 'system', 'G-43',
      'The funds of the integrator covered it.', { posts: 'cover' }),
    move(['received', 'escrowed', 'covered'], 'give_back', 'given_back', 'processor', 'G-93',
      'The dispute was won or withdrawn: whoever paid has the money back.', { posts: 'restore' }),
  ],
});

export type RefundState = StateOf<typeof refundMachine>;
