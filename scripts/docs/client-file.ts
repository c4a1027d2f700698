// Writes client/generated.ts from the catalogue: the type of every request, answer and event, the
// table of operations that the client calls by, and the codes that each can be refused with.
import type { z } from 'zod';
import { accountNumber, TEST_ROUTING } from '../../src/adapters/sandbox-processor/entry.ts';
import { TEST_ACCOUNTS } from '../../src/adapters/sandbox-processor/test-accounts.ts';
import { TEST_CARDS } from '../../src/adapters/sandbox-processor/test-cards.ts';
import { events, operations, refusals } from '../../src/catalogue.ts';
import { httpRefusals } from '../../src/http/refusals.ts';
import { refusalsOfSteps } from '../../src/http/step-refusals.ts';
import { HOST_NAMES } from '../../src/kernel/operation.ts';
import type { CallerKind, Operation } from '../../src/kernel/operation.ts';
import { schemaOf, typeName, TypeBook, type JsonSchema } from './client-types.ts';

const HEAD = `// One file, made by \`npm run docs\` from the catalogue: the types of every request,
// answer and event, the table that calls are made by, and the codes of refusals. Do not edit it.
`;

/** Longest line of the house. */
const LINE = 100;

/** The file. */
export function clientFile(): string {
  const book = new TypeBook();
  const all = operations as unknown as readonly Operation<never>[];
  // What processors and vendors call is nothing for an integrator.
  const known = all.filter(({ id }) => !id.endsWith('Notice'));
  nameRecords(book, known);
  const methods = known.map((one) => methodOf(book, one)).join('\n');
  const messages = events.map(({ name, when, message }) => {
    const schema = schemaOf(message as z.ZodType, 'output');
    const text = book.text(`${typeName(name)}Message`, schema, 'output');
    return `  /** ${when} */\n  readonly '${name}': ${text};`;
  });
  const parts = [
    HEAD,
    section('Hosts, in the order of the ready line.', list('HOSTS', HOST_NAMES)),
    'export type Host = (typeof HOSTS)[number];\n',
    OPTIONS,
    tableOf(known),
    section(
      'Every operation.',
      `export interface Operations {\n${methods}\n}\n`,
    ),
    apiOf('client', 'What a server may call with its client credentials.', known),
    apiOf('user', 'What an app may call with the token of its user.', known),
    apiOf('session', 'What a page may call that a link opened.', known),
    refusalTypes(known),
    section(
      'The message of each event.',
      `export interface EventMessages {\n${messages.join('\n')}\n}\n`,
    ),
    book.interfaces(),
    testNumbers(),
  ];
  return parts.join('\n');
}

/** Where the rule below gives no good name: `Event` is a class of every browser. */
const NAMED: Readonly<Record<string, string>> = {
  createInvoice: 'Invoice',
  getInvoice: 'InvoiceNow',
  getEvent: 'EventRecord',
};

/** The record that is read, or else listed, gives its name to everything that is the same. */
function nameRecords(book: TypeBook, known: readonly Operation<never>[]): void {
  const records = (verb: string, of: (answer: JsonSchema) => JsonSchema | undefined): void => {
    for (const one of known.filter(({ id }) => id.startsWith(verb))) {
      const name = NAMED[one.id] ?? one.id.slice(verb.length).replace(/(?<=[^s])s$/, '');
      for (const record of answersOf(one).map(of)) {
        if (record?.properties !== undefined) book.name(name, record, 'output');
      }
    }
  };
  for (const id of Object.keys(NAMED)) records(id, (answer) => answer);
  records('get', (answer) => answer);
  records('list', ({ items }) => items);
}

const OPTIONS = `/** The input of an operation that has none. */
export type NoInput = Readonly<Record<string, never>>;

/** What a call may carry besides its input. */
export interface CallOptions {
  /** The key that makes a repetition safe; one is made for each call when none is given. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
  /** Milliseconds for the whole call with its repetitions. */
  readonly timeoutMs?: number;
}
`;

function section(sentence: string, text: string): string {
  return `/** ${sentence} */\n${text}`;
}

function list(name: string, values: readonly string[]): string {
  return `export const ${name} = [\n${values.map((one) => `  '${one}',`).join('\n')}\n] as const;`;
}

function answersOf({ answers }: Operation<never>): JsonSchema[] {
  return Object.values(answers).flatMap((one) => (one === null ? [] : [schemaOf(one, 'output')]));
}

/** Path, query and body as one object, or as a choice where the body is one. */
function inputOf(operation: Operation<never>): JsonSchema {
  const { id, params, query, body } = operation;
  const address = [params, query].map((one) => schemaOf(one, 'input'));
  const content = body === null ? {} : schemaOf(body, 'input');
  const choices = content.anyOf ?? content.oneOf;
  if (choices === undefined) return merged(id, [...address, content]);
  return { anyOf: choices.map((one) => merged(id, [...address, one])) };
}

/** One object of all fields: a name that two parts have would be lost. */
function merged(id: string, parts: readonly JsonSchema[]): JsonSchema {
  const names = parts.flatMap((one) => Object.keys(one.properties ?? {}));
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  if (twice.length > 0) throw new Error(`${id} has two inputs named ${twice.join()}`);
  return {
    type: 'object',
    properties: Object.fromEntries(parts.flatMap((one) => Object.entries(one.properties ?? {}))),
    required: parts.flatMap((one) => one.required ?? []),
  };
}

function methodOf(book: TypeBook, operation: Operation<never>): string {
  const { id, host, method, path, summary, stagingOnly, answers } = operation;
  const input = inputOf(operation);
  const pascal = typeName(id);
  const type = inputText(book, operation, `${pascal}Input`, input);
  const optional = input.anyOf === undefined && (input.required ?? []).length === 0;
  const texts = answersOf(operation).map((one) => book.root(`${pascal}Answer`, one, 'output'));
  if (Object.values(answers).includes(null)) texts.push('void');
  const where = `\`${method} {${host}_url}${path}\`${stagingOnly ? ', staging only' : ''}`;
  const given = `input${optional ? '?' : ''}: ${type}`;
  const answered = `Promise<${[...new Set(texts)].join(' | ')}>`;
  const short = `  ${id}(${given}, options?: CallOptions): ${answered};`;
  const long = `  ${id}(
    ${given},
    options?: CallOptions,
  ): ${answered};`;
  const signature = short.length > LINE ? long : short;
  return `  /**
   * ${summary}
   * ${where}
   */
${signature}`;
}

/** What is only a path is written where it is used. */
function inputText(
  book: TypeBook,
  { params, body }: Operation<never>,
  name: string,
  input: JsonSchema,
): string {
  if (input.anyOf !== undefined) return book.root(name, input, 'input');
  const fields = Object.keys(input.properties ?? {});
  if (fields.length === 0) return 'NoInput';
  const inPath = Object.keys(schemaOf(params, 'input').properties ?? {});
  const onlyPath = body === null && fields.length === inPath.length;
  if (!onlyPath) return book.text(name, input, 'input');
  return `{ ${inPath.map((field) => `readonly ${field}: string`).join('; ')} }`;
}

function tableOf(known: readonly Operation<never>[]): string {
  const rows = known.map((one) => {
    const query = Object.keys(schemaOf(one.query, 'input').properties ?? {});
    const extra = [
      ...(query.length === 0 ? [] : [`query: [${query.map((name) => `'${name}'`).join(', ')}]`]),
      ...(one.body === null ? [] : [`body: '${one.accepts ?? 'json'}'`]),
      ...(one.bare === true ? ['bare: true'] : []),
      ...(one.access === 'public' ? ['open: true'] : []),
    ];
    const { id, host, method, path } = one;
    const lines = [`host: '${host}'`, `method: '${method}'`, `path: '${path}'`, ...extra];
    const short = `  ${id}: { ${lines.join(', ')} },`;
    if (short.length <= LINE) return short;
    // A list too long for a line has a line for each name.
    const folded = lines.map((line) =>
      line.length < LINE - 4
        ? line
        : line.replace('[', '[\n      ').replaceAll(', ', ',\n      ').replace(']', ',\n    ]'),
    );
    return `  ${id}: {\n${folded.map((line) => `    ${line},`).join('\n')}\n  },`;
  });
  return `${ROW}
export const OPERATIONS: Readonly<Record<keyof Operations, OperationRow>> = {
${rows.join('\n')}
};
`;
}

const ROW = `/** Where one operation is, and how its input is sent. */
export interface OperationRow {
  readonly host: Host;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Names that go into the query; what is not in the path either goes into the body. */
  readonly query?: readonly string[];
  readonly body?: 'json' | 'form';
  /** The answer has no envelope. */
  readonly bare?: true;
  /** Needs no token. */
  readonly open?: true;
}

/** How calls are made. */`;

/** Operations by host for one kind of caller, as a type and as the list that is bound to it. */
function apiOf(kind: CallerKind, sentence: string, known: readonly Operation<never>[]): string {
  const open = known.filter((one) => opens(one, kind));
  const hosts = HOST_NAMES.filter((host) => open.some((one) => one.host === host));
  const constant = `${kind.toUpperCase()}_OPERATIONS`;
  const rows = hosts.map((host) => {
    const ids = open.filter((one) => one.host === host).map(({ id }) => `    '${id}',`);
    return `  ${host}: [\n${ids.join('\n')}\n  ],`;
  });
  const name = `${typeName(kind)}Api`;
  return `/** ${sentence} */
export const ${constant} = {
${rows.join('\n')}
} as const satisfies Partial<Record<Host, readonly (keyof Operations)[]>>;
/** ${sentence} */
export type ${name} = {
  readonly [H in keyof typeof ${constant}]: Pick<
    Operations,
    (typeof ${constant})[H][number]
  >;
};
`;
}

function opens({ access, host }: Operation<never>, kind: CallerKind): boolean {
  // Tokens are a server's business, and how a page opens its session is the page's own.
  if (access === 'public') {
    return host === 'auth' ? kind === 'client' : host !== 'widget' && host !== 'hosted';
  }
  return access[kind] !== undefined;
}

function refusalTypes(known: readonly Operation<never>[]): string {
  const steps = new Set<string>(Object.values(httpRefusals).map(({ code }) => code));
  for (const one of known) for (const { code } of refusalsOfSteps(one)) steps.add(code);
  const union = (codes: Iterable<string>, indent: string): string =>
    [...codes].map((code) => `\n${indent}| '${code}'`).join('');
  const rows = known.map((one) => {
    const own = [...new Set(one.refusals.map(({ code }) => code))].filter((c) => !steps.has(c));
    return `  readonly ${one.id}: StepRefusal${union(own, '    ')};`;
  });
  const retry = new Set(
    [...refusals, ...Object.values(httpRefusals)].filter((one) => one.retry).map((one) => one.code),
  );
  return `/** What any call can be refused with, before its operation is asked. */
export type StepRefusal =${union(steps, '  ')};

/** The codes that each operation can be refused with. */
export interface Refusals {
${rows.join('\n')}
}

/** Codes after which the same request may succeed later. */
${list('RETRYABLE', [...retry])}
`;
}

/** What a person types or clicks in the sandbox, by the name that a call attaches it by. */
function testNumbers(): string {
  const banks = TEST_ACCOUNTS.filter(({ brand }) => brand === 'ach');
  const logins = TEST_ACCOUNTS.filter(({ brand }) => brand === 'paypal');
  const rows = (of: readonly (readonly [string, string])[]): string =>
    of.map(([name, number]) => `  ${name}: '${number}',\n`).join('');
  return `/** Card numbers of the sandbox by name. */
export const TEST_CARDS = {
${rows(TEST_CARDS.map(({ name, number }) => [name, number]))}} as const;

/** The routing number of the test bank, and its account numbers by name. */
export const TEST_ROUTING = '${TEST_ROUTING}';
export const TEST_BANKS = {
${rows(banks.map(({ name, last4 }) => [name, accountNumber(last4)]))}} as const;

/** Who can log in at the sandbox's wallet. */
${list('TEST_LOGINS', logins.map(({ name }) => name))}
`;
}
