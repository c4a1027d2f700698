// The sealed texts of an operator: how they are opened, and how a username is looked up. A text
// opens only in its own row and column.
import { purposeOf, sealedPlace, type Place } from '../../../core/labels.ts';
import { open } from '../../../core/sealing.ts';
import type { WrappedColumn } from '../../../providers/keys/versions.ts';
import type { Services } from '../../context.ts';

/** What the module needs. */
export type OperatorServices = Pick<Services, 'db' | 'keys' | 'random'>;

/** What creating operators needs; without `env` as strict as in production. */
export type MakingServices = OperatorServices & Partial<Pick<Services, 'env'>>;

/** The workspaces that an operator may see: a list, or all present and future ones. */
export type Workspaces = 'all' | readonly number[];

/** What queues mails to operators; without `mail` nobody is mailed. */
export type MailingServices = OperatorServices & Partial<Pick<Services, 'mail'>>;

/** A username in its normal form. */
export const USERNAME = /^[a-z0-9][a-z0-9._@-]{2,63}$/;

/** Where the keys of operators are stored. */
export const wrappedOperatorKeys: WrappedColumn = {
  table: 'operator',
  key: ['id'],
  column: 'wrapped_key',
  context: ({ id = '' }) => placeOf(id),
};

/** The columns with sealed texts, as their places say. */
export type SealedColumn = 'name' | 'username' | 'totp' | 'email' | `mail/${string}`;

/** What an operator's key is bound to, or with a column a text that is sealed with it. */
export function placeOf(id: string, column?: SealedColumn): Place {
  return sealedPlace('operator', 0, column === undefined ? id : `${id}/${column}`);
}

/** The keyed hash that finds a username. */
export function usernameKey({ keys }: Pick<OperatorServices, 'keys'>, username: string): string {
  return keys.mac(purposeOf('operatorUsername'), username.toLowerCase());
}

/** Mixed into a password's hash, so that the database alone is not enough to guess passwords. */
export function pepperOf({ keys }: Pick<OperatorServices, 'keys'>, id: string): Buffer {
  return Buffer.from(keys.mac(purposeOf('operatorPassword'), id), 'hex');
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
): Promise<(sealed: string, column: SealedColumn) => string> {
  const key = await keys.unwrap(row.wrapped_key, placeOf(row.id));
  return (sealed, column) => open(key, sealed, placeOf(row.id, column));
}
