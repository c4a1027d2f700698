// Evidence of disputes: collected until the deadline, handed to the processor once, looked up where
// its answer is unknown, and gone with the person. [G-93, M13, PD3]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { uuidOfWireId } from '../../src/core/ids.ts';
import { forgetEvidence } from '../../src/product/money/evidence/index.ts';
import type { Reply } from '../kit/api.ts';
import { proved } from '../kit/books.ts';
import { dataUri, jpeg, png } from '../kit/sample-files.ts';
import { startPlatform } from '../api/kit.ts';
import { pause, type Body } from '../api/market.ts';
import { RefundScene } from '../api/refund-scene.ts';
import type { Event } from '../api/records.ts';

const WAIT_MS = 20_000;
const DAY = 86_400;
const PNG = dataUri('image/png', png(2, 2));

interface Dispute {
  readonly dispute_id: string;
  readonly status: string;
  readonly evidence: readonly {
    readonly evidence_id: string;
    readonly kind: string;
    readonly file_name: string;
    readonly status: string;
    readonly added: string;
  }[];
}

let scene: RefundScene;
before(async () => {
  scene = new RefundScene(await startPlatform());
  await scene.fund(100_000);
});
after(() => scene?.platform.stop());

const read = (id: string): Promise<Dispute> =>
  scene.platform.api.must(200, 'invoicing', 'GET', `/v1/disputes/${id}`);
const send = (id: string, what: string, body?: Body, more: object = {}): Promise<Reply> =>
  scene.platform.api.send('invoicing', 'POST', `/v1/disputes/${id}/${what}`, {
    ...more,
    ...(body && { body }),
  });
const add = (id: string, body: Body): Promise<Reply> => send(id, 'evidence', body);
const said = (id: string, text: string): Promise<Reply> => add(id, { kind: 'other', text });

async function until(id: string, status: string): Promise<Dispute> {
  for (const end = Date.now() + WAIT_MS; ; await pause()) {
    const dispute = await read(id);
    if (dispute.status === status) return dispute;
    assert.ok(Date.now() < end, `${id} is ${dispute.status}, not ${status}`);
  }
}

/** A new dispute of a new sale by card; gives its id. */
async function disputed(): Promise<string> {
  const { api } = scene.platform;
  const { invoice_id: id } = await scene.sold([500], [{ payment_method_id: await scene.card() }]);
  const body = { event: 'chargeback', id };
  await api.must(201, 'invoicing', 'POST', '/sandbox/outside_events', { body });
  for (const end = Date.now() + WAIT_MS; ; await pause()) {
    const query = `/v1/disputes?invoice_id=${id}`;
    type Page = { disputes: readonly Dispute[] };
    const { disputes } = await api.must<Page>(200, 'invoicing', 'GET', query);
    if (disputes[0] !== undefined) return disputes[0].dispute_id;
    assert.ok(Date.now() < end, 'a dispute');
  }
}

/** Makes delayed events of the bank happen now. */
const laterComes = (): Promise<number> =>
  scene.platform.db.execute('update processor_due set due = clock_timestamp()');

/** How the next call about an answer goes. */
function script(operation: string, exchange: string): Promise<number> {
  return scene.platform.db.execute({
    text: `insert into processor_script (workspace, operation, exchange, remaining)
      select min(workspace), $1, $2, 1 from workspace`,
    values: [operation, exchange],
  });
}

/** The state of the answers of a dispute, and how often the processor was called about them. */
async function answers(id: string): Promise<string[]> {
  const rows = await scene.platform.db.query<{ said: string }>({
    text: `select a.state || ' ' || (select string_agg(x.operation || x.times, ' '
          order by x.first_at) from processor_exchange x where x.key = a.id::text) as said
      from dispute_answer a where a.dispute_id = $1 order by a.created`,
    values: [id],
  });
  return rows.map((row) => row.said);
}

test('evidence is collected, submitted once, and wins by its words', async () => {
  const id = await disputed();
  const { platform } = scene;
  const key = { key: 'evidence-1' };
  const first = { kind: 'customer_communication', text: 'Ada wrote: winning_evidence' };
  const made = await send(id, 'evidence', first, key);
  assert.equal(made.status, 201);
  assert.deepEqual((await send(id, 'evidence', first, key)).payload, made.payload);
  const file = await add(id, { kind: 'receipt', file: PNG });
  assert.equal(file.status, 201);
  const shown = (await read(id)).evidence;
  assert.deepEqual(
    shown.map(({ kind, file_name, status }) => [kind, file_name, status]),
    [
      ['customer_communication', '', 'collected'],
      ['receipt', 'receipt.png', 'collected'],
    ],
  );
  const all = await Promise.all([1, 2, 3].map(() => send(id, 'submit')));
  const codes = all.map((reply) => reply.code ?? '').toSorted();
  assert.deepEqual(codes, ['', 'DISPUTE_ALREADY_ANSWERED', 'DISPUTE_ALREADY_ANSWERED']);
  const won = all.find(({ status }) => status === 200)?.payload as Dispute;
  assert.deepEqual(won.evidence.map(({ status }) => status), ['submitted', 'submitted']);
  assert.equal((await until(id, 'under_review')).evidence.length, 2);
  assert.equal((await said(id, 'more')).code, 'DISPUTE_NOT_OPEN');
  assert.deepEqual(await answers(id), ['accepted answer1']);
  await laterComes();
  await until(id, 'won');
  const fits = ({ message }: Event): boolean => message['dispute_id'] === id;
  const told = await scene.market.events(0, 4, fits);
  const names = told.map(({ event_name, message }) => `${event_name} ${message['status']}`);
  assert.deepEqual(names, [
    'dispute-created needs_response',
    'dispute-updated needs_response',
    'dispute-updated under_review',
    'dispute-closed won',
  ]);
  assert.deepEqual((told[0]?.message as unknown as Dispute).evidence, []);
  assert.equal(JSON.stringify(told).includes('Ada'), false);
  const kept = await platform.db.query<{ n: number }>(
    `select count(*)::int as n from dispute_content where position('Ada' in encode(sealed,
      'escape')) > 0`,
  );
  assert.deepEqual(kept, [{ n: 0 }]);
  await proved(platform.db);
});

test('what is no evidence is refused, and nothing of it stays', async () => {
  const id = await disputed();
  const kind = 'receipt';
  const count = async (): Promise<unknown> =>
    scene.platform.db.query('select count(*)::int as n from dispute_content');
  const before = await count();
  const refused: [Body, string][] = [
    [{ kind }, 'MISSING_FIELD'],
    [{ kind, text: ' ' }, 'MISSING_FIELD'],
    [{ kind: 'alibi', text: 'x' }, 'INVALID_FIELD'],
    [{ kind, text: 'x', file: PNG }, 'INVALID_FIELD'],
    [{ kind, text: 'x'.repeat(2_049) }, 'INVALID_FIELD'],
    [{ kind, text: 'card 4242 4242 4242 4242' }, 'CARD_NUMBER_REFUSED'],
    [{ kind, file: dataUri('image/png', jpeg()) }, 'FILE_TYPE_MISMATCH'],
    [{ kind, file: dataUri('text/html', Buffer.from('<html>')) }, 'FILE_TYPE_UNKNOWN'],
    [{ kind, file: 'x'.repeat(4_300_000) }, 'INVALID_FIELD'],
  ];
  for (const [body, code] of refused) assert.equal((await add(id, body)).code, code, code);
  assert.equal((await send(id, 'submit')).code, 'DISPUTE_EVIDENCE_MISSING');
  const nobody = '00000000-0000-4000-8000-000000000000';
  for (const other of [nobody, 'x']) {
    assert.equal((await said(other, 'x')).code, 'DISPUTE_NOT_FOUND');
    assert.equal((await send(other, 'submit')).code, 'DISPUTE_NOT_FOUND');
  }
  assert.deepEqual(await count(), before);
  for (let piece = 0; piece < 20; piece += 1) assert.equal((await said(id, 'x')).status, 201);
  assert.equal((await said(id, 'x')).code, 'DISPUTE_TOO_MUCH_EVIDENCE');
});

test('after the deadline nothing is taken, and who did not answer has lost', async () => {
  const [id, answered] = [await disputed(), await disputed()];
  assert.equal((await said(id, 'x')).status, 201);
  assert.equal((await said(answered, 'x')).status, 201);
  assert.equal((await send(answered, 'submit')).status, 200);
  await until(answered, 'under_review');
  const clock = (seconds: number): Promise<number> =>
    scene.platform.db.execute({
      text: `update workspace set clock_offset = make_interval(secs => $1)
        where workspace = (select min(workspace) from workspace)`,
      values: [seconds],
    });
  await clock(15 * DAY);
  assert.equal((await said(id, 'x')).code, 'DISPUTE_OVERDUE');
  assert.equal((await send(id, 'submit')).code, 'DISPUTE_OVERDUE');
  await clock(0);
  await laterComes();
  await until(id, 'lost');
  assert.equal((await read(answered)).status, 'under_review', 'the bank has its answer');
});

test('an unknown answer is looked up, never sent twice; after a no it is given anew', async () => {
  const [lost, silent, declined] = [await disputed(), await disputed(), await disputed()];
  for (const id of [lost, silent, declined]) assert.equal((await said(id, 'x')).status, 201);
  await script('answer', 'fault_before_effect');
  assert.equal((await send(lost, 'submit')).status, 200);
  await until(lost, 'under_review');
  assert.deepEqual(await answers(lost), ['accepted answer2 look_answer1']);
  await script('answer', 'fault_after_effect');
  assert.equal((await send(silent, 'submit')).status, 200);
  await until(silent, 'under_review');
  for (const end = Date.now() + WAIT_MS; ; await pause()) {
    const [state = ''] = await answers(silent);
    if (state.startsWith('accepted')) break;
    assert.ok(Date.now() < end, state);
  }
  assert.deepEqual(await answers(silent), ['accepted answer1 look_answer1']);
  await script('answer', 'decline_processing_error');
  assert.equal((await send(declined, 'submit')).status, 200);
  for (const end = Date.now() + WAIT_MS; ; await pause()) {
    const { evidence } = await read(declined);
    if (evidence[0]?.status === 'declined') break;
    assert.ok(Date.now() < end, 'the answer is declined');
  }
  assert.equal((await said(declined, 'losing_evidence')).status, 201);
  assert.equal((await send(declined, 'submit')).status, 200);
  const { evidence } = await until(declined, 'under_review');
  assert.deepEqual(evidence.map(({ status }) => status), ['submitted', 'submitted']);
  await laterComes();
  await until(declined, 'lost');
  await proved(scene.platform.db);
});

test('a dispute that ends while its evidence is submitted has one end', async () => {
  for (const end of ['won', 'lost', 'withdrawn']) {
    const id = await disputed();
    assert.equal((await said(id, 'x')).status, 201);
    const body = { event: `dispute_${end}`, id };
    const path = '/sandbox/outside_events';
    const [given, ended] = await Promise.all([
      send(id, 'submit'),
      scene.platform.api.send('invoicing', 'POST', path, { body }),
    ]);
    assert.equal(ended.status, 201);
    assert.ok(given.status === 200 || given.code === 'DISPUTE_NOT_OPEN', given.code ?? '');
    await until(id, end);
  }
  for (const until = Date.now() + WAIT_MS; ; await pause()) {
    const jobs = await scene.platform.db.query('select from dispute_answer_job');
    if (jobs.length === 0) break;
    assert.ok(Date.now() < until, 'no job is left');
  }
  await proved(scene.platform.db);
});

test('what was said about a person is erased with them', async () => {
  const id = await disputed();
  assert.equal((await said(id, 'about the buyer')).status, 201);
  const { account_id } = scene.platform.ready.accounts.buyer;
  const buyer = uuidOfWireId('acct', account_id) ?? '';
  const [{ workspace } = { workspace: 0 }] = await scene.platform.db.query<{ workspace: number }>({
    text: 'select workspace from dispute where id = $1',
    values: [id],
  });
  assert.ok((await forgetEvidence(scene.platform.db, workspace, buyer)) > 0);
  assert.equal((await read(id)).evidence[0]?.status, 'collected');
  assert.equal((await send(id, 'submit')).status, 200);
  for (const end = Date.now() + WAIT_MS; ; await pause()) {
    const { evidence } = await read(id);
    if (evidence[0]?.status === 'declined') break;
    assert.ok(Date.now() < end, 'erased evidence is not sent');
  }
});
