// A commission in browser tests: an escrow of three milestones, the first of them released.
import type { Api } from '../kit/api.ts';
import type { Bench } from './kit.ts';

const DAY_MS = 86_400_000;

/** Who sees it. */
export type Side = 'buyer' | 'seller';

/** Pays a commission of the seeded buyer for the seeded seller; gives the escrow's id. */
export async function commission(api: Api): Promise<string> {
  const { account_id, wallet_payment_method_id: payment_method_id } = api.ready.accounts.buyer;
  await api.fund(account_id, 9_000);
  const soon = new Date(Date.now() + 10 * DAY_MS).toISOString().replace('Z', '000Z');
  const body = api.sale(9_000, [{ payment_method_id }], {
    description: 'A table of oak, to measure',
    milestones: [
      { name: 'Drawing', amount: 1_000 },
      { name: 'Wood, sawn and dried', amount: 3_000, release_at: soon },
      { name: 'Table, delivered', amount: 5_000 },
    ],
  });
  const { id } = await api.must<{ id: string }>(201, 'invoicing', 'POST', '/v2/escrow', { body });
  await api.must(200, 'invoicing', 'POST', `/v2/escrow/${id}/pay`);
  const milestone = { milestone: 'Drawing' };
  await api.must(200, 'invoicing', 'POST', `/v2/escrow/${id}/release`, { body: milestone });
  return id;
}

/** What a person may do besides reading: a buyer may release, both may disagree. */
const SCOPES = {
  buyer: ['read_invoices', 'release_escrow'],
  seller: ['read_invoices', 'deliver_escrow'],
} as const;

/** A link to it as a page of its own; with `speaks` one that lets them disagree. */
export async function escrowLink(
  bench: Bench,
  id: string,
  side: Side,
  speaks = false,
): Promise<string> {
  const { account_id } = bench.platform.ready.accounts[side];
  const scopes = [...SCOPES[side], ...(speaks ? ['write_disagreements'] : [])];
  const made = await bench.link('escrow', { account_id, mechanism: 'service_hosted', scopes });
  const link = new URL(made);
  link.searchParams.set('transaction_id', id);
  return link.href;
}

/** A disagreement about it, in which both sides spoke and the seller offers a split. */
export async function disagreed(api: Api, id: string): Promise<void> {
  const { buyer, seller } = api.ready.accounts;
  const say = (name: string, body: object) =>
    api.must(201, 'invoicing', 'POST', `/v2/escrow/${id}/dispute${name}`, { body });
  await say('', { opened_by: 'buyer', reason: 'not_as_described' });
  const { account_id } = buyer;
  await say('/statements', { account_id, text: 'The wood is pine, not oak.\nSee the edges.' });
  const answer = 'It is oak from a young tree. I can plane it again within a week.';
  await say('/statements', { account_id: seller.account_id, text: answer });
  const sums = { to_sellers: 6_000, to_buyer: 2_000, to_integrator: 0 };
  await say('/proposal', { account_id: seller.account_id, ...sums });
}
