// Every test person of the sandbox over HTTP, from the submission with documents to the end that
// docs/test-persons.md promises: the check goes to the vendor, its webhook comes back, and a vendor
// that is silent, late or contradictory leaves nobody pending.
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { after, before, test } from 'node:test';
import { TEST_PERSONS } from '../../src/sandbox/simulators/vendor/index.ts';
import { bodyOf, listedOf } from '../faults/listed.ts';
import { submission } from '../kit/identity.ts';
import { startPlatform, type Platform } from '../api/kit.ts';

/** Three times what the vendor is waited for, the pauses between, and a busy machine. */
const WITHIN_MS = 90_000;

interface Shown {
  readonly kyc_id: string;
  readonly account_id: string;
  readonly state: string;
}

let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform?.stop());

async function submit(username: string, body: object): Promise<Shown> {
  const { api } = platform;
  type Made = { account_id: string };
  const { account_id } = await api.must<Made>(200, 'accounts', 'POST', '/register', {
    body: { username: `person ${username}` },
  });
  type Given = { token: { access_token: string } };
  const { token } = await api.must<Given>(200, 'auth', 'POST', '/authorize/user', {
    body: { account_id, return_token: true },
  });
  const call = { body, token: token.access_token };
  const shown = await api.must<Shown>(200, 'pii', 'POST', '/v2/kyc', call);
  assert.equal(shown.state, 'PROCESSING');
  return shown;
}

async function stateOf({ account_id }: Shown): Promise<string> {
  const path = `/v1/kyc/${account_id}`;
  return (await platform.api.must<Shown>(200, 'pii', 'GET', path)).state;
}

async function until(shown: Shown, state: string, what: string): Promise<void> {
  const deadline = Date.now() + WITHIN_MS;
  for (let now = ''; now !== state; ) {
    assert.ok(Date.now() < deadline, `${what} is ${now}, not ${state}`);
    await delay(250);
    now = await stateOf(shown);
  }
}

test('every test person is submitted as listed, ends as listed, and stays so', async () => {
  const persons = await listedOf(platform.api, 'person');
  assert.deepEqual(
    persons.map(({ needs }) => needs),
    TEST_PERSONS.map(({ name }) => name),
  );
  const submitted = await Promise.all(
    persons.map(async (person) => {
      const shown = await submit(person.name, bodyOf(person));
      await until(shown, person.outcome.state, person.name);
      return { person, shown };
    }),
  );
  for (const { person, shown } of submitted) {
    assert.equal(await stateOf(shown), person.outcome.state, person.name);
  }
});

test('anybody is accepted; a sandbox call decides about a person who is late', async () => {
  const { api } = platform;
  const late = await submit('late, then denied', submission({ last: 'Specimen-Late' }));
  await until(await submit('anybody', submission()), 'ACCEPT', 'anybody');
  const path = '/sandbox/identity_events';
  const body = { kyc_id: late.kyc_id, event: 'deny' };
  const headers = { 'idempotency-key': 'once' };
  const deadline = Date.now() + WITHIN_MS;
  // The check may be on its way yet.
  while ((await api.send('invoicing', 'POST', path, { body, headers })).status !== 201) {
    assert.ok(Date.now() < deadline, 'the vendor was never asked');
    await delay(100);
  }
  await until(late, 'DENY', 'the person who is late');
  await api.must(201, 'invoicing', 'POST', path, { body, headers });
  const again = await api.send('invoicing', 'POST', path, { body });
  assert.deepEqual([again.status, again.code], [400, 'IDENTITY_EVENT_REFUSED']);
  const nobody = { kyc_id: 'kyc_00000000000000000000000000', event: 'deny' };
  const unknown = await api.send('invoicing', 'POST', path, { body: nobody });
  assert.deepEqual([unknown.status, unknown.code], [400, 'IDENTITY_EVENT_REFUSED']);
});

test('the list of test persons is that of the page', async () => {
  type Listed = { name: string; last: string };
  const path = '/sandbox/test_persons';
  const listed = await platform.api.must<Listed[]>(200, 'invoicing', 'GET', path);
  assert.deepEqual(
    listed.map(({ name, last }) => [name, last]),
    TEST_PERSONS.map(({ name, last }) => [name, last]),
  );
});

test('what was submitted is in no table of the vendor', async () => {
  const rows = await platform.db.query<{ row: string }>(
    `select t::text as row from vendor_check t union all select t::text from vendor_exchange t
      union all select t::text from vendor_notice t`,
  );
  assert.ok(rows.length > TEST_PERSONS.length);
  // Ids and times may hold any four digits.
  const random = /[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?/g;
  const found = rows.map(({ row }) => row.replaceAll(random, '')).join('\n');
  assert.ok(!/specimen|zo(ë|e)|springfield|example way|\b6789\b|1990-02-28/i.test(found));
});
