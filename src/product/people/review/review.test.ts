// Decisions of reviewers: what each does, who may not, when a second operator is needed, what is
// stored with it, and that a refused one leaves nothing.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accountId, newUuid, uuidOfWireId } from '../../../core/ids.ts';
import { Refusal } from '../../../core/refusal.ts';
import { openBench, type Bench } from '../../../../test/kit/domain-bench.ts';
import { decided, identityBench, PICTURE, submission } from '../../../../test/kit/identity.ts';
import { erasePerson } from '../retention/index.ts';
import {
  caseOf,
  check,
  claimCase,
  decide,
  masked,
  nameOwnAccount,
  openCase,
  openNotes,
  openStated,
  personQueue,
  searchApplications,
  second,
  viewDocument,
  type CaseRow,
  type Reviewer,
} from './index.ts';

let bench: Bench;
let id: Awaited<ReturnType<typeof identityBench>>;
const [anna, ben, eve]: Reviewer[] = [newUuid(), newUuid(), newUuid()].map((operatorId) => ({
  operatorId,
  workspaces: 'all',
})) as never;

before(async () => {
  bench = await openBench();
  id = await identityBench(bench);
  for (const { operatorId } of [anna, ben, eve] as Reviewer[]) {
    await bench.db.execute({
      text: `insert into operator (id, username_key, wrapped_key, sealed_name, sealed_username,
          sealed_totp, password_hash, password_initial, roles)
        values ($1, $2, 'k', 's', 's', 's', 'h', false, '{reviewer}')`,
      values: [operatorId, operatorId],
    });
  }
});
after(() => bench.close());

/** A person who matches nobody else here. */
function unlike(): Record<string, unknown> {
  const hex = [...newUuid().replaceAll('-', '')];
  const letters = hex.map((one) => 'abdefgiklmnoprst'[parseInt(one, 16)]);
  const word = (from: number): string => letters.slice(from, from + 8).join('');
  const digits = String(parseInt(newUuid().slice(-8), 16)).padStart(10, '3');
  return submission({
    first: `Z${word(24)}`,
    last: `O${word(16)}`,
    // Keeps the age below the rule's limit.
    date_of_birth: `19${20 + (Number(digits) % 80)}-0${1 + (Number(digits[3]) % 9)}-1${digits[4]}`,
    street: `${digits.slice(2, 5)} ${word(8)} ${word(12)}`,
    city: word(20),
    phone_number: digits,
    ssn: `123-45-${1000 + (Number(digits) % 9000)}`,
  });
}

/** A person whose application is in manual review with these reasons of the vendor. */
async function waiting(reasons: readonly string[] = []): Promise<CaseRow> {
  const account = await bench.newAccount();
  id.vendor.says = decided('review', reasons);
  const caller = id.caller(account);
  const made = await bench.must<{ kyc_id: string }>('submitKYC', { body: unlike(), caller });
  await id.ask();
  const found = await caseOf(bench.db, anna as Reviewer, uuidOfWireId('kyc', made.kyc_id) ?? '');
  assert.equal(found?.state, 'MANUAL_REVIEW');
  return found;
}

function seen({ workspace, account, version }: CaseRow) {
  return { workspace, subject: 'person', id: account, version } as const;
}

async function refused(code: string, work: Promise<unknown>): Promise<void> {
  await assert.rejects(work, (error) => error instanceof Refusal && error.spec.code === code);
}

async function now({ application }: CaseRow): Promise<CaseRow> {
  const found = await caseOf(bench.db, anna as Reviewer, application);
  assert.ok(found);
  return found;
}

/** Counts of the rows that a decision may write. */
async function written(): Promise<unknown> {
  return bench.db.query(`select (select count(*) from history) as steps,
    (select count(*) from review_note) as notes, (select count(*) from audit_entry) as entries,
    (select count(*) from review_proposal) as proposals, (select count(*) from outbox) as told`);
}

const services = (): Bench['services'] => bench.services;
const accept = { decision: 'accept', reasons: [] } as const;

test('each decision moves the case, is told, and keeps its note sealed', async () => {
  const ends = [
    [accept, 'ACCEPT', []],
    [{ decision: 'deny', reasons: ['NAME_DIFFERS'] }, 'DENY', ['NAME_DIFFERS']],
    [{ decision: 'cancel', reasons: [] }, 'CANCEL', []],
  ] as const;
  for (const [verdict, state, reasons] of ends) {
    const found = await waiting();
    await decide(services(), anna as Reviewer, seen(found), verdict, 'The note of Zoë.');
    const after = await now(found);
    assert.deepEqual([after.state, after.reasons], [state, reasons]);
    const [step] = await bench.db.query<{ actor: string; event: string }>({
      text: `select actor, event from history where workspace = $1 and resource_id = $2
        and version = $3`,
      values: [found.workspace, found.account, after.version],
    });
    assert.deepEqual(step, { actor: `operator:${(anna as Reviewer).operatorId}`, event: 'review' });
  }
  const notes = await bench.db.query<{ sealed: string }>('select sealed from review_note');
  assert.equal(
    notes.some(({ sealed }) => sealed.includes('Zoë')),
    false,
  );
  await bench.proved();
});

test('an erased person leaves no note of a reviewer behind', async () => {
  const found = await waiting();
  const { workspace, account } = found;
  await decide(services(), anna as Reviewer, seen(found), accept, 'About Ada.');
  const request = { workspace, account, reason: 'subject_request', actor: 'operator' };
  await erasePerson(services(), request);
  const notes = await bench.db.query({
    text: 'select from review_note where account_id = $1 and sealed is not null',
    values: [account],
  });
  assert.deepEqual(notes, []);
});

test('what is asked for reaches the person, who has 30 days from then', async () => {
  const found = await waiting();
  const verdict = { decision: 'ask', reasons: ['PROOF_OF_ADDRESS_NEEDED'] } as const;
  await decide(services(), anna as Reviewer, seen(found), verdict, 'Address looks odd');
  const after = await now(found);
  assert.equal(after.state, 'MANUAL_REVIEW');
  assert.equal(found.due, null, 'nobody asked anything of the person before');
  assert.ok(after.due !== null && after.due > new Date(Date.now() + 29 * 86_400_000).toISOString());
  const caller = id.caller(accountId(found.account));
  const form = await bench.must<{ forms: string[]; reasons: string[] }>('getKYCForm', { caller });
  assert.deepEqual(form.forms, ['full']);
  assert.match(form.reasons[0] ?? '', /proof of address/);
  const without = await bench.call('submitKYC', { body: submission(), caller });
  assert.equal(without.code, 'MISSING_FIELD', 'what was asked for is sent');
  const proof = submission({}, { extra_files: [PICTURE] });
  assert.equal((await bench.call('submitKYC', { body: proof, caller })).code, null);
  await bench.proved();
});

test('no note, no reason, a case that changed, one that does not wait: refused', async () => {
  const found = await waiting();
  const before = await written();
  const say = (verdict: Parameters<typeof decide>[3], text = 'Because', version = found.version) =>
    decide(services(), anna as Reviewer, { ...seen(found), version }, verdict, text);
  await refused('REVIEW_NOTE_NEEDED', say(accept, '  '));
  await refused('REVIEW_REASON_NEEDED', say({ decision: 'deny', reasons: [] }));
  await refused('REVIEW_REASON_NEEDED', say({ decision: 'deny', reasons: ['MADE_UP'] }));
  await refused('REVIEW_REASON_NEEDED', say({ decision: 'accept', reasons: ['UNDERAGE'] }));
  await refused('REVIEW_CASE_CHANGED', say(accept, 'Because', found.version - 1));
  const nobody = { ...seen(found), id: newUuid() };
  await refused('REVIEW_CASE_NOT_FOUND', decide(services(), anna as Reviewer, nobody, accept, 'x'));
  const stranger = { operatorId: newUuid(), workspaces: [bench.other.workspace] };
  await refused('REVIEW_CASE_NOT_FOUND', decide(services(), stranger, seen(found), accept, 'x'));
  const { workspace, account } = found;
  const again = check(services(), stranger, workspace, account, 'x');
  await refused('REVIEW_CASE_NOT_FOUND', again);
  assert.deepEqual(await written(), before);
  const { version } = await decide(services(), anna as Reviewer, seen(found), accept, 'Fine');
  await refused('REVIEW_NOT_WAITING', say(accept, 'Because', version));
});

test('nobody decides about an account of their own: nothing is stored', async () => {
  const found = await waiting();
  const { workspace, account } = found;
  const { operatorId } = eve as Reviewer;
  const name = (of: string, operator: string): Promise<void> =>
    nameOwnAccount(services(), anna as Reviewer, workspace, of, operator);
  await refused('REVIEW_CASE_NOT_FOUND', name(newUuid(), operatorId));
  await refused('REVIEW_CASE_NOT_FOUND', name(account, 'eve'));
  await name(account, operatorId);
  const before = await written();
  await name(account, operatorId);
  assert.deepEqual(await written(), before, 'once is enough');
  await refused('REVIEW_OWN_CASE', decide(services(), eve as Reviewer, seen(found), accept, 'Me'));
  await refused('REVIEW_OWN_CASE', check(services(), eve as Reviewer, workspace, account, 'Me'));
  const request = { workspace, account, subjectId: account, version: found.version, others: [] };
  const opening = { ...request, documents: [], reason: 'review', note: 'Me' } as const;
  await refused('REVIEW_OWN_CASE', openCase(services(), eve as Reviewer, opening));
  assert.deepEqual(await written(), before);
  await decide(services(), anna as Reviewer, seen(found), accept, 'Not mine');
  await bench.proved();
});

test('above a limit a second operator confirms; a change of the case ends it', async () => {
  const found = await waiting();
  await bench.db.execute({
    text: `insert into match_check (workspace, id, application_id, account_id, matched_account_id,
      matched_application_id, score) values ($1, $2, $3, $4, $5, $6, 9500)`,
    values: [found.workspace, newUuid(), found.application, found.account, newUuid(), newUuid()],
  });
  const first = await decide(services(), anna as Reviewer, seen(found), accept, 'One person');
  assert.deepEqual(first, { proposed: true, version: found.version });
  assert.equal((await now(found)).state, 'MANUAL_REVIEW');
  const deny = { decision: 'deny', reasons: ['NOT_VERIFIED'] } as const;
  await refused('REVIEW_PROPOSED', decide(services(), ben as Reviewer, seen(found), deny, 'No'));
  const before = await written();
  const mine = second(services(), anna as Reviewer, seen(found), true, 'Me again');
  await refused('REVIEW_SAME_PERSON', mine);
  assert.deepEqual(await written(), before);
  await second(services(), ben as Reviewer, seen(found), false, 'I do not think so');
  await refused(
    'REVIEW_PROPOSAL_ENDED',
    second(services(), ben as Reviewer, seen(found), true, 'Now I do'),
  );
  await decide(services(), ben as Reviewer, seen(found), deny, 'Rather no');
  const last = await second(services(), anna as Reviewer, seen(found), true, 'Right');
  assert.equal(last.proposed, false);
  assert.equal((await now(found)).state, 'DENY');
  const other = await waiting();
  await bench.db.execute({
    text: `update kyc_application set rules = '["watch_list:1"]' where id = $1`,
    values: [other.application],
  });
  await decide(services(), anna as Reviewer, seen(other), accept, 'Not the same person');
  const ask = { decision: 'ask', reasons: ['NAME_DIFFERS'] } as const;
  const asked = await decide(services(), ben as Reviewer, seen(other), ask, 'Ask first');
  await refused(
    'REVIEW_PROPOSAL_ENDED',
    second(services(), ben as Reviewer, { ...seen(other), version: asked.version }, true, 'Ok'),
  );
  await bench.proved();
});

test('whoever made the other, or reset their access, is no second pair of eyes', async () => {
  const [annaId, benId] = [anna, ben].map((one) => (one as Reviewer).operatorId);
  const found = await waiting();
  await bench.db.execute({
    text: `insert into match_check (workspace, id, application_id, account_id, matched_account_id,
      matched_application_id, score) values ($1, $2, $3, $4, $5, $6, 9500)`,
    values: [found.workspace, newUuid(), found.application, found.account, newUuid(), newUuid()],
  });
  await decide(services(), anna as Reviewer, seen(found), accept, 'One person');
  for (const column of ['made_by', 'reset_by']) {
    for (const values of [
      [annaId, benId],
      [benId, annaId],
    ]) {
      const set = `update operator set ${column} =`;
      await bench.db.execute({ text: `${set} $2 where id = $1`, values });
      const word = second(services(), ben as Reviewer, seen(found), true, 'Ben');
      await refused('REVIEW_NOT_INDEPENDENT', word);
      await bench.db.execute({ text: `${set} null where id = $1`, values: values.slice(0, 1) });
    }
  }
  await second(services(), ben as Reviewer, seen(found), true, 'Ben');
  assert.equal((await now(found)).state, 'ACCEPT');
  await bench.proved();
});

test('an accepted person is verified again, and only an accepted one', async () => {
  const found = await waiting();
  const { workspace, account } = found;
  await refused(
    'KYC_NOT_ACCEPTED',
    check(services(), anna as Reviewer, workspace, account, 'Again'),
  );
  await decide(services(), anna as Reviewer, seen(found), accept, 'Fine');
  await check(services(), anna as Reviewer, workspace, account, 'A new document is needed');
  const after = await now(found);
  assert.deepEqual([after.state, after.latest], ['REVERIFY', false]);
  await bench.proved();
});

test('a business is grave from the moment on in which one of its people is watched', async () => {
  const account = await bench.newAccount();
  const body = {
    entity_name: 'Specimen-Review',
    entity_type: 'trust',
    tax_id: '98-7654321',
    agents: [{ agent_name: 'One', roles: ['control_prong'] }],
    documents: [PICTURE],
  };
  const request = { params: { account_id: account }, body };
  const { entity_id } = await bench.must<{ entity_id: string }>('onboardEntity', request);
  const entity = uuidOfWireId('ent', entity_id) ?? '';
  const people = await bench.db.query<{ id: string }>({
    text: 'select person_id as id from entity_agent where entity_id = $1',
    values: [entity],
  });
  for (const { id: person } of people) {
    const params = { account_id: accountId(person) };
    await bench.must('setAccountKYCState', { params, body: { state: 'ACCEPT' } });
  }
  await bench.must('submitEntityForm', { caller: bench.caller(bench.home, 'session', account) });
  // The business has not seen it yet.
  await bench.db.execute({
    text: `update kyc_application set rules = '["watch_list:1"]' where account_id = any($1)`,
    values: [people.map(({ id: person }) => person)],
  });
  const [row] = await bench.db.query<{ version: number; rules: string }>({
    text: 'select version, rules from entity where id = $1',
    values: [entity],
  });
  assert.match(row?.rules ?? '', /watch_list:0/);
  const about = { workspace: bench.home.workspace, subject: 'business', id: entity } as const;
  const named = { ...about, version: row?.version ?? 0 };
  const said = await decide(services(), anna as Reviewer, named, accept, 'Papers are well.');
  assert.equal(said.proposed, true);
});

test('the queue has what waits, who took it, and pages; the search counts', async () => {
  const { db } = bench;
  const found = await waiting(['DOCUMENT_EXPIRED']);
  const { workspace } = found;
  const all = await personQueue(services(), anna as Reviewer, { workspace, limit: 100, offset: 0 });
  assert.equal(all.count, all.rows.length);
  const row = all.rows.find(({ application }) => application === found.application);
  assert.deepEqual([row?.reasons, row?.taken_by], [['DOCUMENT_EXPIRED'], null]);
  assert.deepEqual([row?.country, row?.level], ['US', 'BASIC']);
  assert.ok(row !== undefined && row.age >= 0 && row.age < 60);
  assert.equal(await claimCase(db, anna as Reviewer, workspace, found.account), true);
  assert.equal(await claimCase(db, ben as Reviewer, workspace, found.account), false);
  const mine = { workspace, limit: 10, offset: 0, taken: 'mine', waits: 'person' } as const;
  assert.equal((await personQueue(services(), anna as Reviewer, mine)).count, 1);
  assert.equal((await personQueue(services(), ben as Reviewer, mine)).count, 0);
  const strange = { operatorId: newUuid(), workspaces: [bench.other.workspace] };
  assert.equal((await personQueue(services(), strange, { limit: 10, offset: 0 })).count, 0);
  const page = await searchApplications(db, anna as Reviewer, {
    ...{ workspace, state: 'MANUAL_REVIEW', initiator: 'user', limit: 1, offset: 0 },
    from: '2020-01-01T00:00:00.000000Z',
  });
  assert.equal(page.applications.length, 1);
  assert.ok(page.record_count >= all.count);
  const one = { account: found.account, limit: 10, offset: 0 };
  assert.equal((await searchApplications(db, anna as Reviewer, one)).record_count, 1);
  assert.equal((await searchApplications(db, strange, one)).record_count, 0);
});

test('data opens for a reason that is logged, documents once, and notes with it', async () => {
  const { db, keys, random } = services();
  const found = await waiting();
  const { workspace, account, version, documents } = found;
  const stated = await openStated(bench.services, found);
  const birth_year = stated?.date_of_birth.slice(0, 4);
  assert.deepEqual(masked(stated), { initials: 'Z. O.', birth_year, country: 'US' });
  const front = documents.front ?? '';
  const request = {
    workspace,
    account,
    subjectId: account,
    version,
    others: [],
    documents: [front],
  };
  const tokens = await openCase({ db, keys, random }, anna as Reviewer, {
    ...request,
    reason: 'review',
    note: 'Looking at Zoë, paid by 4111 1111 1111 1111',
  });
  const token = tokens.get(front) ?? '';
  const show = (who: Reviewer, document = front) =>
    viewDocument({ db, keys, random }, who, document, token);
  await refused('REVIEW_VIEW_ENDED', show(ben as Reviewer));
  await refused('REVIEW_VIEW_ENDED', show(anna as Reviewer, documents.back));
  assert.equal((await show(anna as Reviewer)).bytes.toString(), 'clean picture');
  await refused('REVIEW_VIEW_ENDED', show(anna as Reviewer));
  const entries = await db.query<{ act: string; detail: string }>({
    text: `select act, detail from audit_entry where workspace = $1 and subject = $2 order by at`,
    values: [workspace, account],
  });
  assert.deepEqual(
    entries.map(({ act }) => act),
    ['person_opened', 'person_opened'],
  );
  assert.equal(
    entries.some(({ detail }) => detail.includes('Zoë')),
    false,
  );
  const notes = await openNotes(bench.services, workspace, account);
  const kept = ['open', 'Looking at Zoë, paid by [card number]'];
  assert.deepEqual(
    notes.map(({ act, text }) => [act, text]),
    [kept],
  );
});
