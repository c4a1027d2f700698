// Explanations: a workspace sees only its own, a moved clock is shown in both times, every timeline
// is bounded, and what is erased stays erased. [G-11, PD3]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { machines } from '../../../catalogue.ts';
import { accountId, newUuid, uuidOfWireId } from '../../../core/ids.ts';
import { readInput } from '../../../core/schema.ts';
import { openBench, type Bench } from '../../../../test/kit/domain-bench.ts';
import { decided, identityBench, PICTURE, submission } from '../../../../test/kit/identity.ts';
import { erasePerson, finishErasures } from '../../people/retention/index.ts';
import { writeNotes, type Explanation, type RequestNote } from './index.ts';
import { explanation } from './schema.ts';
import { explain } from './timeline.ts';

let bench: Bench;
let identity: Awaited<ReturnType<typeof identityBench>>;
before(async () => {
  bench = await openBench();
  identity = await identityBench(bench);
});
after(() => bench.close());

async function told(id: string, workspace = bench.home.workspace): Promise<Explanation> {
  const found = await explain(bench.db, workspace, id, machines);
  assert.ok(found, `nothing is known of ${id}`);
  const read = readInput(explanation, found);
  assert.ok(read.ok, 'an explanation is as it is declared');
  return found;
}

const uuidOf = (account: string): string => uuidOfWireId('acct', account) ?? '';

function noteOf(named: string, more: Partial<RequestNote> = {}): RequestNote {
  return {
    ...{ workspace: bench.home.workspace, named: [named], id: newUuid(), startedMs: 0, tookMs: 3 },
    ...{ operation: 'doNothing', caller: 'client', clientId: 'bench', accountId: null },
    ...{ status: 200, refusal: null, scope: null },
    ...more,
  };
}

/** A submitted business whose person is verified. */
async function business(): Promise<{ entity: string; account: string }> {
  const account = await bench.newAccount();
  const body = {
    ...{ entity_name: 'Marker-Firm', entity_type: 'corporation', tax_id: '98-7654321' },
    agents: [{ agent_name: 'Marker-Person', roles: ['control_prong'] }],
    documents: [{ pii_document_name: 'Marker-Charter', file: PICTURE }],
  };
  const params = { account_id: account };
  const made = await bench.must<{ entity_id: string }>('onboardEntity', { params, body });
  const caller = bench.caller(bench.home, 'session', account);
  await bench.must('submitEntityForm', { caller });
  return { entity: made.entity_id, account };
}

test('no workspace sees what another one has', async () => {
  const account = await bench.newAccount();
  const card = { account_id: account, test_card: 'visa' };
  const { id } = await bench.must<{ id: string }>('sandboxAttachCard', { body: card });
  const { entity } = await business();
  for (const one of [account, uuidOf(account), id, entity]) {
    assert.ok(await told(one));
    assert.equal(await explain(bench.db, bench.other.workspace, one, machines), null);
  }
});

test('a prefix names its own kind only', async () => {
  const account = await bench.newAccount();
  const wrong = account.replace('acct_', 'esc_');
  assert.equal(await explain(bench.db, bench.home.workspace, wrong, machines), null);
});

test('a business is told with its people, their account with the business', async () => {
  const { entity, account } = await business();
  const { timeline, kind, state, belongs_to } = await told(entity);
  assert.deepEqual([kind, state], ['entity', 'PROCESSING']);
  assert.deepEqual(belongs_to, [{ kind: 'account', id: account }]);
  const kinds = timeline.map((one) => (one.kind === 'transition' ? one.about.kind : ''));
  assert.ok(kinds.includes('entity') && kinds.includes('entity_agent'));
  const [person] = await bench.db.query<{ id: string }>({
    text: 'select person_id as id from entity_agent where entity_id = $1',
    values: [uuidOfWireId('ent', entity)],
  });
  const behind = await told(accountId(person?.id ?? ''));
  assert.deepEqual(behind.belongs_to, [{ kind: 'entity', id: entity }]);
  const owner = await told(account);
  assert.ok(owner.timeline.some((one) => 'about' in one && one.about?.id === entity));
});

test('the clock of a workspace and real time stand side by side', async () => {
  const { workspace } = bench.home;
  const account = await bench.newAccount();
  await writeNotes(bench.db, [noteOf(uuidOf(account), { operation: 'before' })], () => 0);
  const text = `update workspace set clock_offset = clock_offset + '30 days'
    where workspace = ${workspace}`;
  await bench.db.execute(text);
  await writeNotes(bench.db, [noteOf(uuidOf(account), { operation: 'after' })], () => 0);
  const body = { state: 'ACCEPT' };
  await bench.must('setAccountKYCState', { params: { account_id: account }, body });
  const { timeline } = await told(account);
  const order = timeline.flatMap((one) => {
    if (one.kind === 'request') return [one.operation];
    return one.kind === 'transition' ? [one.on] : [];
  });
  assert.deepEqual(order, ['register', 'before', 'after', 'set']);
  const [first, last] = [timeline[0], timeline.at(-1)];
  assert.ok(first && last);
  const days = (a: string, b: string): number => (Date.parse(a) - Date.parse(b)) / 86_400_000;
  assert.ok(Math.abs(days(last.at, first.at) - 30) < 0.01);
  assert.ok(days(last.real_at, first.real_at) < 0.01);
  assert.equal(Math.round(days(last.at, last.real_at)), 30);
});

test('the newest thousand are told, and how many are older', async () => {
  const account = await bench.newAccount();
  const named = uuidOf(account);
  const before = (await told(account)).timeline.length;
  const many = Array.from({ length: 1_100 }, (_, n) => noteOf(named, { startedMs: n }));
  await writeNotes(bench.db, many, () => 1_100);
  const { timeline, left_out } = await told(account);
  assert.deepEqual([timeline.length, left_out], [1_000, before + 100]);
  const last = timeline.at(-1);
  assert.equal(last?.kind === 'request' && last.request_id, many.at(-1)?.id);
});

test('a fault is found by its reference', async () => {
  const account = await bench.newAccount();
  const id = newUuid();
  const fault = noteOf(id, { id, named: [id, uuidOf(account)], status: 500 });
  await writeNotes(bench.db, [fault], () => 0);
  const { kind, timeline } = await told(id);
  assert.deepEqual([kind, timeline.length], ['request', 1]);
  assert.match(timeline[0]?.text ?? '', /failed 500, reference/);
});

test('of an erased person a timeline tells nothing personal, nor of a living one', async () => {
  const username = `Marker-${newUuid()}`;
  const email = { address: 'marker@example.org' };
  const full = { username, email, full_name: 'Marker-Name' };
  const { account_id } = await bench.must<{ account_id: string }>('registerAccount', {
    body: full,
  });
  identity.vendor.says = decided('accepted');
  const caller = identity.caller(account_id);
  await bench.must('submitKYC', { body: submission({ first: 'Marker-First' }), caller });
  await identity.ask();
  const block = { account_id, block_capability: 'login', block_reason: 'x', note: 'Marker-Note' };
  await bench.must('blockAccount', { body: block });
  const personal = /marker|415 555|123-45|springfield/i;
  const living = await told(account_id);
  assert.ok(living.timeline.length > 5);
  assert.doesNotMatch(JSON.stringify(living), personal);
  const [blocked] = await bench.db.query<{ id: string }>({
    text: 'select id from account_block where account_id = $1',
    values: [uuidOf(account_id)],
  });
  assert.equal((await told(blocked?.id ?? '')).kind, 'account_block');
  const request = { reason: 'subject_request', actor: 'operator' } as const;
  const { workspace } = bench.home;
  await erasePerson(bench.services, { workspace, account: uuidOf(account_id), ...request });
  await finishErasures(bench.db, identity.vendor);
  const erased = await told(account_id);
  assert.doesNotMatch(JSON.stringify(erased), personal);
  assert.ok(erased.timeline.some((one) => one.kind === 'operator' && one.act === 'person_erased'));
});
