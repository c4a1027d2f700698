// What Stripe publishes of its API, by which both sides are checked: every call of the adapter as
// its own tests make it is accepted by stripe-mock, and every answer of the server that those tests
// run against fits Stripe's description.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { installForeign, linesOf, serve, type ForeignServer } from '../kit/foreign.ts';
import { secretOf } from '../kit/stripe/bench.ts';
import { ROUTES } from '../kit/stripe/routes.ts';
import { ROOT } from '../tidy/tree.ts';

/** Parameters that are younger than the description, by route. */
const YOUNGER: Readonly<Record<string, readonly string[]>> = {
  'POST /v1/checkout/sessions': ['allowed_payment_method_types'],
};

/** Says what each answer on its input breaks: its number, the place, and why. */
const VALIDATE = `
import json, re, sys
from jsonschema.exceptions import best_match
from openapi_schema_validator import OAS30Validator
def nullable(of):
    # The document means null here too, which OpenAPI 3.0 only knows beside a type.
    if of.get('nullable') and 'anyOf' in of:
        of['anyOf'].append({'enum': [None]})
    if of.get('nullable') and isinstance(of.get('enum'), list):
        of['enum'].append(None)
    return of
described = json.load(open(sys.argv[1]), object_hook=nullable)
paths = [(re.compile(re.sub(r'{[^}]*}', '[^/]+', path) + '$'), of)
         for path, of in described['paths'].items()]
for number, line in enumerate(sys.stdin):
    call = json.loads(line)
    of = next(of for path, of in paths if path.match(call['path']))
    responses = of[call['method'].lower()]['responses']
    answer = responses['200' if call['status'] == 200 else 'default']
    schema = answer['content']['application/json']['schema']
    whole = {'allOf': [schema], 'components': described['components']}
    error = best_match(OAS30Validator(whole).iter_errors(call['body']))
    if error is not None:
        print(number, call['method'], call['path'], error.json_path, error.message[:200])
`;

interface Exchange {
  readonly method: string;
  readonly path: string;
  /** The query, or the body of a POST. */
  readonly text: string;
  readonly status: number;
  readonly body: object;
}

const folder = mkdtempSync(join(tmpdir(), 'holdfast-stripe-'));
const routeOf = ({ method, path }: Exchange): string =>
  `${method} ${path.replace(/\/[a-z]+_(?:test_|live_)?[0-9a-f]{24}/, '/:id')}`;
let seen: readonly Exchange[];
let description: string;
let mock: ForeignServer;

before(async () => {
  const foreign = installForeign();
  description = foreign.description;
  const witness = join(folder, 'exchanges');
  const files = globSync('src/providers/stripe/*.test.ts', { cwd: ROOT });
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const ran = spawnSync(process.execPath, ['--test', ...files], {
    ...{ cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 28 },
    env: { ...env, HOLDFAST_STRIPE_WITNESS: witness },
  });
  assert.equal(ran.status, 0, ran.stdout);
  const lines = readFileSync(witness, 'utf8').trimEnd().split('\n');
  seen = distinct(lines.map((line) => JSON.parse(line) as Exchange));
  const addresses = ['-http-addr', '127.0.0.1:', '-https-addr', '127.0.0.1:'];
  mock = await serve(foreign.stripeMock, addresses, /HTTP at address: 127.0.0.1:(\d+)/);
});
after(async () => {
  await mock?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** One of each kind: the same route, the same fields sent, the same fields answered. */
function distinct(all: readonly Exchange[]): Exchange[] {
  const kinds = new Map<string, Exchange>();
  for (const one of all) {
    const sent = [...new URLSearchParams(one.text).keys()].toSorted();
    kinds.set(JSON.stringify([routeOf(one), sent, one.status, shapeOf(one.body)]), one);
  }
  return [...kinds.values()];
}

/** The fields of a value, with the words that say its kind and state. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  const said = ['object', 'status', 'type', 'code'];
  return Object.entries(value).map(([name, one]) => [
    name,
    said.includes(name) ? one : name === 'metadata' ? null : shapeOf(one),
  ]);
}

/** The status that stripe-mock gives to a call. */
async function statusOf({ method, path }: Exchange, text: string): Promise<number> {
  const headers = {
    authorization: `Bearer ${secretOf(7)}`,
    'content-type': 'application/x-www-form-urlencoded',
  };
  const get = method === 'GET';
  const url = `${mock.url}${path}${get ? `?${text}` : ''}`;
  const answer = await fetch(url, get ? { headers } : { method, headers, body: text });
  await answer.arrayBuffer();
  return answer.status;
}

/** The call without what the description does not know yet. */
function known(call: Exchange): string {
  const fields = new URLSearchParams(call.text);
  const younger = YOUNGER[routeOf(call)] ?? [];
  for (const name of [...fields.keys()]) {
    if (younger.some((one) => name.startsWith(`${one}[`))) fields.delete(name);
    // It expands no field of a field that its own example lacks.
    if (name.startsWith('expand[') && fields.get(name)?.includes('.')) fields.delete(name);
  }
  return String(fields);
}

test('the tests of the adapter make every call that the server knows', () => {
  const routes = new Set(seen.map(routeOf));
  assert.deepEqual(Object.keys(ROUTES).filter((route) => !routes.has(route)), []);
});

test('stripe-mock accepts every call of the adapter', async (t) => {
  const refused: string[] = [];
  for (const call of seen) {
    // A file is no form, and what was sent is not kept.
    if (call.path === '/v1/files') continue;
    if ((await statusOf(call, known(call))) !== 200) refused.push(`${routeOf(call)} ${call.text}`);
  }
  assert.deepEqual(refused, []);
  t.diagnostic(`${seen.length} kinds of charges, refunds and other calls`);
});

test('stripe-mock refuses what Stripe does not know, and what is younger than it', async () => {
  const younger = seen.filter((call) => routeOf(call) in YOUNGER);
  const routes = new Set(younger.map(routeOf));
  assert.deepEqual([...routes], Object.keys(YOUNGER));
  for (const call of younger) assert.equal(await statusOf(call, call.text), 400);
  const posts = seen.filter(({ method, path }) => method === 'POST' && path !== '/v1/files');
  for (const call of posts) assert.equal(await statusOf(call, `${known(call)}&nobody=knows`), 400);
});

test('every answer of the server in the tests fits the description of Stripe', () => {
  const lines = (all: readonly object[]): string =>
    all.map((one) => JSON.stringify(one)).join('\n');
  assert.deepEqual(linesOf(VALIDATE, [description], lines(seen)), []);
  const planted = seen
    .filter(({ status, path }) => status === 200 && path === '/v1/payment_intents')
    .map((one) => ({ ...one, body: { ...one.body, object: 'payment' } }));
  assert.equal(linesOf(VALIDATE, [description], lines(planted)).length, planted.length);
  assert.ok(planted.length > 0);
});
