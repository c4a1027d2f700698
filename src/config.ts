// Reads the settings from the environment, with defaults and the combinations that are refused. No
// other file may read the environment.
import { hash } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { TenantLimits } from './core/operation.ts';
import { hostsOf } from './db/index.ts';
import type { ProviderRow } from './providers/port.ts';
import type { SignOnSettings } from './providers/sign-on/port.ts';
import { readMail, type MailSettings } from './settings/mail.ts';
import {
  address,
  baseUrl,
  ConfigError,
  count,
  isOn,
  positive,
  text,
  type Environment,
} from './settings/read.ts';
import { readSignOn } from './settings/sign-on.ts';

export { ConfigError } from './settings/read.ts';

/** Settings of a process, beyond those of the command line. */
export interface Config {
  readonly env: 'staging' | 'production';
  /** Among several installations; 0: the first. */
  readonly installation: number;
  /** The service's name on the wire. [G-80] */
  readonly word: string;
  /** File with the master keys; null: `keys.json` in the data directory, staging only. */
  readonly keyFile: string | null;
  /** File for the audit's block hashes; null: `anchorName` in the data directory. */
  readonly auditAnchor: string | null;
  /** Each database has its own file, or another's hashes would look like tampering. */
  readonly anchorName: string;
  /** Connections for engine transactions, reads and background work. */
  readonly connections: { readonly engine: number; readonly reads: number; readonly work: number };
  /** Milliseconds a request's statement may take, and a transaction may be idle. */
  readonly statementMs: number;
  /** Minutes after which an idle connection is replaced; 0: never. */
  readonly connectionMinutes: number;
  /** The process is not alive once event loop or engine have stood still for so many seconds. */
  readonly stallSeconds: number;
  /** Most batches in flight. */
  readonly batches: number;
  /** Queue timeout of a command in milliseconds, then 503; long in the sandbox. [G-06] */
  readonly patienceMs: number;
  /** Limits per process; 0 for none. [G-06] */
  readonly callLimits: {
    /** Concurrent requests before 503. */
    readonly process: number;
    readonly tenant: TenantLimits;
    /** Calls per second from one address without a token. */
    readonly address: { readonly calls: number; readonly guesses: number; readonly links: number };
  };
  /** Peers whose X-Forwarded-For is trusted. */
  readonly trustedProxies: BlockList;
  /** Addresses the listeners bind; `internal` has its own. */
  readonly listen: { readonly hosts: string; readonly internal: string };
  /** One listener for all hosts; null: none. [G-03] */
  readonly proxyPort: number | null;
  /** Milliseconds a process serves on after it is told to stop. */
  readonly drainMs: number;
  /** Milliseconds an idle connection is kept; longer than the proxies in front keep theirs. */
  readonly keepAliveMs: number;
  /** True: HTTP has a thread of its own. */
  readonly httpThread: boolean;
  /** Public base addresses by host. */
  readonly urls: Readonly<Record<string, string>>;
  /** For one call of the card processor or identity vendor. */
  readonly processorTimeoutMs: number;
  /** The sandbox's simulators send webhooks and carry out delayed events. */
  readonly processorNotices: boolean;
  /** Most days an escrow may hold money. [G-42] */
  readonly escrowHoldDays: number;
  /** Milliseconds that paying an escrow waits for the processor. [G-34] */
  readonly escrowWaitMs: number;
  /** Seconds a payout stays in review before it is sent; null, in staging: never. [G-43] */
  readonly payoutHoldSeconds: number | null;
  /** From so many restricted minor units on a second operator confirms a review; 0: always. */
  readonly reviewFourEyesMinor: number;
  /** From so many minor units on a second operator confirms a bank transfer; 0: always. [G-91] */
  readonly bankFourEyesMinor: number;
  /** A strong match alone sends accepted applications to manual review. [G-53] */
  readonly reviewMatches: boolean;
  /** Tests: answers are checked against their schemas. */
  readonly checkAnswers: boolean;
  readonly accessLog: boolean;
  /** The identity provider of the console; null: none. */
  readonly signOn: SignOnSettings | null;
  /** The mail server; null: none. */
  readonly mail: MailSettings | null;
  /** Base URL of the collector of traces; null: they are not recorded. */
  readonly tracesUrl: string | null;
  /** Which calls are recorded for `explain` and the log of requests. */
  readonly requestNotes: NotedRequests;
}

const NOTED_REQUESTS = ['on', 'refused', 'off'] as const;

/** Calls that are recorded: all that changed something or were refused, the refused, or none. */
export type NotedRequests = (typeof NOTED_REQUESTS)[number];

/** Which database, and by whom. */
export interface Place {
  readonly env: 'staging' | 'production';
  /** As the server's role. */
  readonly databaseUrl: string;
  /** As the role that owns the tables; null or absent: DATABASE_URL's role is all there is. */
  readonly ownerUrl?: string | null;
}

/** One start of the whole system, as the command line asks for it. */
export interface StartOptions extends Place {
  readonly portBase: number;
  readonly portBaseFixed?: boolean;
  readonly forwardTo: string | null;
  /** False: no provider or receiver is called; deliveries and provider calls wait. Default true. */
  readonly outbound?: boolean;
  readonly dataDir: string;
  readonly ephemeral: boolean;
  /** Providers to choose from; absent: those of the registry. */
  readonly providers?: readonly ProviderRow[];
  log(line: string): void;
}

/** Reads the settings. Throws a ConfigError with one sentence. */
export function readConfig(
  env: 'staging' | 'production',
  environment: Environment = process.env,
): Config {
  const keyFile = text(environment, 'HOLDFAST_KEY_FILE');
  const production = env === 'production';
  if (production) requireOfProduction(environment);
  const word = text(environment, 'HOLDFAST_WORD') ?? 'service';
  if (!/^[a-z][a-z0-9]{0,31}$/.test(word)) {
    throw new ConfigError('HOLDFAST_WORD must be lower-case letters and digits.');
  }
  const proxyPort = text(environment, 'HOLDFAST_PROXY_PORT');
  return {
    ...{ env, word, keyFile },
    installation: count(environment, 'HOLDFAST_INSTALLATION', 0, 3),
    auditAnchor: text(environment, 'HOLDFAST_AUDIT_ANCHOR'),
    anchorName: anchorName(text(environment, 'DATABASE_URL')),
    connections: {
      engine: count(environment, 'HOLDFAST_ENGINE_CONNECTIONS', 8),
      reads: count(environment, 'HOLDFAST_READ_CONNECTIONS', 8),
      work: count(environment, 'HOLDFAST_WORK_CONNECTIONS', 6),
    },
    statementMs: positive(environment, 'HOLDFAST_STATEMENT_MS', 5_000),
    connectionMinutes: count(environment, 'HOLDFAST_CONNECTION_MINUTES', 30, 4),
    stallSeconds: positive(environment, 'HOLDFAST_STALL_SECONDS', 30),
    batches: count(environment, 'HOLDFAST_BATCHES', 2),
    patienceMs: count(environment, 'HOLDFAST_PATIENCE_MS', production ? 1_000 : 15_000),
    callLimits: callLimits(environment, production),
    trustedProxies: proxies(environment),
    listen: {
      hosts: address(environment, 'HOLDFAST_LISTEN'),
      internal: address(environment, 'HOLDFAST_LISTEN_INTERNAL'),
    },
    proxyPort: proxyPort === null ? null : count(environment, 'HOLDFAST_PROXY_PORT', 0),
    drainMs: count(environment, 'HOLDFAST_DRAIN_MS', drainMs(environment)),
    keepAliveMs: count(environment, 'HOLDFAST_KEEP_ALIVE_MS', 80_000),
    httpThread: isOn(environment, 'HOLDFAST_HTTP_THREAD', availableParallelism() > 1),
    urls: urlsOf(environment),
    processorTimeoutMs: count(environment, 'HOLDFAST_PROCESSOR_TIMEOUT_MS', 10_000),
    processorNotices: text(environment, 'HOLDFAST_PROCESSOR_NOTICES') !== 'off',
    escrowHoldDays: count(environment, 'HOLDFAST_ESCROW_HOLD_DAYS', 90),
    escrowWaitMs: count(environment, 'HOLDFAST_ESCROW_WAIT_MS', 20_000),
    payoutHoldSeconds: production
      ? count(environment, 'HOLDFAST_PAYOUT_HOLD_SECONDS', 86_400)
      : null,
    reviewFourEyesMinor: count(environment, 'HOLDFAST_REVIEW_FOUR_EYES_MINOR', 1_000_000, 15),
    bankFourEyesMinor: count(environment, 'HOLDFAST_BANK_FOUR_EYES_MINOR', 1_000_000, 15),
    reviewMatches: isOn(environment, 'HOLDFAST_REVIEW_MATCHES'),
    checkAnswers: text(environment, 'HOLDFAST_CHECK_ANSWERS') !== null,
    accessLog: text(environment, 'HOLDFAST_ACCESS_LOG') !== null,
    signOn: readSignOn(environment),
    mail: readMail(environment),
    tracesUrl: baseUrl(environment, 'HOLDFAST_TRACES_URL'),
    requestNotes: notedRequests(environment, production),
  };
}

/** Production keeps what was refused or failed unless told otherwise; a sandbox keeps all. */
function notedRequests(environment: Environment, production: boolean): NotedRequests {
  const asked = text(environment, 'HOLDFAST_REQUEST_NOTES') ?? (production ? 'refused' : 'on');
  const known = NOTED_REQUESTS.find((one) => one === asked);
  if (known !== undefined) return known;
  throw new ConfigError(`HOLDFAST_REQUEST_NOTES must be one of ${NOTED_REQUESTS.join(', ')}.`);
}

function requireOfProduction(environment: Environment): void {
  if (text(environment, 'HOLDFAST_KEY_FILE') === null) {
    throw new ConfigError(
      'Production needs HOLDFAST_KEY_FILE: the file with the master keys, the same on all nodes.',
    );
  }
  if (text(environment, 'DATABASE_URL') === null) {
    throw new ConfigError('Production needs DATABASE_URL: a PostgreSQL server, 15 or later.');
  }
}

/** Where the newest audit blocks are appended to. */
export function anchorFileOf(config: Config, dataDir: string): string {
  return config.auditAnchor ?? join(dataDir, config.anchorName);
}

/** The file with the master keys. */
export function keyFileOf({ keyFile }: Pick<Config, 'keyFile'>, dataDir: string): string {
  return keyFile ?? join(dataDir, 'keys.json');
}

/** The settings that the domain needs. */
export function policiesOf(config: Config) {
  const { escrowWaitMs, payoutHoldSeconds, reviewMatches } = config;
  const { bankFourEyesMinor, reviewFourEyesMinor } = config;
  const escrow = { escrowHoldSeconds: config.escrowHoldDays * 86_400, escrowWaitMs };
  return { ...escrow, payoutHoldSeconds, bankFourEyesMinor, reviewFourEyesMinor, reviewMatches };
}

/** Named after the database's address, without user and password. */
function anchorName(databaseUrl: string | null): string {
  if (databaseUrl === null) return 'audit-anchors';
  const places = hostsOf(databaseUrl).map((url) => {
    const { host = url, pathname = '' } = URL.parse(url) ?? {};
    return host + pathname;
  });
  return `audit-anchors-${hash('sha256', places.join()).slice(0, 12)}`;
}

/**
 * An external database may come with more nodes and a load balancer; the embedded one has neither.
 */
function drainMs(environment: Environment): number {
  return text(environment, 'DATABASE_URL') === null ? 0 : 5_000;
}

/**
 * A tenant's defaults are above the promised load (1,000 writes and 500 reads a second, some 100
 * concurrent requests), even if one tenant causes all of it.
 */
function callLimits(environment: Environment, production: boolean): Config['callLimits'] {
  const limit = (name: string, otherwise: number): number =>
    count(environment, name, production ? otherwise : 0);
  return {
    process: limit('HOLDFAST_MAX_IN_FLIGHT', 256),
    tenant: {
      inFlight: limit('HOLDFAST_TENANT_IN_FLIGHT', 128),
      writes: limit('HOLDFAST_TENANT_WRITES', 2_000),
      reads: limit('HOLDFAST_TENANT_READS', 2_000),
    },
    address: {
      calls: limit('HOLDFAST_ADDRESS_CALLS', 10),
      guesses: limit('HOLDFAST_ADDRESS_GUESSES', 5),
      links: limit('HOLDFAST_ADDRESS_LINKS', 2),
    },
  };
}

/** Addresses and CIDR ranges; by default this machine's loopback addresses. */
function proxies(environment: Environment): BlockList {
  const list = new BlockList();
  const named = text(environment, 'HOLDFAST_TRUSTED_PROXIES') ?? '127.0.0.0/8, ::1';
  for (const one of named.split(/[ ,]+/).filter((range) => range !== '')) {
    const [, network = '', bits] = /^(.+?)(?:\/(\d{1,3}))?$/.exec(one) ?? [];
    const version = isIP(network) === 6 ? 'ipv6' : 'ipv4';
    try {
      list.addSubnet(network, Number(bits ?? (version === 'ipv6' ? 128 : 32)), version);
    } catch {
      throw new ConfigError(
        'HOLDFAST_TRUSTED_PROXIES must be IP addresses or CIDRs, such as 10.0.0.0/8.',
      );
    }
  }
  return list;
}

/** HOLDFAST_URL_INVOICING and so on. [G-03] */
function urlsOf(environment: Environment): Record<string, string> {
  const urls: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    const host = /^HOLDFAST_URL_([A-Z]+)$/.exec(name)?.[1];
    if (host === undefined || value === undefined || value === '') continue;
    urls[host.toLowerCase()] = baseUrl(environment, name) ?? value;
  }
  return urls;
}
