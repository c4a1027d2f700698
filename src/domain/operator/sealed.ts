// What of an operator lies sealed, and how it is opened and looked up. Answers for a text opening
// in its own row and column only. Refuses to know what is done with it.
import { open } from '../../kernel/sealing.ts';
import type { WrappedColumn } from '../../ports/key-versions.ts';
import type { Services } from '../context.ts';

/** What the module runs on. */
export type OperatorServices = Pick<Services, 'db' | 'keys' | 'entropy'>;

/** What operators are made on; without `env` as strictly as in production. */
export type MakingServices = OperatorServices & Partial<Pick<Services, 'env'>>;

/** The worlds that somebody may see: a list, or all there are and will be. */
export type Worlds = 'all' | readonly number[];

/** A username as it is looked up. */
export const USERNAME = /^[a-z0-9][a-z0-9._@-]{2,63}$/;

/** Where the keys of operators lie. */
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

/** What a username is looked up by. */
export function usernameKey({ keys }: Pick<OperatorServices, 'keys'>, username: string): string {
  return keys.mac('operator-username', username.toLowerCase());
}

/** Mixed into a password's hash: who has only the database cannot try passwords out. */
export function pepperOf({ keys }: Pick<OperatorServices, 'keys'>, id: string): Buffer {
  return Buffer.from(keys.mac('operator-password', id), 'hex');
}

/** The sealed columns of a row. */
export interface SealedRow {
  readonly id: string;
  readonly wrapped_key: string;
  readonly sealed_name: string;
  readonly sealed_username: string;
  readonly sealed_totp: string;
}

/** Opens columns of a row. */
export async function opener(
  { keys }: Pick<OperatorServices, 'keys'>,
  row: Pick<SealedRow, 'id' | 'wrapped_key'>,
): Promise<(sealed: string, column: string) => string> {
  const key = await keys.unwrap(row.wrapped_key, placeOf(row.id));
  return (sealed, column) => open(key, sealed, `${placeOf(row.id)}/${column}`);
}
