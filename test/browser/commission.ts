// A commission in browser tests: an escrow of three milestones, the first of them released.
import type { Api } from '../kit/api.ts';
import type { Bench } from './kit.ts';

const DAY_MS = 86_400_000;

/** Who sees it. */
export type Side = 'buyer' | 'seller';

/** Pays a commission of the seeded buyer for the seeded seller; gives the escrow's id. */
export async function commission(api: Api): Promise<string> {
  const payment_method_id = api.ready.accounts.buyer.wallet_payment_method_id;
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

/** A link to it as a page of its own; a buyer's one lets them release. */
export async function escrowLink(bench: Bench, id: string, side: Side): Promise<string> {
  const { account_id } = bench.platform.ready.accounts[side];
  const scopes = side === 'buyer' ? { scopes: ['read_invoices', 'release_escrow'] } : {};
  const made = await bench.link('escrow', { account_id, mechanism: 'service_hosted', ...scopes });
  const link = new URL(made);
  link.searchParams.set('transaction_id', id);
  return link.href;
}
