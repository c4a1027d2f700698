// The token of an invitation's link: made for who shows it or mails it, stored as a hash alone.
import { hash } from 'node:crypto';
import { HASHED } from '../../../core/labels.ts';
import type { Random } from '../../../core/random.ts';
import type { OperatorServices } from './sealed.ts';
import { inviteExpires } from './store.ts';

/** 256 random bits. */
export const freshToken = (random: Random): string => random.bytes(32).toString('base64url');

/** The hash that finds an invitation. */
export const hashOf = (token: string): string => hash('sha256', HASHED.operatorInvitation + token);

/** A link's token for a mail, in place of any before; null where the invited has joined. */
export async function renewInvitation(
  { db, random }: Pick<OperatorServices, 'db' | 'random'>,
  id: string,
): Promise<string | null> {
  const token = freshToken(random);
  const renewed = await db.execute({
    text: `update operator set invite_hash = $2, invite_expires = ${inviteExpires('invite_hash')}
      where id = $1 and invite_hash is not null and disabled is null`,
    values: [id, hashOf(token)],
  });
  return renewed === 0 ? null : token;
}
