// Businesses over HTTP, through the file inspector and the vendor simulator: from onboarding by
// their people's own links to a payout, what is refused without effect, and whose records and links
// are whose. [G-54, G-55]
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { submission } from '../kit/identity.ts';
import { dataUri, pdfOf, PDF_PAGES, png } from '../kit/sample-files.ts';
import { business, CHARTER, startBusinesses } from '../api/business-scene.ts';
import type { Reply } from '../kit/api.ts';
import { payoutOf } from '../api/market.ts';

const { platform, scene } = await startBusinesses();

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

test('a business is onboarded, its people verified by link, accepted and paid out', async () => {
  const { api } = platform;
  const account_id = await scene.account();
  const payout = await payoutOf(api, account_id);
  const entity = await scene.onboard(account_id);
  assert.equal((await payout()).code, 'PAYOUT_KYC_REQUIRED');
  await scene.submit(account_id);
  assert.equal(await scene.kyc(account_id), 'PROCESSING');
  const { agents } = await scene.read(entity);
  assert.equal(agents.length, 3);
  for (const { entity_agent_id } of agents) {
    assert.equal((await scene.read(entity)).status, 'PROCESSING');
    await scene.verify(entity_agent_id);
  }
  const accepted = await scene.reached(entity, 'ACCEPT');
  assert.deepEqual(accepted.agents.map(({ status }) => status), ['ACCEPT', 'ACCEPT', 'ACCEPT']);
  assert.equal(await scene.kyc(account_id), 'ACCEPT');
  assert.equal((await payout()).status, 201);
  const statuses = ['INCOMPLETE', 'PROCESSING', 'ACCEPT'];
  const told = await scene.told('kyb-webhook', account_id, 3);
  const empty = { vendor_application_id: '', custom_application_id: '' };
  const message = { account_id, entity_id: entity, ...empty };
  assert.deepEqual(told, statuses.map((entity_status) => ({ ...message, entity_status })));
  const [, ...states] = await scene.told('kyc-webhook', account_id, 3);
  assert.deepEqual(states.map(({ state }) => state), ['PROCESSING', 'ACCEPT']);
});

test('the record, field by field; a second onboarding changes nothing', async () => {
  const account_id = await scene.account({ full_name: 'Eve Frey' });
  const picture = { file: dataUri('image/png', png(2, 2)), mime_type: 'image/png' };
  const body = business({
    naics_numbers: '424990,454390',
    duns_numbers: '123456789',
    user_email: 'firm@example.test',
    jurisdiction: 'domestic',
    custom_application_id: 'ours',
    agents: [
      {
        agent_name: 'Ada Bell',
        roles: ['control_prong'],
        documents: [{ pii_document_name: 'Minutes', ...picture }],
      },
    ],
  });
  const first = await scene.tryOnboard(account_id, body);
  const { entity_id } = first.body.payload as { entity_id: string };
  assert.match(entity_id, /^ent_[0-9a-z]{26}$/);
  assert.deepEqual(first.body.payload, { entity_id, vendor_response: {} });
  const { agents, documents, created, updated, ...rest } = (await scene.read(
    entity_id,
  )) as unknown as Record<string, unknown> & { agents: object[]; documents: object[] };
  assert.deepEqual(rest, {
    entity_id,
    entity_name: 'Satchels & Sons',
    naics_numbers: '424990,454390',
    duns_numbers: '123456789',
    account_id,
    entity_type: 'partnership',
    ...{ country: 'US', legal_form: '', registration_number: '', register: '', vat_number: '' },
    ...{ street: '', street2: '', city: '', region: '', postal_code: '' },
    registration_document: 'received',
    status: 'INCOMPLETE',
  });
  assert.match(`${created} ${updated}`, new RegExp(`${TIME.source.slice(1, -1)} `));
  const people = agents as Record<string, unknown>[];
  assert.deepEqual(
    people.map(({ agent_name, roles }) => [agent_name, roles]),
    [['Eve Frey', ['primary_contact']], ['Ada Bell', ['control_prong']]],
  );
  assert.equal(people[0]?.['account_id'], account_id);
  for (const agent of people) {
    assert.match(String(agent['entity_agent_id']), /^agt_[0-9a-z]{26}$/);
    assert.match(String(agent['created']), TIME);
    assert.deepEqual(
      [agent['entity_id'], agent['status'], agent['kyc_status']],
      [entity_id, 'INCOMPLETE', 'NODATA'],
    );
  }
  const [minutes] = people[1]?.['documents'] as Record<string, unknown>[];
  const [charter] = documents as Record<string, unknown>[];
  const file = (one: Record<string, unknown> | undefined): unknown => {
    const { entity_document_id: id, created: at, updated: _, ...shown } = one ?? {};
    assert.match(`${id} ${at}`, /^doc_[0-9a-z]{26} \d{4}-/);
    assert.equal(shown['pii_document_id'], id);
    return { ...shown, pii_document_id: '' };
  };
  const common = { entity_id, pii_document_id: '', status: 'received', reason: null };
  const agent = { entity_agent_id: people[1]?.['entity_agent_id'] };
  assert.deepEqual(file(minutes), {
    ...{ ...common, ...agent },
    pii_document_name: 'Minutes',
    mime_type: 'image/png',
  });
  assert.deepEqual(file(charter), {
    ...{ ...common, entity_agent_id: '' },
    pii_document_name: '',
    mime_type: 'application/pdf',
  });
  const rows = await platform.rows();
  const other = business({ entity_name: 'Other', entity_type: '' });
  const again = await scene.tryOnboard(account_id, other);
  assert.deepEqual([again.status, again.text], [200, first.text]);
  assert.deepEqual(await platform.rows(), rows);
});

test('errors are named and change nothing', async () => {
  const account = await scene.account();
  const owner = (at: number): object => ({ agent_name: `O ${at}`, roles: ['beneficial_owner'] });
  const prong = { agent_name: 'P', roles: ['control_prong'] };
  const contact = { agent_name: 'C', roles: ['primary_contact'] };
  const ROLES = ['primary_contact', 'control_prong', 'beneficial_owner'];
  const five = [1, 2, 3, 4, 5].map(owner);
  const cut = dataUri('image/png', png(2, 2).subarray(0, 40));
  const cases: [object, string, string[]][] = [
    [{ entity_name: undefined }, 'MISSING_FIELD', ['entity_name']],
    [{ entity_name: ' ' }, 'INVALID_FIELD', ['entity_name']],
    [{ entity_name: '4111 1111 1111 1111' }, 'CARD_NUMBER_REFUSED', ['entity_name']],
    [{ entity_type: 'club' }, 'INVALID_FIELD', ['entity_type']],
    [{ tax_id: '12345678' }, 'INVALID_FIELD', ['tax_id']],
    [{ naics_numbers: '12345' }, 'INVALID_FIELD', ['naics_numbers']],
    [{ naics_numbers: '123456,1234567' }, 'INVALID_FIELD', ['naics_numbers']],
    [{ naics_numbers: '123456,' }, 'INVALID_FIELD', ['naics_numbers']],
    [{ duns_numbers: '12345678' }, 'INVALID_FIELD', ['duns_numbers']],
    [{ user_email: 'nobody' }, 'INVALID_FIELD', ['user_email']],
    [{ agents: [{ agent_name: 'A', roles: [] }] }, 'INVALID_FIELD', ['agents[0].roles']],
    [{ agents: [{ ...prong, roles: ['boss'] }] }, 'INVALID_FIELD', ['agents[0].roles[0]']],
    [{ agents: [{ ...prong, roles: ['control_prong', 'control_prong'] }] }, 'INVALID_FIELD',
      ['agents[0].roles']],
    [{ agents: [{ ...prong, roles: [...ROLES, ...ROLES] }] }, 'INVALID_FIELD', ['agents[0].roles']],
    [{ agents: [prong, prong] }, 'CONTROL_PRONG_TAKEN', []],
    [{ agents: [contact, contact] }, 'PRIMARY_CONTACT_TAKEN', []],
    [{ agents: five }, 'TOO_MANY_BENEFICIAL_OWNERS', []],
    [{ documents: ['x'] }, 'FILE_NOT_BASE64', ['documents[0]']],
    [{ documents: [CHARTER, cut] }, 'FILE_DAMAGED', ['documents[1]']],
    [
      { documents: [{ file: dataUri('image/png', pdfOf(PDF_PAGES)) }] },
      'FILE_TYPE_MISMATCH',
      ['documents[0].file'],
    ],
    [
      { documents: [{ file: CHARTER, mime_type: 'image/png' }] },
      'FILE_TYPE_MISMATCH',
      ['documents[0].file'],
    ],
    [
      { agents: [{ ...prong, documents: [dataUri('text/html', Buffer.from('<p>'))] }] },
      'FILE_TYPE_UNKNOWN',
      ['agents[0].documents[0]'],
    ],
    [{ documents: Array.from({ length: 21 }, () => CHARTER) }, 'INVALID_FIELD', ['documents']],
  ];
  const known = await scene.account();
  await scene.onboard(known, business());
  const before = await platform.rows();
  for (const [more, code, fields] of cases) {
    // A repetition is read as strictly as what it repeats.
    for (const one of [account, known]) {
      const reply = await scene.tryOnboard(one, business(more));
      const what = `${code}: ${reply.text}`;
      assert.deepEqual([reply.status, reply.code, Object.keys(reply.errors)], [400, code, fields],
        what);
    }
  }
  const nobody = await scene.tryOnboard('acct_00000000000000000000000000');
  assert.deepEqual([nobody.status, nobody.code], [400, 'ACCOUNT_NOT_FOUND']);
  const unknown = '/v1/entity/ent_00000000000000000000000000';
  assert.equal((await platform.api.send('pii', 'GET', unknown)).status, 404);
  assert.deepEqual(await platform.rows(), before);
  const four = business({ agents: [prong, ...five.slice(1)] });
  const { agents } = await scene.read(await scene.onboard(account, four));
  assert.equal(agents.length, 6, 'with the primary contact');
  const all = business({ agents: [{ agent_name: 'All', roles: ROLES }] });
  const alone = await scene.onboard(await scene.account(), all);
  assert.equal((await scene.read(alone)).agents.length, 1);
});

test('twenty that race to onboard one account begin one business', async () => {
  const account = await scene.account();
  const race = Array.from({ length: 20 }, () => scene.tryOnboard(account));
  const replies = await Promise.all(race);
  assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200]);
  assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
  const { agents } = await scene.read(await scene.onboard(account));
  assert.equal(agents.length, 3);
});

test('an account with a business is not verified as a person as well', async () => {
  const account_id = await scene.account();
  await scene.onboard(account_id);
  const token = await scene.session(account_id);
  const { api } = platform;
  const body = submission();
  const sent = await api.send('pii', 'POST', '/v2/kyc', { body, token });
  assert.deepEqual([sent.status, sent.code], [400, 'KYC_FOLLOWS_ENTITY']);
  const form = await api.must<{ forms: string[] }>(200, 'pii', 'GET', '/v2/kyc/form', { token });
  assert.deepEqual(form.forms, []);
  const recheck = await api.send('pii', 'POST', `/v1/kyc/${account_id}/recheck`, { body: {} });
  assert.deepEqual([recheck.status, recheck.code], [400, 'KYC_FOLLOWS_ENTITY']);
});

test("a link is its person's: their account alone, whoever else is signed in", async () => {
  const [account, other] = [await scene.account(), await scene.account()];
  const entity = await scene.onboard(account);
  await scene.onboard(other);
  const [own, stranger] = [await scene.session(account), await scene.session(other)];
  const [, ada, cyd] = (await scene.read(entity)).agents;
  const adasLink = ada?.entity_agent_id ?? '';
  const foreign = await scene.link(adasLink, stranger);
  const unknown = await scene.link('agt_00000000000000000000000000', stranger);
  assert.deepEqual([foreign.status, foreign.text], [404, unknown.text]);
  assert.equal((await scene.link(adasLink, own)).status, 200);
  const opened = await scene.open(adasLink);
  assert.equal(opened.account, ada?.account_id);
  const form = await scene.form(opened.token, 'GET');
  assert.equal((form.body.payload as { entity: unknown }).entity, null, 'no business of theirs');
  const begin = await scene.form(opened.token, 'PUT', '', { entity_name: 'Mine' });
  assert.deepEqual([begin.status, begin.code], [400, 'ACCOUNT_IS_AGENT']);
  assert.equal((await scene.tryOnboard(opened.account)).code, 'ACCOUNT_IS_AGENT');
  assert.equal((await scene.link(cyd?.entity_agent_id ?? '', opened.token)).status, 404);
  const call = { token: opened.token, body: submission({ last: 'Bell' }) };
  await platform.api.must(200, 'pii', 'POST', '/v2/kyc', call);
  for (let status = ''; status !== 'ACCEPT'; await delay(50)) {
    const { agents } = await scene.read(entity);
    status = agents[1]?.status ?? '';
    assert.equal(agents[2]?.kyc_status, 'NODATA', 'nobody else');
  }
  const late = await scene.link(adasLink);
  assert.deepEqual([late.status, late.code], [400, 'ENTITY_AGENT_VERIFIED']);
});

test('certain names lead to other results in the sandbox', async () => {
  for (const [entity_name, status, kyc] of [
    ['Specimen-Denied Ltd', 'DENY', 'DENY'],
    ['specimen unreadable', 'INCOMPLETE', 'NODATA'],
    ['Specimen-Review & Co', 'PROCESSING', 'PROCESSING'],
  ] as const) {
    const account = await scene.account();
    const agents = [{ agent_name: 'A', roles: ['primary_contact', 'control_prong'] }];
    const entity = await scene.onboard(account, business({ entity_name, agents }));
    await scene.verifyAll(entity);
    await scene.submit(account);
    for (let seen = ''; seen !== 'ACCEPT'; await delay(50)) {
      seen = (await scene.read(entity)).agents[0]?.status ?? '';
    }
    assert.equal((await scene.read(entity)).status, status);
    assert.equal(await scene.kyc(account), kyc);
  }
});

test('tests set any status, and the account follows it', async () => {
  const account = await scene.account();
  const entity = await scene.onboard(account);
  const set = (status: string): Promise<Reply> => {
    const path = `/sandbox/entities/${entity}/state`;
    return platform.api.send('invoicing', 'PUT', path, { body: { status } });
  };
  for (const [status, state] of [
    ['ACCEPT', 'ACCEPT'],
    ['INACTIVE', 'REVERIFY'],
    ['DENY', 'DENY'],
    ['CANCEL', 'CANCEL'],
    ['PROCESSING', 'PROCESSING'],
    ['INCOMPLETE', 'NODATA'],
  ] as const) {
    const reply = await set(status);
    assert.deepEqual(reply.body.payload, { entity_id: entity, status });
    assert.equal(await scene.kyc(account), state);
  }
  assert.equal((await scene.told('kyb-webhook', account, 7)).length, 7);
  const rows = await platform.rows();
  await set('INCOMPLETE');
  assert.deepEqual(await platform.rows(), rows, 'the same is no move');
});

test('a business without activity for 30 days of its workspace is cancelled', async () => {
  const account = await scene.account();
  const entity = await scene.onboard(account);
  const move = (days: number): Promise<unknown> =>
    platform.db.execute(`update workspace set clock_offset = clock_offset + interval
      '${days} days'`);
  await move(29);
  await delay(1_500);
  assert.equal((await scene.read(entity)).status, 'INCOMPLETE');
  await move(2);
  await scene.reached(entity, 'CANCEL');
  assert.equal(await scene.kyc(account), 'CANCEL');
  await scene.submit(account);
  await scene.verifyAll(entity);
  await scene.reached(entity, 'ACCEPT');
});

test('every answer above is declared by its operation', () => {
  assert.deepEqual([...platform.api.undeclared], []);
});
