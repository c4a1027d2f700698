// Where an operator is mailed: sealed with their key, and shown to themselves and administrators.
import { sql, type Transaction } from '../../../db/index.ts';
import { seal } from '../../../core/sealing.ts';
import { isAddress } from '../../../core/mail-address.ts';
import { opener, placeOf, type OperatorServices } from './sealed.ts';
import { change, checkEmail } from './store.ts';

/**
 * Sets an operator's address, '' for none; what is there already is left. Throws `OperatorRefused`
 * for what an operator entered and is no address; an identity provider's is passed over.
 */
export async function setEmail(
  tx: Transaction,
  { keys, random }: OperatorServices,
  id: string,
  email: string,
  actor: string,
): Promise<void> {
  if (actor === 'system' && !isAddress(email)) return;
  checkEmail(email);
  const [row] = await tx.query<{ wrapped_key: string; sealed_email: string | null }>(sql`
    select wrapped_key, sealed_email from operator where id = ${id} for no key update`);
  if (row === undefined) return;
  const text = await opener({ keys }, { id, ...row });
  if (email === (row.sealed_email === null ? '' : text(row.sealed_email, 'email'))) return;
  const key = await keys.unwrap(row.wrapped_key, placeOf(id));
  const sealed = email === '' ? null : seal(key, random.bytes(12), email, placeOf(id, 'email'));
  const entry = { id, actor, act: 'operator_email_changed' } as const;
  await change(tx, entry, 'sealed_email = $2', [sealed]);
}
