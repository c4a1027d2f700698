// What asking for a mail needs, beside the queue.
import { inputRefusals } from '../../../core/input-refusals.ts';
import { refuse } from '../../../core/refusal.ts';
import type { Transaction } from '../../../db/index.ts';
import type { Caller } from '../../../core/operation.ts';
import type { Services } from '../../context.ts';
import { isAddress, sealerOf } from '../../people/account/index.ts';
import { mailSettings } from '../../tenant/settings/index.ts';
import { askedToday, askMail, type AskedMail, type MailWords } from './queue.ts';
import { refusals } from './refusals.ts';
import { addressKey } from './send.ts';
import type { MailKind } from './texts.ts';

/** The longest address, in characters. */
export const ADDRESS_MAX = 320;

/** Throws a Refusal for what is no address, and where nobody is mailed. */
export async function requireMail(
  { db, env, mail }: Services,
  workspace: number,
  field: string,
  address: string,
): Promise<void> {
  if (!isAddress(address)) {
    throw refuse(inputRefusals.INVALID_FIELD, { [field]: 'must be a mail address' });
  }
  const { enabled } = await mailSettings(db, workspace, env);
  if (mail === null || !enabled) throw refuse(refusals.MAIL_OFF);
}

/** A mail with words of its own, ready to be queued; null where the person is erased. */
export async function preparedMail(
  services: Services,
  { workspace, kind: who }: Pick<Caller, 'workspace' | 'kind'>,
  account: string,
  kind: MailKind,
  words: MailWords & { readonly to: string },
) {
  const sealer = await sealerOf(services, workspace, account);
  if (sealer === null) return null;
  const id = services.random.uuid();
  const sealed = sealer.sealJson('mailWords', id, words);
  const address_key = addressKey(services, workspace, words.to);
  const mail = { workspace, id, kind, account_id: account, transaction_id: null, sealed };
  return { ...mail, address_key, by_client: who === 'client' };
}

/** What a person may ask for in a day, and what one address gets of it, whoever asks. [G-66] */
export const A_DAY = 10;
/** What an address gets of what programs ask for. */
const A_DAY_OF_CLIENTS = 100;
/**
 * What an address gets of what accounts ask for that have it, so that strangers who use up ten
 * keep nobody from their own code.
 */
const A_DAY_OF_ITS_OWN = 30;

/**
 * Queues a mail, once. Throws the refusal for too many today, by the account or to the address: it
 * is the same for both. `own`: the account has this address.
 */
export async function askWithin(tx: Transaction, mail: AskedMail, own = false): Promise<void> {
  const { byAccount, toAddress } = await askedToday(tx, mail);
  const most = mail.by_client ? A_DAY_OF_CLIENTS : own ? A_DAY_OF_ITS_OWN : A_DAY;
  if ((byAccount >= A_DAY && !mail.by_client) || toAddress >= most) {
    throw refuse(refusals.TOO_MANY_MAILS);
  }
  await askMail(tx, mail);
}
