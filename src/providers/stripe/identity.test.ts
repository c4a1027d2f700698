// The adapter of Stripe Identity against the Stripe-shaped server: the identity vendor's contract
// suite, and what is Stripe's alone: codes, what a key may read, signed bytes, and trouble at every
// call.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import Stripe from 'stripe';
import { REASONS } from '../../product/people/identity/index.ts';
import { checkFor, vendorContract } from '../identity/identity-vendor.contract.ts';
import type { CheckOrder } from '../identity/port.ts';
import {
  connectTo,
  documentOf,
  identityBench,
  secretOf,
  WEBHOOK_SECRET,
  type IdentityBench,
} from '../../../test/kit/stripe/identity-bench.ts';
import type { Shown } from '../../../test/kit/stripe/identity.ts';
import type { Fault } from '../../../test/kit/stripe/server.ts';
import { MEANT, meaningOf, ruleOf } from './identity-codes.ts';
import { identity } from './index.ts';

vendorContract('Stripe Identity', identityBench);

const HERE = 7;
let bench: IdentityBench;
let hasty: ReturnType<typeof connectTo>;
before(async () => {
  bench = await identityBench();
  hasty = connectTo(bench.server, HERE, 400);
});
after(async () => {
  await hasty.close();
  await bench.close();
});

/** A check whose person has shown a document. */
async function shown(change: Partial<Shown> = {}): Promise<CheckOrder> {
  const order = checkFor(HERE, 'Example');
  await bench.vendor.begin(order);
  bench.book(HERE).visit(order.key, { status: 'verified', shows: documentOf(order, change) });
  return order;
}

const retrieve = ({ key }: CheckOrder) => bench.vendor.retrieve(HERE, key);

test('every code has a meaning and reasons of ours; an unknown one is for people', async () => {
  for (const [code, [state, ...reasons]] of Object.entries(MEANT)) {
    const order = checkFor(HERE, 'Example');
    await bench.vendor.begin(order);
    bench.book(HERE).visit(order.key, { status: 'requires_input', code });
    const outcome = await retrieve(order);
    assert.equal(outcome.state, state, code);
    for (const reason of reasons) assert.ok(Object.hasOwn(REASONS, reason), reason);
    const told = 'reasons' in outcome ? outcome.reasons : [];
    assert.deepEqual(told, reasons, code);
    assert.equal(reasons.length > 0, state === 'denied' || state === 'incomplete', code);
  }
  assert.deepEqual(meaningOf('never_heard_of'), ['review']);
  assert.deepEqual(meaningOf('toString'), ['review']);
  assert.deepEqual(meaningOf(null), ['waiting']);
  assert.deepEqual(ruleOf('A "code"; and more', 'review'), ['other:1']);
});

test('whom the document is about is told, with its last day', async () => {
  const names = { first_name: 'ADA MAY', id_number: '123-45-6789' };
  const order = await shown({ ...names, expires: '2031-12-01' });
  const outcome = await retrieve(order);
  assert.ok(outcome.state === 'accepted');
  assert.equal(outcome.documentExpires, '2031-12-01');
  const { person } = order;
  assert.deepEqual(outcome.verified, {
    ...{ first: 'ADA MAY', last: 'EXAMPLE', ssn_last4: '6789' },
    date_of_birth: person.date_of_birth,
  });
  const never = await retrieve(await shown({ expires: '2031-02-30' }));
  assert.equal('documentExpires' in never, false, 'the calendar has no such day');
});

test('a key that reads nothing sensitive tells no birth date, and so accepts nobody', async () => {
  const order = await shown({ expires: '2031-12-01' });
  bench.book(HERE).sensitive = false;
  const outcome = await retrieve(order);
  bench.book(HERE).sensitive = true;
  assert.ok(outcome.state === 'accepted');
  assert.deepEqual(outcome.verified, {
    ...{ first: 'ADA', last: 'EXAMPLE', date_of_birth: '', ssn_last4: '' },
  });
  assert.equal('documentExpires' in outcome, false);
});

test('Stripe is sent the key and what to check, and nothing that the person stated', async () => {
  const order = checkFor(HERE, 'Unusualname');
  await bench.vendor.begin(order);
  const session = bench.book(HERE).of(order.key);
  const said = JSON.stringify(session);
  for (const text of [...Object.values(order.person), 'a picture'].filter((t) => t.length > 3)) {
    assert.equal(said.includes(text), false, text);
  }
  assert.deepEqual(session.options?.document, {
    require_matching_selfie: true,
    require_id_number: true,
  });
  const { person } = order;
  const abroad = { ...checkFor(HERE, 'Example'), person: { ...person, ssn_last4: '' } };
  await bench.vendor.begin(abroad);
  const { options } = bench.book(HERE).of(abroad.key);
  assert.equal(options?.document?.require_id_number, false);
});

test('an erasure is confirmed once Stripe has finished; until then nothing is told', async () => {
  const order = await shown();
  const book = bench.book(HERE);
  book.slow = true;
  assert.equal(await bench.vendor.forget(HERE, order.key), false);
  assert.deepEqual(await retrieve(order), { state: 'absent' });
  assert.equal(await bench.vendor.forget(HERE, order.key), false);
  book.slow = false;
  book.redacted();
  assert.equal(await bench.vendor.forget(HERE, order.key), true);
  const running = checkFor(HERE, 'Pending');
  await bench.vendor.begin(running);
  await bench.visit?.(running);
  assert.equal(await bench.vendor.forget(HERE, running.key), false, 'not while Stripe decides');
  await bench.decide(HERE, running.key);
  assert.equal(await bench.vendor.forget(HERE, running.key), true);
});

const FAULTS: readonly Fault[] = [
  ...(['reset_before', 'reset_after', 'error_before', 'error_after'] as const),
  ...(['busy', 'malformed', 'silent', 'wrong_mode'] as const),
];
const SESSIONS = '/v1/identity/verification_sessions';
const CALLS = [
  ...[`GET ${SESSIONS}`, `POST ${SESSIONS}`, `GET ${SESSIONS}/:id`],
  `POST ${SESSIONS}/:id/cancel`,
];

for (const name of CALLS) {
  for (const fault of FAULTS) {
    test(`${fault} at ${name}: one session, and never another outcome`, async () => {
      const { identityVendor: vendor } = hasty;
      const book = bench.book(HERE);
      const before = book.sessions.size;
      bench.server.misbehave(({ method, route }, nth) =>
        `${method} ${route}` === name && nth === 1 ? fault : null,
      );
      const order = checkFor(HERE, 'Example');
      for (let tries = 0; tries < 4; tries += 1) {
        const seen = tries === 0 ? { state: 'absent' } : await vendor.retrieve(HERE, order.key);
        const now = seen.state === 'absent' ? await vendor.begin(order) : seen;
        assert.ok(['unknown', 'waiting'].includes(now.state), now.state);
        if (now.state === 'waiting') break;
      }
      assert.equal(book.sessions.size, before + 1);
      if (name.endsWith('cancel')) {
        const ended = await vendor.abandon(HERE, order.key);
        assert.ok(['unknown', 'waiting', 'incomplete'].includes(ended.state), ended.state);
        assert.equal((await vendor.abandon(HERE, order.key)).state, 'incomplete');
      } else {
        book.visit(order.key, { status: 'verified', shows: documentOf(order) });
        const seen = await vendor.retrieve(HERE, order.key);
        assert.ok(['unknown', 'accepted'].includes(seen.state), seen.state);
        assert.equal((await vendor.retrieve(HERE, order.key)).state, 'accepted');
      }
      bench.server.misbehave(() => null);
    });
  }
}

test('a session that is made late is found and not made again', async () => {
  const { identityVendor: vendor } = hasty;
  const before = bench.book(HERE).sessions.size;
  bench.server.misbehave(({ method, route }, nth) =>
    `${method} ${route}` === `POST ${SESSIONS}` && nth === 1 ? 'late' : null,
  );
  const order = checkFor(HERE, 'Example');
  assert.deepEqual(await vendor.begin(order), { state: 'unknown' });
  await new Promise((made) => setTimeout(made, 500));
  assert.equal((await vendor.retrieve(HERE, order.key)).state, 'waiting');
  assert.equal((await vendor.begin(order)).state, 'waiting');
  assert.equal(bench.book(HERE).sessions.size, before + 1);
  bench.server.misbehave(() => null);
});

const stripe = new Stripe(secretOf(HERE));

/** A webhook as Stripe signs it. */
function signed(event: object, secret = WEBHOOK_SECRET, age = 0) {
  const payload = JSON.stringify(event);
  const timestamp = Math.floor(Date.now() / 1_000) - age;
  const header = stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  return { headers: { 'stripe-signature': header }, body: Buffer.from(payload) };
}

const EVENT = {
  ...{ id: 'evt_1', object: 'event', livemode: false },
  type: 'identity.verification_session.verified',
  data: { object: { id: 'vs_1', client_reference_id: 'k-1', metadata: {} } },
};

test('a webhook only names the key; a forged, old, altered or misdirected one is none', () => {
  const { identityVendor: vendor } = hasty;
  const read = ({ headers, body }: ReturnType<typeof signed>) => vendor.readNotice(headers, body);
  assert.deepEqual(read(signed(EVENT)), { workspace: HERE, id: 'evt_1', key: 'k-1' });
  const other = { ...EVENT, type: 'charge.captured' };
  assert.deepEqual(read(signed(other)), { workspace: HERE, id: 'evt_1', key: '' });
  const redacted = { ...EVENT, data: { object: { id: 'vs_1', client_reference_id: null } } };
  assert.equal(read(signed(redacted))?.key, '');
  const right = signed(EVENT);
  assert.equal(read({ ...right, body: right.body.subarray(0, -1) }), null, 'cut');
  assert.equal(read(signed(EVENT, 'whsec_ofsomebodyelse')), null, 'of another account');
  assert.equal(read(signed(EVENT, WEBHOOK_SECRET, 301)), null, 'too old');
  assert.equal(read(signed({ ...EVENT, livemode: true })), null, 'of the other mode');
  assert.equal(vendor.readNotice({}, right.body), null, 'no signature');
  assert.equal(vendor.readNotice(right.headers, EVENT), null, 'no bytes');
});

test('a check says which key can be used; test and live keys are told apart', async () => {
  assert.deepEqual(await hasty.check(), []);
  const credentials = { secret_key: 'sk_test_identity07', webhook_secrets: [WEBHOOK_SECRET] };
  const plain = identity.connect({
    ...{ workspace: HERE, credentials, baseUrl: bench.server.url, noticeUrl: '', returnUrl: '' },
    timeoutMs: 400,
  });
  assert.match((await plain.check()).join(), /restricted key/);
  await plain.close();
  const nobody = connectTo({ url: 'http://127.0.0.1:1' }, HERE);
  assert.match((await nobody.check()).join(), /did not answer/);
  await nobody.close();
  assert.equal(identity.modeOf({ ...credentials, secret_key: 'rk_live_identity07' }), 'live');
});
