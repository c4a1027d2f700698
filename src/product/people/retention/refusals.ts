// Why a person cannot be erased, for operators; no operation of the interface answers with these.
// [PD3, PD6]
import { defineRefusals, no, notYet } from '../../../core/refusal.ts';

export const refusals = defineRefusals({
  PERSON_ERASED: no(400, 'operator', 'PD6',
    'The person has been erased; there is no data left to hold.'),
  PERSON_HELD: no(400, 'operator', 'PD6', 'The data of the person is under a legal hold.'),
  PERSON_HAS_MONEY_UNDER_WAY: notYet(400, 'operator', 'PD3',
    'The person has a payment, escrow, payout or refund in progress.'),
  PERSON_HAS_BALANCE: notYet(400, 'operator', 'PD3',
    'The person has a wallet balance or restricted funds.'),
});
