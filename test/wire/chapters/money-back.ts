// Money that goes back and out: refunds, disputes, payouts, and what waits for a person's decision.
import { SHOWN_FILE } from '../../../src/core/file-text.ts';
import type { Invoice } from '../../api/records.ts';
import type { Walk } from '../walk.ts';
import { attach, happens, NOBODY, person, type Person } from './cast.ts';
import { sale, sold } from './sales.ts';

export async function refunds(walk: Walk): Promise<void> {
  walk.chapter('08-refunds');
  const buyer = await person(walk, 'buyer who is refunded', 1_000);
  const seller = await person(walk, 'seller who refunds');
  const { invoice_id, line_items } = await sold(walk, sale(buyer, seller, 50));
  const bought = { transaction_id: invoice_id };
  const mailed = { account_id: buyer.account_id, email_address: 'zoe@people.example' };
  await walk.ok('getReceipt', { at: bought, query: { account_id: buyer.account_id } });
  await walk.ok('sendReceipt', { at: bought, body: mailed });
  await walk.no('sendReceipt', { at: bought, body: { ...mailed, email_address: 'zoe' } });
  const open = await walk.ok<Invoice>('createInvoice', { body: sale(buyer, seller, 50) });
  const [line_item_id] = Object.keys(line_items);
  const reason = 'other';
  const part = { line_item_id, amount: 20, reason, sub_reason: 'torn', note: 'n' };
  // Nobody has the money for it yet: it waits, and can be withdrawn.
  const waiting = await walk.ok('refundLineItem', { body: part });
  const early = { refund_id: waiting['refund_id'] ?? '' };
  await walk.ok('getRefund', { at: early });
  await walk.ok('withdrawRefund', { at: early });
  await walk.no('withdrawRefund', { at: early });
  const money = { integrator: true, currency: 'USD', amount: 10_000 };
  await walk.ok('sandboxDeposit', { body: money });
  const { refund_id } = await walk.ok('refundLineItem', { body: part });
  const at = { refund_id: refund_id ?? '' };
  await walk.no('refundLineItem', { body: { ...part, amount: 40 } });
  await walk.no('refundLineItem', { body: { ...part, line_item_id: NOBODY.id } });
  await walk.no('refundLineItem', { body: { ...part, payment_methods: [NOBODY.id] } });
  await walk.ok('getRefund', { at });
  await walk.no('getRefund', { at: { refund_id: NOBODY.id } });
  await walk.no('withdrawRefund', { at });
  await walk.no('withdrawRefund', { at: { refund_id: NOBODY.id } });
  await walk.ok('refundInvoice', { body: { invoice_id, reason } });
  await walk.no('refundInvoice', { body: { invoice_id, reason } });
  await walk.no('refundInvoice', { body: { invoice_id: open.invoice_id, reason } });
  await walk.no('refundInvoice', { body: { invoice_id: NOBODY.id, reason } });
  await walk.no('refundInvoice', { body: {} });
  await walk.ok('listInvoiceRefunds', { at: { invoice_id } });
  await walk.no('listInvoiceRefunds', { at: { invoice_id: NOBODY.id } });
  await walk.ok('getInvoice', { at: { invoice_id } });
  await byCard(walk);
}

/** What was paid by card goes back to the card. */
async function byCard(walk: Walk): Promise<void> {
  const buyer = await person(walk, 'buyer whose card is refunded');
  const seller = await person(walk, 'seller who refunds a card');
  const payment_method_id = await attach(walk, buyer.account_id, 'visa');
  const body = sale(buyer, seller, 70, { payment_methods: [{ payment_method_id }] });
  const { invoice_id } = await sold(walk, body);
  const refund = await walk.ok('refundInvoice', { body: { invoice_id, reason: 'billing' } });
  await walk.ok('getRefund', { at: { refund_id: refund['refund_id'] ?? '' } });
  await walk.ok('listInvoiceRefunds', { at: { invoice_id } });
}

export async function disputes(walk: Walk): Promise<void> {
  walk.chapter('09-disputes');
  const buyer = await person(walk, 'buyer who disputes');
  const seller = await person(walk, 'seller of the disputed');
  const payment_method_id = await attach(walk, buyer.account_id, 'visa');
  const paid = { payment_methods: [{ payment_method_id }] };
  type Page = { disputes: readonly { dispute_id: string }[] };
  const [sales, found]: [string[], string[]] = [[], []];
  while (sales.length < 2) {
    const { invoice_id: id } = await sold(walk, sale(buyer, seller, 80, paid));
    const body = { event: 'chargeback', id };
    await happens(walk, body.event, id);
    await walk.no('sandboxOutsideEvent', { body });
    sales.push(id);
  }
  for (const invoice_id of sales) {
    const page = await walk.ok<Page>('listDisputes', { query: { invoice_id } });
    found.push(page.disputes[0]?.dispute_id ?? '');
  }
  const [first = '', second = ''] = found;
  await happens(walk, 'dispute_under_review', first);
  await happens(walk, 'dispute_won', first);
  await happens(walk, 'dispute_lost', second);
  for (const dispute_id of found) await walk.ok('getDispute', { at: { dispute_id } });
  await walk.no('getDispute', { at: { dispute_id: NOBODY.id } });
  await walk.no('listDisputes', { query: { limit: 'many' } });
  await walk.no('sandboxOutsideEvent', { body: { event: 'settle', id: NOBODY.id } });
}

/** Evidence for a dispute: what is taken, what is not, and once only. */
export async function evidence(walk: Walk): Promise<void> {
  walk.chapter('27-evidence');
  const buyer = await person(walk, 'buyer whose dispute is answered');
  const seller = await person(walk, 'seller who has evidence');
  const payment_method_id = await attach(walk, buyer.account_id, 'visa');
  const paid = { payment_methods: [{ payment_method_id }] };
  const { invoice_id } = await sold(walk, sale(buyer, seller, 80, paid));
  await happens(walk, 'chargeback', invoice_id);
  type Page = { disputes: readonly { dispute_id: string }[] };
  const { disputes: open } = await walk.ok<Page>('listDisputes', { query: { invoice_id } });
  const at = { dispute_id: open[0]?.dispute_id ?? '' };
  const body = { kind: 'shipping_tracking', text: 'Delivered on the third.' };
  await walk.no('submitDispute', { at });
  await walk.no('addDisputeEvidence', { at, body: { kind: 'receipt' } });
  await walk.no('addDisputeEvidence', { at: { dispute_id: NOBODY.id }, body });
  await walk.ok('addDisputeEvidence', { at, body });
  await walk.ok('addDisputeEvidence', { at, body: { kind: 'receipt', file: SHOWN_FILE } });
  await walk.ok('submitDispute', { at, waits: true });
  await walk.read();
  await walk.no('addDisputeEvidence', { at, body });
  await walk.no('submitDispute', { at });
  await walk.ok('getDispute', { at });
  await owed(walk, buyer, seller, payment_method_id);
}

/** A lost dispute that the seller bears, and repays by the next sale. */
async function owed(walk: Walk, buyer: Person, seller: Person, card: string): Promise<void> {
  await walk.ok('getDisputeSettings');
  await walk.no('getDisputeSettings', { token: null });
  await walk.ok('changeDisputeSettings', { body: { bearer: 'seller' } });
  await walk.no('changeDisputeSettings', { body: { bearer: 'nobody' } });
  const paid = { payment_methods: [{ payment_method_id: card }] };
  const { invoice_id } = await sold(walk, sale(buyer, seller, 90, paid));
  await happens(walk, 'chargeback', invoice_id);
  await happens(walk, 'dispute_lost', invoice_id);
  const query = { account_id: seller.account_id };
  await walk.ok('listSellerDebts', { query });
  await sold(walk, sale(buyer, seller, 30, paid));
  await walk.ok('listSellerDebts', { query });
  await walk.no('listSellerDebts', { query: { limit: 'many' } });
  const terms = { fee_bearer: 'seller', reserve_percent: 10, reserve_days: 30 };
  await walk.ok('changeDisputeSettings', { body: { bearer: 'seller', ...terms } });
  const half = { bearer: 'seller', reserve_percent: 10 };
  await walk.no('changeDisputeSettings', { body: half });
  await sold(walk, sale(buyer, seller, 600, paid));
  await walk.ok('listSellerReserves', { query });
  await walk.no('listSellerReserves', { query: { limit: 'many' } });
  await walk.ok('changeDisputeSettings', { body: { bearer: 'integrator' } });
}

export async function payouts(walk: Walk): Promise<void> {
  walk.chapter('10-payouts');
  const { account_id, method } = await person(walk, 'paid out', 10_000);
  const bank = await attach(walk, account_id, 'bank');
  const at = { account_id };
  const money = { currency: 'USD', amount: 2_000 };
  const to = { source_payment_method_id: method, destination_payment_method_id: bank };
  const body = { ...to, ...money };
  await walk.no('createPayout', { at, body });
  await walk.ok('setAccountKYCState', { at, body: { state: 'ACCEPT' } });
  const query = { ...money, destination_payment_method_id: bank };
  await walk.ok('quotePayout', { at, query });
  await walk.no('quotePayout', { at, query: { ...query, currency: 'XAU' } });
  await walk.no('quotePayout', { at });
  await walk.ok('listPayoutWays', { at, query: { currency: 'USD' } });
  await walk.no('listPayoutWays', { at, query: { currency: 'XAU' } });
  await walk.no('createPayout', { at, body: { ...body, amount: 100_000 } });
  await walk.no('createPayout', { at, body: { ...body, source_payment_method_id: bank } });
  await walk.no('createPayout', { at: { account_id: NOBODY.account }, body });
  const asked = async (): Promise<{ account_id: string; payout_status_id: string }> => {
    const made = await walk.ok('createPayout', { at, body });
    return { account_id, payout_status_id: made['payout_status_id'] ?? '' };
  };
  const [one, two] = [await asked(), await asked()];
  await walk.ok('cancelPayout', { at: one });
  await walk.no('cancelPayout', { at: one });
  await walk.no('executePayout', { at: one });
  await walk.ok('holdPayout', { at: two });
  await walk.no('holdPayout', { at: two });
  await walk.no('executePayout', { at: two });
  await walk.ok('letPayoutGo', { at: two });
  await walk.no('letPayoutGo', { at: two });
  await walk.ok('executePayout', { at: two });
  const none = { account_id, payout_status_id: NOBODY.id };
  await walk.no('holdPayout', { at: none });
  await walk.no('executePayout', { at: none });
  await walk.no('cancelPayout', { at: none });
  await walk.ok('getPayout', { at: two });
  await walk.no('getPayout', { at: none });
  await happens(walk, 'return', two.payout_status_id);
  await walk.ok('getPayout', { at: two });
  await walk.ok('listPayouts', { at, query: { limit: 1 } });
  await walk.no('listPayouts', { at: { account_id: NOBODY.account } });
  const transaction = { transaction_id: two.payout_status_id };
  await walk.ok('getTransaction', { at: transaction, query: at });
  await walk.no('getTransaction', { at: { transaction_id: NOBODY.id }, query: at });
  await walk.no('getTransaction', { at: transaction });
  await walk.ok('listTransactions', { query: at });
  await walk.no('getReceipt', { at: transaction, query: at });
}

export async function reconciliation(walk: Walk): Promise<void> {
  walk.chapter('11-reconciliation');
  const { account_id } = await person(walk, 'payer of the unclear');
  const payment_method_id = await attach(walk, account_id, 'visa');
  const scenario = { scenario: 'declined_but_captured', payment_method_id };
  await walk.ok('sandboxPlayScenario', { body: scenario });
  await walk.no('sandboxPlayScenario', { body: { scenario: 'nonsense' } });
  const body = { account_id, payment_method_id, currency: 'USD', amount: 8 };
  await walk.ok('createDeposit', { body, waits: true });
  await walk.read();
  type Open = { items: readonly { id: string; kind: string }[] };
  const { items } = await walk.ok<Open>('getReconciliation');
  await walk.no('getReconciliation', { query: { surprise: 1 } });
  const at = { item_id: items.find(({ kind }) => kind === 'parked_charge')?.id ?? 'none' };
  await walk.no('resolveReconciliation', { at, body: { decision: 'explained' } });
  await walk.no('resolveReconciliation', { at, body: { decision: 'hope' } });
  const give = { decision: 'give_back', note: 'n' };
  await walk.ok('resolveReconciliation', { at, body: give });
  await walk.no('resolveReconciliation', { at, body: give });
  await walk.no('resolveReconciliation', { at: { item_id: NOBODY.id }, body: give });
  await walk.ok('getReconciliation');
}

/** Payouts to accounts by IBAN, by schedule, and what a payout consists of. */
export async function bankPayouts(walk: Walk): Promise<void> {
  walk.chapter('28-payouts-by-file');
  const { account_id, method } = await person(walk, 'paid out by file', 10_000);
  const at = { account_id };
  await walk.ok('setAccountKYCState', { at, body: { state: 'ACCEPT' } });
  const account = { account_id, iban: 'NL91 ABNA 0417 1643 00', holder_name: 'Zoe Walker' };
  const added = await walk.ok('createBankAccount', { body: { ...account, bic: 'ABNANL2A' } });
  await walk.no('createBankAccount', { body: { ...account, iban: 'NL91 ABNA 0417 1643 01' } });
  await walk.no('createBankAccount', { body: { ...account, bic: 'nowhere' } });
  await walk.no('createBankAccount', { body: { ...account, account_id: NOBODY.account } });
  await walk.ok('createOneTimePaymentMethod', { body: { account_id, kind: 'card' } });
  await walk.no('createOneTimePaymentMethod', { body: { account_id, kind: 'cash' } });
  const destination_payment_method_id = added['id'] ?? '';
  const amount = { currency: 'USD', amount: 1_000 };
  const body = { source_payment_method_id: method, destination_payment_method_id, ...amount };
  const { payout_status_id = '' } = await walk.ok('createPayout', { at, body });
  const one = { account_id, payout_status_id };
  await walk.ok('executePayout', { at: one });
  await happens(walk, 'settle', payout_status_id);
  await walk.ok('getPayout', { at: one });
  await happens(walk, 'return', payout_status_id);
  await walk.ok('getPayout', { at: one });
  await walk.ok('getPayoutStatement', { at: one });
  await walk.no('getPayoutStatement', { at: { account_id, payout_status_id: NOBODY.id } });
  await schedules(walk, account_id, destination_payment_method_id);
}

/** A seller's own account at the processor, from the link to the payout. */
export async function payees(walk: Walk): Promise<void> {
  walk.chapter('29-payees');
  const { account_id, method } = await person(walk, 'paid by the processor', 10_000);
  const at = { account_id };
  await walk.ok('getPayeeSettings');
  await walk.no('getPayeeSettings', { token: null });
  await walk.ok('changePayeeSettings', { body: { processor_verifies: true } });
  await walk.no('changePayeeSettings', { body: { processor_verifies: 'yes' } });
  await walk.no('getPayee', { query: at });
  await walk.no('createPayeeLink', { body: { ...at, return_url: 'https://elsewhere.example/' } });
  await walk.no('createPayeeLink', { body: { account_id: NOBODY.account } });
  const made = await walk.ok('createPayeeLink', { body: { ...at, country: 'US' } });
  await walk.ok('getPayee', { query: at });
  const destination_payment_method_id = made['payment_method_id'] ?? '';
  const amount = { currency: 'USD', amount: 1_000 };
  const body = { source_payment_method_id: method, destination_payment_method_id, ...amount };
  await walk.ok('createPayout', { at, body });
}

async function schedules(walk: Walk, account_id: string, destination: string): Promise<void> {
  const at = { account_id };
  const usual = { currency: 'USD', interval: 'weekly', weekday: 'friday', minimum_amount: 5_000 };
  const byHand = { ...usual, interval: 'manual', weekday: null };
  await walk.ok('setPayoutScheduleDefault', { body: byHand });
  await walk.no('setPayoutScheduleDefault', { body: { ...usual, currency: 'XAU' } });
  await walk.no('setPayoutScheduleDefault', { body: { ...usual, weekday: null } });
  await walk.ok('listPayoutScheduleDefaults');
  await walk.no('listPayoutScheduleDefaults', { token: null });
  const body = { currency: 'USD', destination_payment_method_id: destination };
  await walk.ok('setPayoutSchedule', { at, body });
  await walk.no('setPayoutSchedule', { at, body: { ...body, weekday: 'friday' } });
  await walk.no('setPayoutSchedule', {
    at,
    body: { ...body, destination_payment_method_id: NOBODY.id },
  });
  await walk.no('setPayoutSchedule', { at: { account_id: NOBODY.account }, body });
  await walk.ok('listPayoutSchedules', { at });
  await walk.no('listPayoutSchedules', { at: { account_id: NOBODY.account } });
}
