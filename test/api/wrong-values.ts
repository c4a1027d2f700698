// Makes wrong bodies from valid ones: for every field of a JSON schema, each form that it must not
// have.
import type { Schema } from './answers.ts';

/** A body with one fault. */
export interface WrongBody {
  readonly what: string;
  /** The body as text, so that literals which JSON.stringify would mend arrive as they are. */
  readonly raw: string;
  /** Path that the answer must name; null: any. */
  readonly path: string | null;
}

/** A text that must come back in no answer. */
export const CANARY = 'zq9canary';
const MARK = '"@@here@@"';

const WRONG_INTEGERS = [
  ...['-1', '1.5', '"100"', '1e21', '9007199254740992', '9007199254740993', 'true', 'false', '[5]'],
  ...[
    '100.0',
    '1e2',
    '-0',
    '{}',
    '[]',
    '""',
    '1e400',
    '100.00000000000000001',
    '-9007199254740993',
  ],
  ...['99999999999999999999999999', '1E+2', `"${CANARY}"`, '{"$numberLong":"5"}'],
];
const BROKEN_LITERALS = ['NaN', 'Infinity', '01', '+1', '.5', '5.', '0x10', '1_000', '', "'1'"];
const WRONG_TEXTS = ['5', '1.5', 'true', '[]', `["${CANARY}"]`, '{}', `{"${CANARY}":1}`, '-0'];
const BROKEN_TEXTS = [
  ...[`"${CANARY}\\u0000"`, `"${CANARY}\\ud800"`, `"\\udc00${CANARY}"`, `"${CANARY}\\ud83dx"`],
  ...[`"${CANARY}\u0001"`, `"${CANARY}\\x41"`],
];
const WRONG_BOOLEANS = ['"true"', '"false"', '1', '0', '[]', '{}', '""', '[true]', `"${CANARY}"`];
const WRONG_LISTS = ['{}', `"${CANARY}"`, '5', 'true', '{"0":{}}', '{"length":1}'];
const WRONG_OBJECTS = ['[]', `"${CANARY}"`, '5', 'true', '[[]]', '-0.0'];

/** Every wrong body that the schema lets us think of, from a right one that fills all fields. */
export function wrongBodies(schema: Schema, right: unknown): WrongBody[] {
  const list: WrongBody[] = [];
  const put = (path: readonly (string | number)[], what: string, literal: string): void => {
    const marked = JSON.stringify(replaced(right, path, '@@here@@'));
    const where = nameOf(path);
    list.push({
      what: `${where || 'body'} ${what}`,
      raw: marked.replace(MARK, () => literal),
      path: where,
    });
  };
  walk(schema, right, [], true, { put, list, right });
  return list;
}

interface Sink {
  put(path: readonly (string | number)[], what: string, literal: string): void;
  readonly list: WrongBody[];
  readonly right: unknown;
}

type Path = readonly (string | number)[];

function walk(outer: Schema, value: unknown, path: Path, required: boolean, sink: Sink): void {
  const schema = unwrapped(outer);
  const all = (literals: readonly string[]): void => {
    for (const literal of literals)
      if (path.length > 0) sink.put(path, literal.slice(0, 40), literal);
  };
  if (required) all(['null']);
  const {
    enum: choices,
    maxLength,
    properties,
    items,
    type,
  } = schema as {
    enum?: readonly unknown[];
    maxLength?: number;
    properties?: Record<string, Schema>;
    items?: Schema;
    type?: string;
  };
  if (choices !== undefined) {
    all([...WRONG_TEXTS, `"${CANARY}"`, JSON.stringify(flipped(String(choices[0])))]);
  } else if (type === 'integer' || type === 'number') {
    all(WRONG_INTEGERS);
    for (const literal of BROKEN_LITERALS) broken(sink, path, literal);
  } else if (type === 'boolean') {
    all(WRONG_BOOLEANS);
  } else if (type === 'string') {
    all([...WRONG_TEXTS]);
    for (const literal of BROKEN_TEXTS) broken(sink, path, literal);
    if (maxLength !== undefined) all([JSON.stringify('\u00e9'.repeat(maxLength + 1))]);
  } else if (type === 'array') {
    all(WRONG_LISTS);
    if (Array.isArray(value) && value.length > 0 && items !== undefined) {
      walk(items, value[0], [...path, 0], true, sink);
    }
  } else if (type === 'object') {
    all(WRONG_OBJECTS);
    if (properties !== undefined) members(schema, properties, value, path, sink);
  }
}

function members(
  schema: Schema,
  properties: Record<string, Schema>,
  value: unknown,
  path: Path,
  sink: Sink,
): void {
  const required = (schema['required'] ?? []) as readonly string[];
  if (schema['additionalProperties'] === false) {
    for (const key of ['surprise', 'constructor', 'toString', '__proto__', 'hasOwnProperty']) {
      unknownKey(sink, path, value, key);
    }
  }
  for (const [name, property] of Object.entries(properties)) {
    const own = (value as Record<string, unknown>)[name];
    if (own === undefined) continue;
    const place = [...path, name];
    if (required.includes(name)) {
      const raw = JSON.stringify(replaced(sink.right, place, undefined));
      sink.list.push({ what: `${nameOf(place)} is missing`, raw, path: nameOf(place) });
    }
    twice(sink, path, name, own);
    walk(property, own, place, required.includes(name), sink);
  }
}

function unknownKey(sink: Sink, path: Path, value: unknown, key: string): void {
  const more = `${JSON.stringify(key)}:"${CANARY}"}`;
  const holder = JSON.stringify(value).replace(/(.)\}$/, (_, last: string) =>
    `${last === '{' ? '{' : `${last},`}${more}`);
  sink.list.push({
    what: `${nameOf(path) || 'body'} has an unknown ${key}`,
    raw: placed(sink.right, path, holder),
    path: key.startsWith('__') ? null : nameOf([...path, key]),
  });
}

function twice(sink: Sink, path: Path, name: string, own: unknown): void {
  const holder = path.length === 0 ? sink.right : at(sink.right, path);
  const text = JSON.stringify(holder).replace(/\}$/, `,"${name}":${JSON.stringify(own)}}`);
  const escaped = `\\u${name.charCodeAt(0).toString(16).padStart(4, '0')}${name.slice(1)}`;
  for (const spelled of [
    text,
    text.replace(new RegExp(`,"${name}":(?!.*,"${name}":)`), `,"${escaped}":`),
  ]) {
    sink.list.push({
      what: `${nameOf([...path, name])} stands twice`,
      raw: placed(sink.right, path, spelled),
      path: nameOf([...path, name]),
    });
  }
}

/** A literal that is no JSON: the document as a whole is at fault, whatever the path. */
function broken(sink: Sink, path: Path, literal: string): void {
  const raw = placed(sink.right, path, literal);
  sink.list.push({ what: `${nameOf(path)} ${JSON.stringify(literal)}`, raw, path: null });
}

function placed(right: unknown, path: Path, literal: string): string {
  if (path.length === 0) return literal;
  return JSON.stringify(replaced(right, path, '@@here@@')).replace(MARK, () => literal);
}

function at(value: unknown, path: Path): unknown {
  return path.reduce((holder, part) => (holder as Record<string | number, unknown>)[part], value);
}

function replaced(value: unknown, path: Path, by: unknown): unknown {
  const [part, ...rest] = path;
  if (part === undefined) return by;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<
    string | number,
    unknown
  >;
  copy[part] = replaced(copy[part], rest, by);
  return copy;
}

/** `line_items[0].amount`. [G-72] */
export function nameOf(path: Path): string {
  return path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : `${text}${text ? '.' : ''}${part}`,
    '',
  );
}

function flipped(text: string): string {
  return text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase();
}

/** Of a body with several forms the one that this body has; else the schema itself. */
export function formOf(schema: Schema, body: object): Schema {
  const forms = (schema['oneOf'] ?? []) as readonly Schema[];
  const has = ({ properties = {} }: Schema): boolean =>
    Object.keys(body).every((name) => name in (properties as object));
  return forms.find(has) ?? schema;
}

/** The schema behind "or null". */
function unwrapped(schema: Schema): Schema {
  const { type } = schema;
  if (Array.isArray(type) && type.length === 2 && type[1] === 'null') {
    return { ...schema, type: type[0] as unknown };
  }
  const choices = schema['anyOf'] as readonly Schema[] | undefined;
  const present = choices?.filter((one) => one['type'] !== 'null') ?? [];
  return present.length === 1 ? unwrapped(present[0] as Schema) : schema;
}
