// JSON Schema made from the Zod schemas that validate, with what is the same everywhere: how an id
// is described, and which noise is left out.
import { z } from 'zod';

/** The part of JSON Schema that is used. */
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

/** `input`: what a caller sends; `output`: what it receives. */
export type Direction = 'input' | 'output';

/** The JSON Schema of a Zod schema. */
export function schemaOf(schema: z.ZodType, io: Direction): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return mapped(rest as JsonSchema, io === 'output' ? withoutNoise : plain);
}

/** The schema with `change` applied to each part, inner ones first. */
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

/** Rewritten in the keywords most tools know. */
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
  // Objects of a choice have fields the others lack, so a value matches exactly one.
  return anyOf !== undefined && anyOf.every(isRecord) ? { ...outer, oneOf: anyOf } : schema;
}

/** The schema without these keywords. */
export function without(schema: JsonSchema, ...words: (keyof JsonSchema)[]): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).filter(([word]) => !words.includes(word as keyof JsonSchema)),
  );
}

/** Drops the safe-integer bounds: no answer holds a number that JSON readers would not keep. */
function withoutNoise(schema: JsonSchema): JsonSchema {
  const isNoise = (word: string, bound: unknown): boolean =>
    (word === 'minimum' && (bound as number) <= Number.MIN_SAFE_INTEGER) ||
    (word === 'maximum' && (bound as number) >= Number.MAX_SAFE_INTEGER);
  // In their order: a schema that is taken and given reads alike, and is one component.
  return Object.fromEntries(
    Object.entries(plain(schema)).filter(([word, bound]) => !isNoise(word, bound)),
  );
}

/** Without the `null` that an optional request field also takes. [G-70] */
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

/** The singular of a list's name; words that only look like a plural stay. */
export function singular(name: string): string {
  if (/(?:ss|us|is)$/.test(name)) return name;
  return name.replace(/ies$/, 'y').replace(/s$/, '');
}

type Shapes = Set<string>;

/**
 * Describes an id the same way wherever its name appears. A pattern that not every request enforces
 * is left out, because a malformed id is answered exactly like an unknown one. [G-11]
 */
export class IdBook {
  readonly #shapes = { input: new Map<string, Shapes>(), output: new Map<string, Shapes>() };

  /** Records how the ids in a schema are declared. */
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

  /** The schema with each id described the common way. */
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
