// Matches over HTTP, with two processes on one database: what an application shows, in both reads
// and the event; persons who apply at the same moment through different processes; and whose
// matches are hidden from whom. [G-53]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../kit/until.ts';
import { submission, TAX_FORM } from '../kit/identity.ts';
import { startFleet, type Fleet } from '../kit/platform.ts';
import { Api } from '../kit/api.ts';

let fleet: Fleet;
before(async () => {
  fleet = await startFleet(2);
});
after(() => fleet?.stop());

interface Match {
  readonly kyc_match_check_id: string;
  readonly matched_account_id: string;
  readonly matched_kyc_id: string;
  readonly match_score: number;
}

interface Shown {
  readonly kyc_id: string;
  readonly state: string;
  readonly match_checks: readonly Match[];
}

interface Person {
  /** A client with the person's own token. */
  readonly api: Api;
  readonly account_id: string;
}


async function person(at: number): Promise<Person> {
  const api = fleet.apis[at % fleet.apis.length] as Api;
  const made = { body: { username: `match ${crypto.randomUUID()}` } };
  type Made = { account_id: string };
  const { account_id } = await api.must<Made>(200, 'accounts', 'POST', '/register', made);
  const wish = { body: { account_id, return_token: true } };
  type Given = { token: { access_token: string } };
  const { token } = await api.must<Given>(200, 'auth', 'POST', '/authorize/user', wish);
  return { api: new Api(api.ready, token.access_token), account_id };
}

function send({ api }: Person, body: unknown): Promise<Shown> {
  return api.must<Shown>(200, 'pii', 'POST', '/v2/kyc', { body });
}

/** As the integrator reads it: a person hears nothing of matches. */
function read({ account_id }: Person): Promise<Shown> {
  const [client] = fleet.apis as [Api];
  return client.must<Shown>(200, 'pii', 'GET', `/v1/kyc/${account_id}`);
}

const accepted = (one: Person): Promise<unknown> =>
  until('accepted', async () => (await read(one)).state === 'ACCEPT');

test('an application names the matching account, wherever it is read', async () => {
  const [first, second, stranger] = [await person(0), await person(1), await person(0)];
  const pii = { first: 'Wilhelmina', last: 'Featherstone', ssn: '123-45-2718' };
  const { kyc_id } = await send(first, submission(pii));
  await accepted(first);
  await send(second, submission({ ...pii, first: 'Wilhelmena', zip: '94101' }));
  await accepted(second);
  const shown = await read(second);
  const [match, ...more] = shown.match_checks;
  assert.ok(match !== undefined && more.length === 0, JSON.stringify(shown));
  assert.equal(match.matched_account_id, first.account_id);
  assert.equal(match.matched_kyc_id, kyc_id);
  assert.match(match.kyc_match_check_id, /^kycmc_[0-9a-z]{26}$/);
  assert.ok(match.match_score > 0.99 && match.match_score < 1, String(match.match_score));
  for (const path of ['/v2/kyc', `/v1/kyc/${second.account_id}`]) {
    const own = await second.api.must<Shown>(200, 'pii', 'GET', path);
    assert.deepEqual([own.kyc_id, own.match_checks], [shown.kyc_id, []], path);
  }
  assert.deepEqual((await read(first)).match_checks, [], 'the earlier one stays as it was');
  await until('told', async () => (await told(second)).length === 2);
  assert.deepEqual(await told(second), [[], [match]]);
  const other = { street: '7 Quay', city: 'Portsmouth', zip: '03801', phone_number: '2025550123' };
  const nobody = { first: 'Bruno', last: 'Zanetti', date_of_birth: '1951-11-22', ...other };
  await send(stranger, submission({ ...nobody, ssn: '123-45-3141' }));
  await accepted(stranger);
  assert.deepEqual((await read(stranger)).match_checks, []);
});

/** What the events about a person's identity said of matches, the oldest first. */
async function told({ account_id }: Person): Promise<unknown[]> {
  const rows = await fleet.db.query<{ body: string }>({
    text: `select body from event where name = 'kyc-webhook' and body like '%' || $1 || '%'
      order by sequence`,
    values: [account_id],
  });
  return rows.map(({ body }) => (JSON.parse(body) as { message: Shown }).message.match_checks);
}

test('two who apply in one moment through two processes do not both miss each other', async () => {
  for (let round = 0; round < 6; round += 1) {
    const twins = [await person(0), await person(1)];
    const pii = { last: `Castor${round}`, ssn: `123-45-${4_000 + round * 7}` };
    const body = submission({ ...pii, street: `${round + 20} Pollux Street` });
    await Promise.all(twins.map((one) => send(one, body)));
    await Promise.all(twins.map(accepted));
    const lists = await Promise.all(twins.map(read));
    const named = lists.map((shown, at) =>
      shown.match_checks.some((one) => one.matched_account_id === twins[1 - at]?.account_id),
    );
    assert.ok(named.includes(true), `round ${round}`);
  }
});

test('a tax form is compared within seconds', async () => {
  const [first, second] = [await person(0), await person(1)];
  const pii = { ...TAX_FORM.kyc_pii, last: 'Taxworthy', ssn: '123-45-9091' };
  await send(first, { ...TAX_FORM, kyc_pii: pii });
  await send(second, { ...TAX_FORM, kyc_pii: pii });
  await until('compared', async () => {
    const lists = [await read(first), await read(second)].flatMap((one) => one.match_checks);
    const ids = [first.account_id, second.account_id];
    return lists.some((one) => ids.includes(one.matched_account_id));
  });
  assert.deepEqual(fleet.faults(), []);
});
