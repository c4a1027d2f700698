// What is made of an authorized invoice: one at a time, twenty in all, none after it has expired,
// and only the last can be paid. [G-45]
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryCore, WORKSPACE } from '../../../../test/laws/memory-core.ts';
import { command, tableOf, type Command } from '../../../engine/index.ts';
import {
  authorizedInvoiceTable,
  fromAuthorized,
  MADE_MAX,
  requireLatest,
  loadLatest,
  type AuthorizedInvoiceRow,
} from './authorized.ts';
import { invoiceTable, type InvoiceRow } from './tables.ts';
import type { SaleTerms } from './sale-terms.ts';

const ID = 'authorized-1';
const made = tableOf('made', 1, { id: 'uuid' });
const create: Command<string> = {
  name: 'create',
  batchable: true,
  load: (rows, id) => rows.lock(made, id),
  decide(decision, id) {
    decision.insert(made, { workspace: decision.workspace, id });
    return { status: 201, payload: id };
  },
};
const created = fromAuthorized(create);

function coreWith(row: Partial<AuthorizedInvoiceRow>, state: string | null = null): MemoryCore {
  const core = new MemoryCore();
  const fresh = { workspace: WORKSPACE, id: ID, latest_invoice_id: null, made: 0 };
  core.force(authorizedInvoiceTable, { ...fresh, ...row });
  const invoice = {
    workspace: WORKSPACE,
    id: 'before',
    state,
    version: 1,
  } as unknown as InvoiceRow;
  if (state !== null) core.force(invoiceTable, invoice);
  return core;
}

function end(core: MemoryCore, expired = false): string {
  const input = { authorized: { id: ID, expired }, invoiceId: 'new', input: 'new' };
  const outcome = core.run(created, input);
  if (outcome.kind === 'fault') throw outcome.error;
  return outcome.kind === 'answer' ? String(outcome.answer.payload) : outcome.code;
}

test('what was made is counted and is the last, whatever was made before it', () => {
  assert.equal(created.name, 'create_from_authorized');
  assert.equal(created.batchable, undefined);
  const first = coreWith({});
  assert.equal(end(first), 'new');
  const row = { workspace: WORKSPACE, id: ID, latest_invoice_id: 'new', made: 1 };
  assert.deepEqual(first.get(authorizedInvoiceTable, ID), row);
  for (const state of ['open', 'failed']) {
    const again = coreWith({ latest_invoice_id: 'before', made: 7 }, state);
    assert.equal(end(again), 'new');
    assert.deepEqual(again.get(authorizedInvoiceTable, ID), { ...row, made: 8 });
  }
});

test('none is made beside one that is paid, after it expired, or beyond twenty', () => {
  for (const state of ['processing', 'success']) {
    const used = { latest_invoice_id: 'before', made: 1 };
    assert.equal(end(coreWith(used, state)), 'AUTHORIZED_INVOICE_USED');
    assert.equal(end(coreWith(used, state), true), 'AUTHORIZED_INVOICE_USED');
  }
  assert.equal(end(coreWith({}), true), 'AUTHORIZED_INVOICE_EXPIRED');
  assert.equal(MADE_MAX, 20);
  assert.equal(end(coreWith({ made: 19 })), 'new');
  const full = coreWith({ made: 20 });
  assert.equal(end(full), 'AUTHORIZED_INVOICE_LIMIT');
  assert.equal(full.all(made).length, 0, 'a refusal makes nothing');
});

test('only the last one can be paid', () => {
  const pay = (saleTerms: Partial<SaleTerms>) =>
    command({
      name: 'pay',
      batchable: true,
      load: (rows) => loadLatest(rows, saleTerms as SaleTerms),
      decide(_, id: string, latest) {
        requireLatest(saleTerms as SaleTerms, latest, id);
        return { status: 200, payload: null };
      },
    });
  const core = coreWith({ latest_invoice_id: 'new', made: 2 });
  const paid = (id: string, saleTerms: Partial<SaleTerms>): string => {
    const outcome = core.run(pay(saleTerms), id);
    return outcome.kind === 'refusal' ? outcome.code : outcome.kind;
  };
  assert.equal(paid('new', { authorized: ID }), 'answer');
  assert.equal(paid('before', { authorized: ID }), 'INVOICE_SUPERSEDED');
  assert.equal(paid('before', {}), 'answer');
});
