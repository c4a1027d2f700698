// Cross-tenant isolation: every operation with every id of another tenant answers, byte for byte,
// as for an unknown id, and changes nothing. [G-11, G-32; ID3]
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { wireId } from '../../src/core/ids.ts';
import { PICTURE } from '../kit/identity.ts';
import { startPlatform, type Platform } from './kit.ts';
import { saleLine, type Body } from './market.ts';
import { addressOf } from './questions.ts';
import { furnish, type Fixtures } from './fixtures.ts';
import type { Call, Reply } from '../kit/api.ts';
import type { Place } from './answers.ts';
import type { Event } from './records.ts';

let platform: Platform;
let mine: Fixtures;
let theirs: Fixtures;
before(async () => {
  platform = await startPlatform();
  const twin = await platform.tenant();
  const other = await platform.tenant();
  mine = await furnish(platform, twin);
  theirs = await furnish(platform, other);
});
after(() => platform?.stop());

/** Ids of the same shapes that nobody has. */
function nobodys(): Fixtures {
  const account = (): string => wireId('acct', randomUUID());
  return {
    ...mine,
    account: account(),
    seller: account(),
    wallet: randomUUID(),
    sellerWallet: randomUUID(),
    ownWallet: randomUUID(),
    method: randomUUID(),
    card: randomUUID(),
    entry: randomUUID(),
    bank: randomUUID(),
    payout: randomUUID(),
    invoice: randomUUID(),
    authorized: randomUUID(),
    paid: randomUUID(),
    line: randomUUID(),
    refund: randomUUID(),
    escrow: wireId('esc', randomUUID()),
    escrowInvoice: randomUUID(),
    statement: randomUUID(),
    endpoint: randomUUID(),
    receiver: randomUUID(),
    snapshot: randomUUID(),
    workspace: randomUUID(),
    event: randomUUID(),
    deposit: randomUUID(),
    dispute: randomUUID(),
    attempt: randomUUID(),
    link: randomUUID(),
    kyc: wireId('kyc', randomUUID()),
    business: account(),
    entity: wireId('ent', randomUUID()),
    agent: wireId('agt', randomUUID()),
    document: wireId('doc', randomUUID()),
    consent: randomUUID(),
    nonce: randomUUID(),
  };
}

/** Those of the sandbox's own operations. */
function sandboxBodies(fixtures: Fixtures): Readonly<Record<string, Body[]>> {
  return {
    sandboxDeposit: [{ account_id: fixtures.account, currency: 'USD', amount: 5 }],
    sandboxAttachCard: [{ account_id: fixtures.account, test_card: 'visa' }],
    sandboxPlayScenario: [{ scenario: 'declined', payment_method_id: fixtures.card }],
    sandboxOutsideEvent: [
      { event: 'chargeback', id: fixtures.deposit },
      { event: 'chargeback', id: fixtures.invoice },
      { event: 'chargeback', id: fixtures.escrow },
      { event: 'dispute_won', id: fixtures.dispute },
    ],
    sandboxScript: [
      { counterparty: 'processor', exchange: 'busy', on: fixtures.card },
      { counterparty: 'receiver', exchange: 'fault', on: fixtures.receiver },
    ],
    sandboxIdentityEvent: [{ kyc_id: fixtures.kyc, event: 'deny' }],
    sandboxSetEntity: [{ status: 'DENY' }],
    sandboxForkWorld: [{ snapshot_id: fixtures.snapshot }],
    sandboxRollBack: [{ snapshot_id: fixtures.snapshot }],
  };
}

/** Those of an escrow's parts and dates. */
function partBodies(line_item_id: string): Readonly<Record<string, Body[]>> {
  const part = { line_items: [{ line_item_id }] };
  const split = { to_sellers: 1, to_buyer: 0, to_integrator: 0 };
  const account_id = mine.account;
  const answer = { account_id, proposal_id: randomUUID(), answer: 'accept' };
  return {
    ...{ releaseEscrow: [part], returnEscrow: [part], scheduleEscrow: [{ release_at: null }] },
    deliverEscrow: [{}],
    openDisagreement: [{ opened_by: 'buyer', reason: 'other' }],
    addDisagreementStatement: [{ account_id, text: 'x' }],
    proposeSplit: [{ account_id, ...split }],
    answerProposal: [answer],
    resolveDisagreement: [split],
  };
}

/** Bodies with somebody else's id among one's own; each entry is one field. */
function bodiesWith(id: string, fixtures: Fixtures): Body[] {
  const sales = invoicesWith(fixtures);
  if (id === 'authorizeInvoice') return sales.flatMap(authorizedWith);
  if (id === 'createInvoice' || id === 'createEscrow') {
    const payment_methods = mineAlone();
    return [...sales, { authorized_invoice_id: fixtures.authorized, payment_methods }];
  }
  const money = { currency: 'USD', amount: 5 };
  const part = { amount: 1, reason: 'other' };
  const roles = ['beneficial_owner'];
  const { account: account_id, bank: destination_payment_method_id } = fixtures;
  const somebody = { entity_agent_id: fixtures.agent, agent_name: 'A', roles };
  const known: Readonly<Record<string, Body[]>> = {
    createDeposit: [
      { account_id: fixtures.account, payment_method_id: fixtures.card, ...money },
      { account_id: fixtures.account, payment_method_id: mine.card, ...money },
      { account_id: mine.account, payment_method_id: fixtures.card, ...money },
    ],
    createPayout: [
      { ...money, source_payment_method_id: fixtures.method, destination_payment_method_id },
    ],
    createOneTimePaymentMethod: [{ account_id, kind: 'card' }],
    createPayeeLink: [{ account_id }],
    createBankAccount: [{ account_id: fixtures.account, iban: IBAN, holder_name: 'N' }],
    setPayoutSchedule: [{ currency: 'USD', destination_payment_method_id: fixtures.bank }],
    sendReceipt: [{ email_address: 'p@people.example', account_id: fixtures.account }],
    finishEmailVerification: [{ code: '000000', nonce: fixtures.nonce }],
    refundInvoice: [{ invoice_id: fixtures.paid, reason: 'other' }],
    refundLineItem: [
      { line_item_id: fixtures.line, ...part },
      { line_item_id: mine.line, payment_methods: [fixtures.method], ...part },
    ],
    ...partBodies(fixtures.line),
    createPaymentMethod: [{ entry_id: fixtures.entry }],
    renamePaymentMethod: [{ display_string: 'Other' }],
    blockAccount: [{ account_id: fixtures.account, block_capability: 'login', block_reason: 'x' }],
    unblockAccount: [{ account_id: fixtures.account, block_capability: 'login' }],
    mergeAccounts: [
      { source_account_id: fixtures.account, destination_account_id: mine.seller },
      { source_account_id: mine.seller, destination_account_id: fixtures.account },
    ],
    authorizeUser: [
      { account_id: fixtures.account },
      { account_id: fixtures.account, return_token: true },
    ],
    setAccountKYCState: [{ state: 'DENY' }],
    recheckKYC: [{ note: 'n' }],
    onboardEntity: [{ entity_name: 'Firm' }],
    saveEntityForm: [{ entity_name: 'Firm', agents: [somebody] }],
    addEntityDocument: [{ file: PICTURE, entity_agent_id: fixtures.agent }],
    updateUserInfo: [{ city: 'Elsewhere' }],
    changeWebhookEndpoint: [{ state: 'disabled' }],
    rotateWebhookSecret: [{}],
    addDisputeEvidence: [{ kind: 'other', text: 'x' }],
    resolveReconciliation: [{ decision: 'give_back' }],
    replayWebhookDeliveries: [{ failed: true }],
    ...sandboxBodies(fixtures),
  };
  return known[id] ?? [];
}

/** The same sale to be authorized, where it is not the payment method that is another's. */
function authorizedWith({ payment_methods, ...sale }: Body): Body[] {
  const own = JSON.stringify(payment_methods) === JSON.stringify(mineAlone());
  return own ? [{ ...sale, invoice_mechanism: 'widget' }] : [];
}

function mineAlone(): Body[] {
  return [{ payment_method_id: mine.method }];
}

/** Own invoices that name one resource of somebody else. */
function invoicesWith(fixtures: Fixtures): Body[] {
  const invoice = (more: Body, recipient: Body = {}): Body => {
    const to = { amount: 10, destination_wallet_id: mine.sellerWallet, ...recipient };
    return {
      account_id: mine.account,
      payment_methods: mineAlone(),
      line_items: [saleLine('', 10, { recipients: [to] })],
      ...more,
    };
  };
  const parts = [
    { payment_method_id: mine.method, amount: 5 },
    { payment_method_id: fixtures.card, amount: 0 },
  ];
  return [
    invoice({ account_id: fixtures.account }),
    invoice({ payment_methods: [{ payment_method_id: fixtures.method }] }),
    invoice({ payment_methods: [{ payment_method_id: fixtures.card }] }),
    invoice({ payment_methods: parts }),
    invoice({}, { destination_wallet_id: fixtures.sellerWallet }),
    invoice({}, { destination_wallet_id: fixtures.ownWallet }),
    invoice({}, { source_wallet_id: fixtures.ownWallet }),
    invoice({}, { source_wallet_id: fixtures.wallet }),
    invoice({}, { destination_account_id: fixtures.seller }),
    invoice({}, { destination_account_id: fixtures.seller, destination_wallet_id: null }),
  ];
}

const IBAN = 'NL91ABNA0417164300';

/** Bodies in which no id of anything stands. */
const NAMES_NOTHING: ReadonlySet<string> = new Set([
  'createWebhookEndpoint',
  'registerAccount',
  ...['changeSettings', 'changeDisputeSettings', 'changePayeeSettings'],
  'changeDisagreementSettings',
  ...['changeCoverageSettings', 'changeMailSettings'],
  'createPaymentMethodEntry',
  'signTerms',
  'beginEmailVerification',
  'submitKYC',
  'sandboxCreateReceiver',
  ...['sandboxTakeSnapshot', 'sandboxMoveClock', 'sandboxSettlementTerms'],
  'sandboxBankTransfer',
  'setPayoutScheduleDefault',
]);

/** True when ids stand in the path; the service's word is none. */
function namesIds({ path }: Place): boolean {
  return path.replace('{word}', '').includes('{');
}

/** The client's token, or the person's where no client may call. */
function tokenFor({ operation }: Place, { token, user, session }: Fixtures): string {
  const access = operation['x-access'] ?? {};
  return 'client' in access ? token : 'user' in access ? user : session;
}

/** What an answer shows, without what is another each time. */
function shown(reply: Reply): object {
  const other = ['date', 'keep-alive', 'x-request-id'];
  const headers = [...reply.headers].filter(([name]) => !other.includes(name));
  return { status: reply.status, text: reply.text, headers };
}

/** Books are not named by ids: each caller's are the caller's own. */
function guarded(): Place[] {
  return platform.api.places.filter(
    ({ operation, path }) =>
      operation['x-access'] !== undefined && !path.includes('{counterparty}'),
  );
}

test("every operation with every id: the other tenant's is nobody's", async () => {
  let pairs = 0;
  const before = await platform.rows();
  for (const place of guarded()) {
    const { operationId, requestBody } = place.operation;
    const named = namesIds(place);
    const nothing = nobodys();
    const wrong = bodiesWith(operationId, theirs);
    const unknown = bodiesWith(operationId, nothing);
    if (requestBody === undefined) wrong.push({});
    else if (wrong.length === 0) assert.ok(NAMES_NOTHING.has(operationId), operationId);
    for (const [at, body] of wrong.entries()) {
      const ids = !named && requestBody === undefined;
      const idless = JSON.stringify(body) === JSON.stringify(unknown[at]) && !named;
      if (ids || idless) continue;
      const send = (fixtures: Fixtures, body: unknown): Promise<Reply> => {
        const call: Call = requestBody === undefined ? {} : { body };
        const address = addressOf(place, fixtures);
        const token = tokenFor(place, mine);
        return platform.api.send(place.host, place.method, address, { ...call, token });
      };
      const foreign = await send(theirs, body);
      const missing = await send(nothing, unknown[at] ?? {});
      const what = `${operationId} ${at}: ${foreign.text.slice(0, 200)}`;
      assert.ok([400, 404].includes(foreign.status), what);
      assert.deepEqual(shown(foreign), shown(missing), what);
      pairs += 1;
    }
  }
  assert.ok(pairs >= 39, `${pairs} pairs`);
  const { processor_card: _b, ...rest } = before;
  const { processor_card: _a, ...now } = await platform.rows();
  assert.deepEqual(now, rest, 'nothing happened to anybody');
});

test("the same calls with one's own ids work: the test can tell", async () => {
  // A tenant has a bank account from its first transfer on.
  const sent = { body: { currency: 'USD', amount: 1 }, token: theirs.token };
  await platform.api.must(201, 'invoicing', 'POST', '/sandbox/bank_transfers', sent);
  for (const place of guarded()) {
    const { operationId, requestBody } = place.operation;
    if (requestBody !== undefined || !place.path.includes('{') || place.method !== 'GET') continue;
    const address = addressOf(place, theirs);
    const token = tokenFor(place, theirs);
    const reply = await platform.api.send(place.host, 'GET', address, { token });
    assert.equal(reply.status, 200, `${operationId}: ${reply.text}`);
  }
});

test("ids of the sandbox tenant are as foreign, its integrator's wallet too", async () => {
  const { buyer } = platform.ready.accounts;
  const { token } = mine;
  for (const [host, path] of [
    ['wallets', `/v2/wallet/${theirs.ownWallet}`],
    ['wallets', `/v2/wallet/${buyer.wallet_id}`],
    ['wallets', `/balances/${buyer.account_id}`],
  ] as const) {
    assert.equal((await platform.api.send(host, 'GET', path, { token })).status, 404, path);
  }
  const own = await platform.api.send('wallets', 'GET', `/v2/wallet/${mine.ownWallet}`, { token });
  assert.equal(own.status, 200);
});

test("names, streams and lists are each tenant's own", async () => {
  const { api } = platform;
  type Page = { events: Event[] };
  const info = async (token: string): Promise<string> => {
    const path = '/v1/user-info/search?username=buyer';
    return (await api.must<{ account_id: string }>(200, 'accounts', 'GET', path, { token }))
      .account_id;
  };
  assert.deepEqual(
    [await info(mine.token), await info(theirs.token)],
    [mine.account, theirs.account],
  );
  for (const [own, other] of [
    [mine, theirs],
    [theirs, mine],
  ] as const) {
    const { token } = own;
    const path = '/v1/events?limit=1000';
    const { events } = await api.must<Page>(200, 'invoicing', 'GET', path, { token });
    assert.deepEqual(
      events.map((event) => event.sequence),
      events.map((_, at) => at + 1),
    );
    const text = JSON.stringify(events);
    for (const id of [other.account, other.seller, other.invoice, other.wallet, other.card]) {
      assert.ok(!text.includes(id));
    }
    type List = { webhook_endpoints: { endpoint_id: string; url: string }[] };
    const list = await api.must<List>(200, 'invoicing', 'GET', '/v1/webhook_endpoints', { token });
    assert.deepEqual(
      list.webhook_endpoints.map((one) => one.url.split('/receivers/')[1] ?? one.endpoint_id),
      [own.endpoint, own.receiver],
    );
  }
});

test('clients and tokens of one tenant are nothing to the other', async () => {
  const { api } = platform;
  const post = (path: string, form: Record<string, string>): Promise<Reply> =>
    api.send('auth', 'POST', path, { form, token: null });
  const mixed = { client_id: theirs.secrets.client_id, client_secret: mine.secrets.client_secret };
  assert.equal((await post('/token', { grant_type: 'client_credentials', ...mixed })).status, 401);
  type Given = { token: { access_token: string; refresh_token: string } };
  const { token: user } = await api.must<Given>(200, 'auth', 'POST', '/authorize/user', {
    body: { account_id: theirs.account, return_token: true },
    token: theirs.token,
  });
  for (const token of [theirs.token, user.access_token, user.refresh_token]) {
    const answer = await post('/introspect', { token, ...mine.secrets });
    assert.equal(answer.text, '{"active":false}');
    assert.equal((await post('/revoke', { token, ...mine.secrets })).status, 200);
  }
  const renewal = { grant_type: 'refresh_token', refresh_token: user.refresh_token };
  assert.equal((await post('/token', { ...renewal, ...mine.secrets })).status, 400);
  const own = await api.send('pii', 'GET', `/v1/kyc/${theirs.account}`, {
    token: user.access_token,
  });
  assert.equal(own.status, 200, 'still alive');
  assert.equal(
    (await post('/token', { ...renewal, ...theirs.secrets })).status,
    200,
    'and renewable',
  );
});

test('money of one tenant stays when the other pays', async () => {
  const path = `/v2/wallet/${theirs.wallet}`;
  const wallet = (): Promise<Body> =>
    platform.api.must(200, 'wallets', 'GET', path, { token: theirs.token });
  const before = await wallet();
  const { token } = mine;
  await platform.api.must(200, 'invoicing', 'POST', `/v2/invoice/${mine.invoice}/pay`, { token });
  assert.deepEqual(await wallet(), before);
});

test('every answer above is declared by its operation', () => {
  assert.deepEqual([...platform.api.undeclared], []);
});
