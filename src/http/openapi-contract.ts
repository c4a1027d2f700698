// What every operation takes and answers, as JSON Schema with references to named components. Both
// the OpenAPI documents and the TypeScript client are written from it.
import type { Operation } from '../core/operation.ts';
import { NameBook, type Component } from './openapi-names.ts';
import { IdBook, mapped, present, schemaOf, singular, typeName } from './openapi-schema.ts';
import type { Direction, JsonSchema } from './openapi-schema.ts';

type Any = Operation<never>;

/** One path or query parameter. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: JsonSchema;
}

/** One operation's part. */
export interface Described {
  readonly parameters: readonly Parameter[];
  readonly body: Content | null;
  /** By status; null for no body. Without the envelope. */
  readonly answers: ReadonlyMap<string, Content | null>;
}

/** A request or answer body. */
export interface Content {
  /** With references. */
  readonly schema: JsonSchema;
  /** Without references, for its example. */
  readonly whole: JsonSchema;
}

/** All operations together. */
export interface Contract {
  readonly components: ReadonlyMap<string, Component>;
  /** The schema that a reference names; any other unchanged. */
  resolved(schema: JsonSchema): JsonSchema;
  of(id: string): Described;
  /** Adds a further schema, such as an event's message. */
  take(schema: JsonSchema, io: Direction, place: string): JsonSchema;
}

/** The contract of these operations. Component names depend on what precedes, so pass all. */
export function contractOf(operations: readonly Any[]): Contract {
  const ids = new IdBook();
  const whole = operations.map((one) => partsOf(one));
  for (const { inputs, answers } of whole) {
    for (const one of inputs) ids.note(one, 'input');
    for (const one of answers.values()) if (one !== null) ids.note(one, 'output');
  }
  const book = new NameBook();
  const applied = whole.map((one) => withIds(one, ids));
  for (const one of applied) {
    for (const schema of one.inputs) nameTitled(book, schema, 'input');
    for (const schema of one.answers.values()) if (schema) nameTitled(book, schema, 'output');
  }
  for (const { id, answers } of applied) nameRecords(book, id, answers);
  const described = new Map(applied.map((one) => [one.id, describe(book, one)]));
  return {
    components: book.components,
    resolved: (schema) => book.resolved(schema),
    of(id) {
      const found = described.get(id);
      if (found === undefined) throw new Error(`${id} is not an operation of this contract`);
      return found;
    },
    take: (schema, io, place) => book.take(ids.applied(schema), io, place),
  };
}

interface Parts {
  readonly id: string;
  readonly params: JsonSchema;
  readonly query: JsonSchema;
  readonly body: JsonSchema | null;
  readonly inputs: readonly JsonSchema[];
  readonly answers: ReadonlyMap<string, JsonSchema | null>;
}

function partsOf({ id, params, query, body, accepts, answers }: Any): Parts {
  const [path, asked] = [schemaOf(params, 'input'), schemaOf(query, 'input')];
  // A form's unknown fields are ignored, which the contract need not offer. [G-10]
  const closed = accepts === 'form' && { additionalProperties: false };
  const sent = body === null ? null : { ...schemaOf(body, 'input'), ...closed };
  const told = Object.entries(answers).map(
    ([status, one]) => [status, one === null ? null : schemaOf(one, 'output')] as const,
  );
  const inputs = [path, asked, ...(sent === null ? [] : [sent])];
  return { id, params: path, query: asked, body: sent, inputs, answers: new Map(told) };
}

function withIds(parts: Parts, ids: IdBook): Parts {
  const [params, query, body = null] = parts.inputs.map((one) => ids.applied(one)) as [
    JsonSchema,
    JsonSchema,
    JsonSchema?,
  ];
  return {
    ...parts,
    ...{ params, query, body },
    inputs: [params, query, ...(body === null ? [] : [body])],
    answers: new Map(
      [...parts.answers].map(([status, one]) => [status, one === null ? null : ids.applied(one)]),
    ),
  };
}

/** A name given by its module wins over any similar object. */
function nameTitled(book: NameBook, schema: JsonSchema, io: Direction): void {
  mapped(schema, (part) => {
    if (part.title !== undefined) book.take(part, io, part.title);
    return part;
  });
}

/** A record that is read, or else listed, gives its name to all equal objects. */
function nameRecords(book: NameBook, id: string, answers: Parts['answers']): void {
  for (const answer of answers.values()) {
    if (answer === null) continue;
    const { items } = answer;
    if (id.startsWith('get')) book.take(answer, 'output', typeName(id.slice(3)));
    else if (id.startsWith('list') && items !== undefined) {
      book.take(items, 'output', typeName(singular(id.slice(4))));
    }
  }
}

function describe(book: NameBook, { id, params, query, body, answers }: Parts): Described {
  const pascal = typeName(id);
  const parameters = [...parametersIn(params, 'path'), ...parametersIn(query, 'query')];
  const place = `${pascal}${parameters.length === 0 ? 'Input' : 'Body'}`;
  const content = (whole: JsonSchema | null, io: Direction, at: string): Content | null =>
    whole === null ? null : { schema: book.take(whole, io, at), whole };
  const told = [...answers].map(
    ([status, one]) => [status, content(one, 'output', `${pascal}Answer`)] as const,
  );
  return { parameters, body: content(body, 'input', place), answers: new Map(told) };
}

function parametersIn(schema: JsonSchema, place: 'path' | 'query'): Parameter[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).map(([name, one]) => ({
    name,
    in: place,
    required: place === 'path' || required.has(name),
    schema: present(one),
  }));
}
