// Settings of every connection and the parsers of its values: bigint stays bigint, times become UTC
// text with microseconds, json stays text.
import pg from 'pg';
import { instantFromPostgres } from '../core/time.ts';
import type { ClientOptions } from './client.ts';
import { hostsOf, primaryOf } from './hosts.ts';
import type { DatabaseOptions } from './statement.ts';

export type Parser = (text: string) => unknown;

/** Text parsers by type. */
export interface Types {
  getTypeParser(oid: number, format: 'text'): Parser;
}

/** Parsers by type. */
export const TYPES = new pg.TypeOverrides() as unknown as Types & {
  setTypeParser(oid: number, parse: (text: string) => unknown): void;
};
TYPES.setTypeParser(20, (text: string) => BigInt(text));
TYPES.setTypeParser(1082, (text: string) => text);
TYPES.setTypeParser(1114, (text: string) => text);
TYPES.setTypeParser(1184, instantFromPostgres);
TYPES.setTypeParser(114, (text: string) => text);
TYPES.setTypeParser(3802, (text: string) => text);

const ALWAYS = {
  timezone: 'UTC',
  statement_timeout: '30s',
  // What is acknowledged is durable, whatever the server's own setting.
  synchronous_commit: 'on',
  // So that the server notices a dead client soon and releases its locks.
  tcp_keepalives_idle: '10s',
  tcp_keepalives_interval: '5s',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '25s',
};

/** The parameter of a database URL that names the file of the password. */
export const PASSWORD_FILE = 'password_file';

const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full'];

/**
 * The URL with its `sslmode` and `sslrootcert` as libpq understands them, which the driver only
 * does when told. Modes that fall back to plain text are refused.
 */
export function asLibpq(url: string): string {
  const parsed = URL.parse(url);
  const mode = parsed?.searchParams.get('sslmode') ?? null;
  if (parsed === null || mode === null) return url;
  if (!SSL_MODES.includes(mode)) {
    throw new Error(`sslmode of the database must be one of ${SSL_MODES.join(', ')}.`);
  }
  const roots = parsed.searchParams;
  if (roots.get('sslrootcert') === 'system') roots.delete('sslrootcert');
  roots.set('uselibpqcompat', 'true');
  return parsed.href;
}

/** True if a connection proves that it reached the server that the URL names. */
export function verifiesServer(url: string): boolean {
  return URL.parse(hostsOf(url)[0] ?? '')?.searchParams.get('sslmode') === 'verify-full';
}

/** Every connection may send a statement before the previous one is answered. */
export function clientConfig(
  options: DatabaseOptions,
  more: DatabaseOptions['settings'] = {},
): ClientOptions & { pipeline: true } {
  const { answerMs, told, primary = false } = options;
  const passwordFile = new URLSearchParams(options.url.split('?')[1]).get(PASSWORD_FILE);
  const login = passwordFile === null ? {} : { passwordFile };
  const hosts = hostsOf(options.url).map(asLibpq);
  return {
    pipeline: true,
    ...(answerMs === undefined ? {} : { answerMs }),
    ...(told === undefined ? {} : { told }),
    ...login,
    connectionString: hosts[0] ?? '',
    ...(hosts.length > 1 ? { locate: () => primaryOf(hosts, login) } : {}),
    primary,
    application_name: options.applicationName ?? 'holdfast',
    types: TYPES as pg.CustomTypesConfig,
    session: { ...ALWAYS, ...options.settings, ...more },
  };
}
