// Disagreements about escrows: opened, stated, proposed, answered, resolved, ended by the clock and
// by a lost dispute; who may say what; what is refused. [G-96]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { coverageOf } from '../../src/product/money/books/coverage.ts';
import { sumNow } from '../../src/product/money/books/sums.ts';
import type { Reply } from '../kit/api.ts';
import { personToken } from '../kit/person-token.ts';
import { dataUri, png } from '../kit/sample-files.ts';
import { startPlatform, type Platform } from '../api/kit.ts';
import { Market, ownLine, pause, saleLine, type Body } from '../api/market.ts';

const WAIT_MS = 20_000;
const DAY = 86_400;
const PNG = dataUri('image/png', png(2, 2));

interface Disagreement {
  readonly disagreement_id: string;
  readonly status: string;
  readonly opened_by: string;
  readonly amount: number;
  readonly default_outcome: string;
  readonly statements: readonly { statement_id: string; side: string; file_name: string }[];
  readonly proposal?: { proposal_id: string; side: string; to_sellers: number };
  readonly settlement?: { by: string; to_sellers: number; to_buyer: number };
}

let platform: Platform;
let market: Market;
before(async () => {
  platform = await startPlatform();
  market = new Market(platform.api);
});
after(() => platform?.stop());

const call = (method: 'GET' | 'POST' | 'PUT', path: string, body?: Body, more: object = {}) =>
  platform.api.send('invoicing', method, path, { ...more, ...(body && { body }) });
const send = (id: string, name: string, body?: Body, more: object = {}): Promise<Reply> =>
  call('POST', `/v2/escrow/${id}/${name}`, body, more);

async function must(status: number, sent: Promise<Reply>): Promise<Disagreement> {
  const reply = await sent;
  assert.equal(reply.status, status, reply.text);
  return reply.payload as Disagreement;
}

async function refused(code: string, sent: () => Promise<Reply>): Promise<void> {
  const before = await platform.rows();
  const reply = await sent();
  assert.deepEqual(reply.body?.codes, [code], reply.text);
  assert.deepEqual(await platform.rows(), before, code);
}

/** A paid escrow of a seller's line and the integrator's; gives it and its lines. */
async function held(amount = 300, own = 50): Promise<{ id: string; lines: readonly string[] }> {
  const { seller } = platform.ready.accounts;
  const line_items = [saleLine(seller.wallet_id, amount), ownLine(own)];
  const body = market.sale(0, { line_items });
  type Made = { id: string; escrow_invoice_id: string };
  const made = await platform.api.must<Made>(201, 'invoicing', 'POST', '/v2/escrow', { body });
  await platform.api.must(200, 'invoicing', 'POST', `/v2/escrow/${made.id}/pay`);
  const { line_items: lines } = await market.read(made.escrow_invoice_id);
  return { id: made.id, lines: Object.keys(lines) };
}

const wish = (opened_by = 'buyer'): Body => ({ opened_by, reason: 'not_as_described' });
const open = (id: string): Promise<Disagreement> => must(201, send(id, 'dispute', wish()));
const read = (id: string): Promise<Disagreement> =>
  must(200, call('GET', `/v2/escrow/${id}/dispute`));
const statusOf = async (id: string): Promise<string> =>
  (await platform.api.must<{ status: string }>(200, 'invoicing', 'GET', `/v2/escrow/${id}`)).status;
const split = (to_sellers: number, to_buyer: number, to_integrator = 0): Body => ({
  ...{ to_sellers, to_buyer, to_integrator },
});

async function balances(): Promise<readonly number[]> {
  const { buyer, seller } = platform.ready.accounts;
  return Promise.all([buyer, seller].map(({ account_id }) => market.balance(account_id)));
}

/** A session of an account of its own, as a link opens it. */
async function session(accountId: string): Promise<{ token: string }> {
  const { integrator, client: { client_id: clientId } } = platform.ready;
  const scopes = ['read_invoices', 'write_disagreements'];
  const client = { clientId, integrator };
  const given = { client, kind: 'session', accountId, scopes, seconds: 600 } as const;
  return { token: await personToken(platform, given) };
}

async function ahead(seconds: number): Promise<void> {
  await platform.db.execute({
    text: `update workspace set clock_offset = clock_offset + make_interval(secs => $1)
      where workspace = (select min(workspace) from workspace)`,
    values: [seconds],
  });
}

async function until(id: string, fits: (one: Disagreement) => boolean): Promise<Disagreement> {
  for (const end = Date.now() + WAIT_MS; ; await pause()) {
    const one = await read(id);
    if (fits(one)) return one;
    assert.ok(Date.now() < end, JSON.stringify(one));
  }
}

test('opened, it freezes; resolved, every cent goes once', async () => {
  const [buyer = 0, seller = 0] = await balances();
  const { id } = await held();
  const opened = await open(id);
  assert.deepEqual(
    [opened.status, opened.opened_by, opened.amount, opened.default_outcome],
    ['open', 'buyer', 350, 'none'],
  );
  for (const name of ['commit', 'cancel']) {
    await refused('ESCROW_DISPUTED', () => send(id, name));
  }
  await refused('DISAGREEMENT_EXISTS', () => send(id, 'dispute', wish()));
  await refused('DISAGREEMENT_SPLIT_WRONG', () => send(id, 'resolve', split(100, 100, 100)));
  await refused('INVALID_FIELD', () => send(id, 'resolve', split(-1, 351)));
  const ended = await must(200, send(id, 'resolve', split(100, 200, 50)));
  assert.deepEqual(
    [ended.status, ended.settlement],
    ['resolved', { by: 'tenant', to_sellers: 100, to_buyer: 200, to_integrator: 50 }],
  );
  // Of 100 for the sellers 14 are of the integrator's own line.
  assert.deepEqual(await balances(), [buyer - 150, seller + 86]);
  await refused('DISAGREEMENT_NOT_OPEN', () => send(id, 'resolve', split(100, 200, 50)));
  assert.equal(await statusOf(id), 'CANCELLED');
  assert.deepEqual(await read(id), ended);
});

test('a split by line item', async () => {
  const { id, lines: [first, second] } = await held();
  await open(id);
  const by = (one: Body, other: Body): Body => ({
    line_items: [{ line_item_id: first, ...one }, { line_item_id: second, ...other }],
  });
  const wrong = by(split(300, 0), split(0, 49));
  await refused('DISAGREEMENT_SPLIT_WRONG', () => send(id, 'resolve', wrong));
  const twice = { line_items: [1, 2].map(() => ({ line_item_id: first, ...split(300, 0) })) };
  await refused('ESCROW_LINE_REPEATED', () => send(id, 'resolve', twice));
  const { settlement } = await must(200, send(id, 'resolve', by(split(250, 50), split(0, 0, 50))));
  assert.deepEqual(settlement, { by: 'tenant', to_sellers: 250, to_buyer: 50, to_integrator: 50 });
});

test('both sides speak in their own sessions; strangers see nothing', async () => {
  const { buyer, seller, seller2 } = platform.ready.accounts;
  const { id } = await held();
  const [theirs, other, stranger] = await Promise.all(
    [buyer, seller, seller2].map(({ account_id }) => session(account_id)),
  );
  await refused('DISAGREEMENT_WRONG_SIDE', () => send(id, 'dispute', wish(), other));
  await refused('ESCROW_NOT_FOUND', () => send(id, 'dispute', wish(), stranger));
  await must(201, send(id, 'dispute', wish('seller'), other));
  const text = 'Ada wrote: the vase was broken.';
  await refused('MISSING_FIELD', () => send(id, 'dispute/statements', { text }));
  await refused('ESCROW_NOT_FOUND', () => send(id, 'dispute/statements', { text }, stranger));
  const account_id = seller2.account_id;
  await refused('DISAGREEMENT_STRANGER', () =>
    send(id, 'dispute/statements', { text, account_id }));
  await refused('FILE_TYPE_MISMATCH', () =>
    send(id, 'dispute/statements', { file: PNG.replace('png', 'jpeg') }, theirs));
  await must(201, send(id, 'dispute/statements', { text }, theirs));
  const { statements } = await must(201, send(id, 'dispute/statements', { file: PNG }, other));
  assert.deepEqual(
    statements.map(({ side, file_name }) => [side, file_name]),
    [['buyer', ''], ['seller', 'statement.png']],
  );
  const [said, file] = statements.map(({ statement_id: one }) => `dispute/statements/${one}`);
  const seen = await call('GET', `/v2/escrow/${id}/${said}`, undefined, other);
  assert.equal((seen.payload as { text: string }).text, text);
  const shown = await call('GET', `/v2/escrow/${id}/${file}`, undefined, theirs);
  assert.match((shown.payload as { file: string }).file, /^data:image\/png;base64,/);
  for (const path of ['dispute', said]) {
    const none = await call('GET', `/v2/escrow/${id}/${path}`, undefined, stranger);
    assert.equal(none.code, 'ESCROW_NOT_FOUND');
  }
  const proposal = split(200, 150);
  const made = await must(201, send(id, 'dispute/proposal', proposal, theirs));
  const answer = (proposal_id: string | undefined, how = 'accept'): Body => ({
    ...{ proposal_id, answer: how },
  });
  const first = made.proposal?.proposal_id;
  await refused('DISAGREEMENT_OWN_PROPOSAL', () =>
    send(id, 'dispute/answer', answer(first), theirs));
  const next = await must(201, send(id, 'dispute/proposal', split(350, 0), other));
  await refused('DISAGREEMENT_NO_PROPOSAL', () =>
    send(id, 'dispute/answer', answer(first), other));
  const second = next.proposal?.proposal_id;
  const declined = await must(200, send(id, 'dispute/answer', answer(second, 'decline'), theirs));
  assert.equal(declined.proposal, undefined);
  const last = await must(201, send(id, 'dispute/proposal', proposal, theirs));
  const ended = await must(
    200, send(id, 'dispute/answer', answer(last.proposal?.proposal_id), other),
  );
  assert.deepEqual([ended.status, ended.settlement?.by], ['resolved', 'agreement']);
  const [leaks] = await platform.db.query<{ n: number }>(`select count(*)::int as n
    from dispute_content where position('Ada' in encode(sealed, 'escape')) > 0`);
  assert.equal(leaks?.n, 0);
});

test('the tenant\'s default follows at the limit, after a warning', async () => {
  const settings = { days: 10, outcome: 'sellers' };
  const path = '/v1/settings/disagreements';
  await must(200, call('PUT', path, settings));
  assert.deepEqual((await call('GET', path)).payload, settings);
  const { id } = await held();
  const opened = await open(id);
  await must(200, call('PUT', path, { ...settings, outcome: 'buyer' }));
  const after = await market.lastSequence();
  await ahead(6 * DAY);
  const ours = opened.disagreement_id;
  const [warned] = await market.events(after, 1, (event) =>
    event.event_name === 'disagreement-due' && event.message['disagreement_id'] === ours);
  assert.equal(warned?.message['status'], 'open');
  await ahead(5 * DAY);
  const ended = await until(id, ({ status }) => status !== 'open');
  assert.deepEqual(ended.settlement, {
    ...{ by: 'default', to_sellers: 350, to_buyer: 0, to_integrator: 0 },
  });
  assert.equal(await statusOf(id), 'COMMITTED');
});

test('another tenant\'s escrow, and one that holds nothing', async () => {
  const { id } = await held();
  const { token } = await platform.tenant();
  for (const [name, body] of [['dispute', wish()], ['resolve', split(1, 0)]] as const) {
    await refused('ESCROW_NOT_FOUND', () => send(id, name, body, { token }));
  }
  await refused('DISAGREEMENT_NOT_FOUND', () => send(id, 'resolve', split(350, 0)));
  assert.equal((await call('GET', `/v2/escrow/${id}/dispute`)).code, 'DISAGREEMENT_NOT_FOUND');
  await platform.api.must(200, 'invoicing', 'POST', `/v2/escrow/${id}/commit`);
  await refused('ESCROW_NOT_ESCROWED', () => send(id, 'dispute', wish()));
});

test('coverage follows each part, and not a freeze', async () => {
  // As GET /v1/coverage says it, which it sums once a minute.
  const escrows = async (): Promise<number> => {
    const [{ workspace } = { workspace: 0 }] = await platform.db.query<{ workspace: number }>({
      text: 'select workspace from workspace where integrator = $1',
      values: [platform.ready.integrator],
    });
    const { currencies } = coverageOf('', await sumNow(platform.db, workspace));
    return currencies.find(({ currency }) => currency === 'USD')?.owed.escrows ?? 0;
  };
  const before_ = await escrows();
  const { id, lines } = await held();
  const seen = [await escrows()];
  const steps: readonly (readonly [number, string, Body])[] = [
    [200, 'release', { line_items: [{ line_item_id: lines[0], amount: 101 }] }],
    [200, 'return', { line_items: [{ line_item_id: lines[1] }] }],
    [201, 'dispute', wish()],
    [200, 'resolve', split(99, 60, 40)],
  ];
  for (const [status, name, body] of steps) {
    await must(status, send(id, name, body));
    seen.push(await escrows());
  }
  assert.deepEqual(seen.map((one) => one - before_), [350, 249, 199, 199, 0]);
});
