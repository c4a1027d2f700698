// Bodies and changes of escrows, for the tests that go through all operations.
import type { Api } from '../kit/api.ts';
import { Market, type Body } from './market.ts';
import type { Change } from './own-changes.ts';

/** An escrow of 10 that holds its money: its path, and the id of its line item. */
async function heldEscrow(api: Api): Promise<{ path: string; line: string }> {
  type Made = { id: string; escrow_invoice_id: string };
  const body = api.sale(10, [
    { payment_method_id: api.ready.accounts.buyer.wallet_payment_method_id },
  ]);
  const made = await api.must<Made>(201, 'invoicing', 'POST', '/v2/escrow', { body });
  const path = `/v2/escrow/${made.id}`;
  await api.must(200, 'invoicing', 'POST', `${path}/pay`);
  type Invoice = { line_items: Record<string, unknown> };
  const at = `/v2/invoice/${made.escrow_invoice_id}`;
  const { line_items } = await api.must<Invoice>(200, 'invoicing', 'GET', at);
  return { path, line: Object.keys(line_items)[0] ?? '' };
}

/** Tomorrow. */
function soon(): string {
  return new Date(Date.now() + 86_400_000).toISOString().replace('Z', '000Z');
}

/** Dates and a milestone of a creation. */
export function plan(): Body {
  const line_items = [{ line_item: 0, amount: 5 }];
  const milestones = [{ name: 'Draft', line_items, release_at: soon() }];
  return { release_at: soon(), default_outcome: 'commit', milestones };
}

/** What is asked of an escrow that holds money, by operation. */
export async function escrowBodies(api: Api): Promise<Record<string, [string, Body]>> {
  // Each has one of its own: an example that moves all of it ends it.
  const of = async (name: string, body: (line: string) => Body): Promise<[string, Body]> => {
    const { path, line } = await heldEscrow(api);
    return [`${path}/${name}`, body(line)];
  };
  const part = (line_item_id: string) => ({ line_items: [{ line_item_id, amount: 1 }] });
  return {
    releaseEscrow: await of('release', part),
    returnEscrow: await of('return', part),
    deliverEscrow: await of('delivered', () => ({})),
    scheduleEscrow: await of('schedule', () => ({ release_at: soon(), milestones: [] })),
    ...(await disagreementBodies(api)),
  };
}

const WISH = { opened_by: 'buyer', reason: 'other' };
const SPLIT = { to_sellers: 4, to_buyer: 5, to_integrator: 1 };

/** An escrow with an open disagreement, and a proposal of its seller. */
async function disagreed(api: Api): Promise<{ path: string; account_id: string; on: string }> {
  const { buyer: { account_id }, seller } = api.ready.accounts;
  const { path } = await heldEscrow(api);
  await api.must(201, 'invoicing', 'POST', `${path}/dispute`, { body: WISH });
  type Made = { proposal: { proposal_id: string } };
  const body = { ...SPLIT, account_id: seller.account_id };
  const at = `${path}/dispute/proposal`;
  const { proposal } = await api.must<Made>(201, 'invoicing', 'POST', at, { body });
  return { path, account_id, on: proposal.proposal_id };
}

async function disagreementBodies(api: Api): Promise<Record<string, [string, Body]>> {
  const { path, account_id } = await disagreed(api);
  const { path: proposed, on: proposal_id } = await disagreed(api);
  const answer = { account_id, proposal_id, answer: 'decline' };
  return {
    openDisagreement: [`${(await heldEscrow(api)).path}/dispute`, WISH],
    addDisagreementStatement: [`${path}/dispute/statements`, { account_id, text: 'x' }],
    proposeSplit: [`${path}/dispute/proposal`, { account_id, ...SPLIT }],
    answerProposal: [`${proposed}/dispute/answer`, answer],
    resolveDisagreement: [`${(await disagreed(api)).path}/resolve`, SPLIT],
    changeDisagreementSettings: ['/v1/settings/disagreements', DAYS],
  };
}

const DAYS = { days: 14, outcome: 'none' };

/** Disagreements: opened, stated, proposed, answered, resolved. */
export async function disagreementChanges(api: Api): Promise<readonly Change[]> {
  const { path, account_id, on: proposal_id } = await disagreed(api);
  const [held, other] = [await heldEscrow(api), await disagreed(api)];
  const said = { account_id, text: 'x' };
  const split = { account_id, ...SPLIT };
  const answer = { account_id, proposal_id, answer: 'decline' };
  const more = { ...SPLIT, to_sellers: 5, to_buyer: 4 };
  const dispute = `${path}/dispute`;
  return [
    ['invoicing', 'POST', `${held.path}/dispute`, WISH, { ...WISH, opened_by: 'seller' }],
    ['invoicing', 'POST', `${dispute}/statements`, said, { ...said, text: 'y' }],
    ['invoicing', 'POST', `${dispute}/answer`, answer, { ...answer, answer: 'accept' }],
    ['invoicing', 'POST', `${dispute}/proposal`, split, { ...split, ...more }],
    ['invoicing', 'POST', `${other.path}/resolve`, SPLIT, more],
    ['invoicing', 'PUT', '/v1/settings/disagreements', DAYS, { ...DAYS, days: 15 }],
  ];
}

/** Escrows: created, paid, moved as a whole and in parts, with other dates. */
export async function escrowChanges(api: Api): Promise<readonly Change[]> {
  const market = new Market(api);
  const made = (): Promise<{ id: string }> =>
    api.must(201, 'invoicing', 'POST', '/v2/escrow', { body: market.sale(10) });
  const paid = async (): Promise<string> => {
    const { id } = await made();
    await api.must(200, 'invoicing', 'POST', `/v2/escrow/${id}/pay`);
    return `/v2/escrow/${id}`;
  };
  const { payment_methods: _, ...sale } = market.sale(10);
  const wish = { ...sale, invoice_mechanism: 'widget' };
  return [
    ['invoicing', 'POST', '/v2/authorize/invoice', wish, { ...wish, is_escrow: true }],
    ['invoicing', 'POST', '/v2/escrow', market.sale(10), market.sale(11)],
    ['invoicing', 'POST', `/v2/escrow/${(await made()).id}/pay`, {}],
    ['invoicing', 'POST', `${await paid()}/commit`, {}],
    ['invoicing', 'POST', `${await paid()}/cancel`, {}],
    ...(await partChanges(api)),
  ];
}

async function partChanges(api: Api): Promise<readonly Change[]> {
  const of = async (name: string, ...bodies: [(line: string) => Body, (line: string) => Body]) => {
    const { path, line } = await heldEscrow(api);
    const [body, other] = bodies.map((make) => make(line));
    return ['invoicing', 'POST', `${path}/${name}`, body ?? {}, other] as const;
  };
  const part = (amount: number) => (line_item_id: string) => {
    return { line_items: [{ line_item_id, amount }] };
  };
  return [
    await of('release', part(1), part(2)),
    await of('return', part(1), part(2)),
    await of('delivered', () => ({}), () => ({ milestone: 'none' })),
    await of('schedule', () => ({ release_at: soon() }), () => ({ return_at: null })),
  ];
}

/** Pays an escrow and disagrees about it; gives the id of what its buyer states. */
export async function disagree(
  api: Api,
  token: string,
  { id, account: account_id }: { readonly id: string; readonly account: string },
): Promise<string> {
  const path = `/v2/escrow/${id}`;
  await api.must(200, 'invoicing', 'POST', `${path}/pay`, { token });
  const wish = { body: { opened_by: 'buyer', reason: 'other' }, token };
  await api.must(201, 'invoicing', 'POST', `${path}/dispute`, wish);
  type Made = { statements: readonly { statement_id: string }[] };
  const said = { body: { account_id, text: 'x' }, token };
  const at = `${path}/dispute/statements`;
  const { statements } = await api.must<Made>(201, 'invoicing', 'POST', at, said);
  return statements[0]?.statement_id ?? '';
}
