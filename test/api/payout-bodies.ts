// Valid bodies of payouts, schedules and accounts by IBAN, for the tests of every operation.
import type { Api } from '../kit/api.ts';
import type { Body } from './market.ts';
import type { RightBodies } from './right-bodies.ts';

type RightBody = RightBodies[string];

/** An account by IBAN, and schedules that pay out to the destination of a payout. */
export function payoutBodies(api: Api, [, payout]: RightBody): RightBodies {
  const { account_id } = api.ready.accounts.seller;
  const rhythm = { currency: 'USD', interval: 'weekly', weekday: 'friday', minimum_amount: 5_000 };
  const destination_payment_method_id = payout?.['destination_payment_method_id'];
  return {
    createOneTimePaymentMethod: ['/v1/payment_method/once', { account_id, kind: 'card' }],
    createBankAccount: [
      '/v1/payment_method/bank_account',
      { account_id, iban: 'NL91ABNA0417164300', bic: 'ABNANL2A', holder_name: 'N' },
    ],
    createPayeeLink: ['/v1/payee/link', { account_id, country: 'US', ...backTo() }],
    setPayoutScheduleDefault: ['/v2/payout_schedule', rhythm],
    setPayoutSchedule: [
      `/v2/${account_id}/payout_schedule`,
      { ...rhythm, destination_payment_method_id },
    ],
  };
}

function backTo(): Body {
  const address = 'http://localhost:3000/done';
  return { return_url: address, refresh_url: address };
}

/** A payout of the seller's, who is given the money for it. */
export async function payoutBody(api: Api): Promise<RightBody> {
  const { account_id } = api.ready.accounts.seller;
  const money = { currency: 'USD', amount: 2500 };
  const post = <T>(path: string, body: Body): Promise<T> =>
    api.must(201, 'invoicing', 'POST', path, { body });
  await post('/sandbox/deposits', { account_id, ...money });
  const to = { account_id, test_card: 'bank' };
  const bank = await post<{ id: string }>('/sandbox/payment_methods', to);
  const path = `/v1/${account_id}/payment_methods`;
  type Method = { id: string; display_string: string };
  const methods = await api.must<Method[]>(200, 'payments', 'GET', path);
  const source = methods.find((one) => one.display_string === 'USD wallet')?.id ?? '';
  const ids = { source_payment_method_id: source, destination_payment_method_id: bank.id };
  return [`/v2/${account_id}/payout`, { ...ids, ...money }];
}
