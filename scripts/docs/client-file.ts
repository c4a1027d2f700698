// Writes client/generated.ts from the catalogue: the type of every request, answer and event, the
// table of operations that the client calls by, and each operation's refusal codes.
import type { z } from 'zod';
import { accountNumber, TEST_ROUTING } from '../../src/sandbox/simulators/processor/entry.ts';
import { TEST_ACCOUNTS } from '../../src/sandbox/simulators/processor/test-accounts.ts';
import { TEST_CARDS } from '../../src/sandbox/simulators/processor/test-cards.ts';
import { events } from '../../src/catalogue.ts';
import { operations, refusals } from '../../src/sandbox/index.ts';
import { httpRefusals } from '../../src/http/refusals.ts';
import { refusalsOfSteps } from '../../src/http/step-refusals.ts';
import { HOST_NAMES } from '../../src/core/operation.ts';
import type { CallerKind, Operation } from '../../src/core/operation.ts';
import { nameOf, SCHEMAS } from '../../src/http/openapi-names.ts';
import { schemaOf, typeName } from '../../src/http/openapi-schema.ts';
import { TypeBook, type Field } from './client-types.ts';
import { contract } from './operations-page.ts';

type Any = Operation<never>;

const HEAD = `// One file, made by \`npm run docs\` from the catalogue: the types of every request,
// answer and event, the table that calls are made by, and the codes of refusals. Do not edit it.
`;

/** Longest line allowed in the sources. */
const LINE = 100;

/** The file. */
export function clientFile(): string {
  const book = new TypeBook(contract());
  // Operations for processors and vendors do not concern an integrator.
  const all = operations as unknown as readonly Any[];
  const known = all.filter(({ id }) => !id.endsWith('Notice'));
  const inputs = new Map<string, string>();
  const methods = known.map((one) => methodOf(book, one, inputs)).join('\n');
  const messages = events.map(({ name, when, message }) => {
    const schema = schemaOf(message as z.ZodType, 'output');
    const text = book.text(contract().take(schema, 'output', `${typeName(name)}Message`));
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
    ...inputs.values(),
    book.interfaces(),
    testNumbers(),
  ];
  return parts.join('\n');
}

const OPTIONS = `/** The input of an operation that has none. */
export type NoInput = Readonly<Record<string, never>>;

/**
 * What stops a call: the \`AbortSignal\` of the surroundings. A project whose compiler knows
 * neither a browser nor Node still reads these types.
 */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Own } }
  ? Own
  : {
      readonly aborted: boolean;
      readonly reason: unknown;
      addEventListener(type: 'abort', listener: () => void): void;
      removeEventListener(type: 'abort', listener: () => void): void;
    };

/** What a call may carry besides its input. */
export interface CallOptions {
  /** The key that makes a repetition safe; one is made for each call when none is given. */
  readonly idempotencyKey?: string;
  readonly signal?: Signal;
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

function methodOf(book: TypeBook, operation: Any, inputs: Map<string, string>): string {
  const { id, host, method, path, summary, stagingOnly } = operation;
  const { parameters, body, answers } = contract().of(id);
  const content = body === null ? {} : contract().resolved(body.schema);
  const needed = [...parameters.filter((one) => one.required), ...(content.required ?? [])];
  const optional = needed.length === 0 && (content.anyOf ?? content.oneOf) === undefined;
  const texts = [...answers.values()].map((one) =>
    one === null ? 'void' : book.text(one.schema),
  );
  const where = `\`${method} {${host}_url}${path}\`${stagingOnly ? ', staging only' : ''}`;
  const given = `input${optional ? '?' : ''}: ${inputText(book, operation, inputs)}`;
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

/** Path, query and body are one object. A path-only input is written inline. */
function inputText(book: TypeBook, { id }: Any, inputs: Map<string, string>): string {
  const { parameters, body } = contract().of(id);
  const sent = body === null ? null : nameOf(body.schema);
  if (parameters.length === 0) return body === null ? 'NoInput' : book.text(body.schema);
  if (body === null && parameters.every((one) => one.in === 'path')) {
    return `{ ${parameters.map(({ name }) => `readonly ${name}: string`).join('; ')} }`;
  }
  if (sent !== null && sent !== undefined) checkApart(id, parameters, sent);
  const name = `${typeName(id)}Input`;
  const from = sent ? book.text({ $ref: SCHEMAS + sent }) : '';
  const fields = `{\n${book.fields(parameters, 'input').join('\n')}\n}`;
  // A body with several forms cannot be extended.
  const { anyOf, oneOf } = contract().components.get(sent ?? '')?.schema ?? {};
  const forms = (anyOf ?? oneOf) !== undefined;
  const head = from === '' || forms ? '' : ` extends ${from}`;
  const text = forms ? `type ${name} = ${from} & ${fields};` : `interface ${name}${head} ${fields}`;
  inputs.set(name, `export ${text}\n`);
  return name;
}

/** If two parts of an input shared a name, one would be lost. */
function checkApart(id: string, parameters: readonly Field[], body: string): void {
  const fields = contract().components.get(body)?.schema.properties ?? {};
  const twice = parameters.filter(({ name }) => name in fields);
  if (twice.length > 0) throw new Error(`${id} has two inputs named ${twice[0]?.name}`);
}

function tableOf(known: readonly Any[]): string {
  const rows = known.map((one) => {
    const query = contract()
      .of(one.id)
      .parameters.flatMap((field) => (field.in === 'query' ? field.name : []));
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
    // A list too long for a line has a line per name.
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
function apiOf(kind: CallerKind, sentence: string, known: readonly Any[]): string {
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

function opens({ access, host }: Any, kind: CallerKind): boolean {
  // Tokens are a server's concern, and opening its session is the page's own.
  if (access === 'public') {
    return host === 'auth' ? kind === 'client' : host !== 'widget' && host !== 'hosted';
  }
  return access[kind] !== undefined;
}

function refusalTypes(known: readonly Any[]): string {
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
