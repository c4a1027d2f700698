// A business outside the US over HTTP: what it states and what is shown of it, what is refused and
// changes nothing, what the sandbox decides by, and the status of each document, which only who may
// review sets. [G-54, G-55]
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  CHARTER,
  GERMAN,
  germanBusiness,
  startBusinesses,
  type EntitySeen,
} from '../api/business-scene.ts';
import { signedIn, type Browser } from '../console/kit.ts';
import { createOperator, type Role } from '../../src/product/access/operator/index.ts';
import { systemRandom } from '../../src/core/random.ts';
import { until } from '../kit/until.ts';

const { platform, scene } = await startBusinesses();

const ALONE = [{ agent_name: 'A', roles: ['primary_contact', 'control_prong'] }];

async function operator(username: string, role: Role): Promise<Browser> {
  const { db, keys, ready } = platform;
  const parts = { db, keys, random: systemRandom, env: 'staging' } as const;
  const wish = { name: username, username, roles: [role], mustChange: false };
  const made = await createOperator(parts, { ...wish, workspaces: 'all' }, 'operator');
  return signedIn((ready.urls as Record<string, string>)['console'] ?? '', made);
}

test('a German company states its register, and is accepted with nothing of the US', async () => {
  const account = await scene.account({ country_iso: 'DE' });
  const spaced = germanBusiness({ vat_number: 'de 136.695.976' });
  const entity = await scene.onboard(account, spaced);
  const seen = (await scene.read(entity)) as EntitySeen & Record<string, unknown>;
  for (const [field, value] of Object.entries(GERMAN)) assert.equal(seen[field], value, field);
  assert.deepEqual([seen['entity_type'], seen['naics_numbers']], ['', '']);
  assert.deepEqual(seen.agents.map(({ ownership }) => ownership), ['', '50-75', '33.33']);
  assert.equal(seen.documents[0]?.status, 'received');
  assert.equal(seen.registration_document, 'received');
  const rows = await platform.db.query<{ text: string }>('select e::text as text from entity e');
  assert.doesNotMatch(JSON.stringify(rows), /HRB|Charlottenburg|136695976|Musterstra/);
  assert.doesNotMatch(platform.log(), /HRB 123456|136695976|Musterstra/);
  await scene.submit(account);
  await scene.verifyAll(entity);
  const accepted = await scene.reached(entity, 'ACCEPT');
  assert.equal(accepted.documents[0]?.status, 'accepted');
});

test('what is no value of the country is named at its field, and changes nothing', async () => {
  const owner = (ownership: string): object => {
    return { agent_name: 'O', roles: ['beneficial_owner'], ownership };
  };
  const cases: readonly (readonly [object, string, readonly string[]])[] = [
    [{ vat_number: 'FR40303265045' }, 'INVALID_FIELD', ['vat_number']],
    [{ vat_number: 'DE136695975' }, 'INVALID_FIELD', ['vat_number']],
    [{ vat_number: '<b>DE</b>' }, 'INVALID_FIELD', ['vat_number']],
    [{ postal_code: '1011' }, 'INVALID_FIELD', ['postal_code']],
    [{ registration_number: '9'.repeat(51) }, 'INVALID_FIELD', ['registration_number']],
    [{ registration_number: '<img src=x>' }, 'INVALID_FIELD', ['registration_number']],
    [{ register: 'a\nb' }, 'INVALID_FIELD', ['register']],
    [{ country: 'de' }, 'INVALID_FIELD', ['country']],
    [{ tax_id: '12-3456789' }, 'INVALID_FIELD', ['tax_id']],
    [{ naics_numbers: '123456' }, 'INVALID_FIELD', ['naics_numbers']],
    [{ duns_numbers: '123456789' }, 'INVALID_FIELD', ['duns_numbers']],
    [{ entity_type: 'multi_member_llc' }, 'INVALID_FIELD', ['entity_type']],
    [{ agents: [owner('10-25')] }, 'INVALID_FIELD', ['agents[0].ownership']],
    [{ agents: [owner('24.99')] }, 'INVALID_FIELD', ['agents[0].ownership']],
    [{ agents: [{ ...owner('50'), roles: ['control_prong'] }] }, 'INVALID_FIELD',
      ['agents[0].ownership']],
    [{ agents: [owner('75-100'), owner('25.01')] }, 'OWNERSHIP_OVER_ALL', []],
    [{ agents: [owner('50-75'), owner('25-50'), owner('26')] }, 'OWNERSHIP_OVER_ALL', []],
  ];
  const [fresh, known] = [await scene.account(), await scene.account()];
  await scene.onboard(known, germanBusiness());
  const token = await scene.session(known);
  const { agents: _people, documents: _papers, ...form } = germanBusiness();
  const before = await platform.rows();
  for (const [more, code, fields] of cases) {
    const replies = [
      await scene.tryOnboard(fresh, germanBusiness(more)),
      await scene.tryOnboard(known, germanBusiness(more)),
      await scene.form(token, 'PUT', '', { ...form, ...more }),
    ];
    for (const reply of replies) {
      const found = [reply.status, reply.code, Object.keys(reply.errors)];
      assert.deepEqual(found, [400, code, fields], reply.text);
    }
  }
  assert.deepEqual(await platform.rows(), before);
  const exact = germanBusiness({ agents: [owner('75-100'), owner('25-50')] });
  await scene.onboard(fresh, exact);
  const us = { entity_name: 'Firm', country: 'US', tax_id: '12-3456789', entity_type: 'trust' };
  assert.equal((await scene.tryOnboard(await scene.account(), us)).status, 200);
});

test('the sandbox has a register without the number of zeros, and reads documents', async () => {
  for (const [more, reason, status] of [
    [{ registration_number: 'HRB 00000' }, 'REGISTRATION_NOT_FOUND', 'received'],
    [{ entity_name: 'Specimen-Unreadable GmbH' }, 'DOCUMENT_UNREADABLE', 'unreadable'],
  ] as const) {
    const account = await scene.account();
    const entity = await scene.onboard(account, germanBusiness({ agents: ALONE, ...more }));
    await scene.submit(account);
    await scene.verifyAll(entity);
    const { documents } = await scene.reached(entity, 'INCOMPLETE');
    assert.equal(documents[0]?.status, status);
    const form = await scene.form(await scene.session(account), 'GET');
    type Form = { reasons: { code: string }[]; needs: string[] };
    const { reasons, needs } = form.body.payload as Form;
    assert.deepEqual(reasons.map(({ code }) => code), [reason]);
    assert.deepEqual(needs, status === 'received' ? [] : ['documents']);
  }
});

test('operators who review set the status of a document, others do not', async () => {
  const [ruth, otto] = [await operator('ruth', 'reviewer'), await operator('otto', 'operator')];
  const account = await scene.account();
  const name = { entity_name: 'Specimen-Review GmbH', agents: ALONE };
  const entity = await scene.onboard(account, germanBusiness(name));
  await scene.submit(account);
  await scene.verifyAll(entity);
  await until('verified', async () => {
    return (await scene.read(entity)).agents[0]?.status === 'ACCEPT';
  });
  const path = `/businesses/${entity}`;
  const paper = async (): Promise<string> =>
    (await scene.read(entity)).documents.at(-1)?.entity_document_id ?? '';
  const version = async (): Promise<string> =>
    /name="version" value="(\d+)"/.exec((await ruth.get(path)).text)?.[1] ?? '';
  const judge = async (who: Browser, finding: string, about: string) =>
    who.post(`${path}/judge`, { version: await version(), [`finding_${about}`]: finding });
  const first = await paper();
  const before = await platform.rows();
  assert.equal((await judge(otto, 'accepted', first)).status, 403);
  assert.match((await judge(ruth, 'PERHAPS', first)).text, /REVIEW_REASON_NEEDED/);
  assert.match((await judge(ruth, 'accepted', `doc_${'0'.repeat(26)}`)).text, /NOT_FOUND/);
  const stale = { version: '99', [`finding_${first}`]: 'accepted' };
  assert.match((await ruth.post(`${path}/judge`, stale)).text, /REVIEW_CASE_CHANGED/);
  const { operator_session: _ignored, ...kept } = before as Record<string, unknown>;
  const after = (await platform.rows()) as unknown as Record<string, unknown>;
  for (const table of ['entity', 'audit_entry']) assert.deepEqual(after[table], kept[table], table);

  await judge(ruth, 'DOCUMENT_EXPIRED', first);
  await judge(ruth, 'DOCUMENT_EXPIRED', first);
  const [refused] = (await scene.read(entity)).documents;
  assert.deepEqual([refused?.status, refused?.reason?.code], ['refused', 'DOCUMENT_EXPIRED']);
  const text = `select detail from audit_entry where act = 'document_judged'`;
  assert.equal((await platform.db.query(text)).length, 1, 'the same finding is none');
  assert.match((await ruth.get(path)).text, /A document has expired; send one that is valid/);
  const decide = async (fields: Record<string, string>) =>
    ruth.post(`${path}/decide`, { version: await version(), note: 'n', ...fields });
  assert.match((await decide({ decision: 'accept' })).text, /ENTITY_DOCUMENT_NEEDED/);
  await decide({ decision: 'ask', reason_DOCUMENT_EXPIRED: 'on' });
  await scene.reached(entity, 'INCOMPLETE');
  const token = await scene.session(account);
  assert.equal((await scene.form(token, 'POST', '/submit')).code, 'ENTITY_NEEDS_MORE');
  assert.equal((await scene.form(token, 'POST', '/documents', { file: CHARTER })).status, 201);
  await scene.submit(account);
  await judge(ruth, 'accepted', await paper());
  await decide({ decision: 'accept' });
  const { documents, registration_document } = await scene.reached(entity, 'ACCEPT');
  assert.deepEqual(documents.map(({ status }) => status), ['refused', 'accepted']);
  assert.equal(registration_document, 'accepted');
});
