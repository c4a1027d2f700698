// Terms of every kind, as the program and the database read them back from their stored form.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { accountId, newUuid } from '../../src/core/ids.ts';
import { instantFromMillis, addMicros } from '../../src/core/time.ts';
import { documentRow, saleTermsOf } from '../../src/product/money/invoice/stored-terms.ts';
import type { SaleTerms } from '../../src/product/money/invoice/sale-terms.ts';
import { testDatabase, type TestDatabase } from '../kit/database.ts';

let base: TestDatabase;
before(async () => {
  base = await testDatabase();
});
after(() => base?.drop());

const OWN = newUuid();

/** An id of another moment, one near the invoice's, its own, or a text that is none. */
const id = fc.oneof(
  fc.uuid(),
  fc.integer({ min: 0, max: 0xff_ffff }).map((bits) => {
    return OWN.slice(0, 30) + bits.toString(16).padStart(6, '0');
  }),
  fc.constantFrom(OWN, '', 'ch_1'),
);
const amount = fc.oneof(fc.constant(0), fc.maxSafeNat());
// The database refuses the character 0, and so does every input.
const text = fc.string({ unit: 'binary' }).map((some) => some.replaceAll('\0', ''));
const MANY = { maxLength: 3 };
const absent = { requiredKeys: [] };
const metadata = fc.dictionary(
  text.filter((key) => key !== '__proto__'),
  fc.oneof(text, fc.integer(), fc.constant(null)),
);
const named = fc.record(
  { description: text, reference_type: text, reference_id: text, metadata },
  absent,
);
const account = fc.oneof(fc.uuid().map(accountId), fc.constant(''));
/** What a later release may add. */
const later = fc.record({ later: fc.oneof(text, amount, fc.constant(null)) }, absent);

function part(more: object): fc.Arbitrary<object> {
  const fields = { id, subitem: id, amount, wallet: id, ...more };
  return fc.record(fields, { requiredKeys: ['id', 'subitem', 'amount'] });
}

function all(...parts: fc.Arbitrary<object>[]): fc.Arbitrary<object> {
  return fc.tuple(...parts, later).map((some) => Object.assign({}, ...some) as object);
}

const fee = all(fc.record({ id, amount, description: text }, { requiredKeys: ['id', 'amount'] }));
const tax = all(fc.record(
  { id, amount, inclusive: fc.boolean(), description: text },
  { requiredKeys: ['amount', 'inclusive'] },
));
const recipient = all(named, fc.record(
  { id, amount, wallet: id, kept_back: id, account_id: account, method: id, source: id, fee },
  { requiredKeys: ['id', 'amount', 'wallet', 'kept_back', 'account_id', 'method'] },
));
const type = fc.constantFrom('user_to_user', 'user_to_integrator');
const line = all(named, fc.record(
  { id, amount, product_sku: text, tax, share: id, type, recipients: fc.array(recipient, MANY) },
  { requiredKeys: ['id', 'amount', 'recipients'] },
));
const created = fc.integer({ min: 0, max: 4_000_000_000_000_000 }).map((micros) => {
  return addMicros(instantFromMillis(0), micros);
});
const terms = all(named, fc.record(
  {
    ...{ total: amount, currency: fc.constantFrom('USD', 'JPY'), created, account_id: account },
    ...{ lines: fc.array(line, MANY), methods: fc.array(part({ token: text }), MANY) },
    kind: fc.constantFrom('escrow', 'commit', 'cancel', 'refund'),
    ...{ escrow: id, of: id, authorized: id, returns: fc.array(part({ charge: id }), MANY) },
    reserve: fc.record({ percent: fc.nat(100), days: fc.nat(365) }),
  },
  { requiredKeys: ['total', 'currency', 'created', 'account_id', 'lines', 'methods'] },
)) as fc.Arbitrary<unknown> as fc.Arbitrary<SaleTerms>;

test('terms of every kind come back as they were, from the program and the database', async () => {
  const own = fc.oneof(fc.constant(OWN), fc.uuid());
  const some = fc.array(fc.tuple(own, terms), { minLength: 20, maxLength: 20 });
  await fc.assert(fc.asyncProperty(some, async (given) => {
    const plain = given.map(([, one]) => JSON.parse(JSON.stringify(one)) as unknown);
    const rows = given.map(([of, one]) => documentRow(1, of, one));
    assert.deepEqual(rows.map(({ id, document }) => saleTermsOf({ id, document })), plain);
    type Row = Record<'tax' | 'reserve', boolean> & { terms: string; facts: boolean[] };
    const read = await base.db.query<Row>({
      text: `select t.terms::text, array(
          select sale_term(id, document, fact) is not distinct from t.terms ->> fact
          from unnest(array['total', 'currency', 'created', 'kind', 'escrow', 'of', 'authorized',
            'description', 'later']) as fact) as facts,
          sale_term(id, document, 'reserve')::jsonb
            is not distinct from t.terms::jsonb -> 'reserve' as reserve,
          sale_has_tax(document) = (t.terms::jsonb @? '$.lines[*].tax') as tax
        from unnest($1::text[], $2::text[]) with ordinality as r (id, document, n)
        cross join lateral (select sale_terms(id, document) as terms offset 0) t order by n`,
      values: [rows.map((row) => row.id), rows.map((row) => row.document)],
    });
    assert.deepEqual(read.map((row) => JSON.parse(row.terms) as unknown), plain);
    assert.ok(read.every((row) => row.facts.every(Boolean)), 'each fact by itself');
    assert.ok(read.every((row) => row.reserve && row.tax), 'reserve and tax');
  }), { numRuns: 5, endOnFailure: true });
});
