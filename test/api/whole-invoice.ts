// What holds for every invoice: its fields by name, its times, its sums, and that `subitems` has
// all of them and no other. [seed: Invoice; G-40, G-74]
import assert from 'node:assert/strict';
import type { Invoice, Subitem } from './records.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const RECORD = [
  ...['invoice_id', 'account_id', 'reference_type', 'reference_id', 'state', 'description'],
  ...['metadata', 'summary', 'created', 'updated', 'payment_methods', 'line_items', 'subitems'],
].toSorted();
const LINE = [
  ...['line_item_id', 'product_sku', 'amount', 'currency', 'display_amount', 'reference_type'],
  ...['reference_id', 'transaction_type', 'description', 'metadata', 'subitems'],
].toSorted();
const SUBITEM = [
  ...['subitem_id', 'amount', 'currency', 'display_amount', 'reference_type', 'reference_id'],
  ...['subitem_type', 'description', 'metadata', 'source_account_id', 'source_payment_method_id'],
  ...['source_wallet_id', 'destination_account_id', 'destination_payment_method_id'],
  'destination_wallet_id',
].toSorted();

/** Amounts of an invoice's subitems by their type. */
export function typesOf(invoice: Invoice): Record<string, number[]> {
  const groups = Map.groupBy(Object.values(invoice.subitems), (one) => one.subitem_type);
  return Object.fromEntries(
    [...groups].map(([type, group]) => [type, group.map((one) => one.amount).toSorted()]),
  );
}

/** All that holds for any invoice, whatever is in it. */
export function isWhole(invoice: Invoice): void {
  const failed = invoice.state === 'failed' ? ['failure_code', 'failure_reason'] : [];
  assert.deepEqual(Object.keys(invoice).toSorted(), [...RECORD, ...failed].toSorted());
  assert.match(invoice.invoice_id, UUID);
  assert.match(invoice.created, TIME);
  assert.match(invoice.updated, TIME);
  assert.ok(invoice.created <= invoice.updated);
  assert.ok(Math.abs(Date.parse(invoice.created) - Date.now()) < 60_000);
  const found = new Map<string, Subitem>();
  const take = (subitems: Readonly<Record<string, Subitem>>): void => {
    for (const [id, subitem] of Object.entries(subitems)) {
      assert.equal(subitem.subitem_id, id);
      assert.match(id, UUID);
      assert.deepEqual(Object.keys(subitem).toSorted(), SUBITEM);
      assert.equal(subitem.currency, invoice.summary.currency);
      assert.ok(!found.has(id), 'a subitem stands in one place');
      found.set(id, subitem);
    }
  };
  let total = 0;
  for (const [id, line] of Object.entries(invoice.line_items)) {
    assert.equal(line.line_item_id, id);
    assert.match(id, UUID);
    assert.deepEqual(Object.keys(line).toSorted(), LINE);
    total += line.amount;
    take(line.subitems);
  }
  assert.equal(invoice.summary.total_amount, total);
  for (const [id, method] of Object.entries(invoice.payment_methods)) {
    assert.equal(method['payment_method_id'], id);
    take(method['subitems'] as Record<string, Subitem>);
  }
  assert.deepEqual(invoice.subitems, Object.fromEntries(found), 'all subitems, and only those');
}
