// A person's way through the platform: she earns, must verify her identity, is paid out, and is
// erased; in between come all other test persons. Every step asserts what it shows.
import assert from 'node:assert/strict';
import {
  authorize,
  PICTURE,
  playPersons,
  submissionOf,
  tellsOf,
  type Person,
} from './persons-story.ts';
import type { Platform } from './platform.ts';
import {
  call,
  look,
  openScene,
  pick,
  readUntil,
  readUntilDone,
  verified,
  type Scene,
  type Step,
} from './scene.ts';
import { orderOf } from './story.ts';

/** Her account, and the payment methods that a payout names. */
interface Seller {
  readonly account: string;
  readonly wallet: string;
  readonly methods: {
    readonly source_payment_method_id: string;
    readonly destination_payment_method_id: string;
  };
}

/** What outlives her data. */
interface Left {
  readonly invoice: string;
  readonly payout: string;
}

const EARNED = 2_250;
const REQUEST = { amount: EARNED, currency: 'USD' } as const;

/** Plays the story and yields its steps as they happen. */
export async function* playPeople(platform: Platform): AsyncGenerator<Step> {
  const { scene, step } = await openScene(platform);
  yield step;
  const seller = yield* register(scene);
  const invoice = yield* earn(scene, seller);
  yield await refusedPayout(scene, seller);
  const person = yield* verify(scene, seller);
  const payout = yield* payOut(scene, seller);
  yield* playPersons(scene);
  yield* erase(scene, person, { invoice, payout });
  yield await verifyAll(platform);
}

async function* register(scene: Scene): AsyncGenerator<Step, Seller> {
  const email = { address: 'nia@example.test', requires_verification: false };
  const form = { username: 'nia', full_name: 'Nia Seller', email };
  const made = await call(scene, 'POST', 'accounts', '/register', form);
  assert.equal(made.status, 200);
  const account = String(made.payload['account_id']);
  const title = 'Nia registers as a seller';
  yield { ...made.step, title, facts: pick(made.payload, ['account_id', 'username']), rows: [] };
  const bank = { account_id: account, test_card: 'bank' };
  const path = '/sandbox/payment_methods';
  const attached = await call(scene, 'POST', 'invoicing', path, bank);
  assert.equal(attached.status, 201);
  const listed = await call(scene, 'GET', 'payments', `/v1/${account}/payment_methods`);
  const methods = listed.payload as unknown as readonly Record<string, string>[];
  const wallet = methods.find(
    (one) => one['provider'] === 'wallet' && one['processing_currency'] === 'USD',
  );
  yield {
    ...attached.step,
    title: 'Her bank, as the sandbox attaches it',
    facts: { payment_method_id: attached.payload['id'], provider: attached.payload['provider'] },
    rows: [],
  };
  return {
    account,
    wallet: String(wallet?.['psp_reference']),
    methods: {
      source_payment_method_id: String(wallet?.['id']),
      destination_payment_method_id: String(attached.payload['id']),
    },
  };
}

async function* earn(scene: Scene, { wallet }: Seller): AsyncGenerator<Step, string> {
  const method = String(scene.platform.ready.accounts.buyer['wallet_payment_method_id']);
  const order = orderOf(scene.platform, method, 'Ceramic mug', wallet);
  const made = await call(scene, 'POST', 'invoicing', '/v2/invoice', order);
  assert.equal(made.status, 201);
  const id = String(made.payload['invoice_id']);
  await call(scene, 'POST', 'invoicing', `/v2/invoice/${id}/pay`);
  yield await readUntilDone(scene, id, 'Bea buys a mug from her for USD 25.00; 22.50 are hers');
  return id;
}

async function refusedPayout(scene: Scene, { account, methods }: Seller): Promise<Step> {
  const wish = { ...methods, ...REQUEST };
  const asked = await call(scene, 'POST', 'invoicing', `/v2/${account}/payout`, wish);
  assert.deepEqual([asked.status, asked.codes], [400, ['PAYOUT_KYC_REQUIRED']]);
  return {
    ...asked.step,
    title: 'She wants it on her bank account, but nobody knows yet who she is',
    facts: { code: asked.codes[0], error: asked.payload['error'] },
    rows: [],
  };
}

async function* verify(scene: Scene, { account }: Seller): AsyncGenerator<Step, Person> {
  const { person, given } = await authorize(scene, account);
  const token = given.payload['token'] as Record<string, unknown>;
  yield {
    ...given.step,
    title: 'A token of her own, for her own data only',
    facts: pick(token, ['token_type']),
    rows: [],
  };
  const body = submissionOf('Seller', PICTURE);
  const { status, payload, step } = await call(person.scene, 'POST', 'pii', '/v2/kyc', body);
  assert.deepEqual([status, payload['state']], [200, 'PROCESSING']);
  yield {
    ...step,
    sent: submissionOf('Seller', '(a picture as a data URI)'),
    title: 'She says who she is, and shows a document',
    facts: pick(payload, ['kyc_id', 'state']),
    rows: [],
  };
  const { platform } = scene;
  const event = verified(platform, await platform.event(tellsOf(account, 'ACCEPT')));
  const { event_name, message } = event.body;
  yield look('She is accepted, and the event says so', {
    'webhook-id': event.id,
    event_name,
    ...pick(message, ['kyc_id', 'state', 'pii_level']),
    signature: 'verified',
  });
  return person;
}

const PRICE = ['display_amount', 'display_fee_amount', 'display_net_amount'];

async function* payOut(scene: Scene, seller: Seller): AsyncGenerator<Step, string> {
  const { account, methods } = seller;
  const { destination_payment_method_id } = methods;
  const query = `amount=${EARNED}&currency=USD`;
  const quote = `/v2/${account}/payout_quote?${query}`;
  const named = `${quote}&destination_payment_method_id=${destination_payment_method_id}`;
  const quoted = await call(scene, 'GET', 'invoicing', named);
  assert.deepEqual([quoted.status, quoted.payload['net_amount']], [200, 2_227]);
  const facts = pick(quoted.payload, PRICE);
  yield { ...quoted.step, title: 'What a payout of it all would cost', facts, rows: [] };
  const wish = { ...methods, ...REQUEST };
  const asked = await call(scene, 'POST', 'invoicing', `/v2/${account}/payout`, wish);
  assert.deepEqual([asked.status, asked.payload['fee_amount']], [201, 23]);
  const id = String(asked.payload['payout_status_id']);
  yield {
    ...asked.step,
    title: 'The same request as before; now it is taken',
    facts: pick(asked.payload, ['payout_status_id', 'status']),
    rows: [],
  };
  const path = `/v2/${account}/payout/${id}`;
  const waits = await readUntil(scene, 'invoicing', path, (seen) => {
    return seen.payload['status'] === 'FUNDS-IN-ESCROW';
  });
  assert.equal(waits.payload['status'], 'FUNDS-IN-ESCROW');
  const sent = await call(scene, 'PATCH', 'invoicing', path);
  assert.deepEqual(
    [sent.status, sent.payload['status']],
    [200, 'CREDIT-TRANSFER-INITIATED'],
  );
  const title = 'It is approved and sent';
  yield { ...sent.step, title, facts: pick(sent.payload, ['status']), rows: [] };
  const paid = await readUntil(scene, 'invoicing', path, (seen) => {
    return seen.payload['status'] === 'SUCCESS';
  });
  assert.equal(paid.payload['status'], 'SUCCESS');
  yield {
    ...paid.step,
    title: 'A moment later the bank has it',
    facts: pick(paid.payload, ['status', 'display_net_amount']),
    rows: [],
  };
  return id;
}

async function* erase(scene: Scene, person: Person, left: Left): AsyncGenerator<Step> {
  const { account } = person;
  const verb = ['person', 'erase', account, '--reason', 'subject_request'];
  const erased = await scene.platform.holdfast(...verb);
  assert.equal(erased['state'], 'erased');
  const title = 'Nia asks to be forgotten: `holdfast person erase` destroys the key of her data';
  yield look(title, erased);
  const info = await call(scene, 'GET', 'accounts', `/v1/user-info/${account}`);
  const { username, email, is_blocked } = info.payload;
  assert.deepEqual([username, email, is_blocked], ['', null, true]);
  yield {
    ...info.step,
    title: 'Her record has nothing personal any more',
    facts: { username: JSON.stringify(username), email, is_blocked },
    rows: [],
  };
  yield await showLeft(scene, person, left);
}

/** Her access has ended; what she sold and was paid is unchanged. */
async function showLeft(scene: Scene, person: Person, { invoice, payout }: Left): Promise<Step> {
  const { account } = person;
  const gone = ({ status }: { status: number }): boolean => status === 401;
  const own = await readUntil(person.scene, 'pii', '/v2/kyc', gone);
  assert.ok(gone(own));
  const form = { city: 'Springfield' };
  const change = await call(scene, 'PUT', 'accounts', `/user-info/${account}`, form);
  assert.deepEqual([change.status, change.codes], [400, ['ACCOUNT_ERASED']]);
  const sold = await call(scene, 'GET', 'invoicing', `/v2/invoice/${invoice}`);
  assert.equal(sold.payload['state'], 'success');
  const paid = await call(scene, 'GET', 'invoicing', `/v2/${account}/payout/${payout}`);
  assert.equal(paid.payload['status'], 'SUCCESS');
  return look('She is out, and the history of money stays', {}, [
    ['Asked', 'Status', 'Says'],
    ['her data, with her own token', String(own.status), own.codes.join(', ')],
    ['a new address for her', String(change.status), change.codes.join(', ')],
    ['the sale', String(sold.status), String(sold.payload['state'])],
    ['the payout', String(paid.status), String(paid.payload['status'])],
  ]);
}

async function verifyAll({ holdfast }: Platform): Promise<Step> {
  const { laws } = await holdfast('verify');
  const results = laws as readonly { name: string; law: string; breaches: number }[];
  const broken = results.filter(({ breaches }) => breaches > 0);
  assert.deepEqual(broken, []);
  const chain = results.find(({ name }) => name === 'audit_chain');
  assert.ok(chain);
  return look('And `holdfast verify` proves the books and the audit as before', {
    'laws that hold': `${results.length - broken.length} of ${results.length}`,
    'of the audit': chain.law,
  });
}
