// Businesses: what compliance may decide and when, manual decisions outside of the sandbox, no
// personal data in clear text, erasure, and all invariants at the end. [G-54, G-55, PD3]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accountId, newUuid, uuidOfWireId } from '../../../core/ids.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Command } from '../../../engine/index.ts';
import { openBench, type Bench } from '../../../../test/kit/domain-bench.ts';
import { identityBench, PICTURE } from '../../../../test/kit/identity.ts';
import { forgetMoved, movedIdentities } from '../identity/index.ts';
import { endHold, erasePerson, placeHold } from '../retention/index.ts';
import { applyVerdict, followPerson, needEntity, type EntityVerdict } from './index.ts';

let bench: Bench;
before(async () => {
  bench = await openBench();
  await identityBench(bench);
});
after(() => bench.close());

interface Seen {
  readonly status: string;
  readonly entity_name: string;
  readonly agents: readonly { readonly agent_name: string; readonly account_id: string }[];
  readonly documents: readonly object[];
}

const WHOLE = {
  entity_name: 'Marker-Firm',
  entity_type: 'corporation',
  tax_id: '98-7654321',
  agents: [{ agent_name: 'Marker-Person', roles: ['control_prong'] }],
  documents: [{ pii_document_name: 'Marker-Charter', file: PICTURE }],
};

/** A submitted business, its people verified or not. */
async function submitted(verified: boolean, more: object = {}) {
  const account = await bench.newAccount();
  const params = { account_id: account };
  type Made = { entity_id: string };
  const body = { ...WHOLE, ...more };
  const { entity_id } = await bench.must<Made>('onboardEntity', { params, body });
  if (verified) for (const one of await peopleOf(entity_id)) await accept(one);
  const caller = bench.caller(bench.home, 'session', account);
  await bench.must('submitEntityForm', { caller });
  await follow();
  return { account, entity: entity_id };
}

function read(entity_id: string): Promise<Seen> {
  return bench.must('getEntity', { params: { entity_id } });
}

/** The accounts on which the people of a business are verified. */
async function peopleOf(entity: string): Promise<string[]> {
  const rows = await bench.db.query<{ id: string }>({
    text: 'select person_id as id from entity_agent where entity_id = $1 order by created, id',
    values: [uuidOfWireId('ent', entity)],
  });
  return rows.map(({ id }) => id);
}

async function accept(person: string): Promise<void> {
  const params = { account_id: accountId(person) };
  await bench.must('setAccountKYCState', { params, body: { state: 'ACCEPT' } });
}

/** As the worker does. */
async function follow(): Promise<void> {
  for (const moved of await movedIdentities(bench.db, 100)) {
    const { workspace, account: person } = moved;
    await bench.services.engine.run(followPerson, { person }, { workspace, actor: 'system' });
    await forgetMoved(bench.db, moved);
  }
}

const decideEntity: Command<EntityVerdict & { readonly entity: string }> = {
  name: 'decide_entity',
  load: (rows, { entity }) => needEntity(rows, entity),
  decide(decision, { entity, ...verdict }) {
    applyVerdict(decision, entity, verdict);
    return { status: 200, payload: null };
  },
};

/** A manual decision; gives the refusal's code, '' for none. */
async function decide(entity: string, decision: EntityVerdict['decision']): Promise<string> {
  const input = { entity: uuidOfWireId('ent', entity) ?? '', decision, reasons: [] };
  const { workspace } = bench.home;
  try {
    await bench.services.engine.run(decideEntity, input, { workspace, actor: 'operator' });
    return '';
  } catch (error) {
    if (error instanceof Refusal) return error.spec.code;
    throw error;
  }
}

test('elsewhere than in the sandbox people decide, and accept nobody too early', async () => {
  const services = bench.services as { env: string };
  services.env = 'production';
  const { account, entity } = await submitted(true);
  const early = await submitted(false);
  services.env = 'staging';
  assert.equal((await read(entity)).status, 'PROCESSING');
  assert.equal(await decide(early.entity, 'accept'), 'ENTITY_AGENTS_NOT_VERIFIED');
  assert.equal(await decide(early.entity, 'deny'), '');
  assert.equal(await decide(entity, 'deactivate'), 'ENTITY_NOT_DECIDABLE');
  assert.equal(await decide(entity, 'ask_for_more'), '');
  assert.equal((await read(entity)).status, 'INCOMPLETE');
  assert.equal(await decide(entity, 'accept'), 'ENTITY_NOT_DECIDABLE');
  const caller = bench.caller(bench.home, 'session', account);
  await bench.must('submitEntityForm', { caller });
  assert.equal(await decide(entity, 'accept'), '');
  assert.equal(await decide(entity, 'deactivate'), '');
  const params = { account_id: account };
  const kyc = await bench.must<{ state: string }>('getKYCStatus', { params });
  assert.equal(kyc.state, 'REVERIFY');
  assert.equal((await bench.call('submitEntityForm', { caller })).code, 'ENTITY_CLOSED');
  const due = await submitted(false);
  for (const one of await peopleOf(due.entity)) await accept(one);
  const closing = await decide(due.entity, 'deactivate');
  assert.equal(closing, 'ENTITY_NOT_DECIDABLE', 'only what was accepted before it is closed');
  await bench.proved();
});

test('whoever is on the watch-list is not accepted by itself', async () => {
  const { entity } = await submitted(false);
  const [first = '', second = ''] = await peopleOf(entity);
  await accept(second);
  await accept(first);
  await bench.db.execute({
    text: `update kyc_application set rules = '["watch_list:1"]' where account_id = $1`,
    values: [first],
  });
  await follow();
  assert.equal((await read(entity)).status, 'PROCESSING');
  assert.equal(await decide(entity, 'accept'), '');
  await bench.proved();
});

test('what a person was asked before decides nothing any more', async () => {
  const account = await bench.newAccount();
  const params = { account_id: account };
  await bench.must('setAccountKYCState', { params, body: { state: 'MANUAL_REVIEW' } });
  const early = await bench.call('onboardEntity', { params, body: WHOLE });
  assert.equal(early.code, 'KYC_IN_PROGRESS', 'a review is not left like that');
  await bench.must('setAccountKYCState', { params, body: { state: 'DENY' } });
  await bench.must('onboardEntity', { params, body: WHOLE });
  const { kyc_id, state } = await bench.must<Record<string, string>>('getKYCStatus', { params });
  assert.deepEqual([kyc_id, state], ['', 'NODATA']);
  await bench.proved();
});

test('nothing that a business states lies in clear', async () => {
  const { entity } = await submitted(true);
  assert.equal((await read(entity)).entity_name, 'Marker-Firm');
  const tables = await bench.db.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  for (const { name } of tables) {
    const rows = await bench.db.query<{ row: string }>(`select t::text as row from ${name} t`);
    for (const { row } of rows) assert.doesNotMatch(row, /marker|7654321/i, name);
  }
});

test('an erasure takes along what its person stated, and the name behind another', async () => {
  const { account, entity } = await submitted(true);
  const [contact = '', person = ''] = await peopleOf(entity);
  const { workspace } = bench.home;
  const request = { workspace, reason: 'subject_request', actor: 'operator' };
  const own = { ...request, account: uuidOfWireId('acct', account) ?? '' };
  const readable = async (): Promise<number> => {
    const text = `select from account_person where id = any($1) and wrapped_key <> 'erased'`;
    return (await bench.db.query({ text, values: [[own.account, contact]] })).length;
  };
  await erasePerson(bench.services, { ...request, account: person });
  const without = await read(entity);
  assert.deepEqual(without.agents.map(({ agent_name }) => agent_name), ['', '']);
  assert.equal(without.entity_name, 'Marker-Firm');
  await placeHold(bench.db, { ...request, account: contact });
  await assert.rejects(erasePerson(bench.services, own), Refusal);
  assert.equal(await readable(), 2, 'the contact is kept, and so nothing is erased');
  await endHold(bench.db, { ...request, account: contact });
  await erasePerson(bench.services, own);
  assert.equal(await readable(), 0, 'the account, and that of its primary contact');
  const empty = await read(entity);
  assert.deepEqual([empty.entity_name, empty.documents, empty.status], ['', [], 'ACCEPT']);
  const params = { account_id: account };
  const again = await bench.call('onboardEntity', { params, body: WHOLE });
  assert.equal(again.status, 200, 'the same business as before');
  const caller = bench.caller(bench.home, 'session', account);
  const save = await bench.call('saveEntityForm', { body: { entity_name: 'New' }, caller });
  assert.equal(save.code, 'ACCOUNT_NOT_FOUND');
  await bench.proved();
});

test('a business names 30 people in all, and no account is made beyond', async () => {
  const account = await bench.newAccount();
  const caller = bench.caller(bench.home, 'session', account);
  const four = (at: number) => ['A', 'B', 'C', 'D'].map((name) => {
    return { agent_name: `${name}${at}`, roles: ['beneficial_owner'] };
  });
  const save = (agents: object[]) =>
    bench.call('saveEntityForm', { body: { entity_name: 'Many', agents }, caller });
  for (let at = 0; at < 7; at += 1) assert.equal((await save(four(at))).status, 200);
  const accounts = () => bench.db.query('select id from account');
  const before = (await accounts()).length;
  const beyond = await save(four(7));
  assert.deepEqual([beyond.status, beyond.code], [400, 'BUSINESS_PEOPLE_LIMIT']);
  assert.equal((await accounts()).length, before);
  assert.equal((await save(four(8).slice(0, 1))).status, 200, 'the thirtieth');
  assert.equal((await save(four(9).slice(0, 1))).code, 'BUSINESS_PEOPLE_LIMIT');
  assert.equal((await save([])).status, 200);
  await bench.proved();
});

test('a repeated request under its key is the same, and does nothing twice', async () => {
  const account = await bench.newAccount();
  const caller = bench.caller(bench.home, 'session', account);
  const body = { entity_name: 'Once', agents: [{ agent_name: 'A', roles: ['control_prong'] }] };
  const key = newUuid();
  const first = await bench.must<{ entity_id: string }>('saveEntityForm', { body, caller, key });
  assert.deepEqual(await bench.must('saveEntityForm', { body, caller, key }), first);
  assert.equal((await peopleOf(first.entity_id)).length, 2);
  const document = { file: PICTURE };
  const upload = { body: document, caller, key: newUuid() };
  const added = await bench.must('addEntityDocument', upload);
  assert.deepEqual(await bench.must('addEntityDocument', upload), added);
  assert.equal((await read(first.entity_id)).documents.length, 1);
});
