// SQL typed by hand against escrows in parts, their freezes and settled splits: the database
// refuses each illegal fact by itself, and the laws find what it cannot refuse in one statement.
// [G-94, G-95, G-96]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { proofs } from '../../src/catalogue.ts';
import type { Command } from '../../src/engine/index.ts';
import { accountId } from '../../src/core/ids.ts';
import { runProofs } from '../../src/ledger/index.ts';
import {
  disagreementOf,
  openDisagreement,
  resolveDisagreement,
} from '../../src/product/money/disagreement/index.ts';
import {
  createEscrow,
  invoiceOf,
  payEscrow,
  releaseEscrow,
} from '../../src/product/money/escrow/index.ts';
import { prepareInvoice } from '../../src/product/money/invoice/index.ts';
import { proved } from '../kit/books.ts';
import { attempt, step, type Known, type Refused } from './adversary.ts';
import { openFixture, say, type Fixture } from './fixture.ts';
import { Market } from './market.ts';
import { freshId, type Person } from './market-people.ts';
import { CURRENCY, submit, WORKSPACE } from './memory-core.ts';

const AMOUNT = 700;
const DRAFT = 100;

let place: Fixture;
const known: Known = { workspace: String(WORKSPACE), fresh: freshId() };

async function must<I>(command: Command<I>, input: I): Promise<void> {
  assert.match(await say(place, submit(command, input)), /^20\d$/, command.name);
}

/** A paid escrow whose milestone of 100 was released; gives its id. */
async function moved([buyer, seller]: readonly [Person, Person]): Promise<string> {
  const id = freshId();
  const recipients = [{ amount: AMOUNT, destination_wallet_id: seller.wallet }];
  const line = { amount: AMOUNT, currency: CURRENCY, transaction_type: 'user_to_user' as const };
  const prepared = prepareInvoice(
    {
      account_id: accountId(buyer.id),
      payment_methods: [{ payment_method_id: buyer.methods[0] ?? '' }],
      line_items: [{ ...line, recipients }],
    },
    freshId,
    invoiceOf(id, 'escrow'),
  );
  const plan = { milestones: [{ name: 'Draft', amount: DRAFT }] };
  const of = { escrowId: id, integrator: 'laws' };
  await must(createEscrow, { id, prepared, holdSeconds: 3_600, integrator: 'laws', plan });
  await must(payEscrow, of);
  await must(releaseEscrow, { ...of, wish: { milestone: 'Draft' } });
  return id;
}

before(async () => {
  place = await openFixture();
  for (const submitted of Market.opening) await say(place, submitted);
  const people = new Market(0, false, null, new Map()).people as [Person, Person];
  for (const name of ['moved', 'frozen', 'settled']) known[name] = await moved(people);
  const tenant = { account: null, session: false } as const;
  for (const name of ['frozen', 'settled']) {
    const escrowId = known[name] ?? '';
    const said = { openedBy: 'tenant', reason: 'other', days: 10, outcome: 'none' } as const;
    await must(openDisagreement, { ...tenant, escrowId, ...said });
    known[`quarrel_${name}`] = disagreementOf(escrowId);
  }
  const wish = { to_sellers: 300, to_buyer: 200, to_integrator: 100 };
  await must(resolveDisagreement, { ...tenant, escrowId: known['settled'] ?? '', wish });
  known['first'] = invoiceOf(known['moved'] ?? '', 0);
});
after(async () => {
  await place.engine.stop();
  await place.database.drop();
});

/** A step of an escrow, and its row with other parts: JSON to be added, or SQL instead of them. */
function moves(of: string, version: number, parts: string, more = '', on = 'release', to = '') {
  const after_ = parts.startsWith('{') ? `course::jsonb -> 'parts' || '[${parts}]'` : parts;
  const at = to === '' ? 'ESCROWED' : to;
  return [
    step(`:workspace, :${of}, ${version}`, 'ESCROWED', on, at, 'escrow'),
    `update escrow set version = ${version}, state = '${at}'${more},
      course = jsonb_set(jsonb_set(course::jsonb, '{version}', '${version}'), '{parts}',
        ${after_})::text where id = :${of}`,
  ];
}

const part = (lines: string, more = '', on = 'release'): string =>
  `{"on": "${on}", "at": "2026-01-01T00:00:00.000000Z", "lines": [${lines}]${more}}`;
const same = `course::jsonb -> 'parts'`;
const settled = (to_sellers: number, to_buyer: number, to_integrator: number): string[] => [
  `update disagreement set settlement = '${JSON.stringify({
    ...{ by: 'tenant', to_sellers, to_buyer, to_integrator },
  })}' where id = :quarrel_settled`,
];

const REFUSED: readonly Refused[] = [
  ['a part above what is held', 'escrow_parts_held', moves('moved', 4, part('[0, 601]'))],
  ['parts that are above it together', 'escrow_parts_held',
    moves('moved', 4, `${part('[0, 400]')}, ${part('[0, 201]', '', 'return')}`)],
  ['a line twice in a part', 'escrow_parts_held',
    moves('moved', 4, part('[0, 400], [0, 201]'))],
  ['a part of nothing', 'escrow_parts_held', moves('moved', 4, part('[0, 0]'))],
  ['a part below nothing', 'escrow_parts_held', moves('moved', 4, part('[0, -1]', '', 'return'))],
  ['a line of another sale', 'escrow_parts_held', moves('moved', 4, part('[1, 5]'))],
  ['a milestone twice', 'escrow_milestone_once',
    moves('moved', 4, part('[0, 1]', ', "milestone": "Draft"'))],
  ['a date that was due, again', 'escrow_milestone_once', moves(
    'moved', 4, part('[0, 1]', ', "milestone": "Draft"'), '', 'release_on_date',
  )],
  ['a part without its invoice', 'escrow_parts_invoices', moves('moved', 4, part('[0, 5]'))],
  ['a part whose invoice has another id', 'escrow_parts_invoices', [
    `insert into invoice_document
      select workspace, :fresh, document from invoice_document where id = :first`,
    ...moves('moved', 4, part(`[0, ${DRAFT}]`)),
  ]],
  ['a part that is taken back', 'escrow_parts_stay', moves('moved', 4, `'[]'`)],
  ['a part with another amount', 'escrow_parts_stay',
    moves('moved', 4, `jsonb_set(course::jsonb -> 'parts', '{0,lines,0,1}', '99')`)],
  ['a course that is gone', 'escrow_parts_stay', [
    step(':workspace, :moved, 4', 'ESCROWED', 'reschedule', 'ESCROWED', 'escrow'),
    `update escrow set version = 4, course = null where id = :moved`,
  ]],
  ['an end that leaves something', 'escrow_parts_held',
    moves('moved', 4, same, ', due = null', 'commit', 'COMMITTED')],
  ['an end that was reached by a date, again', 'step_legal', [
    step(':workspace, :settled, 9', 'CANCELLED', 'return_on_date', 'CANCELLED', 'escrow'),
  ]],
  ['a release while it is frozen', 'escrow_frozen', moves('frozen', 5, part('[0, 5]'))],
  ['a freeze that ends with nothing decided', 'escrow_frozen',
    moves('frozen', 5, same, ', time_left = null, due = now()', 'settle')],
  ['a commit while it is frozen', 'escrow_frozen', moves(
    'frozen', 5, part('[0, 600]'), ', time_left = null', 'commit', 'COMMITTED',
  )],
  ['a split that does not sum', 'disagreement_settlement', settled(300, 200, 101)],
  ['a split with less than nothing', 'disagreement_settlement', settled(701, -1, -100)],
  ['a settled disagreement that says not how', 'disagreement_check', [
    `update disagreement set settlement = null where id = :quarrel_settled`,
  ]],
  ['a disagreement settled without a step', 'disagreement_head', [
    `update disagreement set state = 'resolved', due = null, settlement = '{"to_sellers": 600,
      "to_buyer": 0, "to_integrator": 0}' where id = :quarrel_frozen`,
  ]],
];

test('each illegal fact is refused by name, and leaves nothing', async () => {
  const { db } = place.database;
  for (const [what, constraint, statements] of REFUSED) {
    assert.equal(await attempt(db, known, statements), constraint, what);
  }
  await proved(db);
});

test('the database reckons the ids of invoices as we do', async () => {
  const escrow = known['moved'] ?? '';
  for (const [part, ending] of [[0, 0], [7, 0], [102, 0], [0, 2], [5, 3]] as const) {
    const [row] = await place.database.db.query<{ id: string }>({
      text: 'select escrow_part_invoice($1, $2, $3) as id',
      values: [escrow, part, ending],
    });
    const ends = ending === 2 ? 'commit' : 'cancel';
    assert.equal(row?.id, invoiceOf(escrow, ending === 0 ? part : ends));
  }
});

test('the wallets of a sale are those of its terms, in either form', async () => {
  const wrong = await place.database.db.query(`select d.id from invoice_document d
    cross join lateral (select sale_terms(d.id::text, d.document) as terms) t
    cross join lateral (select array_agg((r ->> 'wallet')::uuid order by r ->> 'wallet') as all
      from json_array_elements(terms -> 'lines') l, json_array_elements(l -> 'recipients') r) a
    cross join lateral (select array_agg(w order by w) as packed
      from sale_wallets(d.id::text, d.document) w) p
    cross join lateral (select array_agg(w order by w) as plain
      from sale_wallets(d.id::text, terms::text) w) q
    where (p.packed, q.plain) is distinct from (a.all, a.all)`);
  assert.deepEqual(wrong, []);
});

test('the laws find what one statement cannot show', async () => {
  const found: readonly (readonly [law: string, statements: readonly string[]])[] = [
    ['escrow_parts_are_their_invoices', [
      `update escrow set course = jsonb_set(course::jsonb, '{total}', '701')::text
        where id = :moved`,
    ]],
    ['settlements_are_what_was_held', settled(299, 201, 100)],
    ['disagreements_freeze_escrows', [
      `update escrow set disputes = '{"open":0,"taken":{}}',
        course = jsonb_set(course::jsonb, '{disputes}', '"{\\"open\\":0,\\"taken\\":{}}"')::text
        where id = :frozen`,
    ]],
  ];
  const { db } = place.database;
  for (const [law, statements] of found) {
    let broken: string[] = [];
    const outcome = await attempt(db, known, statements, async (tx) => {
      const results = await runProofs(tx, proofs);
      broken = results.filter((proof) => proof.breaches > 0).map((proof) => proof.name);
    });
    assert.equal(outcome, null, law);
    assert.ok(broken.includes(law), `${law} is not among ${broken.join(', ')}`);
  }
  await proved(db);
});
