// Changes that need a workspace or a person's session of their own, for the test that repeats every
// change under its key.
import type { Api } from '../kit/api.ts';
import { Bank } from '../kit/challenge.ts';
import type { Body } from './market.ts';
import { payoutBody } from './payout-bodies.ts';
import { mergeBody } from './right-bodies.ts';
import { agree, enterCard, makeDispute, ownWorkspace } from './fixtures.ts';
import type { HostName } from '../../src/core/operation.ts';

/** Host, method, path, body, another body, and whose token. */
export type Change = readonly [
  HostName,
  string,
  string,
  Body,
  (Body | undefined)?,
  (string | undefined)?,
];

/** Snapshots and workspaces; a rollback and a reset in workspaces of their own. */
export async function workspaceChanges(api: Api): Promise<readonly Change[]> {
  const [one, two, three] = [
    await ownWorkspace(api),
    await ownWorkspace(api),
    await ownWorkspace(api),
  ];
  const { snapshot_id } = one;
  const other = { snapshot_id: two.snapshot_id };
  const terms = {
    ...{ fee_basis_points: 290, fee_fixed: 30, dispute_fee: 1_500, monthly_fee: 0 },
    delay_days: 2,
  };
  const sooner = { ...terms, delay_days: 1 };
  const transfer = { currency: 'USD', amount: 5 };
  return [
    ['invoicing', 'POST', '/sandbox/snapshots', { name: 'one' }, { name: 'two' }],
    ['invoicing', 'POST', '/sandbox/worlds', { snapshot_id }, other],
    ['invoicing', 'POST', '/sandbox/rollback', { snapshot_id }, other, one.token],
    ['invoicing', 'POST', '/sandbox/reset', {}, undefined, two.token],
    // After that, in what two is now: payouts wait there, and nowhere else.
    ['invoicing', 'POST', '/sandbox/settlement_terms', terms, sooner, two.token],
    ['invoicing', 'POST', '/sandbox/bank_transfers', transfer, { ...transfer, amount: 6 }],
    ['invoicing', 'DELETE', `/sandbox/worlds/${three.world_id}`, {}],
    ['invoicing', 'DELETE', `/sandbox/snapshots/${three.snapshot_id}`, {}],
  ];
}

/** A person begins to enter a card, and attaches one; it is renamed and removed. */
export async function methodChanges(api: Api): Promise<readonly Change[]> {
  const { session } = await agree(api, api.ready.accounts.buyer.account_id);
  const path = '/v1/payment_method';
  const [one, two] = [await enterCard(api, session), await enterCard(api, session)];
  const attached = async (): Promise<string> => {
    const body = { entry_id: await enterCard(api, session) };
    const call = { body, token: session };
    return `${path}/${(await api.must<{ id: string }>(201, 'payments', 'POST', path, call)).id}`;
  };
  const [name, other] = [{ display_string: 'Once' }, { display_string: 'Other' }];
  const { account_id } = api.ready.accounts.buyer;
  const [card, ideal] = [{ account_id, kind: 'card' }, { account_id, kind: 'ideal' }];
  const guarded = await api.attach(account_id, 'three_d_secure');
  const waiting = await api.created(api.sale(9, [{ payment_method_id: guarded }]));
  await api.pay(waiting);
  await new Bank(api).pageOf(`/v2/invoice/${waiting}`);
  return [
    ['payments', 'POST', `${path}/once`, card, ideal],
    ['invoicing', 'POST', `/v2/invoice/${waiting}/give_up`, {}],
    ['payments', 'POST', `${path}/entry`, { kind: 'card' }, { kind: 'bank' }, session],
    ['payments', 'POST', path, { entry_id: one }, { entry_id: two }, session],
    ['payments', 'PATCH', await attached(), name, other],
    ['payments', 'DELETE', await attached(), {}],
  ];
}

/** An account by IBAN, the tenant's schedule, and the seller's to the destination of a payout. */
export async function scheduleChanges(api: Api): Promise<readonly Change[]> {
  const { account_id } = api.ready.accounts.seller;
  const [, payout] = await payoutBody(api);
  const destination_payment_method_id = payout['destination_payment_method_id'];
  const account = { account_id, iban: 'NL91ABNA0417164300', holder_name: 'Once' };
  const rhythm = { currency: 'USD', interval: 'manual' };
  const own = { currency: 'USD', destination_payment_method_id };
  const other = { ...account, holder_name: 'Other' };
  const more = { minimum_amount: 7 };
  const path = '/v2/payout_schedule';
  return [
    ['payments', 'POST', '/v1/payment_method/bank_account', account, other],
    ['payments', 'POST', '/v1/payee/link', { account_id }, { account_id, country: 'US' }],
    ['invoicing', 'PUT', path, rhythm, { ...rhythm, ...more }],
    ['invoicing', 'PUT', `/v2/${account_id}/payout_schedule`, own, { ...own, ...more }],
  ];
}

/** Two people who have nothing are merged. */
export async function mergeChange(api: Api): Promise<Change> {
  const [path, body] = await mergeBody(api);
  const swapped = {
    source_account_id: body['destination_account_id'],
    destination_account_id: body['source_account_id'],
  };
  return ['accounts', 'POST', path, body, swapped];
}

/** Evidence of a dispute, who bears one, and whose word counts for a seller. */
export async function disputeChanges(api: Api): Promise<readonly Change[]> {
  const { account_id, card_payment_method_id: card } = api.ready.accounts.buyer;
  const path = `/v1/disputes/${await makeDispute(api, undefined, [account_id, card])}`;
  const said = { kind: 'other', text: 'x' };
  const [bearer, other] = [{ bearer: 'seller' }, { bearer: 'integrator' }];
  const says = { processor_verifies: false };
  return [
    ['invoicing', 'POST', `${path}/evidence`, said, { ...said, text: 'y' }],
    ['invoicing', 'POST', `${path}/submit`, {}],
    ['invoicing', 'PUT', '/v1/settings/disputes', bearer, other],
    ['invoicing', 'PUT', '/v1/settings/payees', says, { processor_verifies: true }],
    ['invoicing', 'PUT', '/v1/settings/coverage', { published: true }, { published: false }],
    ['invoicing', 'PUT', '/v1/settings/mail', { enabled: true }, { enabled: false }],
  ];
}

/** Payouts that are requested, held, let go, sent and cancelled. */
export async function payoutChanges(api: Api): Promise<readonly Change[]> {
  const [path, body] = await payoutBody(api);
  const requested = async (): Promise<string> => {
    const [, body] = await payoutBody(api);
    type Made = { payout_status_id: string };
    const made = await api.must<Made>(201, 'invoicing', 'POST', path, { body });
    return `${path}/${made.payout_status_id}`;
  };
  const held = await requested();
  await api.must(200, 'invoicing', 'POST', `${held}/hold`);
  return [
    ['invoicing', 'POST', `${await requested()}/hold`, {}],
    ['invoicing', 'POST', `${held}/let_go`, {}],
    ['invoicing', 'POST', path, body, { ...body, amount: 6 }],
    ['invoicing', 'PATCH', await requested(), {}],
    ['invoicing', 'DELETE', await requested(), {}],
  ];
}
