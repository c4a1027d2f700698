// An installation without an identity vendor, as production is: every application reaches an
// operator with its documents, whose decision is final; payouts follow it. [G-92]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createOperator } from '../../src/product/access/operator/index.ts';
import { systemRandom } from '../../src/core/random.ts';
import { signedIn, type Browser } from '../console/kit.ts';
import { submission } from '../kit/identity.ts';
import { personToken } from '../kit/person-token.ts';
import type { Ready } from '../kit/api.ts';
import { CheckedApi } from '../api/answers.ts';
import { business, BusinessScene } from '../api/business-scene.ts';
import { startPlatform, type Platform, type Tenant } from '../api/kit.ts';

let platform: Platform;
let tenant: Tenant;
let rosa: Browser;

before(async () => {
  platform = await startPlatform({ env: 'production' });
  tenant = await platform.tenant();
  const { db, keys, ready } = platform;
  const wish = { name: 'Rosa', username: 'rosa', roles: ['reviewer'], workspaces: 'all' } as const;
  const made = await createOperator(
    { db, keys, random: systemRandom, env: 'production' },
    { ...wish, mustChange: false },
    'operator',
  );
  rosa = await signedIn((ready.urls as Record<string, string>)['console'] ?? '', made);
});
after(() => platform?.stop());

interface Person {
  readonly account: string;
  readonly token: string;
}

async function person(username: string): Promise<Person> {
  const call = { body: { username, country_iso: 'US' }, token: tenant.token };
  type Made = { account_id: string };
  const { account_id } = await platform.api.must<Made>(200, 'accounts', 'POST', '/register', call);
  const token = await personToken(platform, {
    client: { clientId: tenant.client.client_id, integrator: tenant.integrator },
    kind: 'session',
    accountId: account_id,
    scopes: ['verify_kyc', 'read_kyc'],
    seconds: 600,
  });
  return { account: account_id, token };
}

let born = 10;
/** A submission that resembles no other: a likeness would need a second operator. */
function distinct(last: string): Record<string, unknown> {
  born += 11;
  return submission({
    ...{ first: `Quill${last}`, last, date_of_birth: `19${born}-03-1${born % 10}` },
    ...{ street: `${born} ${last} Row`, city: `${last}ton`, zip: `94${born}1` },
    ...{ phone_number: `415555${born}${born}`, ssn: `123-45-${born}${born}` },
  });
}

async function reaches(account: string, state: string): Promise<void> {
  const call = { token: tenant.token };
  for (let tries = 0; ; tries += 1) {
    type Status = { state: string };
    const path = `/v1/kyc/${account}`;
    const seen = await platform.api.must<Status>(200, 'pii', 'GET', path, call);
    if (seen.state === state) return;
    assert.ok(tries < 200, `${seen.state} does not become ${state}`);
    await delay(50);
  }
}

/** Submits as the page of the flow does: it asks what is needed, then sends it. */
async function apply({ account, token }: Person, last: string): Promise<string> {
  type Form = { forms: string[]; needs: string[] };
  const form = () => platform.api.must<Form>(200, 'pii', 'GET', '/v2/kyc/form', { token });
  assert.ok((await form()).forms.includes('full'));
  type Made = { kyc_id: string; state: string };
  const call = { body: distinct(last), token };
  const { kyc_id, state } = await platform.api.must<Made>(200, 'pii', 'POST', '/v2/kyc', call);
  assert.equal(state, 'PROCESSING');
  await reaches(account, 'MANUAL_REVIEW');
  assert.deepEqual([(await form()).forms, (await form()).needs], [[], []], 'nothing is asked');
  return `/reviews/${kyc_id}`;
}

async function decide(path: string, fields: Record<string, string>): Promise<void> {
  const { text } = await rosa.get(path);
  const version = /name="version" value="(\d+)"/.exec(text)?.[1] ?? '';
  const said = await rosa.post(`${path}/decide`, { version, note: 'Read the papers', ...fields });
  assert.equal(said.status, 303, said.text);
}

/** Why a payout is refused: eligibility comes before the methods, which are not there. */
async function refusedPayout({ account }: Person): Promise<string> {
  const methods = ['source_payment_method_id', 'destination_payment_method_id'];
  const named = Object.fromEntries(methods.map((field) => [field, systemRandom.uuid()]));
  const call = { body: { ...named, currency: 'USD', amount: 100 }, token: tenant.token };
  const { api } = platform;
  return (await api.send('invoicing', 'POST', `/v2/${account}/payout`, call)).code;
}

test('an application goes to an operator, whose acceptance opens payouts', async () => {
  const ada = await person('ada');
  const path = await apply(ada, 'Aldridge');
  assert.equal(await refusedPayout(ada), 'PAYOUT_KYC_REQUIRED');
  const again = { body: submission(), token: ada.token };
  const second = await platform.api.send('pii', 'POST', '/v2/kyc', again);
  assert.equal(second.code, 'KYC_IN_PROGRESS');
  assert.ok((await rosa.get('/reviews')).text.includes(path));
  const opened = await rosa.post(`${path}/open`, { reason: 'review', note: 'To decide' });
  assert.match(opened.text, /Aldridge/);
  const [picture = ''] = /\/reviews\/[^"]+\/documents\/[^"]+/.exec(opened.text) ?? [];
  const shown = await fetch(new URL(picture.replaceAll('&amp;', '&'), rosa.base), {
    headers: { cookie: rosa.cookie },
  });
  assert.deepEqual([shown.status, shown.headers.get('content-type')], [200, 'image/png']);
  await decide(path, { decision: 'accept' });
  await reaches(ada.account, 'ACCEPT');
  assert.equal(await refusedPayout(ada), 'PAYMENT_METHOD_NOT_FOUND');
});

test('a denial tells the person why, and the next application is reviewed again', async () => {
  const bo = await person('bo');
  await decide(await apply(bo, 'Bowden'), { decision: 'deny', reason_NAME_DIFFERS: 'on' });
  await reaches(bo.account, 'DENY');
  assert.equal(await refusedPayout(bo), 'PAYOUT_KYC_REQUIRED');
  const { token } = bo;
  type Form = { needs: string[] };
  const form = await platform.api.must<Form>(200, 'pii', 'GET', '/v2/kyc/form', { token });
  assert.deepEqual(form.needs, ['name']);
  const body = { kyc_pii: { first: 'Bo', last: 'Bowdler' } };
  type Made = { kyc_id: string };
  const { kyc_id } = await platform.api.must<Made>(200, 'pii', 'POST', '/v2/kyc', { body, token });
  await reaches(bo.account, 'MANUAL_REVIEW');
  await decide(`/reviews/${kyc_id}`, { decision: 'accept' });
  await reaches(bo.account, 'ACCEPT');
});

test('no vendor is named as the one who left it to operators', async () => {
  const cy = await person('cy');
  await apply(cy, 'Cyrus');
  const steps = await platform.db.query<{ actor: string; event: string }>({
    text: `select s.actor, s.event from history s join account a on a.workspace = s.workspace
        and a.id = s.resource_id where s.machine = 'kyc' and s.to_state = 'MANUAL_REVIEW'`,
    values: [],
  });
  assert.equal(steps.length, 4);
  assert.deepEqual([...new Set(steps.map(({ actor }) => actor))], ['system']);
});

test('a business and its people wait for an operator, who accepts them', async () => {
  const { ready } = platform;
  const { client, integrator } = tenant;
  const own: Ready = { ...ready, client, integrator };
  const api = new CheckedApi(own, {});
  const scene = new BusinessScene({ ...platform, ready: own, api });
  const account = await scene.account();
  const agents = [{ agent_name: 'Eve Dunn', roles: ['control_prong'] }];
  const entity = await scene.onboard(account, business({ agents }));
  const people = (await scene.read(entity)).agents;
  assert.equal(people.length, 2, 'the primary contact is one of them');
  const paths: string[] = [];
  for (const [at, { entity_agent_id }] of people.entries()) {
    paths.push(await apply(await scene.open(entity_agent_id), `Dunn${'ab'[at] ?? ''}`));
  }
  await scene.submit(account);
  assert.equal(await scene.kyc(account), 'PROCESSING');
  assert.ok((await rosa.get('/businesses')).text.includes(entity));
  for (const path of paths) await decide(path, { decision: 'accept' });
  const followed = async (): Promise<boolean> => {
    const { agents: seen } = await scene.read(entity);
    return seen.every(({ status }) => status === 'ACCEPT');
  };
  for (let tries = 0; !(await followed()); tries += 1) {
    assert.ok(tries < 200, 'the business does not follow its person');
    await delay(50);
  }
  await decide(`/businesses/${entity}`, { decision: 'accept' });
  await reaches(account, 'ACCEPT');
});

test('every answer above is declared by its operation', () => {
  assert.deepEqual([...platform.api.undeclared], []);
});
