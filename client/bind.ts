// Makes a client's methods from the table of operations: puts each input into path, query and body,
// and gives every write an idempotency key.
import { HoldfastError, type LocalCode } from './error.ts';
import {
  OPERATIONS,
  type CallOptions,
  type Host,
  type OperationRow,
  type Operations,
} from './generated.ts';
import { send, type Authorize, type Call, type Fetch } from './transport.ts';

/** Base URLs from the ready line, of the hosts that are called. */
export type Urls = Readonly<Partial<Record<Host, string>>>;

/** How a client makes its calls. */
export interface Wire {
  readonly urls: Urls;
  readonly fetch: Fetch;
  readonly authorize: Authorize;
  /** Milliseconds for a call that sets no limit of its own. */
  readonly timeoutMs?: number | undefined;
  /** Makes an Idempotency-Key. */
  readonly newKey: () => string;
  /** Further members for the bodies of OAuth endpoints. */
  readonly credentials?: Readonly<Record<string, string>>;
  /** Base URL of an operation that is not at its host's. */
  readonly baseOf?: (host: Host) => string;
}

type Input = Readonly<Record<string, unknown>>;
type Lists = Readonly<Partial<Record<Host, readonly (keyof Operations)[]>>>;

/** An object of methods for each host in `lists`, each calling `call`; `Api` is their type. */
export function bind<Api>(lists: Lists, wire: Wire, call = invoke): Api {
  const hosts = Object.entries(lists).map(([host, names]) => [
    host,
    Object.fromEntries(
      names.map((name) => [
        name,
        (input: Input = {}, options: CallOptions = {}) => call(wire, name, input, options),
      ]),
    ),
  ]);
  return Object.fromEntries(hosts) as Api;
}

/** Calls one operation by its name. */
export async function invoke(
  wire: Wire,
  name: keyof Operations,
  input: Input,
  options: CallOptions,
): Promise<unknown> {
  return invokeRow(wire, name, OPERATIONS[name], input, options);
}

async function invokeRow(
  wire: Wire,
  name: string,
  row: OperationRow,
  input: Input,
  options: CallOptions,
): Promise<unknown> {
  const left = { ...input };
  const path = row.path.replaceAll(/\{(\w+)\}/g, (_, field: string) => taken(name, left, field));
  const query = (row.query ?? []).flatMap((field) => asked(left, field)).join('&');
  const writes = row.method !== 'GET';
  const key = writes && row.open !== true ? (options.idempotencyKey ?? wire.newKey()) : null;
  const form = row.body === 'form';
  const call: Call = {
    operation: name,
    url: `${baseOf(wire, name, row.host)}${path}${query === '' ? '' : `?${query}`}`,
    method: row.method,
    headers: {
      ...(row.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === null ? {} : { 'idempotency-key': key }),
    },
    ...(row.body === undefined ? {} : { body: bodyOf(wire, left, form) }),
    // Without a token no key is stored: a refresh token sent twice ends its family.
    repeatable: !writes || key !== null,
    bare: row.bare === true,
    signal: options.signal,
    timeoutMs: options.timeoutMs ?? wire.timeoutMs,
  };
  return send(wire.fetch, call, row.open === true ? null : wire.authorize);
}

function bodyOf(wire: Wire, left: Input, form: boolean): string {
  return JSON.stringify(form ? { ...wire.credentials, ...left } : left);
}

function taken(name: string, left: Record<string, unknown>, field: string): string {
  const value = left[field];
  delete left[field];
  if (typeof value === 'string' && value !== '') return encodeURIComponent(value);
  throw missing(name, 'INPUT_MISSING', `${name} needs ${field}.`);
}

/** One query parameter, taken out of the input. Encoded by hand: some apps lack URLSearchParams. */
function asked(left: Record<string, unknown>, field: string): string[] {
  const value = left[field];
  delete left[field];
  return value === undefined ? [] : [`${field}=${encodeURIComponent(String(value))}`];
}

function baseOf(wire: Wire, name: string, host: Host): string {
  if (wire.baseOf !== undefined) return wire.baseOf(host);
  const base = wire.urls[host];
  if (base !== undefined) return base.replace(/\/$/, '');
  throw missing(name, 'URL_UNKNOWN', `${name} needs the address of the ${host} host.`);
}

function missing(operation: string, code: LocalCode, message: string): HoldfastError {
  return new HoldfastError({ status: 0, codes: [code], message, operation });
}

/** A random key; without Web Crypto, as in some apps, the caller must supply keys. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
