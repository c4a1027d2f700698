// Makes the example of a request or answer from its schema: the schema's own examples, else a value
// for the field's name. A test sends each to a platform.
import { SHOWN_FILE } from '../core/file-text.ts';
import { WIRE_PREFIXES, wireId } from '../core/ids.ts';
import type { JsonSchema } from './openapi-schema.ts';

/** Values by field name, for fields that accept any text or number. All invented. */
const WORDS: Readonly<Record<string, unknown>> = {
  address: 'ada@example.test',
  amount: 2500,
  block_reason: 'account_close',
  city: 'Lyon',
  country: 'FR',
  currency: 'USD',
  email: 'ada@example.test',
  email_address: 'ada@example.test',
  exchange: 'honest',
  file: SHOWN_FILE,
  first: 'Ada',
  grant_type: 'client_credentials',
  invoice_mechanism: 'widget',
  last: 'Example',
  overlap_seconds: 3600,
  scenario: 'all_well',
  street: '1 rue des Exemples',
  test_card: 'visa',
  url: 'https://shop.example/hooks',
  username: 'ada',
  user_email: 'ada@example.test',
  word: 'service',
};
const UUID = '01981d6e-7a10-7c3e-9d52-3f6b8a4c2e10';

/** An example of the schema; `name` is the field's. */
export function exampleOf(schema: JsonSchema, name = ''): unknown {
  if (schema.examples !== undefined) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) {
    return exampleOf(choices.find(({ type }) => type !== 'null') ?? {}, name);
  }
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'object':
      return objectOf(schema);
    case 'array':
      return schema.items === undefined ? [] : [exampleOf(schema.items, name)];
    case 'integer':
    case 'number':
      return WORDS[name] ?? Math.max(1, schema.minimum ?? 1);
    case 'boolean':
      return true;
    case 'string':
      return textOf(schema, name);
    default:
      return null;
  }
}

/** With the required fields and those that have an example; if there are none, with the first. */
function objectOf({ properties = {}, required = [] }: JsonSchema): Record<string, unknown> {
  const names = Object.keys(properties);
  const shown = names.filter((name) => required.includes(name) || properties[name]?.examples);
  const fields = shown.length > 0 ? shown : names.slice(0, 1);
  return Object.fromEntries(fields.map((name) => [name, exampleOf(properties[name] ?? {}, name)]));
}

function textOf(schema: JsonSchema, name: string): unknown {
  if (name in WORDS) return WORDS[name];
  if (name.endsWith('id')) {
    const prefix = /^`(\w+)_`/.exec(schema.description ?? '')?.[1];
    const known = WIRE_PREFIXES.find((one) => one === prefix);
    return known === undefined ? UUID : wireId(known, UUID);
  }
  if (name.endsWith('url')) return `https://shop.example/${name}`;
  return schema.format === 'date' ? '2030-01-31' : 'Example';
}
