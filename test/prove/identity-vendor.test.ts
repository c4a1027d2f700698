// Persons at Stripe Identity, over HTTP with the whole system: form, the vendor's page, the
// result by webhook or by a look, and each end: accepted, denied, somebody else, gone. [G-51]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../kit/until.ts';
import { PERSON, submission } from '../kit/identity.ts';
import {
  startWithStripeIdentity,
  type IdentityPlatform,
} from '../kit/stripe/identity-platform.ts';
import type { Shown } from '../kit/stripe/identity.ts';
import { clockOf, DAY } from '../api/clocks.ts';

let stripe: IdentityPlatform;
before(async () => {
  stripe = await startWithStripeIdentity();
  // The process follows within seconds; until then the simulator answers.
  while (stripe.server.calls.length === 0) {
    await submitted();
    await delay(500);
  }
});
after(() => stripe?.stop());

interface Person {
  readonly account: string;
  readonly token: string;
  /** Our key at Stripe. */
  readonly key: string;
}
interface Form {
  readonly state: string;
  readonly at_vendor?: true;
  readonly needs: readonly string[];
}
interface Application {
  readonly state: string;
  readonly reasons: readonly { readonly code: string }[];
  readonly rules_bitch: readonly string[];
}

const DOCUMENT: Shown = {
  first_name: 'ZOE',
  last_name: "O'NEILL-ΩMEGA",
  dob: PERSON.date_of_birth,
  id_number: '123456789',
};

const form = ({ token }: Pick<Person, 'token'>) =>
  stripe.platform.api.must<Form>(200, 'pii', 'GET', '/v2/kyc/form', { token });
const read = ({ token }: Person) =>
  stripe.platform.api.must<Application>(200, 'pii', 'GET', '/v2/kyc', { token });

/** The code with which the vendor's page is refused. */
async function pageRefused({ token }: Person): Promise<string> {
  const call = { token };
  const reply = await stripe.platform.api.send('pii', 'GET', '/v2/kyc/vendor_page', call);
  return (JSON.parse(reply.text) as { codes: string[] }).codes.join();
}

let people = 0;

/** A person who has submitted the form. */
async function submitted(): Promise<Person> {
  people += 1;
  const { api, db } = stripe.platform;
  type Made = { account_id: string };
  const made = { body: { username: `verified ${people}` } };
  const { account_id } = await api.must<Made>(200, 'accounts', 'POST', '/register', made);
  const wish = { body: { account_id, return_token: true } };
  type Given = { token: { access_token: string } };
  const given = await api.must<Given>(200, 'auth', 'POST', '/authorize/user', wish);
  const token = given.token.access_token;
  type Answer = { state: string; pii_collection_uri: string };
  const call = { body: submission(), token };
  const answer = await api.must<Answer>(200, 'pii', 'POST', '/v2/kyc', call);
  assert.equal(answer.state, 'PROCESSING');
  const [check] = await db.query<{ id: string }>(
    'select id::text from identity_check order by id desc limit 1',
  );
  return { account: account_id, token, key: check?.id ?? '' };
}

/** A person whom Stripe's page waits for. */
async function sentOn(): Promise<Person> {
  const person = await submitted();
  await until('the person is sent on', async () => (await form(person)).at_vendor === true);
  const path = '/v2/kyc/vendor_page';
  const { api } = stripe.platform;
  const { token } = person;
  const { url } = await api.must<{ url: string }>(200, 'pii', 'GET', path, { token });
  assert.ok(url.startsWith(`${stripe.server.url}/start/`), url);
  return person;
}

/** The webhooks of a person's session, oldest first. */
const webhooksOf = ({ key }: Person) =>
  stripe.events.filter(({ data }) => 'client_reference_id' in data.object &&
    data.object.client_reference_id === key);

/** The newest webhook of a person arrives. */
async function told(person: Person): Promise<void> {
  assert.equal(await stripe.notify(webhooksOf(person).at(-1) ?? {}), 200);
}

const reaches = (person: Person, state: string): Promise<unknown> =>
  until(`the state becomes ${state}`, async () => (await read(person)).state === state);

async function states({ account }: Person): Promise<unknown[]> {
  const rows = await stripe.platform.db.query<{ state: string }>({
    text: `select body::json -> 'message' ->> 'state' as state from event
      where name = 'kyc-webhook' and body::json -> 'message' ->> 'account_id' = $1
      union all select message::json ->> 'state' from outbox
      where name = 'kyc-webhook' and message::json ->> 'account_id' = $1`,
    values: [account],
  });
  return rows.map(({ state }) => state);
}

test('accepted: through the page and back, told once, until the document expires', async () => {
  const person = await sentOn();
  stripe.book.visit(person.key, { status: 'processing' });
  await told(person);
  await until('Stripe decides', async () => (await form(person)).at_vendor !== true);
  assert.equal(await pageRefused(person), 'KYC_NOT_AT_VENDOR');
  const shows = { ...DOCUMENT, expires: '2099-12-01' };
  stripe.book.visit(person.key, { status: 'verified', shows });
  await told(person);
  await reaches(person, 'ACCEPT');
  const [row] = await stripe.platform.db.query<{ day: string }>(
    `select document_expires as day from kyc where document_expires is not null`,
  );
  assert.equal(row?.day, '2099-12-01');
  // Late, out of order and repeated ones change nothing.
  for (const event of [...webhooksOf(person), ...webhooksOf(person)]) {
    assert.equal(await stripe.notify(event), 200);
  }
  await delay(1_000);
  assert.deepEqual(await states(person), ['PROCESSING', 'ACCEPT']);
  const parked = "select from identity_check where state = 'parked'";
  assert.equal((await stripe.platform.db.query(parked)).length, 0);
});

test('denied: with the reason, and only the document is needed again', async () => {
  const person = await sentOn();
  stripe.book.visit(person.key, { status: 'requires_input', code: 'document_expired' });
  await told(person);
  await reaches(person, 'DENY');
  const { reasons, rules_bitch } = await read(person);
  assert.deepEqual(reasons.map(({ code }) => code), ['DOCUMENT_EXPIRED']);
  assert.ok(rules_bitch.includes('vendor_document_expired:2'));
  assert.deepEqual((await form(person)).needs, ['document_front', 'document_back']);
});

test('somebody else: never accepted, and what differs is asked for', async () => {
  const person = await sentOn();
  const shows = { ...DOCUMENT, first_name: 'ANNA' };
  stripe.book.visit(person.key, { status: 'verified', shows });
  await told(person);
  await reaches(person, 'MANUAL_REVIEW');
  assert.deepEqual((await read(person)).reasons.map(({ code }) => code), ['NAME_DIFFERS']);
  assert.deepEqual((await form(person)).needs, ['name']);
});

test('a lost webhook: who comes back and asks for the page again has the result seen', async () => {
  const person = await sentOn();
  stripe.book.visit(person.key, { status: 'verified', shows: DOCUMENT });
  assert.equal(await pageRefused(person), 'KYC_VENDOR_UNAVAILABLE');
  await reaches(person, 'ACCEPT');
});

test('an answer that is lost leaves one session', async () => {
  const sessions = stripe.book.sessions.size;
  stripe.server.misbehave(({ method, route }, nth) =>
    method === 'POST' && route.endsWith('/verification_sessions') && nth === 1
      ? 'reset_after'
      : null,
  );
  const person = await sentOn();
  stripe.server.misbehave(() => null);
  assert.equal(stripe.book.sessions.size, sessions + 1);
  stripe.book.visit(person.key, { status: 'verified', shows: DOCUMENT });
  await told(person);
  await reaches(person, 'ACCEPT');
});

test('a forged or foreign webhook is refused, one about nobody does nothing', async () => {
  const person = await sentOn();
  const [event] = webhooksOf(person);
  assert.ok(event);
  assert.equal(await stripe.notify({ ...event, id: 'evt_2' }, 'whsec_somebodyelse'), 401);
  assert.equal(await stripe.notify({ ...event, id: 'evt_3', livemode: true }), 401);
  const nobodies = ['not ours', '0190d5a7-0000-7000-8000-00000000000a', null];
  for (const [at, client_reference_id] of nobodies.entries()) {
    const object: object = { ...event.data.object, client_reference_id };
    assert.equal(await stripe.notify({ ...event, id: `evt_${at}`, data: { object } }), 200);
  }
  assert.equal((await read(person)).state, 'PROCESSING');
});

test('nobody waits for ever: who is gone is cancelled, who is undecided reviewed', async () => {
  const clock = clockOf(stripe.platform.api);
  const [gone, undecided] = [await sentOn(), await sentOn()];
  stripe.book.visit(undecided.key, { status: 'processing' });
  await told(undecided);
  await until('Stripe decides', async () => (await form(undecided)).at_vendor !== true);
  await clock.move({ advance_seconds: 3 * DAY + 60 });
  await reaches(undecided, 'MANUAL_REVIEW');
  assert.deepEqual((await read(undecided)).reasons, []);
  assert.equal((await read(gone)).state, 'PROCESSING');
  const { due } = await clock.read();
  assert.ok(due.some(({ what }) => what === 'identity_vendor'));
  await clock.move({ advance_seconds: 27 * DAY + 60 });
  await reaches(gone, 'SYSTEM-CANCELLED');
  assert.equal(stripe.book.of(gone.key).status, 'canceled');
  assert.equal(await pageRefused(gone), 'KYC_NOT_AT_VENDOR');
  // Stripe decides after all: nothing changes, and operators see both.
  stripe.book.visit(undecided.key, { status: 'verified', shows: DOCUMENT });
  await told(undecided);
  await until('the contradiction is kept', async () => {
    const parked = "select from identity_check where state = 'parked'";
    return (await stripe.platform.db.query(parked)).length === 1;
  });
  assert.equal((await read(undecided)).state, 'MANUAL_REVIEW');
});
