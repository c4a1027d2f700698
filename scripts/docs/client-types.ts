// Writes TypeScript types from JSON Schema for the client: each object is one interface, named
// after the first place that has it, and equal objects are one. Answers for names that stay the
// same when something else is added; refuses to know what the types are for.
import { z } from 'zod';

/** What the schemas of the catalogue use of JSON Schema. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly description?: string;
}

/** `input`: what a caller sends; `output`: what it is answered. */
export type Direction = 'input' | 'output';

/** The JSON Schema of one of the catalogue's. */
export function schemaOf(schema: z.ZodType, io: Direction): JsonSchema {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema;
}

/** Fields of a request that are taken and ignored are nothing to offer. [G-71] */
const IGNORED = 'Accepted and ignored.';
const WIDTH = 96;

/** `line_items` as `LineItem`; `get-balance` as `GetBalance`. */
export function typeName(words: string): string {
  const parts = words.split(/[^A-Za-z0-9]+/).filter((part) => part !== '');
  return parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join('');
}

function singular(name: string): string {
  return name.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, '');
}

function isRecord(schema: JsonSchema): boolean {
  return schema.properties !== undefined && Object.keys(schema.properties).length > 0;
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}

/** Without the `null` that an optional field of a request also takes. [G-70] */
function present(schema: JsonSchema): JsonSchema {
  if (Array.isArray(schema.type)) {
    const rest = schema.type.filter((one: string) => one !== 'null');
    return { ...schema, type: rest.length === 1 ? (rest[0] as string) : rest };
  }
  const rest = schema.anyOf?.filter((one) => one.type !== 'null');
  if (rest === undefined || rest.length === schema.anyOf?.length) return schema;
  return rest.length === 1 ? (rest[0] as JsonSchema) : { ...schema, anyOf: rest };
}

/** The types of one file. */
export class TypeBook {
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>();
  readonly #aliases: string[] = [];
  readonly #waiting: { readonly name: string; readonly schema: JsonSchema; io: Direction }[] = [];

  /** The name of an object: a known one when an equal object has it, else `name`. */
  name(name: string, schema: JsonSchema, io: Direction): string {
    const key = this.#key(schema, io);
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    let free = name;
    for (let n = 2; this.#taken.has(free); n += 1) free = name + n;
    this.#names.set(key, free);
    this.#taken.add(free);
    this.#waiting.push({ name: free, schema, io });
    return free;
  }

  /** As `text`; a choice between objects gets a name of its own. */
  root(name: string, schema: JsonSchema, io: Direction): string {
    const text = this.text(name, schema, io);
    if (!text.includes(' | ') || (schema.anyOf ?? schema.oneOf) === undefined) return text;
    const alias = `export type ${name} =\n  | ${text.replaceAll(' | ', '\n  | ')};\n`;
    if (!this.#aliases.includes(alias)) this.#aliases.push(alias);
    return name;
  }

  /** A type as it is written where it is used; objects in it are named from `place`. */
  text(place: string, schema: JsonSchema, io: Direction): string {
    return this.#write(schema, (object, at) => this.name(at, object, io), place);
  }

  /** Every interface that was named so far, and those that they need, wider ones first. */
  interfaces(): string {
    const written: string[] = [...this.#aliases];
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const { name, schema, io } = next;
      const lines = this.#fields(name, schema, io);
      written.push(`export interface ${name} {\n${lines.join('\n')}\n}\n`);
    }
    return written.join('\n');
  }

  #fields(name: string, schema: JsonSchema, io: Direction): string[] {
    return fieldsOf(schema, io).flatMap(({ field, type, optional }) => {
      const text = this.text(name + typeName(singular(field)), type, io);
      const absent = optional ? ' | undefined' : '';
      const line = `  readonly ${field}${optional ? '?' : ''}: ${text}${absent};`;
      const about = type.description === undefined ? [] : [`  /** ${type.description} */`];
      return [...about, line.length > WIDTH ? broken(line) : line];
    });
  }

  /** Two objects with the same key are the same type. */
  #key(schema: JsonSchema, io: Direction): string {
    const inline = (object: JsonSchema): string =>
      `{${fieldsOf(object, io)
        .map(({ field, type, optional }) => `${field}${optional ? '?' : ''}:${written(type)}`)
        .join(';')}}`;
    const written = (one: JsonSchema): string => this.#write(one, inline, '');
    return written(schema);
  }

  #write(
    schema: JsonSchema,
    objectText: (object: JsonSchema, place: string) => string,
    place: string,
  ): string {
    const again = (one: JsonSchema): string => this.#write(one, objectText, place);
    if (schema.const !== undefined) return literal(schema.const);
    if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ');
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices !== undefined) {
      const all = choices.map((one, at) => this.#write(one, objectText, nth(place, choices, at)));
      return [...new Set(all)].join(' | ');
    }
    if (Array.isArray(schema.type)) {
      return schema.type.map((type: string) => again({ ...schema, type })).join(' | ');
    }
    if (schema.type === 'array') {
      const item = schema.items === undefined ? 'unknown' : again(schema.items);
      return item.includes(' | ') ? `readonly (${item})[]` : `readonly ${item}[]`;
    }
    if (schema.type === 'object') {
      if (isRecord(schema)) return objectText(schema, place);
      const { additionalProperties: rest } = schema;
      const value = typeof rest === 'object' && Object.keys(rest).length > 0 ? rest : null;
      return `Readonly<Record<string, ${value === null ? 'unknown' : again(value)}>>`;
    }
    if (schema.type === 'integer') return 'number';
    return typeof schema.type === 'string' ? schema.type : 'unknown';
  }
}

/** Objects of a choice are told apart by the field that tells them apart, or by their place. */
function nth(place: string, choices: readonly JsonSchema[], at: number): string {
  const objects = choices.filter(isRecord);
  const one = choices[at];
  if (objects.length < 2 || one === undefined || !isRecord(one)) return place;
  const own = Object.keys(one.properties ?? {}).find((field) => {
    const names = objects.map((object) => nameIn(object.properties?.[field]));
    return names.every((name) => name !== '') && new Set(names).size === names.length;
  });
  return place + (own === undefined ? String(at + 1) : typeName(nameIn(one.properties?.[own])));
}

/** The text that a field always has; of several, the first. */
function nameIn(schema: JsonSchema | undefined): string {
  const value = schema?.const ?? schema?.enum?.[0];
  return typeof value === 'string' ? value : '';
}

function broken(line: string): string {
  const text = line.replace(': ', ':\n    | ').replaceAll(/(?<='|\w|\]|>) \| /g, '\n    | ');
  return text.replaceAll('    |     | ', '    | ');
}

interface Field {
  readonly field: string;
  readonly type: JsonSchema;
  readonly optional: boolean;
}

function fieldsOf(schema: JsonSchema, io: Direction): Field[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {})
    .filter(([, type]) => type.description !== IGNORED)
    .map(([field, type]) => {
      const optional = !required.has(field);
      return { field, optional, type: optional && io === 'input' ? present(type) : type };
    });
}
