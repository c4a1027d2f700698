// The mails that the sandbox captured, for tests and people. Staging only. [G-65]
import { z } from 'zod';
import { accountId } from '../../core/ids.ts';
import { numberText, optional, strictObject, text, uuid } from '../../core/schema.ts';
import type { DomainOperation } from '../../product/context.ts';
import { operation } from '../services.ts';

const LIMIT = 50;
const LIMIT_MAX = 200;
const ADDRESS_MAX = 320;

const mailRecord = strictObject({
  mail_id: uuid(),
  account_id: z.string(),
  to: z.string(),
  from_name: z.string(),
  reply_to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  message_id: z.string(),
  sent_at: z.string(),
}).meta({ title: 'CapturedMail' });

const list = operation({
  id: 'sandboxMail',
  route: 'GET invoicing /sandbox/mail',
  summary: 'Lists the mails that the sandbox captured instead of sending them, newest first.',
  cites: 'G-65',
  access: { client: 'write_sandbox' },
  query: strictObject({
    to: optional(text(ADDRESS_MAX)).meta({ description: 'Only mails to this address.' }),
    limit: optional(numberText(1, LIMIT_MAX)),
  }),
  answers: { 200: strictObject({ mails: z.array(mailRecord) }) },
  stagingOnly: true,
  async run(services, { caller, query }) {
    const { to = null, limit = LIMIT } = query;
    const found = (await services.mailbox?.list(caller.workspace, to, Number(limit))) ?? [];
    const mails = found.map(({ id, account_id, at, ...mail }) => {
      return { mail_id: id, account_id: accountId(account_id), ...mail, sent_at: at };
    });
    return { status: 200, payload: { mails } };
  },
});

export const operations: readonly DomainOperation[] = [list];
