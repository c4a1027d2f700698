// Mails to operators: an invitation, and a sign-in from a new browser. A row is written with what
// it tells of, and sent by a worker; the address is opened, and a link made, for that call alone.
import { prepared, sql } from '../../../db/index.ts';
import type { Database, Queryable, Transaction } from '../../../db/index.ts';
import { seal } from '../../../core/sealing.ts';
import type { Instant } from '../../../core/time.ts';
import type { Mail, MailOutcome } from '../../../providers/mail/port.ts';
import type { Services } from '../../context.ts';
import { renewInvitation } from './invitation-link.ts';
import { operatorMessage, type OperatorMailKind } from './mail-text.ts';
import { opener, placeOf, type MailingServices } from './sealed.ts';

/** What a mail says of its event. */
type Words = Readonly<Record<string, string>>;

/** Seconds from one try to the next; after the last it is given up. Invitations end in days. */
const SCHEDULE_SECONDS: readonly number[] = [30, 300, 1_200, 3_600, 14_400, 43_200];

interface Mailed {
  readonly id: string;
  readonly wrapped_key: string;
  readonly sealed_email: string | null;
}

async function mailed(db: Queryable, id: string): Promise<Mailed | null> {
  const [row] = await db.query<Mailed>(sql`
    select id, wrapped_key, sealed_email from operator where id = ${id} and disabled is null`);
  return row ?? null;
}

/** Queues a mail to an operator who has an address, where mails are sent; true if it did. */
export async function queueMail(
  tx: Transaction,
  { keys, random, mail = null }: MailingServices,
  operatorId: string,
  kind: OperatorMailKind,
  words: Words,
): Promise<boolean> {
  const who = mail === null ? null : await mailed(tx, operatorId);
  if (who === null || who.sealed_email === null) return false;
  const id = random.uuid();
  const key = await keys.unwrap(who.wrapped_key, placeOf(operatorId));
  const place = placeOf(operatorId, `mail/${id}`);
  await tx.execute(sql`
    insert into operator_mail (id, operator_id, kind, sealed) values (${id}, ${operatorId}, ${kind},
      ${seal(key, random.bytes(12), JSON.stringify(words), place)})`);
  return true;
}

/** A mail under our lease. */
export interface ClaimedOperatorMail {
  readonly id: string;
  readonly operator_id: string;
  readonly kind: OperatorMailKind;
  readonly tries: number;
  readonly lease: string;
  readonly sealed: string;
  readonly at: Instant;
}

/** Takes mails that are due. */
export function claimOperatorMails(
  db: Database,
  lease: string,
  { rows, leaseMs }: { readonly rows: number; readonly leaseMs: number },
): Promise<ClaimedOperatorMail[]> {
  return db.query<ClaimedOperatorMail>(prepared('operator_mail_claim')`with due as materialized (
      select id from operator_mail where state = 'pending' and due <= $now
      order by due limit ${rows} for no key update skip locked)
    update operator_mail m set lease = ${lease},
      due = $now + ${leaseMs}::integer * interval '1 millisecond'
    from due where m.id = due.id
    returning m.id, m.operator_id, m.kind, m.tries, m.lease, m.sealed, m.at`);
}

export type SendingServices = Pick<Services, 'env' | 'keys' | 'random' | 'urls'> & {
  readonly db: Database;
};

/** Sends a mail and settles it. Throws only for a fault of ours: its lease then ends by itself. */
export async function sendOperatorMail(
  services: SendingServices,
  mail: Mail,
  one: ClaimedOperatorMail,
): Promise<void> {
  const { db } = services;
  const end = await sent(services, mail, one);
  const wait = end.kind === 'later' ? SCHEDULE_SECONDS[one.tries] : undefined;
  const ended = end.kind === 'accepted' ? 'sent' : end.kind === 'later' ? 'refused' : end.kind;
  await db.execute(prepared('operator_mail_settle')`
    update operator_mail set state = ${wait === undefined ? ended : 'pending'},
      reason = ${end.kind === 'accepted' ? null : end.reason}, tries = tries + 1, lease = null,
      sealed = case when $1 = 'pending' then sealed end,
      due = $now + ${wait ?? 0}::integer * interval '1 second'
    where id = ${one.id} and lease = ${one.lease}`);
}

type End = MailOutcome | { readonly kind: 'none'; readonly reason: string };

async function sent(
  services: SendingServices,
  mail: Mail,
  { id, operator_id: operator, kind, sealed, at }: ClaimedOperatorMail,
): Promise<End> {
  const { db, urls: { console: base }, env } = services;
  const who = await mailed(db, operator);
  if (who === null || who.sealed_email === null) return { kind: 'none', reason: 'no_address' };
  const text = await opener(services, who);
  const words = JSON.parse(text(sealed, `mail/${id}`)) as Words;
  const token = kind === 'invited' ? await renewInvitation(services, operator) : '';
  if (token === null) return { kind: 'none', reason: 'not_awaited' };
  const link = token === '' ? `${base}/sessions` : `${base}/invitation/${token}`;
  const message = operatorMessage(kind, { words, at, link, host: new URL(base).host, env });
  const to = text(who.sealed_email, 'email');
  return mail.send({ ...message, id: `<${id}@mail.holdfast.invalid>`, to }, { operator });
}

/** Keeps the message that a sandbox sends to nobody. */
export async function keepOperatorMail(
  { db, keys, random }: Pick<SendingServices, 'db' | 'keys' | 'random'>,
  { operator, id, message }: Record<'operator' | 'id' | 'message', string>,
): Promise<void> {
  const who = await mailed(db, operator);
  if (who === null) return;
  const key = await keys.unwrap(who.wrapped_key, placeOf(operator));
  await db.execute({
    text: 'update operator_mail set captured = $2 where id = $1',
    values: [id, seal(key, random.bytes(12), message, placeOf(operator, `mail/${id}`))],
  });
}

/** A mail as shown to administrators; `captured`: what a sandbox would have sent. */
export interface ShownMail {
  readonly kind: OperatorMailKind;
  readonly state: string;
  readonly reason: string | null;
  readonly at: Instant;
  readonly captured: string | null;
}

/** The newest ten mails to an operator. */
export async function mailsTo(
  services: Pick<SendingServices, 'db' | 'keys'>,
  operatorId: string,
): Promise<ShownMail[]> {
  const rows = await services.db.query<ShownMail & Mailed & { readonly mail_id: string }>(sql`
    select m.id as mail_id, m.kind, m.state, m.reason, m.at, m.captured, o.id, o.wrapped_key
    from operator_mail m join operator o on o.id = m.operator_id
    where m.operator_id = ${operatorId} order by m.at desc, m.id desc limit 10`);
  const mails = rows.map(async ({ kind, state, reason, at, captured, mail_id, ...row }) => {
    const text = captured === null ? null : await opener(services, row);
    const shown = { kind, state, reason, at };
    return { ...shown, captured: text && text(captured ?? '', `mail/${mail_id}`) };
  });
  return Promise.all(mails);
}

/** Deletes mails of more than 90 days ago, and browsers that were not used for more than a year. */
export async function forgetOperatorMails(db: Database): Promise<number> {
  const mails = await db.execute(`delete from operator_mail where id in (
    select id from operator_mail where state <> 'pending' and at < $now - interval '90 days'
    limit 500)`);
  const devices = await db.execute(`delete from operator_device where (operator_id, device_key) in (
    select operator_id, device_key from operator_device
    where seen < $now - interval '400 days' limit 500)`);
  return mails + devices;
}
