// The sealed texts of an operator: how they are opened, and how a username is looked up. A text
// opens only in its own row and column.
import { open } from '../../../core/sealing.ts';
import type { WrappedColumn } from '../../../providers/keys/versions.ts';
import type { Services } from '../../context.ts';

/** What the module needs. */
export type OperatorServices = Pick<Services, 'db' | 'keys' | 'random'>;

/** What creating operators needs; without `env` as strict as in production. */
export type MakingServices = OperatorServices & Partial<Pick<Services, 'env'>>;

/** The workspaces that an operator may see: a list, or all present and future ones. */
export type Workspaces = 'all' | readonly number[];

/** A username in its normal form. */
export const USERNAME = /^[a-z0-9][a-z0-9._@-]{2,63}$/;

/** Where the keys of operators are stored. */
export const wrappedOperatorKeys: WrappedColumn = {
  table: 'operator',
  key: ['id'],
  column: 'wrapped_key',
  context: ({ id = '' }) => placeOf(id),
};

/** What an operator's key is bound to. */
export function placeOf(id: string): string {
  return `0/operator/${id}`;
}

/** The keyed hash that finds a username. */
export function usernameKey({ keys }: Pick<OperatorServices, 'keys'>, username: string): string {
  return keys.mac('operator-username', username.toLowerCase());
}

/** Mixed into a password's hash, so that the database alone is not enough to guess passwords. */
export function pepperOf({ keys }: Pick<OperatorServices, 'keys'>, id: string): Buffer {
  return Buffer.from(keys.mac('operator-password', id), 'hex');
}

export interface SealedRow {
  readonly id: string;
  readonly wrapped_key: string;
  readonly sealed_name: string;
  readonly sealed_username: string;
  readonly sealed_totp: string;
}

/** Gives a function that opens columns of the row. */
export async function opener(
  { keys }: Pick<OperatorServices, 'keys'>,
  row: Pick<SealedRow, 'id' | 'wrapped_key'>,
): Promise<(sealed: string, column: string) => string> {
  const key = await keys.unwrap(row.wrapped_key, placeOf(row.id));
  return (sealed, column) => open(key, sealed, `${placeOf(row.id)}/${column}`);
}
