// The lifecycle of a payout; its states are the statuses of the wire. [G-43]
import { defineMachine, move, type StateOf } from '../../../core/machine.ts';
import { events } from '../../events.ts';

const emits = events.payoutCompleted;

const IN_ESCROW = ['FUNDS-IN-ESCROW', 'FUNDS-IN-ESCROW-ON-HOLD'] as const;

/** States in which the money is ready: it may be sent or given back. */
export const READY_STATES = [...IN_ESCROW, 'FAILED'] as const;

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
    move(null, 'request', 'ESCROW-TRANSFER-INITIATED', 'caller', cites,
      'A verified person requested a payout from the wallet.'),
    move('ESCROW-TRANSFER-INITIATED', 'hold', 'FUNDS-IN-ESCROW', 'system', cites,
      'The money left the wallet and waits for the payout review.', { posts: 'hold_payout' }),
    move(READY_STATES, 'execute', 'CREDIT-TRANSFER-INITIATED', 'caller', cites,
      'Staging approves and sends at once, so that an integration can be tested.',
      { stagingOnly: true }),
    move(IN_ESCROW, 'release', 'CREDIT-TRANSFER-INITIATED', 'system', cites,
      'The review hold is over, the account eligible, the money available: it is sent.'),
    move('FUNDS-IN-ESCROW', 'hold_back', 'FUNDS-IN-ESCROW-ON-HOLD', 'system', cites,
      'Not eligible, or the money is not available yet: it is checked again later.'),
    move(IN_ESCROW, 'keep', 'FUNDS-IN-ESCROW-ON-HOLD', 'caller', 'G-88',
      'Somebody holds the payout: it stays until they let it go.'),
    move('FUNDS-IN-ESCROW-ON-HOLD', 'let_go', 'FUNDS-IN-ESCROW', 'caller', 'G-88',
      'The held payout goes on: it is sent when its review is over.'),
    move('CREDIT-TRANSFER-INITIATED', 'paid', 'SUCCESS', 'processor', cites,
      'The processor confirmed the transfer; the fee is charged.', { posts: 'pay_out', emits }),
    move('CREDIT-TRANSFER-INITIATED', 'declined', 'FAILED', 'processor', cites,
      'The processor declined the transfer for good; the money is still reserved.', { emits }),
    move('CREDIT-TRANSFER-INITIATED', 'returned', 'FAILED', 'processor', cites,
      'The transfer was paid and returned before either was reported.', { emits }),
    move('SUCCESS', 'returned', 'FAILED', 'processor', cites,
      'The bank returned the money; amount and fee are reserved again.',
      { posts: 'take_back_payout', emits }),
    move('FAILED', 'found_paid', 'SUCCESS', 'operator', 'G-39',
      'A person found that a declined transfer had left after all.', { posts: 'pay_out', emits }),
    move(READY_STATES, 'cancel', 'SUPPORT-REJECT-TRANSFER-INITIATED', 'caller', cites,
      'The payout is cancelled; its record stays.'),
    move('SUPPORT-REJECT-TRANSFER-INITIATED', 'reject', 'SUPPORT-REJECTED', 'system', cites,
      'The money is back in the wallet.', { posts: 'give_back_payout', emits }),
    move('FAILED', 'lapse', 'SYSTEM-REJECTED', 'system', cites,
      'It was not resolved for a week after it failed, or never left: the money goes back.',
      { posts: 'give_back_payout', emits }),
  ],
});

export type PayoutState = StateOf<typeof payoutMachine>;
