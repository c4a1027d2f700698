// The queue of request notes: bounded, written in batches, drops notes before it delays answers,
// and notes only changes and refusals.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Queryable, Statement } from '../../../db/index.ts';
import { ClientGone } from '../../../http/body.ts';
import type { RequestContext } from '../../../http/request-context.ts';
import { RequestNotes } from '../../../http/notes.ts';
import { JsonText } from '../../../core/json-text.ts';
import { refuse } from '../../../core/refusal.ts';
import { refusals } from './refusals.ts';

const A = '01a1fa75-0000-7000-8000-00000000000a';
const B = '01a1fa75-0000-7000-8000-00000000000b';
const C = '01a1fa75-0000-7000-8000-00000000000c';

/** A request as the pipeline leaves it. */
function call(more: object = {}): RequestContext<unknown> {
  return {
    raw: { headers: {} },
    operation: { id: 'payInvoice', method: 'POST' },
    caller: { workspace: 1, kind: 'client', clientId: 'c', accountId: null },
    response: { statusCode: 200 },
    ...{ rawParams: { invoice_id: A }, body: null, bodyValue: undefined, claim: null },
    answer: { status: 200, payload: new JsonText(`{"invoice_id":"${A}","other_id":"${B}"}`) },
    ...more,
  } as unknown as RequestContext<unknown>;
}

const well = { startedMs: 0, failure: undefined, reference: null };

/** A queue, and the columns of each query that wrote notes. */
function queue(fail = false, kept: 'on' | 'refused' = 'on') {
  const sent: string[][] = [];
  const faults: unknown[] = [];
  const db: Queryable = {
    async query<R>(statement: Statement | string): Promise<R[]> {
      const { values } = statement as Statement;
      if (values !== undefined) sent.push(values as string[]);
      if (fail) throw new Error('the database is gone');
      return [];
    },
  };
  return { notes: new RequestNotes(db, (error) => faults.push(error), kept), sent, faults };
}

test('the address, the answer and the body are named, each id once', async () => {
  const { notes, sent } = queue();
  const body = { account_id: C, invoice_id: A, nested: { method_id: B }, note: B };
  notes.add(call({ body }), well);
  notes.add(call({ body, answer: { status: 200, payload: { id: B } } }), well);
  notes.add(call({ body, answer: null }), well);
  await notes.flush();
  assert.deepEqual(sent.map(([named]) => named), [`{${[A, A, B, C, A, C].join(',')}}`]);
});

test('reads that answered and callers unknown are left out, and no refusal is', async () => {
  const { notes, sent } = queue();
  notes.add(call({ operation: { id: 'getInvoice', method: 'GET' } }), well);
  notes.add(call({ caller: null }), well);
  await notes.flush();
  assert.deepEqual(sent, []);
  notes.add(call({ rawParams: {}, answer: null }), well);
  await notes.flush();
  const [own] = sent.splice(0);
  assert.equal(own?.[0], own?.[3], 'what names nothing is found by its own id');
  const failure = refuse(refusals.RESOURCE_NOT_FOUND);
  notes.add(call({ operation: { id: 'getInvoice', method: 'GET' } }), { ...well, failure });
  await notes.flush();
  assert.match(sent[0]?.[10] ?? '', /\\"code\\":\\"RESOURCE_NOT_FOUND\\"/);
});

test('where only refused calls are kept, no flood of one tenant fills the log', async () => {
  const { notes, sent } = queue(false, 'refused');
  const refused = { ...well, failure: refuse(refusals.RESOURCE_NOT_FOUND) };
  const of = (workspace: number) => call({
    ...{ answer: null, caller: { workspace, kind: 'client', clientId: 'c', accountId: null } },
  });
  notes.add(of(1), well);
  await notes.flush();
  assert.equal(sent.length, 0);
  for (let n = 0; n < 30; n += 1) notes.add(of(1), refused);
  notes.add(of(2), refused);
  await notes.flush();
  notes.add(of(1), refused);
  await notes.flush();
  assert.deepEqual(sent.map(([named = '']) => named.split(',').length), [21, 1]);
});

test('who leaves before the answer is noted with it, who left before asking is not', async () => {
  const { notes, sent } = queue();
  const answer = { status: 201, payload: { id: B } };
  notes.add(call({ answer }), well);
  notes.add(call(), { ...well, failure: new ClientGone() });
  await notes.flush();
  assert.deepEqual(sent.map((columns) => columns[8]), ['{201,201}'], 'two ids of one call');
});

test('many go in few statements, and too many are lost', async () => {
  const { notes, sent } = queue();
  for (let n = 0; n < 12_000; n += 1) notes.add(call(), well);
  await notes.flush();
  const rows = sent.map(([named = '']) => named.split(',').length);
  assert.deepEqual(rows, [2000, 2000, 2000, 2000, 2000]);
});

test('who waits for the notes so far does not wait for those that come meanwhile', async () => {
  let statements = 0;
  const db: Queryable = {
    async query<R>(statement: Statement | string): Promise<R[]> {
      if ((statement as Statement).values === undefined) return [];
      statements += 1;
      if (statements < 50) notes.add(call(), well);
      return [];
    },
  };
  const notes: RequestNotes = new RequestNotes(db, assert.ifError, 'on');
  notes.add(call(), well);
  await notes.flush();
  assert.equal(statements, 1);
});

test('a database that fails costs the notes and nothing else', async () => {
  const { notes, faults } = queue(true);
  notes.add(call(), well);
  await notes.flush();
  await notes.flush();
  assert.equal(faults.length, 1);
});
