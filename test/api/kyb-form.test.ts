// The business form as its page uses it: started empty, saved as a whole, documents added and
// removed, people named and removed, submitted when complete, reopened when more is requested, and
// nobody else's. [G-54, G-55]
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { uuidOfWireId } from '../../src/core/ids.ts';
import { dataUri, png } from '../kit/sample-files.ts';
import { CHARTER, GERMAN, startBusinesses, type EntitySeen } from './business-scene.ts';
import type { Reply } from '../kit/api.ts';

const { platform, scene } = await startBusinesses();

interface Form {
  readonly entity: EntitySeen | null;
  readonly open: boolean;
  readonly country: string;
  readonly entity_types: readonly string[];
  readonly tax_id_given: boolean;
  readonly user_email: string;
  readonly needs: readonly string[];
  readonly reasons: readonly { readonly code: string; readonly sentence: string }[];
}

const PRONG = { agent_name: 'Ada Bell', roles: ['control_prong'] };
const OWNER = { agent_name: 'Cyd Dorn', roles: ['beneficial_owner'] };

async function formOf(token: string): Promise<Form> {
  const reply = await scene.form(token, 'GET');
  assert.equal(reply.status, 200, reply.text);
  return reply.body.payload as Form;
}

async function save(token: string, body: object): Promise<Form> {
  const reply = await scene.form(token, 'PUT', '', body);
  assert.equal(reply.status, 200, reply.text);
  return formOf(token);
}

async function add(token: string, more: object = {}): Promise<string> {
  const reply = await scene.form(token, 'POST', '/documents', { file: CHARTER, ...more });
  assert.equal(reply.status, 201, reply.text);
  return (reply.body.payload as { entity_document_id: string }).entity_document_id;
}

function submit(token: string): Promise<Reply> {
  return scene.form(token, 'POST', '/submit');
}

test('from an empty form to submission, everything missing is named', async () => {
  const account = await scene.account({ full_name: 'Eve Frey' });
  const token = await scene.session(account);
  const needs = ['entity_type', 'tax_id', 'control_prong', 'documents'];
  const form = await formOf(token);
  assert.equal(form.entity_types.length, 9);
  assert.deepEqual(form, {
    entity: null,
    open: true,
    country: 'US',
    entity_types: form.entity_types,
    tax_id_given: false,
    user_email: '',
    needs,
    reasons: [],
  });
  assert.equal((await submit(token)).code, 'ENTITY_NOT_FOUND');
  assert.equal((await scene.form(token, 'POST', '/documents', { file: CHARTER })).status, 400);
  const name = { entity_name: 'Satchels', user_email: 'f@example.test' };
  const begun = await save(token, name);
  assert.deepEqual([begun.needs, begun.user_email], [needs, 'f@example.test']);
  assert.deepEqual(begun.entity?.agents.map(({ agent_name }) => agent_name), ['Eve Frey']);
  const early = await submit(token);
  assert.deepEqual([early.code, Object.keys(early.errors)], ['ENTITY_NEEDS_MORE', needs]);
  const whole = { ...name, entity_type: 'partnership', tax_id: '12-3456789', agents: [PRONG] };
  assert.deepEqual((await save(token, whole)).needs, ['documents']);
  const agent = (await formOf(token)).entity?.agents[1]?.entity_agent_id ?? '';
  await add(token, { entity_agent_id: agent, pii_document_name: 'Minutes' });
  assert.deepEqual((await formOf(token)).needs, ['documents'], 'one about the whole business');
  const charter = await add(token);
  const sent = await submit(token);
  assert.equal((sent.body.payload as { status: string }).status, 'PROCESSING');
  const shown = await formOf(token);
  assert.deepEqual([shown.open, shown.needs, shown.tax_id_given], [false, [], true]);
  assert.doesNotMatch(JSON.stringify(shown), /3456789/);
  for (const closed of [
    await submit(token),
    await scene.form(token, 'PUT', '', whole),
    await scene.form(token, 'POST', '/documents', { file: CHARTER }),
    await scene.form(token, 'DELETE', `/documents/${charter}`),
  ]) {
    assert.deepEqual([closed.status, closed.code], [400, 'ENTITY_CLOSED'], closed.text);
  }
  await scene.verifyAll(shown.entity?.entity_id ?? '');
  await scene.reached(shown.entity?.entity_id ?? '', 'ACCEPT');
});

test('a business elsewhere is asked for its registration, and for nothing of the US', async () => {
  const token = await scene.session(await scene.account({ country_iso: 'DE' }));
  const registration = ['legal_form', 'registration_number', 'register', 'address'];
  assert.deepEqual((await formOf(token)).needs, [...registration, 'control_prong', 'documents']);
  const form = await save(token, { entity_name: 'Taschen', agents: [PRONG, OWNER] });
  const open = [...registration, 'ownership', 'documents'];
  assert.deepEqual([form.country, form.needs], ['DE', open]);
  const { postal_code: _, ...rest } = GERMAN;
  const owners = [PRONG, { ...OWNER, ownership: '25-50' }];
  const unplaced = await save(token, { ...rest, agents: owners });
  assert.deepEqual(unplaced.needs, ['address', 'documents'], 'in Germany with a postcode');
  const dubai = { ...rest, country: 'AE', city: '', vat_number: '', agents: owners };
  assert.deepEqual((await save(token, dubai)).needs, ['documents'], 'without any there');
  const us = await save(token, { entity_name: 'Taschen', country: 'US', agents: [PRONG] });
  assert.deepEqual(us.needs, ['entity_type', 'tax_id', 'documents']);
});

test('people are kept by their id, renamed, removed, and never doubled', async () => {
  const account = await scene.account();
  const token = await scene.session(account);
  const first = await save(token, { entity_name: 'A', agents: [PRONG, OWNER] });
  const [primary, ada, cyd] = first.entity?.agents ?? [];
  assert.ok(primary && ada && cyd);
  await scene.verify(cyd.entity_agent_id);
  const about = await add(token, { entity_agent_id: ada.entity_agent_id });
  const kept = (one: { entity_agent_id: string }, more: object): object => {
    return { entity_agent_id: one.entity_agent_id, ...more };
  };
  const agents = [
    kept(cyd, { agent_name: 'Cyd Dorn-Bell', roles: ['beneficial_owner', 'control_prong'] }),
    kept(primary, { agent_name: 'Eve Frey', roles: ['beneficial_owner'] }),
    { agent_name: 'Gil Hahn', roles: ['beneficial_owner'] },
  ];
  const second = await save(token, { entity_name: 'A', agents });
  const named = (form: Form): unknown =>
    form.entity?.agents.map((one) => [one.agent_name, one.account_id, one.roles]);
  assert.deepEqual(
    named(second),
    [
      ['Eve Frey', account, ['primary_contact', 'beneficial_owner']],
      ['Cyd Dorn-Bell', cyd.account_id, ['control_prong', 'beneficial_owner']],
      ['Gil Hahn', second.entity?.agents[2]?.account_id, ['beneficial_owner']],
    ],
  );
  assert.equal((await scene.link(ada.entity_agent_id, token)).status, 404, 'removed');
  const gone = await scene.form(token, 'DELETE', `/documents/${about}`);
  assert.equal(gone.code, 'ENTITY_DOCUMENT_NOT_FOUND');
  const values = [uuidOfWireId('doc', about)];
  const text = 'select 1 from entity_document where id = $1';
  assert.deepEqual(await platform.db.query({ text, values }), [], 'the file is forgotten');
  for (const [wrong, code] of [
    [[kept(ada, PRONG)], 'ENTITY_AGENT_NOT_FOUND'],
    [[kept(cyd, OWNER), kept(cyd, OWNER)], 'ENTITY_AGENT_NOT_FOUND'],
    [[{ ...OWNER, entity_agent_id: 'x' }], 'ENTITY_AGENT_NOT_FOUND'],
    [[{ ...OWNER, roles: ['primary_contact'] }], 'PRIMARY_CONTACT_TAKEN'],
    [[kept(cyd, PRONG), PRONG], 'CONTROL_PRONG_TAKEN'],
  ] as const) {
    const reply = await scene.form(token, 'PUT', '', { entity_name: 'A', agents: wrong });
    assert.deepEqual([reply.status, reply.code], [400, code], reply.text);
  }
  assert.deepEqual(named(await formOf(token)), named(second));
});

test('documents are added and removed, at most twenty, and a bad one leaves nothing', async () => {
  const account = await scene.account();
  const token = await scene.session(account);
  await save(token, { entity_name: 'A' });
  const files = async (): Promise<number> => {
    const rows = await platform.db.query<{ n: number }>(
      'select count(*)::int as n from entity_document',
    );
    return rows[0]?.n ?? -1;
  };
  const before = await files();
  const wrong = { file: dataUri('image/jpeg', png(2, 2)) };
  const bad = await scene.form(token, 'POST', '/documents', wrong);
  assert.deepEqual([bad.code, Object.keys(bad.errors)], ['FILE_TYPE_MISMATCH', ['file']]);
  const nobody = { file: CHARTER, entity_agent_id: 'agt_00000000000000000000000000' };
  const foreign = await scene.form(token, 'POST', '/documents', nobody);
  assert.deepEqual([foreign.status, foreign.code], [400, 'ENTITY_AGENT_NOT_FOUND']);
  assert.equal(await files(), before);
  const id = await add(token, { pii_document_name: 'Charter' });
  const other = await scene.session(await scene.account());
  assert.equal((await scene.form(other, 'DELETE', `/documents/${id}`)).status, 404);
  assert.equal(await files(), before + 1);
  assert.equal((await scene.form(token, 'DELETE', `/documents/${id}`)).status, 200);
  assert.equal(await files(), before);
  for (let at = 0; at < 20; at += 1) await add(token);
  const full = await scene.form(token, 'POST', '/documents', { file: CHARTER });
  assert.equal(full.code, 'TOO_MANY_ENTITY_DOCUMENTS');
});

test('what is requested is shown, and the form is open again', async () => {
  const token = await scene.session(await scene.account());
  const agents = [{ agent_name: 'A', roles: ['primary_contact', 'control_prong'] }];
  const stated = { entity_type: 'trust', tax_id: '123456789', agents };
  const { entity } = await save(token, { entity_name: 'Specimen-Unreadable', ...stated });
  const document = await add(token);
  const id = entity?.entity_id ?? '';
  await scene.verifyAll(id);
  await submit(token);
  await scene.reached(id, 'INCOMPLETE');
  const asked = await formOf(token);
  assert.deepEqual(asked.reasons.map(({ code }) => code), ['DOCUMENT_UNREADABLE']);
  assert.equal(asked.open, true);
  assert.equal((await scene.form(token, 'DELETE', `/documents/${document}`)).status, 200);
  await add(token);
  const better = { ...stated, agents: [], entity_name: 'Specimen' };
  await save(token, better);
  assert.equal((await submit(token)).status, 200);
  const ended = await scene.reached(id, 'ACCEPT');
  assert.equal(ended.agents.length, 1, 'the primary contact stays');
  assert.deepEqual((await formOf(token)).reasons, []);
});

test('a person who is denied sends the business back, and may be replaced', async () => {
  const account = await scene.account();
  const token = await scene.session(account);
  const agents = [PRONG, OWNER];
  const stated = { entity_name: 'A', entity_type: 'trust', tax_id: '123456789' };
  const { entity } = await save(token, { ...stated, agents });
  await add(token);
  const id = entity?.entity_id ?? '';
  const [primary, ada, cyd] = entity?.agents ?? [];
  await submit(token);
  await scene.verify(primary?.entity_agent_id ?? '');
  await scene.verify(ada?.entity_agent_id ?? '');
  await scene.verify(cyd?.entity_agent_id ?? '', 'Specimen-Name-Differs');
  await scene.reached(id, 'INCOMPLETE');
  const form = await formOf(token);
  assert.deepEqual(form.reasons.map(({ code }) => code), ['AGENT_NOT_VERIFIED']);
  assert.equal(form.entity?.agents[2]?.status, 'DENY');
  const kept = { ...PRONG, entity_agent_id: ada?.entity_agent_id };
  await save(token, { ...stated, agents: [kept] });
  await submit(token);
  await scene.reached(id, 'ACCEPT');
});

test('the form is for sessions, and each sees its own', async () => {
  for (const [method, path] of [
    ['GET', ''],
    ['PUT', ''],
    ['POST', '/documents'],
    ['POST', '/submit'],
  ] as const) {
    const client = await platform.api.token();
    const body = method === 'PUT' || path === '/documents' ? {} : undefined;
    const reply = await scene.form(client, method, path, body);
    assert.deepEqual([reply.status, reply.code], [403, 'TOKEN_KIND_REFUSED']);
  }
  assert.deepEqual([...platform.api.undeclared], []);
});
