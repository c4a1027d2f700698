// What an error of the database says: of the statement, of the connection, or of a database that
// can do nothing now.
import pg from 'pg';
import { ConnectionLost } from './client.ts';

/** SQLSTATE of a driver error, or null for anything else. */
export function sqlState(error: unknown): string | null {
  if (error instanceof pg.DatabaseError) return error.code ?? null;
  return null;
}

/** Name of the constraint that a driver error broke, or null. */
export function brokenConstraint(error: unknown): string | null {
  if (error instanceof pg.DatabaseError) return error.constraint ?? null;
  return null;
}

const UNREACHABLE = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT'];

/** What the driver says of a connection that broke: under a statement, or before the next one. */
const GONE =
  /^(?:Connection term|Client (?:has enc|was closed)|Received unexp|timeout (?:expired|exceeded))/;

/** States of a connection that ended: cut, stopping, too many, too long in a transaction. */
const ENDED = /^(?:08|57P|53300$|25P03$|25P04$)/;

/** True when the database could not be reached, is starting or stopping, or cut the connection. */
export function isUnreachable(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== null) return ENDED.test(state);
  if (error instanceof ConnectionLost) return true;
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string' && UNREACHABLE.includes(code)) return true;
  return GONE.test(error.message);
}

/** States of a database that answers and can do nothing: full, faulty, read-only. */
const DISABLED = /^(?:53|58|25006$)/;

/** True for the SQLSTATE of a database that can do no work now; nothing was changed. */
export function isDisabled(state: string | null): boolean {
  return state !== null && DISABLED.test(state);
}

/** True when no statement is to blame: the database was lost, or can do nothing. */
export function isTrouble(error: unknown): boolean {
  return isUnreachable(error) || isDisabled(sqlState(error));
}
