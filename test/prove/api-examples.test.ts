// The examples in the OpenAPI documents, sent to a platform with real ids: each is accepted and
// answered as described.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startPlatform, type Platform } from '../api/kit.ts';
import { rightBodies } from '../api/right-bodies.ts';
import type { Call } from '../kit/api.ts';
import type { Place } from '../api/answers.ts';

let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform?.stop());

/** Signed webhooks and the simulators' endpoints are tested elsewhere. */
const FOREIGN: ReadonlySet<string> = new Set([
  ...['takeProcessorNotice', 'takeIdentityNotice'],
  ...['takeConnectionNotice', 'takeIdentityConnectionNotice'],
]);
const FORM = 'application/x-www-form-urlencoded';
const NAMES = /(?:^|_)id$|^(?:nonce|resume|access_token|code)$/;

/** An example with the ids and secrets of its body replaced by real ones. */
function about(real: unknown, example: unknown, name = ''): unknown {
  if (typeof example !== 'object' || example === null) {
    return NAMES.test(name) && real !== undefined ? real : example;
  }
  const own = (real ?? {}) as Readonly<Record<string, unknown>>;
  if (Array.isArray(example)) return example.map((one, at) => about(own[at], one, name));
  const fields = Object.entries(example);
  return Object.fromEntries(fields.map(([key, one]) => [key, about(own[key], one, key)]));
}

/** A link that nobody opened, for what opens one. */
async function linkFor(operation: string): Promise<{ readonly nonce?: string | undefined }> {
  if (!/^open\w*Session$/.test(operation)) return {};
  const body = { account_id: platform.ready.accounts.seller2.account_id };
  type Link = { redirect: string };
  const call = { body };
  const link = await platform.api.must<Link>(200, 'auth', 'POST', '/authorize/user', call);
  return { nonce: new URL(link.redirect).pathname.split('/').at(-1) };
}

function own(): Place[] {
  return platform.api.places.filter(
    ({ host, operation }) => host !== 'processor' && !FOREIGN.has(operation.operationId),
  );
}

/** What is wrong with an example; '' where it was taken. */
async function refused(place: Place, path: string, call: Call): Promise<string> {
  const { host, method, operation } = place;
  const reply = await platform.api.send(host, method, path, call);
  const sent = JSON.stringify(call.body ?? call.form);
  const said = `${operation.operationId} ${sent}: ${reply.text.slice(0, 400)}`;
  return reply.status < 300 ? '' : `${said}. Let its schema show another example.`;
}

test('the example of each body is taken', async () => {
  const known = await rightBodies(platform.api);
  const results: string[] = [];
  for (const place of own()) {
    const { operationId: id, requestBody } = place.operation;
    const content = requestBody?.content['application/json'];
    if (content === undefined) continue;
    const [path, right, token] = known[id] ?? [];
    assert.ok(path, `${id} takes a body: test/api/right-bodies.ts needs a right one`);
    const body = { ...(about(right, content.example) as object), ...(await linkFor(id)) };
    const call = { body, ...(token === undefined ? {} : { token }) };
    results.push(await refused(place, path, call));
  }
  assert.ok(results.length > 40, String(results.length));
  assert.deepEqual(results.filter((one) => one !== ''), []);
});

test('the example of each form is taken', async () => {
  const { client_id, client_secret } = platform.ready.client;
  for (const place of own()) {
    const example = place.operation.requestBody?.content[FORM]?.example;
    if (example === undefined) continue;
    const form = { ...(example as Record<string, string>), client_id, client_secret };
    assert.equal(await refused(place, place.path, { form, token: null }), '');
  }
});

test('the examples of each query are taken', async () => {
  const { account_id } = platform.ready.accounts.buyer;
  for (const { host, method, path, operation } of own()) {
    const asked = operation.parameters.filter((one) => one.in === 'query');
    if (asked.length === 0 || operation['x-access']?.['client'] === undefined) continue;
    const query = new URLSearchParams();
    for (const { name, example } of asked) {
      query.set(name, name === 'account_id' ? account_id : String(example));
    }
    const real = path.replace('{account_id}', account_id).replace(/\{[a-z_]+\}/g, 'none');
    const reply = await platform.api.send(host, method, `${real}?${query}`);
    const what = `${operation.operationId} ${query}: ${reply.text.slice(0, 400)}`;
    assert.ok(reply.status < 300 || reply.code.endsWith('NOT_FOUND'), what);
  }
});

test('every answer above is declared by its operation', () => {
  assert.deepEqual([...platform.api.undeclared], []);
});
