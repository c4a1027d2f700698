// Sales: invoices that are paid from wallets and cards, authorized invoices, escrows.
import { saleLine, ownLine, type Body } from '../../api/market.ts';
import type { Invoice } from '../../api/records.ts';
import { openedToken } from '../../kit/checkout.ts';
import type { Walk } from '../walk.ts';
import { attach, NOBODY, person, type Person } from './cast.ts';

const nobody = { invoice_id: NOBODY.id };

/** A sale of one thing between two people. */
export function sale(from: Person, to: Person, amount: number, more: Body = {}): Body {
  return {
    account_id: from.account_id,
    payment_methods: [{ payment_method_id: from.method }],
    line_items: [saleLine(to.wallet_id, amount)],
    ...more,
  };
}

/** An invoice that has been paid. */
export async function sold(walk: Walk, body: Body): Promise<Invoice> {
  const { invoice_id } = await walk.ok<Invoice>('createInvoice', { body });
  await walk.ok('payInvoice', { at: { invoice_id } });
  return walk.ok<Invoice>('getInvoice', { at: { invoice_id } });
}

/** An invoice with everything that one can have. */
function whole(from: Person, to: Person): Body {
  const texts = { reference_type: 'order', reference_id: '7', description: 'Things' };
  const recipient = { amount: 90, currency: 'USD', destination_wallet_id: to.wallet_id };
  const fee = { fee_amount: 10, fee_description: 'Our share' };
  const part = saleLine(to.wallet_id, 100, {
    ...texts,
    metadata: { shelf: 3 },
    product_sku: 'sku-1',
    recipients: [{ ...recipient, ...fee, ...texts, metadata: { box: 'b' } }],
  });
  const more = { metadata: { cart: [1, 2] }, line_items: [part, ownLine(5)] };
  return sale(from, to, 0, { ...texts, ...more });
}

export async function invoices(walk: Walk): Promise<void> {
  walk.chapter('05-invoices');
  const buyer = await person(walk, 'buyer of invoices', 1_000);
  const seller = await person(walk, 'seller of invoices');
  const made = await walk.ok<Invoice>('createInvoice', { body: whole(buyer, seller) });
  const at = { invoice_id: made.invoice_id };
  await walk.ok('getInvoice', { at });
  await walk.no('getInvoice', { at: nobody });
  await walk.ok('payInvoice', { at });
  await walk.no('payInvoice', { at });
  await walk.no('payInvoice', { at: nobody });
  await walk.ok('getInvoice', { at });
  const refused: readonly Body[] = [
    {},
    { account_id: NOBODY.account },
    { payment_methods: [] },
    { payment_methods: [{ payment_method_id: NOBODY.id }] },
    { line_items: [saleLine(NOBODY.id, 5)] },
    { line_items: [saleLine(buyer.wallet_id, 5)] },
    { line_items: [saleLine(seller.wallet_id, 5, { amount: 6 })] },
    { line_items: [saleLine(seller.wallet_id, 5, { currency: 'XAU' })] },
  ];
  for (const [n, more] of refused.entries()) {
    await walk.no('createInvoice', { body: n === 0 ? {} : sale(buyer, seller, 5, more) });
  }
  await walk.no('createInvoice', { body: sale(buyer, seller, 5), token: null });
  const poor = await walk.ok<Invoice>('createInvoice', { body: sale(buyer, seller, 1_000_000) });
  await walk.ok('payInvoice', { at: { invoice_id: poor.invoice_id } });
  await walk.ok('getInvoice', { at: { invoice_id: poor.invoice_id } });
  await byCard(walk, buyer, seller);
  const account = { account_id: buyer.account_id };
  await walk.ok('listAccountInvoices', { at: account, query: { limit: 2, states: 'failed' } });
  await walk.no('listAccountInvoices', { at: account, query: { limit: 0 } });
  await walk.no('listAccountInvoices', { at: { account_id: NOBODY.account } });
  await walk.ok('listTransactions', { query: { ...account, limit: 2 } });
  await walk.no('listTransactions');
  await walk.no('listTransactions', { query: { account_id: NOBODY.account } });
}

/** By card: well, declined, and after the buyer's bank asked. */
async function byCard(walk: Walk, buyer: Person, seller: Person): Promise<void> {
  for (const name of ['visa', 'card_declined']) {
    const payment_method_id = await attach(walk, buyer.account_id, name);
    await sold(walk, sale(buyer, seller, 20, { payment_methods: [{ payment_method_id }] }));
  }
}

export async function authorized(walk: Walk): Promise<void> {
  walk.chapter('06-authorized');
  const buyer = await person(walk, 'buyer of the authorized', 1_000);
  const seller = await person(walk, 'seller of the authorized');
  const { payment_methods, ...rest } = sale(buyer, seller, 30);
  const wish = { ...rest, invoice_mechanism: 'widget' };
  type Authorized = { authorized_invoice_id: string; redirect: string };
  const link = await walk.ok<Authorized>('authorizeInvoice', { body: wish });
  await walk.no('authorizeInvoice', { body: {} });
  await walk.no('authorizeInvoice', { body: { ...wish, account_id: NOBODY.account } });
  const { authorized_invoice_id } = link;
  const at = { authorized_invoice_id };
  await walk.ok('getAuthorizedInvoice', { at });
  await walk.no('getAuthorizedInvoice', { at: { authorized_invoice_id: NOBODY.id } });
  const token = await openedToken(link.redirect);
  const body = { authorized_invoice_id, payment_methods };
  await walk.no('createEscrow', { token, body });
  const made = await walk.ok<Invoice>('createInvoice', { token, body });
  await walk.ok('getAuthorizedInvoice', { at, token });
  await walk.ok('payInvoice', { at: { invoice_id: made.invoice_id }, token });
  await walk.no('createInvoice', { token, body });
  await walk.ok('getAuthorizedInvoice', { at });
}

export async function escrows(walk: Walk): Promise<void> {
  walk.chapter('07-escrows');
  const buyer = await person(walk, 'buyer in escrow', 1_000);
  const seller = await person(walk, 'seller in escrow');
  type Made = { id: string; escrow_invoice_id: string };
  const none = { escrow_id: NOBODY.escrow };
  for (const end of ['commitEscrow', 'cancelEscrow']) {
    const made = await walk.ok<Made>('createEscrow', { body: sale(buyer, seller, 40) });
    const at = { escrow_id: made.id };
    await walk.no(end, { at });
    await walk.ok('payEscrow', { at });
    await walk.no('payEscrow', { at });
    await walk.ok('getEscrow', { at });
    await walk.ok(end, { at });
    await walk.no(end, { at });
    await walk.no(end, { at: none });
    await walk.ok('getEscrow', { at });
    await walk.ok('getEscrowByInvoice', { at: { invoice_id: made.escrow_invoice_id } });
    await walk.no('payInvoice', { at: { invoice_id: made.escrow_invoice_id } });
  }
  await escrowInParts(walk, buyer, seller);
  await disagreement(walk, buyer, seller);
  await walk.no('createEscrow', { body: {} });
  await walk.no('payEscrow', { at: none });
  await walk.no('getEscrow', { at: none });
  await walk.no('getEscrowByInvoice', { at: nobody });
}

type Party = Awaited<ReturnType<typeof person>>;

/** One milestone is released, a part returned, and the rest committed. */
async function escrowInParts(walk: Walk, buyer: Party, seller: Party): Promise<void> {
  type Made = { id: string; escrow_invoice_id: string };
  const milestones = [{ name: 'Draft', amount: 10 }];
  const body = { ...sale(buyer, seller, 40), default_outcome: 'commit', milestones };
  const made = await walk.ok<Made>('createEscrow', { body });
  const at = { escrow_id: made.id };
  const { holding_ends: end } = await walk.ok<{ holding_ends: string }>('payEscrow', { at });
  const return_at = `${end.slice(0, 10)}T${end.slice(11, 26)}Z`;
  await walk.ok('scheduleEscrow', { at, body: { return_at } });
  await walk.no('scheduleEscrow', { at, body: { milestones: [{ name: 'B', release_at: null }] } });
  await walk.ok('deliverEscrow', { at, body: { milestone: 'Draft' } });
  await walk.no('deliverEscrow', { at, body: { milestone: 'Draft' } });
  await walk.ok('releaseEscrow', { at, body: { milestone: 'Draft' } });
  await walk.no('releaseEscrow', { at, body: { milestone: 'Draft' } });
  type Invoice = { line_items: Record<string, unknown> };
  const invoice = { invoice_id: made.escrow_invoice_id };
  const { line_items } = await walk.ok<Invoice>('getInvoice', { at: invoice });
  const [line_item_id] = Object.keys(line_items);
  await walk.ok('returnEscrow', { at, body: { line_items: [{ line_item_id, amount: 5 }] } });
  await walk.no('returnEscrow', { at, body: { line_items: [{ line_item_id, amount: 26 }] } });
  for (const { account_id } of [buyer, seller]) {
    await walk.ok('getEscrowOfParty', { at, query: { account_id } });
  }
  await walk.no('getEscrowOfParty', { at });
  await walk.ok('commitEscrow', { at });
}

/** One side opens it, both speak, nobody agrees, and the tenant divides. */
async function disagreement(walk: Walk, buyer: Party, seller: Party): Promise<void> {
  const body = { days: 10, outcome: 'none' };
  await walk.ok('getDisagreementSettings');
  await walk.no('getDisagreementSettings', { token: null });
  await walk.ok('changeDisagreementSettings', { body });
  await walk.no('changeDisagreementSettings', { body: { ...body, days: 0 } });
  type Made = { id: string };
  const wished = sale(buyer, seller, 40);
  const { id: escrow_id } = await walk.ok<Made>('createEscrow', { body: wished });
  const at = { escrow_id };
  const wish = { opened_by: 'buyer', reason: 'not_as_described' };
  await walk.no('openDisagreement', { at, body: wish });
  await walk.no('getDisagreement', { at });
  await walk.ok('payEscrow', { at });
  await walk.ok('openDisagreement', { at, body: wish });
  await walk.no('commitEscrow', { at });
  const [mine, theirs] = [buyer, seller].map(({ account_id }) => ({ account_id }));
  type Said = { statements: { statement_id: string }[]; proposal: { proposal_id: string } };
  const text = 'The colour is another one.';
  const { statements } = await walk.ok<Said>('addDisagreementStatement', {
    ...{ at, body: { ...mine, text } },
  });
  await walk.no('addDisagreementStatement', { at, body: { ...theirs } });
  const statement_id = statements[0]?.statement_id ?? '';
  await walk.ok('getDisagreementStatement', { at: { ...at, statement_id } });
  await walk.no('getDisagreementStatement', { at: { ...at, statement_id: escrow_id } });
  const split = { to_sellers: 30, to_buyer: 8, to_integrator: 2 };
  const { proposal } = await walk.ok<Said>('proposeSplit', { at, body: { ...theirs, ...split } });
  await walk.no('proposeSplit', { at, body: { ...theirs, ...split, to_buyer: 9 } });
  const answer = { proposal_id: proposal.proposal_id, answer: 'decline' };
  await walk.no('answerProposal', { at, body: { ...theirs, ...answer } });
  await walk.ok('answerProposal', { at, body: { ...mine, ...answer } });
  await walk.ok('getDisagreement', { at });
  await walk.no('resolveDisagreement', { at, body: { ...split, to_sellers: 31 } });
  await walk.ok('resolveDisagreement', { at, body: split });
  await walk.no('resolveDisagreement', { at, body: split });
}

export async function taxes(walk: Walk): Promise<void> {
  walk.chapter('32-tax');
  const buyer = await person(walk, 'buyer who is taxed', 1_000);
  const seller = await person(walk, 'seller of the taxed');
  const tax = { amount: 19, description: 'VAT' };
  const included = ownLine(12, { tax: { amount: 2, inclusive: true } });
  const line_items = [saleLine(seller.wallet_id, 100, { tax }), included];
  const body = sale(buyer, seller, 0, { line_items });
  const { invoice_id, line_items: made } = await sold(walk, body);
  const [line_item_id] = Object.keys(made);
  await walk.ok('refundLineItem', { body: { line_item_id, amount: 50, reason: 'other' } });
  await walk.ok('refundInvoice', { body: { invoice_id, reason: 'other' } });
  // The cards of other chapters paid what the statement tells a while later.
  await walk.read();
  await walk.ok('getTrialBalance');
  const { payment_methods: _, ...alone } = body;
  const prepared = { ...alone, invoice_mechanism: 'widget' };
  type Made = { readonly authorized_invoice_id: string };
  const at = await walk.ok<Made>('authorizeInvoice', { body: prepared });
  const { authorized_invoice_id } = at;
  await walk.ok('getAuthorizedInvoice', { at: { authorized_invoice_id } });
  const more = ownLine(5, { tax: { amount: 6, inclusive: true } });
  await walk.no('createInvoice', { body: sale(buyer, seller, 0, { line_items: [more] }) });
}
