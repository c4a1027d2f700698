// Classifies database errors: the statement's fault, a lost connection, or a database that can do
// no work now.
import pg from 'pg';
import { ConnectionLost } from './client.ts';

/** SQLSTATE of a driver error, or null for anything else. */
export function sqlState(error: unknown): string | null {
  if (error instanceof pg.DatabaseError) return error.code ?? null;
  return null;
}

/** Name of the violated constraint, or null. */
export function brokenConstraint(error: unknown): string | null {
  if (error instanceof pg.DatabaseError) return error.constraint ?? null;
  return null;
}

const UNREACHABLE = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT'];

/** The driver's messages for a broken connection, during a statement or before the next. */
const GONE =
  /^(?:Connection term|Client (?:has enc|was closed)|Received unexp|timeout (?:expired|exceeded))/;

/**
 * SQLSTATEs of a connection that ended or was not made: cut, shutdown, too many, transaction too
 * long, and a password that is just being replaced.
 */
const ENDED = /^(?:08|28|57P|53300$|25P03$|25P04$)/;

/** True if the database could not be reached, is starting or stopping, or cut the connection. */
export function isUnreachable(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== null) return ENDED.test(state);
  if (error instanceof ConnectionLost) return true;
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string' && UNREACHABLE.includes(code)) return true;
  return GONE.test(error.message);
}

/** The pool's message where all its connections were in use for too long. */
const CROWDED = 'timeout exceeded when trying to connect';

/** True if a connection broke, or none was made; not where others held all of a pool. */
export function isDisconnected(error: unknown): boolean {
  return isUnreachable(error) && (error as { message?: unknown }).message !== CROWDED;
}

/** SQLSTATEs of a database that answers but cannot work: full, faulty, read-only. */
const DISABLED = /^(?:53|58|25006$)/;

/** True for the SQLSTATE of a database that can do no work now; nothing was changed. */
export function isDisabled(state: string | null): boolean {
  return state !== null && DISABLED.test(state);
}

/** True if no statement is to blame: the database was lost or can do no work. */
export function isTrouble(error: unknown): boolean {
  return isUnreachable(error) || isDisabled(sqlState(error));
}
