// Why a person cannot be erased, for operators; no operation of the interface answers with these.
// [PD3, PD6]
import { defineRefusals } from '../../kernel/refusal.ts';

export const refusals = defineRefusals({
  PERSON_ERASED: {
    status: 400,
    sentence: 'The person is erased: there is no data left to hold.',
    act: 'operator',
    retry: false,
    cites: 'PD6',
  },
  PERSON_HELD: {
    status: 400,
    sentence: "A legal hold keeps the person's data.",
    act: 'operator',
    retry: false,
    cites: 'PD6',
  },
  PERSON_HAS_MONEY_UNDER_WAY: {
    status: 400,
    sentence: 'Money of the person is on its way: a payment, an escrow, a payout or a refund.',
    act: 'operator',
    retry: true,
    cites: 'PD3',
  },
  PERSON_HAS_BALANCE: {
    status: 400,
    sentence: 'A wallet of the person holds money, or money is kept back for them.',
    act: 'operator',
    retry: true,
    cites: 'PD3',
  },
});
