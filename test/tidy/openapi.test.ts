// Rules for every OpenAPI document that client generators need: each list says what it holds, each
// id is one type under its name, each operation shows an example, its success and its refusals, and
// every reference resolves.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describedHosts } from '../../scripts/docs/pages.ts';
import { allOperations, openapiOf } from '../../scripts/docs/operations-page.ts';
import { exampleOf } from '../../src/http/openapi-examples.ts';
import { inlined } from '../kit/inlined.ts';

type Json = Readonly<Record<string, unknown>>;

interface Operation extends Json {
  readonly operationId: string;
  readonly parameters: readonly (Json & { readonly name: string; readonly schema: Json })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Json>> };
  readonly responses: Readonly<Record<string, Json>>;
}

const documents = describedHosts().map((host) => [host, openapiOf(host)] as const);
const whole = documents.map(([host, document]) => [host, inlined(document)] as const);

/** Every object in a document, with where it is. */
function* parts(value: unknown, where: string): Generator<readonly [string, Json]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [where, value as Json];
  for (const [name, one] of Object.entries(value)) yield* parts(one, `${where}/${name}`);
}

function operationsOf(document: Json): Operation[] {
  const paths = document['paths'] as Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  return Object.values(paths).flatMap((methods) => Object.values(methods));
}

const all = whole.flatMap(([, document]) => operationsOf(document));

test('there are documents to check', () => {
  assert.equal(all.length, allOperations().length);
  assert.ok(all.length > 140, String(all.length));
});

test('every operation has a name of its own', () => {
  const ids = all.map(({ operationId }) => operationId);
  const twice = ids.filter((id, at) => ids.indexOf(id) !== at);
  assert.deepEqual(twice, []);
});

test('every list says what is in it', () => {
  const without = documents.flatMap(([host, document]) =>
    [...parts(document, host)].filter(
      ([where, { type, items }]) =>
        !where.includes('/example') &&
        (type === 'array' || (Array.isArray(type) && type.includes('array'))) &&
        items === undefined,
    ),
  );
  assert.deepEqual(without.map(([where]) => where), []);
});

/** What a schema says of the form of a value that is there. */
function formOf(schema: Json): string {
  const { type, format, pattern, anyOf } = schema;
  if (Array.isArray(anyOf)) {
    return (anyOf as Json[]).filter((one) => one['type'] !== 'null').map(formOf).join();
  }
  const kinds = [type].flat().filter((one) => one !== 'null');
  return JSON.stringify([kinds, format, pattern]);
}

test('an id is one type wherever its name stands', () => {
  const forms = new Map<string, Map<string, string>>();
  const note = (name: string, schema: Json, where: string): void => {
    if (!name.endsWith('_id')) return;
    const known = forms.get(name) ?? new Map<string, string>();
    forms.set(name, known.set(formOf(schema), where));
  };
  for (const [host, document] of documents) {
    for (const [where, { properties, in: place, name, schema }] of parts(document, host)) {
      if (place !== undefined) note(String(name), schema as Json, where);
      for (const [field, one] of Object.entries((properties ?? {}) as Json)) {
        note(field, one as Json, `${where}/${field}`);
      }
    }
  }
  assert.ok(forms.size > 40, String(forms.size));
  const several = [...forms].filter(([, found]) => found.size > 1);
  assert.deepEqual(several.map(([name, found]) => [name, ...found.values()]), []);
});

/** Where a text or a number is asked for without saying what of it is refused. */
function unbounded(schema: Json, where: string): string[] {
  const { type, enum: words, const: word, anyOf, oneOf, items, properties } = schema;
  const choices = (anyOf ?? oneOf) as readonly Json[] | undefined;
  if (words !== undefined || word !== undefined) return [];
  if (choices !== undefined) return choices.flatMap((one) => unbounded(one, where));
  const kinds = [type].flat();
  const has = (...names: string[]): boolean => names.some((name) => name in schema);
  const isOpen =
    (kinds.includes('string') && !has('maxLength', 'pattern', 'format')) ||
    ((kinds.includes('integer') || kinds.includes('number')) && !has('maximum'));
  const fields = Object.entries((properties ?? {}) as Readonly<Record<string, Json>>);
  return [
    ...(isOpen ? [where] : []),
    ...(items === undefined ? [] : unbounded(items as Json, `${where}[]`)),
    ...fields.flatMap(([name, one]) => unbounded(one, `${where}.${name}`)),
  ];
}

test('every text and number that is asked for says what of it is refused', () => {
  const open = all.flatMap(({ operationId, parameters, requestBody }) => [
    ...parameters
      .filter((one) => one['in'] === 'query')
      .flatMap(({ name, schema }) => unbounded(schema, `${operationId} ${name}`)),
    ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
      unbounded(schema as Json, operationId),
    ),
  ]);
  assert.deepEqual(open, []);
});

test('numbers of a query are numbers', () => {
  const asked = all.flatMap(({ parameters }) => parameters.filter((one) => one['in'] === 'query'));
  const numbers = asked.filter(({ name }) => ['limit', 'offset', 'amount'].includes(name));
  assert.ok(numbers.length > 6, String(numbers.length));
  for (const { name, schema } of numbers) {
    const { type, minimum, maximum } = schema;
    assert.deepEqual([type, typeof minimum, typeof maximum], ['integer', 'number', 'number'], name);
  }
});

test('every operation shows an example, its success and its refusals', () => {
  const bad = all.flatMap(({ operationId, parameters, requestBody, responses }) => {
    const contents = Object.values(responses).flatMap(({ content }) =>
      Object.values((content ?? {}) as Readonly<Record<string, Json>>),
    );
    const bodies = Object.values(requestBody?.content ?? {});
    const shown = [...parameters, ...bodies, ...contents].filter((one) => 'example' in one);
    const statuses = Object.keys(responses).map(Number);
    const succeeds = statuses.some((status) => status < 300);
    const refuses = statuses.some((status) => status >= 400);
    const bodyless = bodies.some((one) => !('example' in one));
    const faults = [
      ...(shown.length === 0 || bodyless ? ['no example'] : []),
      ...(succeeds ? [] : ['no success']),
      ...(refuses ? [] : ['no refusals']),
      ...(contents.every(({ schema }) => schema !== undefined) ? [] : ['no schema']),
    ];
    return faults.map((fault) => `${operationId}: ${fault}`);
  });
  assert.deepEqual(bad, []);
});

test('every reference and every link leads somewhere', () => {
  for (const [host, document] of whole) {
    const ids = new Map(operationsOf(document).map((one) => [one.operationId, one]));
    const { links = {}, schemas } = document['components'] as Readonly<Record<string, Json>>;
    assert.ok(Object.keys(schemas ?? {}).length > 1, host);
    for (const [name, link] of Object.entries(links)) {
      const { operationId, parameters } = link as { operationId: string; parameters: Json };
      const target = ids.get(operationId);
      assert.ok(target, `${host}: the link ${name} leads to ${operationId}`);
      const wanted = target.parameters.filter((one) => one['in'] === 'path');
      assert.deepEqual(Object.keys(parameters), wanted.map((one) => one.name), name);
    }
  }
});

const names = new Set(
  documents.flatMap(([, document]) =>
    Object.keys((document['components'] as { readonly schemas: Json }).schemas),
  ),
);

/** A name made by counting, or by walking down from an answer: no word for what it is. */
const NAMELESS = /\d$|Answer(?!(?:List)?Envelope)[A-Z]|^.{45}/;

test('every schema has a name that says what it is', () => {
  const bad = ['IntrospectTokenAnswer2', 'SandboxExplainAnswerTimelineRequest'];
  assert.deepEqual(bad.filter((name) => !NAMELESS.test(name)), []);
  assert.deepEqual([...names].filter((name) => NAMELESS.test(name)), []);
});

test('public records have named components', () => {
  for (const name of [
    ...['Invoice', 'LineItem', 'Subitem', 'Escrow', 'AuthorizedInvoice', 'Refund', 'Payout'],
    ...['PaymentMethod', 'KYCStatus', 'KYCMatchCheck', 'KYBEntity', 'Account', 'UserInfo'],
    ...['Event', 'Settings', 'Terms', 'LinkStatus', 'Failure', 'InvoiceEnvelope'],
  ]) {
    assert.ok(names.has(name), name);
  }
});

test('answers link to the operations that can follow', () => {
  const invoicing = whole.find(([host]) => host === 'invoicing')?.[1] ?? {};
  const created = operationsOf(invoicing).find((one) => one.operationId === 'createInvoice');
  const links = created?.responses['201']?.['links'] as Readonly<Record<string, Json>>;
  const parameters = { invoice_id: '$response.body#/payload/invoice_id' };
  assert.deepEqual(links['payInvoice'], { operationId: 'payInvoice', parameters });
  assert.deepEqual(links['getInvoice'], { operationId: 'getInvoice', parameters });
});

test('an example has the required fields and their own examples', () => {
  const schema = {
    type: 'object',
    required: ['a', 'b'],
    properties: {
      a: { type: 'integer', minimum: 5 },
      b: { anyOf: [{ type: 'null' }, { type: 'array', items: { enum: ['x', 'y'] } }] },
      c: { type: 'string' },
    },
  };
  assert.deepEqual(exampleOf(schema), { a: 5, b: ['x'] });
  assert.equal(exampleOf({ type: 'string', examples: ['shown'] }), 'shown');
});
