// The page of endpoints and the OpenAPI documents, from the operations served in staging.
import { operations as processorOperations } from '../../src/sandbox/simulators/processor/index.ts';
import { operations as vendorOperations } from '../../src/sandbox/simulators/vendor/index.ts';
import { operations } from '../../src/sandbox/index.ts';
import { DEFAULT_PORT_BASE } from '../../src/cli/arguments.ts';
import { healthOperations } from '../../src/http/health.ts';
import { contractOf, type Contract } from '../../src/http/openapi-contract.ts';
import { openapiDocument } from '../../src/http/openapi.ts';
import { HOST_NAMES, type HostName, type Operation } from '../../src/core/operation.ts';
import { table } from './markdown.ts';

type Any = Operation<never>;

const yes = (): boolean => true;

/** Every operation of a staging start. */
export function allOperations(): Any[] {
  return [
    ...(operations as readonly unknown[] as readonly Any[]),
    ...(processorOperations as readonly unknown[] as readonly Any[]),
    ...(vendorOperations as readonly unknown[] as readonly Any[]),
    ...(healthOperations({ alive: yes, ready: yes }) as readonly unknown[] as readonly Any[]),
  ];
}

/** The URLs of a first start: consecutive ports, the shop on another site. [G-03] */
export const DEFAULT_URLS = Object.fromEntries(
  HOST_NAMES.map((host, at) => {
    const name = host === 'shop' ? 'localhost' : '127.0.0.1';
    return [host, `http://${name}:${DEFAULT_PORT_BASE + at}`];
  }),
) as Readonly<Record<HostName, string>>;

/** The document of a host, with the URLs of a first start. */
export function openapiOf(host: HostName): Record<string, unknown> {
  const own = allOperations().filter((one) => one.host === host);
  return openapiDocument(host, own, contract(), DEFAULT_URLS);
}

let made: Contract | null = null;

/** The contract of all operations. */
export function contract(): Contract {
  return (made ??= contractOf(allOperations()));
}

/** The page. */
export function operationsPage(): string {
  const all = allOperations();
  const of = (host: HostName): Any[] => all.filter((one) => one.host === host);
  const sections = HOST_NAMES.map((host) => sectionOf(host, of(host)));
  const hosts = sections.filter((section) => section !== '').length;
  return `# Operations

${all.length} operations on ${hosts} hosts. "client" is a token from \`POST /token\`, "user" a
token for one person, "session" the session of a one-time link; each is followed by the scope that
it requires. Operations marked *staging* do not exist in production. Besides its own refusals, each
operation can return those of the transport and of input, see [refusals.md](refusals.md). Every host
also answers \`GET /openapi.json\`.
${sections.join('')}`;
}

function sectionOf(host: HostName, own: readonly Any[]): string {
  if (own.length === 0) return '';
  const rows = own.map((one) => [
    `\`${one.method} ${one.path}\``,
    `${one.summary}${one.stagingOnly === true ? ' *staging*' : ''}`,
    accessOf(one),
    Object.keys(one.answers).join(', '),
    one.refusals.map(({ code }) => `\`${code}\``).join(' ') || '-',
    one.cites,
  ]);
  const head = ['Call', 'What it does', 'Who', 'Answers', 'Its own refusals', 'Source'];
  return `\n## ${host}\n\n${table(head, rows)}`;
}

function accessOf({ access }: Any): string {
  if (access === 'public') return 'anybody';
  const kinds = (['client', 'user', 'session'] as const).flatMap((kind) => {
    const scope = access[kind];
    if (scope === undefined) return [];
    return [scope === null ? `${kind}: any` : `${kind}: \`${scope}\``];
  });
  return kinds.join('<br>');
}
