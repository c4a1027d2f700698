// The hosts by name: their order is that of the ready line and of the default ports. [G-02, G-03]
// And what an operation is where its declaration leaves something out.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { defineOperation, HOST_NAMES } from './operation.ts';
import { defineRefusals, no } from './refusal.ts';
import { strictObject } from './schema.ts';

test('each host keeps its place among the ports', () => {
  const ports = 'pii invoicing payments auth widget hosted console accounts wallets shop processor';
  assert.equal(HOST_NAMES.join(' '), `${ports} internal`);
});

const least = {
  id: 'getThing',
  route: 'GET pii /v1/thing/{thing_id}',
  summary: 'Retrieves a thing.',
  cites: 'test',
  access: 'public',
  answers: { 200: z.string() },
  run: async () => ({ status: 200 }),
} as const;

test('a route gives method, host and path, and what is left out is nothing', () => {
  const { method, host, path, params, query, body, refusals, ...rest } = defineOperation(least);
  assert.deepEqual([method, host, path], ['GET', 'pii', '/v1/thing/{thing_id}']);
  assert.deepEqual([params, query].map((one) => one.safeParse({ a: 1 }).success), [false, false]);
  assert.deepEqual([params.parse({}), query.parse({}), body, refusals], [{}, {}, null, []]);
  const { route, ...same } = least;
  assert.deepEqual({ route, ...rest }, { route, ...same });
});

test('what is declared is kept', () => {
  const schema = strictObject({ a: z.string() });
  const { NO } = defineRefusals({ NO: no(400, 'user', 'test', 'No.') });
  const own = { params: schema, query: schema, body: schema, refusals: [NO] };
  const full = defineOperation({ ...least, ...own });
  const { params, query, body, refusals } = full;
  assert.deepEqual([params, query, body].map((one) => one === schema), [true, true, true]);
  assert.deepEqual(refusals, [NO]);
});
