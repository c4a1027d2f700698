// Names of components: the name its module gives, else that of the operation that reads or lists
// it, else the place where it first appears. Equal objects share one component.
import {
  isRecord,
  singular,
  typeName,
  without,
  type Direction,
  type JsonSchema,
} from './openapi-schema.ts';

/** A component and who sends it. */
export interface Component {
  readonly schema: JsonSchema;
  readonly io: Direction;
}

/** Where a document's schemas are. */
export const SCHEMAS = '#/components/schemas/';

/** The name in a reference; undefined for anything else. */
export function nameOf(schema: { readonly $ref?: string } | undefined): string | undefined {
  return schema?.$ref?.slice(SCHEMAS.length);
}

type Fields = NonNullable<JsonSchema['properties']>;

/** The components of all documents. */
export class NameBook {
  readonly components = new Map<string, Component>();
  readonly #names = new Map<string, string>();

  /** The schema with references for its objects; unnamed ones are named after `place`. */
  take(schema: JsonSchema, io: Direction, place: string): JsonSchema {
    const { title } = schema;
    const plain = without(schema, 'title', 'examples');
    const { properties, items, anyOf, oneOf, additionalProperties: rest } = plain;
    const at = title ?? place;
    if (isRecord(plain)) {
      const fields = Object.entries(properties ?? {}).map(([name, one]) => [
        name,
        this.take(one, io, at + typeName(singular(name))),
      ]);
      const named = { ...plain, properties: Object.fromEntries(fields) as Fields };
      return this.#component(named, io, at, title !== undefined);
    }
    const choices = anyOf ?? oneOf;
    if (choices !== undefined) {
      const taken = choices.map((one, n) => this.take(one, io, nth(at, choices, n)));
      const choice = { ...plain, [anyOf === undefined ? 'oneOf' : 'anyOf']: taken };
      const isOpen = taken.filter((one) => one.$ref !== undefined).length < 2;
      return isOpen ? choice : this.#component(choice, io, at, title !== undefined);
    }
    return {
      ...plain,
      ...(items && { items: this.take(items, io, at) }),
      ...(typeof rest === 'object' && { additionalProperties: this.take(rest, io, at) }),
    };
  }

  /** The schema of a component that a reference names; any other unchanged. */
  resolved(schema: JsonSchema): JsonSchema {
    const name = nameOf(schema);
    return name === undefined ? schema : (this.components.get(name)?.schema ?? schema);
  }

  #component(schema: JsonSchema, io: Direction, name: string, own: boolean): JsonSchema {
    const key = JSON.stringify(schema);
    let known = this.#names.get(key);
    if (known === undefined) {
      if (own && this.components.has(name)) throw new Error(`two schemas are named ${name}`);
      known = name;
      for (let n = 2; this.components.has(known); n += 1) known = name + n;
      this.#names.set(key, known);
      this.components.set(known, { schema, io });
    }
    return { $ref: SCHEMAS + known };
  }
}

/** Names the objects of a choice by their discriminating field, or by position. */
function nth(place: string, choices: readonly JsonSchema[], at: number): string {
  const objects = choices.filter(isRecord);
  const one = choices[at];
  if (objects.length < 2 || one === undefined || !isRecord(one)) return place;
  const own = Object.keys(one.properties ?? {}).find((field) => {
    const names = objects.map((object) => wordIn(object.properties?.[field]));
    return names.every((name) => name !== '') && new Set(names).size === names.length;
  });
  return place + (own === undefined ? String(at + 1) : typeName(wordIn(one.properties?.[own])));
}

/** The constant text of a field; of several, the first. */
function wordIn(schema: JsonSchema | undefined): string {
  const value = schema?.const ?? schema?.enum?.[0];
  return typeof value === 'string' ? value : '';
}
