// Why a person cannot be erased, for operators; no operation of the interface answers with these.
// [PD3, PD6]
import { defineRefusals } from '../../../core/refusal.ts';

export const refusals = defineRefusals({
  PERSON_ERASED: {
    status: 400,
    sentence: 'The person has been erased; there is no data left to hold.',
    act: 'operator',
    retry: false,
    cites: 'PD6',
  },
  PERSON_HELD: {
    status: 400,
    sentence: 'The data of the person is under a legal hold.',
    act: 'operator',
    retry: false,
    cites: 'PD6',
  },
  PERSON_HAS_MONEY_UNDER_WAY: {
    status: 400,
    sentence: 'The person has a payment, escrow, payout or refund in progress.',
    act: 'operator',
    retry: true,
    cites: 'PD3',
  },
  PERSON_HAS_BALANCE: {
    status: 400,
    sentence: 'The person has a wallet balance or restricted funds.',
    act: 'operator',
    retry: true,
    cites: 'PD3',
  },
});
