// The example of a request or an answer, made from its schema: what its fields say of themselves,
// else a value that their names are known to have. A test sends each to a platform.
import { typeName, type JsonSchema } from './openapi-schema.ts';

/** What fields are like that people write freely. All invented. */
const WORDS: Readonly<Record<string, unknown>> = {
  address: 'ada@example.test',
  agent_name: 'Ada Example',
  city: 'Springfield',
  country: 'US',
  country_iso: 'US',
  date_of_birth: '1990-05-17',
  entity_name: 'Example Ltd',
  file: 'data:image/png;base64,iVBORw0KGgo=',
  flow: 'checkout',
  name: 'Example',
  note: 'Asked by the account holder.',
  state_province: 'CA',
  street: '1 Main Street',
  url: 'https://shop.example/hooks',
  username: 'ada',
  user_email: 'ada@example.test',
  word: 'service',
  zip: '90210',
};

/** An example of the schema; `name` is that of the field. */
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
      return Math.max(1, schema.minimum ?? 1);
    case 'boolean':
      return true;
    case 'string':
      return textOf(schema, name);
    default:
      return null;
  }
}

/** With the fields that must be there. */
function objectOf({ properties = {}, required = [] }: JsonSchema): Record<string, unknown> {
  const fields = required.map((name) => [name, exampleOf(properties[name] ?? {}, name)] as const);
  return Object.fromEntries(fields);
}

const UUID = '01981d6e-7a10-7c3e-9d52-3f6b8a4c2e10';

function textOf(schema: JsonSchema, name: string): unknown {
  if (name in WORDS) return WORDS[name];
  if (name.endsWith('_id')) return UUID;
  if (name.endsWith('url')) return `https://shop.example/${name}`;
  if (schema.format === 'date') return '2030-01-31';
  return schema.minLength === undefined && schema.maxLength === undefined ? typeName(name) : 'text';
}
