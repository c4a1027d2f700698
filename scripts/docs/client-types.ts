// Writes the client's TypeScript types from the contract: each component is one interface or one
// union, under its own name.
import type { Contract } from '../../src/http/openapi-contract.ts';
import { nameOf } from '../../src/http/openapi-names.ts';
import {
  isRecord,
  present,
  type Direction,
  type JsonSchema,
} from '../../src/http/openapi-schema.ts';

/** Request fields that are accepted and ignored are not offered. [G-71] */
const IGNORED = 'Accepted and ignored.';
const WIDTH = 96;

/** A field of an interface. */
export interface Field {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
}

/** The types of one file. */
export class TypeBook {
  readonly #contract: Contract;
  readonly #needed = new Set<string>();

  constructor(contract: Contract) {
    this.#contract = contract;
  }

  /** A type as written where it is used. */
  text(schema: JsonSchema): string {
    const name = nameOf(schema);
    if (name !== undefined) {
      this.#needed.add(name);
      return name;
    }
    if (schema.const !== undefined) return literal(schema.const);
    if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ');
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices !== undefined) {
      return [...new Set(choices.map((one) => this.text(one)))].join(' | ');
    }
    if (Array.isArray(schema.type)) {
      return schema.type.map((type: string) => this.text({ ...schema, type })).join(' | ');
    }
    if (schema.type === 'array') {
      const item = schema.items === undefined ? 'unknown' : this.text(schema.items);
      return item.includes(' | ') ? `readonly (${item})[]` : `readonly ${item}[]`;
    }
    if (schema.type === 'object') {
      const { additionalProperties: rest } = schema;
      const value = typeof rest === 'object' && Object.keys(rest).length > 0 ? rest : null;
      return `Readonly<Record<string, ${value === null ? 'unknown' : this.text(value)}>>`;
    }
    if (schema.type === 'integer') return 'number';
    return typeof schema.type === 'string' ? schema.type : 'unknown';
  }

  /** Lines of an interface. */
  fields(list: readonly Field[], io: Direction): string[] {
    return list
      .filter(({ schema }) => schema.description !== IGNORED)
      .flatMap(({ name, schema, required }) => {
        const text = this.text(required || io === 'output' ? schema : present(schema));
        const line = `  readonly ${name}${required ? '' : '?'}: ${text}${
          required ? '' : ' | undefined'
        };`;
        return [...commentOf(schema), line.length > WIDTH ? broken(line) : line];
      });
  }

  /** Every type named so far and those they need, outer ones first. */
  interfaces(): string {
    const written: string[] = [];
    // Writing a type may name further ones, which this loop then reaches.
    for (const name of this.#needed) written.push(this.#written(name));
    return written.join('\n');
  }

  #written(name: string): string {
    const component = this.#contract.components.get(name);
    if (component === undefined) throw new Error(`${name} is not a component`);
    const { schema, io } = component;
    if (!isRecord(schema)) {
      const text = this.text(schema).replaceAll(' | ', '\n  | ');
      return `export type ${name} =\n  | ${text};\n`;
    }
    const lines = this.fields(fieldsOf(schema), io);
    return `export interface ${name} {\n${lines.join('\n')}\n}\n`;
  }
}

function fieldsOf(schema: JsonSchema): Field[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).map(([name, one]) => ({
    name,
    schema: one,
    required: required.has(name),
  }));
}

/** A description too long for one line gets several. */
function commentOf({ description }: JsonSchema): string[] {
  if (description === undefined) return [];
  const short = `  /** ${description} */`;
  if (short.length <= WIDTH) return [short];
  const lines = description.match(/.{1,90}(?:\s|$)/g) ?? [];
  return ['  /**', ...lines.map((line) => `   * ${line.trimEnd()}`), '   */'];
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}

function broken(line: string): string {
  const text = line.replace(': ', ':\n    | ').replaceAll(/(?<='|\w|\]|>) \| /g, '\n    | ');
  return text.replaceAll('    |     | ', '    | ');
}
