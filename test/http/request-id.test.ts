// Every answer names its request: by the caller's X-Request-Id where that is a UUID, else by one of
// our own. The log line says the same, and the caller's trace.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { RunningHosts } from '../../src/http/hosts.ts';
import { logged, startKit } from './kit.ts';

const ID = '0199b1a2-7c3d-4e5f-8a9b-0c1d2e3f4a5b';
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let hosts: RunningHosts;
before(async () => {
  hosts = await startKit({ metrics: async () => 'holdfast_build_info 1\n' });
});
after(() => hosts.stop());

type Sent = Readonly<Record<string, string>>;

async function idOf(path: string, headers: Sent = {}, method = 'GET'): Promise<string> {
  const answer = await fetch(hosts.urls.invoicing + path, { method, headers });
  await answer.arrayBuffer();
  return answer.headers.get('x-request-id') ?? '';
}

interface Line {
  readonly event: string;
  readonly request_id?: string;
  readonly trace_id?: string;
  readonly reference?: string | null;
}

/** The lines about a request. */
function linesOf(id: string): readonly Line[] {
  const lines = logged.map((line) => JSON.parse(line) as Line);
  return lines.filter((line) => line.request_id === id || line.reference === id);
}

test('an answer names its request, also where it was refused or is unknown', async () => {
  const good = { authorization: 'Bearer good' };
  for (const [path, headers] of [
    [`/v1/thing/${ID}`, good],
    [`/v1/thing/${ID}`, {}],
    ['/v1/nothing', {}],
  ] as const) {
    const [one, other] = [await idOf(path, headers), await idOf(path, headers)];
    assert.match(one, UUID, path);
    assert.notEqual(one, other);
    assert.equal(linesOf(one).length, 1);
    assert.equal(linesOf(one)[0]?.trace_id, one.replaceAll('-', ''));
  }
});

test("the caller's id is taken, with or without hyphens", async () => {
  for (const id of [ID, ID.replaceAll('-', ''), ID.toUpperCase()]) {
    assert.equal(await idOf('/v1/nothing', { 'x-request-id': id }), ID);
  }
});

test('what is no UUID is not taken: it could say something about a person', async () => {
  for (const id of ['jane.doe@example.org', '', `${ID}0`, `${ID}, ${ID}`]) {
    const made = await idOf('/v1/nothing', { 'x-request-id': id });
    assert.match(made, UUID);
    assert.notEqual(made, ID);
  }
  assert.doesNotMatch(logged.join('\n'), /jane/);
});

test('a valid traceparent names the trace of the line; an invalid one is as none', async () => {
  const parent = `00-${TRACE}-00f067aa0ba902b7-01`;
  const id = await idOf('/v1/nothing', { traceparent: parent });
  assert.equal(linesOf(id)[0]?.trace_id, TRACE);
  for (const wrong of [
    `00-${TRACE}-00f067aa0ba902b7`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `ff-${TRACE}-00f067aa0ba902b7-01`,
    `00-${TRACE.toUpperCase()}-00f067aa0ba902b7-01`,
    `${parent}-more`,
  ]) {
    const other = await idOf('/v1/nothing', { traceparent: wrong });
    assert.equal(linesOf(other)[0]?.trace_id, other.replaceAll('-', ''), wrong);
  }
});

test('the reference of a fault is the id of its request', async () => {
  const answer = await fetch(`${hosts.urls.invoicing}/v1/break`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-request-id': ID },
    body: '{"secret":"s"}',
  });
  const { payload } = (await answer.json()) as { payload: { reference: string } };
  assert.equal(payload.reference, ID);
  assert.deepEqual(linesOf(ID).filter(({ event }) => event === 'fault').length, 1);
});

test('the figures are on the internal host alone', async () => {
  const answer = await fetch(`${hosts.urls.internal}/metrics`);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  assert.equal(await answer.text(), 'holdfast_build_info 1\n');
  assert.equal((await fetch(`${hosts.urls.invoicing}/metrics`)).status, 404);
});
