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

/** Every connection may send a statement before the previous one is answered. */
export function clientConfig(
  options: DatabaseOptions,
  more: DatabaseOptions['settings'] = {},
): ClientOptions & { pipeline: true } {
  const { answerMs, told, primary = false } = options;
  const hosts = hostsOf(options.url);
  return {
    pipeline: true,
    ...(answerMs === undefined ? {} : { answerMs }),
    ...(told === undefined ? {} : { told }),
    connectionString: hosts[0] ?? '',
    ...(hosts.length > 1 ? { locate: () => primaryOf(hosts) } : {}),
    primary,
    application_name: options.applicationName ?? 'holdfast',
    types: TYPES as pg.CustomTypesConfig,
    session: { ...ALWAYS, ...options.settings, ...more },
  };
}
