// What asking for a mail needs, beside the queue.
import { inputRefusals } from '../../../core/input-refusals.ts';
import { refuse } from '../../../core/refusal.ts';
import type { Services } from '../../context.ts';
import { isAddress, sealerOf } from '../../people/account/index.ts';
import { mailSettings } from '../../tenant/settings/index.ts';
import type { MailWords } from './queue.ts';
import { refusals } from './refusals.ts';
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
  { workspace, account }: { readonly workspace: number; readonly account: string },
  kind: MailKind,
  words: MailWords,
) {
  const sealer = await sealerOf(services, workspace, account);
  if (sealer === null) return null;
  const id = services.random.uuid();
  const sealed = sealer.sealJson('mailWords', id, words);
  return { workspace, id, kind, account_id: account, transaction_id: null, sealed };
}
