// SQL typed by hand against the books: the database refuses each illegal fact by itself, and the
// laws find what it cannot refuse in one statement. [M1, M2, M3, M4, M14, R3, R12]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Transaction } from '../../src/db/index.ts';
import { createWorkspace } from '../../src/product/tenant/tenant/index.ts';
import { bookProofs } from '../../src/catalogue.ts';
import { systemAccountId, runProofs, type SystemAccountKind } from '../../src/ledger/index.ts';
import { newUuid } from '../../src/core/ids.ts';
import { reconciled, sealed } from '../kit/books.ts';
import { startPlatform, type Platform } from '../kit/platform.ts';
import { attempt as tryBySql, step, type Known, type Refused } from './adversary.ts';

let platform: Platform;
/** Ids that the statements below speak of. */
const known: Known = {};

before(async () => {
  platform = await startPlatform();
  const { api, db } = platform;
  const { buyer, seller } = api.ready.accounts;
  const wallet = [{ payment_method_id: buyer.wallet_payment_method_id }];
  known['paid'] = await api.created(api.sale(200, wallet));
  known['open'] = await api.created(api.sale(300, wallet));
  const card = [{ payment_method_id: buyer.card_payment_method_id }];
  known['byCard'] = await api.created(api.sale(400, card));
  await api.pay(known['paid']);
  await api.pay(known['byCard']);
  await api.finished(known['byCard']);
  known['buyerWallet'] = buyer.wallet_id;
  known['sellerWallet'] = seller.wallet_id;
  const rows = await db.query<{ workspace: number; account_id: string; version: number }>({
    text: `select w.workspace, w.account_id, k.version from wallet w
      join kyc k on k.workspace = w.workspace and k.id = w.account_id where w.id = $1`,
    values: [seller.wallet_id],
  });
  const workspace = rows[0]?.workspace ?? 0;
  known['workspace'] = String(workspace);
  known['seller'] = rows[0]?.account_id ?? '';
  const other = await createWorkspace(db, { name: 'Other', currencies: ['USD'] });
  known['otherWorkspace'] = String(other.workspace);
  for (const kind of ['holding', 'integrator_share'] satisfies SystemAccountKind[]) {
    known[kind] = systemAccountId(workspace, kind, 'USD');
    known[`other_${kind}`] = systemAccountId(other.workspace, kind, 'USD');
    known[`eur_${kind}`] = systemAccountId(workspace, kind, 'EUR');
  }
  known['fresh'] = newUuid();
  await sealed(db);
  await reconciled(db);
  // Who locks whole tables by hand and a worker could each wait for the other.
  await platform.halt();
});
after(() => platform.stop());

const attempt = (
  statements: readonly string[],
  look?: (tx: Transaction) => Promise<void>,
): Promise<string | null> => tryBySql(platform.db, known, statements, look);

/** The legal step that pays the open invoice, to attach ledger entries to. */
const PAY = step(':workspace, :open, 2', 'open', 'pay', 'processing');

function post(
  line: number,
  account: string,
  amount: number,
  more = "'USD'",
  chain = 'null, null',
): string {
  return `(:workspace, :open, 2, ${line}, ${account}, ${more}, ${amount}, ${chain})`;
}

function posting(...lines: readonly string[]): string[] {
  return [PAY, `insert into posting values ${lines.join(', ')}`];
}

/** Number in the chain, and balance after, of the buyer's wallet moved by an amount. */
function chained(amount: number, skip = 1, wrong = 0): string {
  const of = (column: string): string => `(select ${column} from balance where id = :buyerWallet)`;
  return `${of('version')} + ${skip}, ${of('amount')} + ${amount + wrong}`;
}

const hold = (more: number, chain: string): string[] =>
  posting(post(1, ':buyerWallet', -more, "'USD'", chain), post(2, ':holding', more));

const spend = (set: string): string => `update balance set ${set} where id = :buyerWallet`;

const REFUSED: readonly Refused[] = [
  ['an entry that is off balance', 'posting_balanced', posting(post(1, ':holding', 5))],
  [
    'an entry that balances across currencies only',
    'posting_balanced',
    posting(post(1, ':holding', 5), post(2, ':eur_holding', -5, "'EUR'")),
  ],
  [
    'a posting without a step',
    'posting_references',
    [posting(post(1, ':holding', 5), post(2, ':integrator_share', -5))[1] ?? ''],
  ],
  [
    "a posting on another workspace's account",
    'posting_references',
    posting(post(1, ':other_holding', 5), post(2, ':other_integrator_share', -5)),
  ],
  [
    "a posting in another currency than its account's",
    'posting_references',
    posting(post(1, ':holding', 5, "'EUR'"), post(2, ':integrator_share', -5, "'EUR'")),
  ],
  [
    'a posting on an account that is not there',
    'posting_references',
    posting(post(1, ':fresh', 5), post(2, ':integrator_share', -5)),
  ],
  ['a posting of nothing', 'posting_amount_check', posting(post(1, ':holding', 0))],
  ['a wallet posting outside its chain', 'posting_references', hold(5, 'null, null')],
  [
    'a chain on an account without one',
    'posting_references',
    posting(post(1, ':holding', 5, "'USD'", '1, 5'), post(2, ':integrator_share', -5)),
  ],
  ['half a chain', 'posting_check', hold(5, '1, null')],
  ['a posting whose balance was not moved', 'posting_chain', hold(5, chained(-5))],
  [
    'a posting that skips a number',
    'posting_chain',
    [spend('amount = amount'), ...hold(5, chained(-5, 2))],
  ],
  ['a posting that adds up wrongly', 'posting_chain', hold(5, chained(-5, 1, 1))],
  ['a number of a chain taken twice', 'posting_chain', hold(5, chained(-5, 0))],
  ['a balance after it below zero', 'posting_balance_after_check', hold(5, '99, -1')],
  ['a balance moved without a posting', 'balance_posted', [spend('amount = amount + 1')]],
  ['a balance numbered without a posting', 'balance_posted', [spend('version = version + 1')]],
  ['a balance below zero', 'balance_amount_check', [spend('amount = -1')]],
  [
    'a balance born with money',
    'balance_posted',
    [
      `insert into ledger_account values (:workspace, :fresh, 'wallet', 'USD')`,
      `insert into balance (workspace, id, amount) values (:workspace, :fresh, 7)`,
    ],
  ],
  [
    'a balance of no account',
    'balance_workspace_id_fkey',
    [`insert into balance (workspace, id) values (:workspace, :fresh)`],
  ],
  ['an invoice moved without a step', 'invoice_head', [
    `update invoice set state = 'processing' where id = :open`,
  ]],
  ['an invoice numbered without a step', 'invoice_head', [
    `update invoice set version = 2 where id = :open`,
  ]],
  ['an ended invoice opened again', 'invoice_head', [
    `update invoice set state = 'open', version = 1 where id = :paid`,
  ]],
  ['a failure without its reason', 'invoice_check', [
    `update invoice set state = 'failed' where id = :open`,
  ]],
  ['a reason without a failure', 'invoice_check', [
    `update invoice set failure_code = 'generic_error' where id = :paid`,
  ]],
  ['a step that leaves its head behind and moves it too far', 'invoice_head', [
    PAY,
    `update invoice set state = 'success', version = 2 where id = :open`,
  ]],
  ['an invoice without its document', 'invoice_references', [
    step(':workspace, :fresh, 1', '', 'create', 'open'),
    `insert into invoice values (:workspace, :fresh, :seller, 'open', 1, null, clock_timestamp())`,
  ]],
  ["an invoice in another workspace for this one's account", 'invoice_references', [
    step(':otherWorkspace, :open, 1', '', 'create', 'open'),
    `insert into invoice_document select :otherWorkspace, id, document from invoice_document
      where id = :open`,
    `insert into invoice values (:otherWorkspace, :open, :seller, 'open', 1, null,
      clock_timestamp())`,
  ]],
  ['a step after the end', 'step_legal', [
    step(':workspace, :paid, 4', 'success', 'pay', 'processing'),
  ]],
  ['an attempt moved without a step', 'attempt_head', [
    `update attempt set state = 'authorizing' where resource_id = :byCard`,
  ]],
  ['a second attempt with one method', 'attempt_workspace_resource_id_payment_method_id_key', [
    `insert into step
      select s.workspace, :fresh, 1, machine, from_state, event, to_state, at, actor, detail
      from history s join attempt a on a.id = s.resource_id
      where s.version = 1 and a.resource_id = :byCard`,
    `insert into attempt select workspace, :fresh, resource_id, purpose, payment_method_id,
      processor_token, currency, amount, 'authorizing', 1, null, null, updated
      from attempt where resource_id = :byCard`,
  ]],
  ['an identity state set without a step', 'kyc_head', [
    `update kyc set state = 'DENY' where id = :seller`,
  ]],
  ['a deposit moved without a step', 'deposit_head', [
    `update deposit set state = 'requested' where state = 'success'`,
  ]],
  ['a wallet of another workspace', 'wallet_workspace_id_fkey', [
    `insert into wallet values
      (:otherWorkspace, :buyerWallet, null, 'USD', null, null, clock_timestamp())`,
  ]],
  ['an event under a number that is taken', 'event_pkey', [
    `insert into event select workspace, sequence, gen_random_uuid(), name, resource_id,
      resource_version, at, body, record from event where sequence = 1`,
  ]],
];

test('each illegal fact is refused by name, and leaves nothing', async () => {
  for (const [what, constraint, statements] of REFUSED) {
    assert.equal(await attempt(statements), constraint, what);
  }
  await reconciled(platform.db);
});

test('append-only tables refuse every change, and records cannot be deleted', async () => {
  const whole = ['step', 'posting', 'ledger_account', 'wallet', 'invoice_document', 'event'];
  const book = ['processor_card', 'processor_statement'];
  const kept = ['balance', 'account', 'invoice', 'processor_charge'];
  for (const table of [...whole, ...book, ...kept]) {
    const update = `update ${table} set workspace = workspace`;
    const verbs = [`delete from ${table}`, `truncate ${table} cascade`];
    if (!kept.includes(table)) verbs.push(update);
    for (const statement of verbs) {
      assert.match((await attempt([statement])) ?? 'accepted', /_append_only$/, statement);
    }
  }
  for (const parent of ['tenant', 'workspace', 'workspace_currency']) {
    const outcome = await attempt([`truncate ${parent} cascade`]);
    assert.match(outcome ?? 'accepted', /_append_only$/, parent);
  }
});

test('the laws find what one statement cannot show', async () => {
  const found: readonly (readonly [law: string, statements: readonly string[]])[] = [
    ['invoice_state_is_last_step', [PAY]],
    [
      'success_is_paid_once',
      [
        PAY,
        step(':workspace, :open, 3', 'processing', 'payment_succeeded', 'success'),
        `update invoice set state = 'success', version = 3 where id = :open`,
      ],
    ],
    [
      'finished_invoices_are_announced',
      [
        PAY,
        step(':workspace, :open, 3', 'processing', 'payment_failed', 'failed'),
        `update invoice set state = 'failed', version = 3, failure_code = 'x' where id = :open`,
      ],
    ],
    [
      'holding_is_open_work',
      [...posting(post(1, ':holding', 5), post(2, ':integrator_share', -5))],
    ],
    [
      'events_have_no_gap',
      [
        `insert into event select workspace, sequence + 7, gen_random_uuid(), name, resource_id,
          resource_version, at, body, record from event order by sequence desc limit 1`,
      ],
    ],
  ];
  for (const [law, statements] of found) {
    let broken: string[] = [];
    const outcome = await attempt(statements, async (tx) => {
      const results = await runProofs(tx, bookProofs);
      broken = results.filter((proof) => proof.breaches > 0).map((proof) => proof.name);
    });
    assert.equal(outcome, null, law);
    assert.ok(broken.includes(law), `${law} is not among ${broken.join(', ')}`);
  }
  await reconciled(platform.db);
});
