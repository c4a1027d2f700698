// The sandbox's mail server: it delivers to nobody and keeps each message, sealed with the key of
// the person whose it is. A message that comes again is recognized by its Message-ID.
import { prepared, type Database } from '../../db/index.ts';
import { keepOperatorMail } from '../../product/access/operator/index.ts';
import { addressKey } from '../../product/tell/mail/index.ts';
import { sealerOf } from '../../product/people/account/index.ts';
import type { Services } from '../../product/context.ts';
import type { CapturedMail, Mail, Mailbox } from '../../providers/mail/port.ts';

type Parts = Pick<Services, 'keys' | 'random'> & { readonly db: Database };

/** What of a message is sealed. */
type Kept = Omit<CapturedMail, 'id' | 'account_id' | 'at'>;

/** Keeps what would be sent. */
export function captureMail(parts: Parts): Mail {
  return {
    async send(message, about) {
      if ('operator' in about) {
        const id = message.id.slice(1, 37);
        const text = `To: ${message.to}\nSubject: ${message.subject}\n\n${message.text}`;
        await keepOperatorMail(parts, { operator: about.operator, id, message: text });
        return { kind: 'accepted' };
      }
      const { workspace, account } = about;
      const { id: message_id, to, fromName: from_name, subject, text, html } = message;
      const sealer = await sealerOf(parts, workspace, account);
      if (sealer === null) return { kind: 'refused', reason: 'erased' };
      const reply_to = message.replyTo ?? '';
      const kept: Kept = { to, from_name, reply_to, subject, text, html, message_id };
      const id = message_id.slice(1, 37);
      await parts.db.execute(prepared('mail_capture')`
        insert into captured_mail (workspace, id, account_id, address_key, sealed)
        values (${workspace}, ${id}, ${account}, ${addressKey(parts, workspace, to)},
          ${sealer.sealJson('mail', id, kept)}) on conflict do nothing`);
      return { kind: 'accepted' };
    },
  };
}

type Row = Pick<CapturedMail, 'id' | 'account_id' | 'at'> & { readonly sealed: string };

/** The mailbox of a sandbox. */
export function mailbox(parts: Parts): Mailbox {
  const { db } = parts;
  const opened = async (workspace: number, rows: readonly Row[]): Promise<CapturedMail[]> => {
    const mails = rows.map(async ({ sealed, ...row }) => {
      const sealer = await sealerOf(parts, workspace, row.account_id);
      return sealer === null ? [] : [{ ...row, ...sealer.openJson<Kept>('mail', row.id, sealed) }];
    });
    return (await Promise.all(mails)).flat();
  };
  return {
    async list(workspace, address, limit) {
      const key = address && addressKey(parts, workspace, address);
      const rows = await db.query<Row>(prepared('captured_mails')`
        select c.id, c.account_id, c.sealed, c.at
        from captured_mail c
        where c.workspace = ${workspace} and (${key}::text is null or c.address_key = $2)
        order by c.at desc, c.id desc limit ${limit}`);
      return opened(workspace, rows);
    },
    async read(workspace, id) {
      const rows = await db.query<Row>(prepared('captured_mail')`
        select c.id, c.account_id, c.sealed, c.at from captured_mail c
        where c.workspace = ${workspace} and c.id = ${id}`);
      return (await opened(workspace, rows))[0] ?? null;
    },
  };
}
