// Screening from the list to the decision: applications, accepted persons after a new version, runs
// that stop and go on, files that are refused whole, and what nobody is told. [G-51]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accountId, newUuid, uuidOfWireId } from '../../../core/ids.ts';
import { Refusal } from '../../../core/refusal.ts';
import { openBench, type Bench } from '../../../../test/kit/domain-bench.ts';
import { decided, identityBench, PICTURE, submission } from '../../../../test/kit/identity.ts';
import type { CheckOutcome } from '../../../providers/identity/port.ts';
import { entityById, screenAgain } from '../business/index.ts';
import { settleCheck } from '../identity/index.ts';
import { erasePerson } from '../retention/index.ts';
import { recordHits } from '../identity/screen.ts';
import {
  claimRun,
  dropList,
  findOrganizations,
  importList,
  screeningStatus,
} from '../screening/index.ts';
import { caseOf, decide, hitQueue, hitsSeen, second, type Reviewer } from './index.ts';

let bench: Bench;
let id: Awaited<ReturnType<typeof identityBench>>;
const [anna, ben]: Reviewer[] = [newUuid(), newUuid()].map((operatorId) => ({
  operatorId,
  workspaces: 'all',
})) as never;

before(async () => {
  bench = await openBench();
  id = await identityBench(bench);
  for (const { operatorId } of [anna, ben] as Reviewer[]) {
    await bench.db.execute({
      text: `insert into operator (id, username_key, wrapped_key, sealed_name, sealed_username,
          sealed_totp, password_hash, password_initial, roles)
        values ($1, $2, 'k', 's', 's', 's', 'h', false, '{reviewer}')`,
      values: [operatorId, operatorId],
    });
  }
});
after(() => bench.close());

const HEADER = 'id,schema,name,aliases,birth_date,countries,sanctions';

/** A list with these rows, and some that name nobody here. */
function listOf(...rows: string[]): string {
  const others = Array.from({ length: 40 }, (_, at) => {
    return `Z${at},Person,Nobody${at} Elsewhere${at},,1950,xx,`;
  });
  return [HEADER, ...rows, ...others, ''].join('\n');
}

function take(text: string, more: object = {}) {
  async function* pieces(): AsyncGenerator<string> {
    for (let at = 0; at < text.length; at += 37) yield text.slice(at, at + 37);
  }
  return importList(bench.db, { list: 'test', pieces: pieces(), shrinks: false, ...more });
}

/** Screens until nothing is due; gives how many batches that took. */
async function screened(): Promise<number> {
  let batches = 0;
  while ((await screenAgain(bench.services)) > 0) batches += 1;
  return batches;
}

/** A person of that name, decided by the vendor. */
async function person(
  first: string,
  last: string,
  date_of_birth = '1970-05-06',
  says: CheckOutcome = decided('accepted'),
) {
  const account = await bench.newAccount();
  id.vendor.says = says;
  const zip = `9${String(Math.random()).slice(2, 6)}`;
  const street = `${zip} ${last} Way`;
  const body = submission({ first, last, date_of_birth, street, zip, city: `${last}ville` });
  const made = await bench.must<{ kyc_id: string }>('submitKYC', {
    body,
    caller: id.caller(account),
  });
  await id.ask();
  return { account, application: uuidOfWireId('kyc', made.kyc_id) ?? '', kyc: made.kyc_id };
}
type Person = Awaited<ReturnType<typeof person>>;

interface Told {
  readonly state: string;
  readonly rules_bitch: readonly string[];
}

function read({ account, kyc }: Person): Promise<Told> {
  const query = { kyc_id: kyc };
  return bench.must('getKYCApplication', { query, caller: id.caller(account) });
}

const hits = ({ application }: Pick<Person, 'application'>) =>
  hitsSeen(bench.db, anna as Reviewer, application);
const version = async ({ application }: Person): Promise<number> =>
  (await caseOf(bench.db, anna as Reviewer, application))?.version ?? 0;

async function refused(code: string, work: Promise<unknown>): Promise<void> {
  await assert.rejects(work, (error) => error instanceof Refusal && error.spec.code === code);
}

const IVAN = 'Q1,Person,Иван Гладков,Ivan Gladkov;Gladkov Ivan,1970-05-06,ru,OFAC';
const ROSE = 'Q2,Person,Rosalind Thackeray,,1970,gb,UK';

test('a listed applicant is reviewed by two operators and told nothing of a list', async () => {
  assert.deepEqual(await take(listOf(IVAN)), {
    ...{ list: 'test', version: 1, entries: 41, added: 41, changed: 0, removed: 0 },
  });
  await screened();
  const ivan = await person('Ivan', 'Gladkov');
  const told = await read(ivan);
  assert.equal(told.state, 'MANUAL_REVIEW');
  assert.doesNotMatch(JSON.stringify(told), /watch|list|Gladkov|OFAC/);
  const [hit, ...more] = await hits(ivan);
  assert.deepEqual(more, []);
  assert.deepEqual(
    [hit?.list, hit?.list_version, hit?.listed?.id, hit?.score, hit?.state],
    ['test', 1, 'Q1', 9700, 'open'],
  );
  const announced = await bench.db.query<{ message: string }>({
    text: `select message::text as message from outbox where resource_id = $1
      union all select body::text from event where resource_id = $1`,
    values: [uuidOfWireId('acct', ivan.account)],
  });
  assert.ok(announced.length > 0);
  assert.doesNotMatch(JSON.stringify(announced), /watch|OFAC|Q1/);
  const { workspace } = bench.home;
  const account = uuidOfWireId('acct', ivan.account) ?? '';
  const about = { workspace, subject: 'person', id: account } as const;
  const seen = { ...about, version: await version(ivan) };
  const accept = { decision: 'accept', reasons: [] } as const;
  const first = await decide(bench.services, anna as Reviewer, seen, accept, 'Other passport');
  assert.equal(first.proposed, true);
  await second(bench.services, ben as Reviewer, seen, true, 'So I see');
  assert.equal((await read(ivan)).state, 'ACCEPT');
  assert.deepEqual((await hits(ivan)).map(({ state }) => state), ['dismissed']);
  await bench.proved();
});

test('an accepted person stays accepted until two operators decide', async () => {
  const rose = await person('Rosalind', 'Thackeray');
  const other = await person('Rosalind', 'Thackeray', '1999-05-06');
  assert.equal((await read(rose)).state, 'ACCEPT');
  const events = async (): Promise<number> => {
    const text = `select (select count(*) from outbox) + (select count(*) from event) as n`;
    return Number((await bench.db.query<{ n: bigint }>(text))[0]?.n);
  };
  const before = await events();
  const took = await take(listOf(IVAN, ROSE));
  assert.deepEqual([took.version, took.added, took.changed], [2, 1, 0]);
  await screened();
  assert.equal((await read(rose)).state, 'ACCEPT');
  assert.equal(await events(), before, 'nobody is told');
  assert.deepEqual(await hits(other), [], 'another birth date');
  const [hit] = await hitQueue(bench.db, anna as Reviewer);
  assert.equal(hit?.subject, rose.application);
  assert.equal((await hitQueue(bench.db, { operatorId: newUuid(), workspaces: [] })).length, 0);
  const { workspace } = bench.home;
  const seen = { workspace, subject: 'hit', id: hit?.id ?? '', version: 1 } as const;
  const deny = { decision: 'deny', reasons: [] } as const;
  const reasoned = { decision: 'deny', reasons: ['NAME_DIFFERS'] } as const;
  const by = [bench.services, anna as Reviewer, seen] as const;
  await refused('REVIEW_REASON_NEEDED', decide(...by, reasoned, 'No reason is told'));
  const ask = { decision: 'ask', reasons: [] } as const;
  await refused('REVIEW_DECISION_UNSUITABLE', decide(...by, ask, 'Nothing is asked'));
  assert.equal((await decide(...by, deny, 'The same')).proposed, true);
  await refused('REVIEW_SAME_PERSON', second(...by, true, 'Me again'));
  await second(bench.services, ben as Reviewer, seen, true, 'Yes');
  assert.deepEqual((await hits(rose)).map(({ state }) => state), ['upheld']);
  const { state } = await bench.must<{ state: string }>('getKYCStatus', {
    params: { account_id: rose.account },
  });
  assert.equal(state, 'REVERIFY');
  await bench.proved();
});

test('only what is new or changed is found again', async () => {
  await take(listOf(IVAN, ROSE));
  assert.equal(await screened(), 0, 'nothing is new, so nobody is screened');
  const joan = await person('Joan', 'Aldous');
  await take(listOf(IVAN, ROSE, 'Q3,Person,Joan Aldous,,,us,'));
  await screened();
  assert.equal((await hits(joan)).length, 1);
  const [found] = await hits(joan);
  const { workspace } = bench.home;
  const seen = { workspace, subject: 'hit', id: found?.id ?? '', version: 1 } as const;
  const accept = { decision: 'accept', reasons: [] } as const;
  await decide(bench.services, anna as Reviewer, seen, accept, 'Another');
  await second(bench.services, ben as Reviewer, seen, true, 'Another');
  assert.equal((await read(joan)).state, 'ACCEPT');
  await take(listOf(IVAN, ROSE, 'Q3,Person,Joan Aldous,,,us,', 'Q4,Person,Ann Else,,,,'));
  await screened();
  assert.deepEqual((await hits(joan)).map(({ state }) => state), ['dismissed']);
  await take(listOf(IVAN, ROSE, 'Q3,Person,Joan Aldous,,1970-05-06,us,', 'Q4,Person,Ann Else,,,,'));
  await screened();
  assert.deepEqual((await hits(joan)).map(({ state }) => state), ['open', 'dismissed']);
  await bench.proved();
});

test('a run that stops goes on from its cursor, and a batch done twice adds nothing', async () => {
  const people = [await person('Mona', 'Quill'), await person('Mona', 'Quill')];
  const took = await take(listOf(IVAN, ROSE, 'Q5,Person,Mona Quill,,1970,,'));
  const dead = await claimRun(bench.db);
  assert.equal(dead?.workspace, bench.home.workspace);
  assert.equal((await claimRun(bench.db))?.workspace, bench.other.workspace);
  assert.equal(await screened(), 0, 'both are leased');
  const [one] = people;
  const found = {
    ...{ list: 'test', entry: 'Q5', list_version: took.version, score: 9700, listed: '{}' },
  };
  const input = {
    account: uuidOfWireId('acct', one?.account ?? '') ?? '',
    application: one?.application ?? '',
    hits: [found],
  };
  const by = { workspace: bench.home.workspace, actor: 'system' };
  const { payload } = await bench.services.engine.run(recordHits, input, by);
  assert.deepEqual(payload, { added: 1 });
  await bench.db.execute(`update screening_run set leased_until = now() - interval '1 s'`);
  await screened();
  for (const who of people) assert.equal((await hits(who)).length, 1);
  const { runs, lists } = await screeningStatus(bench.db);
  assert.ok(runs.every(({ ended }) => ended));
  assert.equal(lists[0]?.version, took.version);
  await bench.proved();
});

test('a list that comes between comparison and answer of a check misses nobody', async () => {
  const waits = { state: 'waiting', reference: 'w' } as const;
  const vera = await person('Vera', 'Quillon', undefined, waits);
  await take(listOf(IVAN, ROSE, 'Q9,Person,Vera Quillon,,1970,,'), { shrinks: true });
  await screened();
  assert.equal((await read(vera)).state, 'PROCESSING');
  const [check] = await bench.db.query<{ id: string }>({
    text: 'select id from identity_check where application_id = $1',
    values: [vera.application],
  });
  // Compared before the list, and answered after everybody was screened.
  const late = { checkId: check?.id ?? '', outcome: decided('accepted'), hits: [] };
  const by = { workspace: bench.home.workspace, actor: 'vendor' };
  await bench.services.engine.run(settleCheck, late, by);
  assert.equal((await read(vera)).state, 'MANUAL_REVIEW');
  assert.deepEqual((await hits(vera)).map(({ state }) => state), ['open']);
  await bench.proved();
});

async function erased(account: string): Promise<void> {
  const { workspace } = bench.home;
  const request = { workspace, account, reason: 'subject_request', actor: 'operator' };
  await erasePerson(bench.services, request);
}

/** A business whose people are accepted, waiting for operators; gives its id. */
async function businessOf(entity_name: string): Promise<string> {
  const account = await bench.newAccount();
  const agents = [{ agent_name: 'One', roles: ['control_prong'] }];
  const stated = { entity_name, entity_type: 'trust', tax_id: '98-7654321' };
  const body = { ...stated, agents, documents: [PICTURE] };
  const request = { params: { account_id: account }, body };
  const { entity_id } = await bench.must<{ entity_id: string }>('onboardEntity', request);
  const entity = uuidOfWireId('ent', entity_id) ?? '';
  const people = await bench.db.query<{ id: string }>({
    text: 'select person_id as id from entity_agent where entity_id = $1',
    values: [entity],
  });
  for (const { id: agent } of people) {
    const params = { account_id: accountId(agent) };
    await bench.must('setAccountKYCState', { params, body: { state: 'ACCEPT' } });
  }
  await bench.must('submitEntityForm', { caller: bench.caller(bench.home, 'session', account) });
  return entity;
}

const entityNow = (entity: string) => entityById(bench.db, bench.home.workspace, entity);

async function seenNow(id: string) {
  const version = (await entityNow(id))?.version ?? 0;
  return { workspace: bench.home.workspace, subject: 'business', id, version } as const;
}

/** Proposes to accept a business; true where one operator is enough. */
async function accepted(entity: string): Promise<boolean> {
  const seen = await seenNow(entity);
  const accept = { decision: 'accept', reasons: [] } as const;
  return !(await decide(bench.services, anna as Reviewer, seen, accept, 'Papers')).proposed;
}

test('a business that is listed by its own name takes two operators', async () => {
  const rows = [
    'Q20,Company,Specimen Review Shipping Ltd.,,,us,OFAC',
    'Q21,Person,Specimen Review Bakery,,,,',
    'Q22,Organization,Zarya,,,,',
  ];
  await take(listOf(IVAN, ROSE, ...rows), { shrinks: true });
  await screened();
  assert.equal(await accepted(await businessOf('Specimen-Review Shipping GmbH')), false);
  assert.equal(await accepted(await businessOf('Specimen-Review Bakery')), true, 'a person');
  const found = async (name: string): Promise<string[]> =>
    (await findOrganizations(bench.db, name, '')).map(({ entry }) => entry);
  assert.deepEqual(await found('ZARYA, LLC'), ['Q22'], 'one word without its legal form');
  assert.deepEqual(await found('Zarya Bakery'), []);
  assert.deepEqual(await hits(await person('Zarya', 'Shipping')), []);
  await bench.proved();
});

test('businesses are screened again, by a run that stops and goes on', async () => {
  const foundry = 'Q30,Company,Specimen Review Foundry Ltd.,,,us';
  const one = await businessOf('Specimen-Review Foundry');
  const other = await businessOf('Specimen-Review Foundry GmbH');
  assert.equal(await accepted(one), true);
  await take(listOf(IVAN, ROSE, `${foundry},EU`), { shrinks: true });
  await screened();
  const found = (application: string) => hits({ application });
  const states = async (of: string) => (await found(of)).map(({ state }) => state).toSorted();
  // As a process leaves it that stops between the hits and the cursor.
  await bench.db.execute('update screening_run set base = target - 1, cursor = null, ended = null');
  await screened();
  assert.deepEqual([await states(one), await states(other)], [['open'], ['open']]);
  const queued = (await hitQueue(bench.db, anna as Reviewer)).filter(({ business }) => business);
  assert.deepEqual(queued.map(({ subject }) => subject), [one], 'the other is decided as a case');
  const { workspace } = bench.home;
  assert.equal(await accepted(other), false);
  await second(bench.services, ben as Reviewer, await seenNow(other), true, 'Another');
  assert.deepEqual(await states(other), ['dismissed'], 'decided with the business');
  await take(listOf(IVAN, ROSE, `${foundry},OFAC`), { shrinks: true });
  await screened();
  assert.deepEqual(await states(one), ['open', 'open'], 'the list says something else');
  assert.deepEqual(await states(other), ['dismissed', 'open']);
  await take(listOf(IVAN, ROSE), { shrinks: true });
  await screened();
  for (const [entity, decision, state, ends] of [
    [one, 'deny', 'INACTIVE', ['upheld', 'upheld']],
    [other, 'accept', 'ACCEPT', ['dismissed', 'dismissed']],
  ] as const) {
    const id = (await found(entity)).find(({ state }) => state === 'open')?.id ?? '';
    const seen = { workspace, subject: 'hit', id, version: 1 } as const;
    const verdict = { decision, reasons: [] };
    await decide(bench.services, anna as Reviewer, seen, verdict, 'One is not enough');
    assert.equal((await entityNow(entity))?.state, 'ACCEPT');
    await second(bench.services, ben as Reviewer, seen, true, 'Yes');
    assert.deepEqual([(await entityNow(entity))?.state, await states(entity)], [state, ends]);
  }
  await erased((await entityNow(one))?.account_id ?? '');
  assert.deepEqual((await found(one)).map(({ listed }) => listed), [null, null]);
  await bench.proved();
});

test('a person who is erased takes what the list said along', async () => {
  const lena = await person('Ivan', 'Gladkov');
  assert.equal((await hits(lena)).length, 1);
  const account = uuidOfWireId('acct', lena.account) ?? '';
  assert.equal(accountId(account), lena.account);
  await erased(account);
  assert.deepEqual((await hits(lena)).map(({ listed }) => listed), [null]);
  await bench.proved();
});

test('a dropped list finds nobody any more, and its open hits end for all to see', async () => {
  const uma = await person('Uma', 'Tarkin');
  await take(listOf(IVAN, ROSE, 'Q6,Person,Uma Tarkin,,1970,,'), { shrinks: true });
  await screened();
  assert.deepEqual((await hits(uma)).map(({ state }) => state), ['open']);
  const { length: waiting } = await bench.db.query(
    "select from screening_hit where state = 'open' and list = 'test'",
  );
  const gone = await dropList(bench.services, 'test', 'operator');
  assert.deepEqual([gone?.entries, gone?.hits], [43, waiting]);
  assert.deepEqual((await hits(uma)).map(({ state }) => state), ['dropped']);
  assert.equal((await read(uma)).state, 'ACCEPT');
  assert.deepEqual(await hitQueue(bench.db, anna as Reviewer), []);
  assert.deepEqual((await screeningStatus(bench.db)).lists, []);
  assert.deepEqual(await hits(await person('Ivan', 'Gladkov')), []);
  await bench.proved();
  const again = await dropList(bench.services, 'test', 'operator');
  assert.deepEqual([again?.entries, again?.hits], [0, 0]);
  assert.equal(await dropList(bench.services, 'unknown', 'operator'), null);
  const audited = await bench.db.query(`select from audit_entry where act = 'watch_list_dropped'`);
  assert.equal(audited.length, 1);
  await take(listOf('Q6,Person,Uma Tarkin,,1970,,'));
  await screened();
  assert.deepEqual((await hits(uma)).map(({ state }) => state).toSorted(), ['dropped', 'open']);
});
