// JSON Schema of what operations take and answer, made from the schemas that check them. Says what
// is the same for all: how an id is described, and what is left out because it says nothing.
import { z } from 'zod';

/** What the schemas of the catalogue use of JSON Schema. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly propertyNames?: JsonSchema;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly description?: string;
}

type Fields = NonNullable<JsonSchema['properties']>;

/** `input`: what a caller sends; `output`: what it is answered. */
export type Direction = 'input' | 'output';

/** The JSON Schema of one of the catalogue's. */
export function schemaOf(schema: z.ZodType, io: Direction): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return mapped(rest as JsonSchema, io === 'output' ? withoutNoise : plain);
}

/** The schema with each part, inner ones first, put through `change`. */
export function mapped(
  schema: JsonSchema,
  change: (part: JsonSchema) => JsonSchema,
): JsonSchema {
  const again = (one: JsonSchema): JsonSchema => mapped(one, change);
  const { properties, items, anyOf, oneOf, additionalProperties: rest } = schema;
  return change({
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, one]) => [name, again(one)]),
      ),
    }),
    ...(items && { items: again(items) }),
    ...(anyOf && { anyOf: anyOf.map(again) }),
    ...(oneOf && { oneOf: oneOf.map(again) }),
    ...(typeof rest === 'object' && { additionalProperties: again(rest) }),
  });
}

/** In the words that most readers of schemas know. */
function plain(part: JsonSchema): JsonSchema {
  // Every key of a JSON object is a text.
  const schema = without(part, 'propertyNames');
  const { anyOf, ...outer } = schema;
  const [one, ...others] = anyOf?.filter(({ type }) => type !== 'null') ?? [];
  const isPlain =
    one !== undefined &&
    typeof one.type === 'string' &&
    (one.enum ?? one.const ?? one.properties ?? one.title) === undefined;
  const isNullable = isPlain && others.length === 0 && anyOf?.length === 2;
  if (isNullable) return { ...one, ...outer, type: [one.type as string, 'null'] };
  // Objects of a choice have fields that the others lack: a value is one of them and no other.
  return anyOf !== undefined && anyOf.every(isRecord) ? { ...outer, oneOf: anyOf } : schema;
}

/** The schema without what these words say. */
export function without(schema: JsonSchema, ...words: (keyof JsonSchema)[]): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).filter(([word]) => !words.includes(word as keyof JsonSchema)),
  );
}

/** No answer holds a number that JSON readers do not keep. */
function withoutNoise(schema: JsonSchema): JsonSchema {
  const { minimum, maximum, ...rest } = plain(schema);
  return {
    ...rest,
    ...(minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER && { maximum }),
  };
}

/** Without the `null` that an optional field of a request also takes. [G-70] */
export function present(schema: JsonSchema): JsonSchema {
  if (Array.isArray(schema.type)) {
    const rest = schema.type.filter((one: string) => one !== 'null');
    return { ...schema, type: rest.length === 1 ? (rest[0] as string) : rest };
  }
  const { anyOf, ...outer } = schema;
  const rest = anyOf?.filter((one) => one.type !== 'null');
  if (rest === undefined || rest.length === anyOf?.length) return schema;
  return rest.length === 1 ? { ...outer, ...rest[0] } : { ...schema, anyOf: rest };
}

/** True for an object with fields of its own. */
export function isRecord(schema: JsonSchema): boolean {
  return schema.properties !== undefined && Object.keys(schema.properties).length > 0;
}

/** `line_items` as `LineItems`; `get-balance` as `GetBalance`. */
export function typeName(words: string): string {
  const parts = words.split(/[^A-Za-z0-9]+/).filter((part) => part !== '');
  return parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join('');
}

/** One of a list of that name; words that end like a plural and are none stay. */
export function singular(name: string): string {
  if (/(?:ss|us|is)$/.test(name)) return name;
  return name.replace(/ies$/, 'y').replace(/s$/, '');
}

type Shapes = Set<string>;

/**
 * How an id is described: in one way wherever a field or parameter of its name stands. The callers'
 * side decides: a shape that not every request insists on is told nowhere, because an id of a wrong
 * shape names nothing, like any other. [G-11]
 */
export class IdBook {
  readonly #shapes = { input: new Map<string, Shapes>(), output: new Map<string, Shapes>() };

  /** Notes the ids in a schema as what they are declared to be. */
  note(schema: JsonSchema, io: Direction): void {
    mapped(schema, (part) => {
      for (const [name, one] of Object.entries(part.properties ?? {})) {
        if (!name.endsWith('_id')) continue;
        const { format, pattern } = present(one);
        const known = this.#shapes[io].get(name) ?? new Set();
        this.#shapes[io].set(name, known.add(JSON.stringify({ format, pattern })));
      }
      return part;
    });
  }

  /** The schema with each id as it is described everywhere. */
  applied(schema: JsonSchema): JsonSchema {
    return mapped(schema, (part) => {
      if (part.properties === undefined) return part;
      const entries = Object.entries(part.properties);
      const properties = entries.map(([name, one]) => [name, this.#one(name, one)]);
      return { ...part, properties: Object.fromEntries(properties) as Fields };
    });
  }

  #one(name: string, schema: JsonSchema): JsonSchema {
    const shapes = this.#shapes.input.get(name) ?? this.#shapes.output.get(name);
    if (shapes === undefined) return schema;
    const shape = shapes.size === 1 ? (JSON.parse([...shapes].join()) as JsonSchema) : {};
    return mapped(schema, (part) => ({
      ...without(part, 'format', 'pattern'),
      ...(part.type !== undefined && part.type !== 'null' && shape),
    }));
  }
}
