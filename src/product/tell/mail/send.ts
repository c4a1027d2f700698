// Sends one claimed mail: opens the address, makes the message and hands it to the port. The
// address is in memory for this call alone. [PD3]
import { prepared, type Database, type Queryable } from '../../../db/index.ts';
import { lineagePurpose } from '../../../core/labels.ts';
import type { Mail } from '../../../providers/mail/port.ts';
import { ENGLISH, fitting, say, textsWith } from '../../../texts/index.ts';
import type { Services } from '../../context.ts';
import { languageOf, openAccount, sealerOf } from '../../people/account/index.ts';
import { invite, type Invitation } from '../../people/business/index.ts';
import { receiptOf, receiptPath, type Receipt } from '../../money/history/index.ts';
import { disagreementOfInvoice } from '../../money/disagreement/index.ts';
import { mailSettings, settingsOf } from '../../tenant/settings/index.ts';
import { compose, type Particulars } from './compose.ts';
import { wordsOfDisagreement } from './disagreement-words.ts';
import { mailedToday, settleMail } from './queue.ts';
import type { ClaimedMail, MailEnd, MailWords } from './queue.ts';
import type { Shop } from './receipt-view.ts';

export type SendParts = Pick<Services, 'env' | 'keys' | 'random' | 'urls' | 'word'> & {
  readonly db: Database;
};

const NOBODY: MailEnd = { kind: 'none', reason: 'no_address' };
/** Invitations that one address gets in a day, of all businesses of a tenant. [G-66] */
const INVITED_A_DAY = 10;
const TOO_MANY: MailEnd = { kind: 'none', reason: 'too_many_to_address' };
const NO_LONGER: MailEnd = { kind: 'none', reason: 'not_awaited' };

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
  const words = await wordsOf(parts, one);
  const to = words?.to ?? (await addressOf(parts, one));
  const key = to === null ? null : addressKey(parts, workspace, to);
  const end =
    to === null || words === null ? NOBODY : await sent(parts, mail, one, words, to, key ?? '');
  await settleMail(db, one, end, key);
}

async function sent(
  parts: SendParts,
  mail: Mail,
  one: ClaimedMail,
  words: MailWords,
  to: string,
  key: string,
): Promise<MailEnd> {
  const { db } = parts;
  const { workspace, id, kind, account_id: account, transaction_id } = one;
  if (await hasBounced(db, workspace, key)) return { kind: 'bounced', reason: 'bounced_before' };
  const receipt =
    transaction_id === null ? null : await receiptOf(parts, workspace, account, transaction_id);
  if (transaction_id !== null && receipt === null) return { kind: 'none', reason: 'no_receipt' };
  if (kind === 'business_invited') {
    const invited = { workspace, id, kind, by_client: false, address_key: key };
    if ((await mailedToday(db, invited)) >= INVITED_A_DAY) return TOO_MANY;
  }
  const invitation = kind === 'business_invited' ? await invite(parts, workspace, account) : null;
  if (kind === 'business_invited' && invitation === null) return NO_LONGER;
  const shop = await shopOf(parts, workspace, await languageOf(db, workspace, account));
  const disagreement = await disagreedOver(db, one);
  if (kind === 'disagreement_proposed' && disagreement?.proposal === undefined) return NO_LONGER;
  const link = linkOf(parts, one, receipt, invitation, shop);
  const said = disagreement && wordsOfDisagreement(disagreement, shop);
  const values = { ...words, ...said, business: invitation?.business ?? '' };
  const told = { receipt, values, link };
  const message = compose(kind, shop, told);
  return mail.send({ ...message, id: messageId(id), to }, { workspace, account });
}

/** The disagreement that a mail is about, as it is now. */
function disagreedOver(db: Queryable, { workspace, kind, transaction_id }: ClaimedMail) {
  const about = kind.startsWith('disagreement_') ? transaction_id : null;
  return about === null ? null : disagreementOfInvoice(db, workspace, about);
}

/** The page of a receipt that can be given, or what a person is invited by. */
function linkOf(
  parts: SendParts,
  { workspace, account_id: account }: ClaimedMail,
  receipt: Receipt | null,
  invitation: Invitation | null,
  { texts }: Shop,
): Particulars['link'] {
  if (invitation !== null) {
    return { words: say(texts, 'mail.business_invited_link'), address: invitation.address };
  }
  if (receipt === null || receipt.state === 'open' || receipt.state === 'failed') return null;
  const path = receiptPath(parts, { workspace, account, transaction: receipt.number });
  return { words: say(texts, 'receipt.link_receipt'), address: parts.urls.hosted + path };
}

/** What this mail alone says; null where the person is erased. */
async function wordsOf(parts: SendParts, one: ClaimedMail): Promise<MailWords | null> {
  if (one.sealed === null) return {};
  const sealer = await sealerOf(parts, one.workspace, one.account_id);
  return sealer === null ? null : sealer.openJson<MailWords>('mailWords', one.id, one.sealed);
}

/** Names no host of ours: the id alone makes it unique. */
function messageId(id: string): string {
  return `<${id}@mail.holdfast.invalid>`;
}

/** Who the mails of a workspace are from, in the person's language, else the tenant's. */
export async function shopOf(
  { env, db }: Pick<SendParts, 'env'> & { readonly db: Queryable },
  workspace: number,
  language: string | null,
): Promise<Shop> {
  const { name, look, contact, texts: own, ...set } = await settingsOf(db, workspace);
  const { from_name: fromName, reply_to: replyTo } = await mailSettings(db, workspace, env);
  const spoken = fitting(language ?? set.language, own) ?? ENGLISH;
  const words = { language: spoken, texts: textsWith(own, spoken) };
  return { name, look, contact, fromName, replyTo, isSandbox: env === 'staging', ...words };
}

/** The address of a mail; null where the person has none, or is erased. */
async function addressOf(parts: SendParts, one: ClaimedMail): Promise<string | null> {
  return (await openAccount(parts, one.workspace, one.account_id))?.email?.address ?? null;
}

async function hasBounced(db: Queryable, workspace: number, key: string): Promise<boolean> {
  const rows = await db.query(prepared('mail_has_bounced')`
    select from mail_bounce where workspace = ${workspace} and address_key = ${key}`);
  return rows.length > 0;
}
