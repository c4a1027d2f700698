// Sends one claimed mail: opens the address, makes the message and hands it to the port. The
// address is in memory for this call alone. [PD3]
import type { Database, Queryable } from '../../../db/index.ts';
import { lineagePurpose } from '../../../core/labels.ts';
import type { Mail } from '../../../providers/mail/port.ts';
import type { Services } from '../../context.ts';
import { openAccount } from '../../people/account/index.ts';
import { receiptOf } from '../../money/history/index.ts';
import { mailSettings, settingsOf } from '../../tenant/settings/index.ts';
import { compose, type Shop } from './compose.ts';
import { settleMail, type ClaimedMail, type MailEnd } from './queue.ts';

export type SendParts = Pick<Services, 'env' | 'keys' | 'random'> & { readonly db: Database };

const NOBODY: MailEnd = { kind: 'none', reason: 'no_address' };

/** The keyed hash by which an address is found again in its workspace. */
export function addressKey(
  { keys }: Pick<Services, 'keys'>,
  workspace: number,
  address: string,
): string {
  const purpose = lineagePurpose('mailAddress', keys.lineageOf(workspace));
  return keys.mac(purpose, address.toLowerCase());
}

/** Sends a mail and settles it. Throws only for a fault of ours: its lease then ends by itself. */
export async function sendMail(parts: SendParts, mail: Mail, one: ClaimedMail): Promise<void> {
  const { db } = parts;
  const { workspace } = one;
  const to = await addressOf(parts, one);
  const key = to === null ? null : addressKey(parts, workspace, to);
  const end = to === null ? NOBODY : await sent(parts, mail, one, to, key ?? '');
  await settleMail(db, one, end, key);
}

async function sent(
  parts: SendParts,
  mail: Mail,
  one: ClaimedMail,
  to: string,
  key: string,
): Promise<MailEnd> {
  const { db } = parts;
  const { workspace, id, kind, account_id: account, transaction_id } = one;
  if (await hasBounced(db, workspace, key)) return { kind: 'bounced', reason: 'bounced_before' };
  const receipt =
    transaction_id === null ? null : await receiptOf(db, workspace, account, transaction_id);
  if (transaction_id !== null && receipt === null) return { kind: 'none', reason: 'no_receipt' };
  const message = compose(kind, await shopOf(parts, workspace), receipt);
  return mail.send({ ...message, id: messageId(id), to }, { workspace, account });
}

/** Names no host of ours: the id alone makes it unique. */
function messageId(id: string): string {
  return `<${id}@mail.holdfast.invalid>`;
}

/** Who the mails of a workspace are from. */
export async function shopOf(
  { env, db }: Pick<SendParts, 'env'> & { readonly db: Queryable },
  workspace: number,
): Promise<Shop> {
  const { name, look, contact } = await settingsOf(db, workspace);
  const { from_name: fromName, reply_to: replyTo } = await mailSettings(db, workspace, env);
  return { name, look, contact, fromName, replyTo, isSandbox: env === 'staging' };
}

/** The address of a mail; null where the person has none, or is erased. */
async function addressOf(parts: SendParts, one: ClaimedMail): Promise<string | null> {
  return (await openAccount(parts, one.workspace, one.account_id))?.email?.address ?? null;
}

async function hasBounced(db: Queryable, workspace: number, key: string): Promise<boolean> {
  const rows = await db.query({
    name: 'mail_has_bounced',
    text: 'select from mail_bounce where workspace = $1 and address_key = $2',
    values: [workspace, key],
  });
  return rows.length > 0;
}
