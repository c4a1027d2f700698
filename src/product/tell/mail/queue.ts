// The queue of mails: claims due rows under a lease, settles what became of them. Mails of a killed
// worker become due again when their lease ends, with the same Message-ID.
import { prepared, type Database, type Queryable, type Transaction } from '../../../db/index.ts';
import type { MailOutcome } from '../../../providers/mail/port.ts';
import { audit } from '../audit/index.ts';
import type { MailKind } from './texts.ts';

export const MAIL_STATES = ['pending', 'sent', 'none', 'bounced', 'refused'] as const;

/** Seconds from one try to the next, two days in all; after the last it is given up. */
export const SCHEDULE_SECONDS: readonly number[] = [
  ...[30, 300, 1_200, 3_600, 14_400, 28_800, 43_200, 86_400],
];

/** A mail under our lease. */
export interface ClaimedMail {
  readonly workspace: number;
  readonly id: string;
  readonly kind: MailKind;
  readonly account_id: string;
  readonly transaction_id: string | null;
  readonly tries: number;
  readonly lease: string;
  /** `MailWords`; null: none. */
  readonly sealed: string | null;
}

/** What one mail alone says: values of its texts, and `to`, an address given with a request. */
export type MailWords = Readonly<Record<string, string>>;

/** What became of a mail: an outcome of the port, or that there is nobody to send it to. */
export type MailEnd = MailOutcome | { readonly kind: 'none'; readonly reason: string };

/** Takes due mails of live workspaces. */
export function claimMails(
  db: Database,
  lease: string,
  { rows, leaseMs }: { readonly rows: number; readonly leaseMs: number },
): Promise<ClaimedMail[]> {
  return db.query<ClaimedMail>(prepared('mail_claim')`with due as materialized (
      select m.workspace, m.id from mail m
      where m.state = 'pending' and m.due <= $now and exists (
        select from workspace w where w.workspace = m.workspace and w.ended is null)
      order by m.due limit ${rows} for no key update skip locked)
    update mail m set lease = ${lease}, due = $now + ${leaseMs}::integer * interval '1 millisecond'
    from due where m.workspace = due.workspace and m.id = due.id
    returning m.workspace, m.id, m.kind, m.account_id, m.transaction_id, m.tries,
      m.lease, m.sealed`);
}

/** Writes what became of a mail; nothing where its lease has passed to another worker. */
export async function settleMail(
  db: Database,
  one: ClaimedMail,
  end: MailEnd,
  addressKey: string | null,
): Promise<void> {
  const { workspace, id, lease, tries, kind } = one;
  const wait = end.kind === 'later' ? SCHEDULE_SECONDS[tries] : undefined;
  const state = wait === undefined ? (STATES[end.kind] ?? 'refused') : 'pending';
  const reason = end.kind === 'accepted' ? null : end.reason;
  await db.transaction(async (tx) => {
    const settled = await tx.query(prepared('mail_settle')`
      update mail set state = ${state}, reason = ${reason}, tries = tries + 1, lease = null,
        sealed = case when $1 = 'pending' then sealed end,
        address_key = coalesce(address_key, ${addressKey}),
        due = $now + ${wait ?? 0}::integer * interval '1 second'
      where workspace = ${workspace} and id = ${id} and lease = ${lease} returning id`);
    if (settled.length === 0) return;
    if (state === 'bounced' && addressKey !== null) {
      await tx.execute(prepared('mail_bounced')`
        insert into mail_bounce (workspace, address_key) values (${workspace}, ${addressKey})
        on conflict do nothing`);
    }
    if (state !== 'refused') return;
    const detail = { kind, reason };
    await audit(tx, { workspace, actor: 'system', act: 'mail_refused', subject: id, detail });
  });
}

/** A mail that somebody asked for, by the clock of its workspace. */
export interface AskedMail extends Pick<
  ClaimedMail,
  'workspace' | 'id' | 'kind' | 'account_id' | 'transaction_id'
> {
  readonly sealed: string;
  readonly address_key: string;
  /** True where a program asked: its mails do not count as the person's own. */
  readonly by_client: boolean;
}

/** Queues it. */
export async function askMail(tx: Transaction, one: AskedMail): Promise<void> {
  const { workspace, id, kind, account_id, transaction_id, sealed, address_key, by_client } = one;
  await tx.execute({
    name: 'mail_ask',
    text: `insert into mail (workspace, id, kind, account_id, transaction_id, sealed, address_key,
        by_client, at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, workspace_now($1))`,
    values: [workspace, id, kind, account_id, transaction_id, sealed, address_key, by_client],
  });
}

/** What counts as one mail: its kind, and whether a program asked for it. */
type Counted = Pick<AskedMail, 'workspace' | 'id' | 'kind' | 'by_client' | 'address_key'>;

/** How many others of these go to an address, over all accounts, within a day of its workspace. */
export async function mailedToday(
  db: Queryable,
  { workspace, id, kind, by_client, address_key }: Counted,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(prepared('mail_mailed_today')`
    select count(*)::int as count from mail
    where workspace = ${workspace} and address_key = ${address_key} and kind = ${kind}
      and by_client = ${by_client}
      and state <> 'none' and id <> ${id} and at > workspace_now($1) - interval '1 day'`);
  return row?.count ?? 0;
}

/**
 * How many of these an account asked for within a day, and how many went to the address; one
 * request at a time for each account and each address, so that the counts are exact.
 */
export async function askedToday(
  tx: Transaction,
  one: Counted & Pick<AskedMail, 'account_id'>,
): Promise<{ readonly byAccount: number; readonly toAddress: number }> {
  const { workspace, account_id, kind, by_client, address_key } = one;
  for (const who of [account_id, address_key]) {
    await tx.execute({
      text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
      values: [`mail:${workspace}:${who}`],
    });
  }
  const [row] = await tx.query<{ count: number }>(prepared('mail_asked_today')`
    select count(*)::int as count from mail
    where workspace = ${workspace} and account_id = ${account_id} and kind = ${kind}
      and by_client = ${by_client}
      and at > workspace_now($1) - interval '1 day'`);
  return { byAccount: row?.count ?? 0, toAddress: await mailedToday(tx, one) };
}

const STATES: Readonly<Record<string, (typeof MAIL_STATES)[number]>> = {
  accepted: 'sent',
  none: 'none',
  bounced: 'bounced',
};

/** Mails are kept for 90 days by the clock of their workspace. */
export function forgetMails(db: Database): Promise<number> {
  return db.execute(`delete from mail where (workspace, id) in (
    select m.workspace, m.id from workspace w cross join lateral (
      select q.workspace, q.id from mail q where q.workspace = w.workspace
        and q.state <> 'pending' and q.at < $now + w.clock_offset - interval '90 days'
      limit 500) m)`);
}
