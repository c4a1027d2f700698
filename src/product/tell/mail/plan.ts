// Makes mails of sealed events: one row for each event, kind and account, in the transaction that
// moves the workspace's cursor on. So none is missed and none made twice, whoever is killed.
import { prepared, raw, sql, type Database, type Transaction } from '../../../db/index.ts';
import { derivedUuid } from '../../../core/ids.ts';
import type { Instant } from '../../../core/time.ts';
import { EVENT_COLUMNS, type StoredEvent } from '../../../outbox/index.ts';
import type { Services } from '../../context.ts';
import { accountUuid } from '../../people/account/index.ts';
import { awaitedPeople } from '../../people/business/index.ts';
import { offererOf } from '../../money/disagreement/index.ts';
import { isEscrowed, recipientsOf } from '../../money/history/index.ts';
import { KIND_ROWS, MAILED, type KindRow, type Told } from './kinds.ts';
import type { MailKind } from './texts.ts';

export type PlanParts = Pick<Services, 'env' | 'stream'> & { readonly db: Database };

/** Events read at once. */
const BLOCK = 500;

/** A mail to be sent. */
interface NewMail {
  readonly id: string;
  readonly kind: MailKind;
  readonly account: string;
  readonly transaction: string | null;
  readonly at: Instant;
}

/** Live workspaces whose people are mailed, and who has events that are not mails yet. */
const WAITING = `select w.workspace from workspace w
  join seal s on s.workspace = w.workspace
  left join mail_cursor c on c.workspace = w.workspace
  left join tenant_setting t on t.workspace = w.workspace
  where w.ended is null and s.sequence > coalesce(c.sequence, 0)
    and coalesce(t.mail_enabled, $1)`;

/** Reads what was sealed since; gives how many events it went through. */
export async function planMails(parts: PlanParts): Promise<number> {
  const found = await parts.db.query<{ workspace: number }>({
    name: 'mail_waiting',
    text: WAITING,
    values: [parts.env === 'staging'],
  });
  let events = 0;
  for (const { workspace } of found) {
    events += await parts.db.transaction((tx) => planBlock(parts, tx, workspace));
  }
  return events;
}

async function planBlock(parts: PlanParts, tx: Transaction, workspace: number): Promise<number> {
  await tx.execute(sql`
    insert into mail_cursor (workspace, sequence) values (${workspace}, 0) on conflict do nothing`);
  const [span] = await tx.query<{ after: bigint; upto: bigint }>(prepared('mail_cursor')`
    select c.sequence as after, least(s.sequence, c.sequence + ${raw(BLOCK)}) as upto
    from mail_cursor c join seal s on s.workspace = c.workspace
    where c.workspace = ${workspace} for no key update of c skip locked`);
  if (span === undefined || span.upto === span.after) return 0;
  const events = await tx.query<StoredEvent & { event_at: Instant }>(prepared('mail_events')`
    select v.workspace, ${raw(EVENT_COLUMNS)} from event v
    where v.workspace = ${workspace} and v.sequence > ${span.after} and v.sequence <= ${span.upto}
      and v.name = any (${MAILED}::text[])
    order by v.sequence`);
  const bodies = await parts.stream.bodies(events);
  const mails: NewMail[] = [];
  for (const [at, event] of events.entries()) {
    const { message } = JSON.parse(bodies[at] ?? '{}') as { readonly message: Told };
    mails.push(...(await mailsOf(tx, event, message)));
  }
  await putMails(tx, workspace, mails);
  await tx.execute(prepared('mail_advance')`
    update mail_cursor set sequence = ${span.upto} where workspace = ${workspace}`);
  return Number(span.upto - span.after);
}

async function mailsOf(tx: Transaction, event: StoredEvent, message: Told): Promise<NewMail[]> {
  const rows = KIND_ROWS.filter((row) => row.event === event.name && row.when(message));
  const mails = rows.map(async ({ kind, to, about }) => {
    const transaction =
      typeof about === 'function' ? about(message) : about === null ? null : String(message[about]);
    const entity = String(message['entity_id']);
    const accounts =
      to === 'people'
        ? await awaitedPeople(tx, event.workspace, entity)
        : await accountsOf(tx, event, message, to, transaction ?? '');
    // A business that is submitted again invites those only who were not invited before.
    const once = to === 'people' ? entity : event.event_id;
    return accounts.flatMap((account): NewMail[] => {
      if (account === null) return [];
      const id = derivedUuid(`mail ${once} ${kind} ${account}`);
      return [{ id, kind, account, transaction, at: event.at }];
    });
  });
  return (await Promise.all(mails)).flat();
}

/** Whom an event about a transaction concerns. */
async function accountsOf(
  tx: Transaction,
  { workspace, resource_id: id, resource_version: version }: StoredEvent,
  message: Told,
  to: Exclude<KindRow['to'], 'people'>,
  transaction: string,
): Promise<readonly (string | null)[]> {
  const account = accountUuid(String(message['account_id']));
  if (to === 'account') return [account];
  if (to === 'buyer') return (await isEscrowed(tx, workspace, transaction)) ? [] : [account];
  // The step before the one that declined it still had it on the table.
  const before = { workspace, id, version: version - 1 };
  const side = to === 'sellers' ? 'seller' : await offererOf(tx, before);
  if (side === 'buyer') return [account];
  return side === null ? [] : recipientsOf(tx, workspace, transaction);
}

/** Queues mails to accounts that have an address, as far as that is known; each once. */
async function putMails(
  tx: Transaction,
  workspace: number,
  mails: readonly NewMail[],
): Promise<void> {
  if (mails.length === 0) return;
  const column = (name: keyof NewMail) => mails.map((one) => one[name]);
  await tx.execute(prepared('mail_put')`
    insert into mail (workspace, id, kind, account_id, transaction_id, at)
    select ${workspace}, m.id, m.kind, m.account, m.transaction, m.at
    from unnest(${column('id')}::uuid[], ${column('kind')}::text[], ${column('account')}::uuid[],
      ${column('transaction')}::uuid[], ${column('at')}::timestamptz[])
      as m (id, kind, account, transaction, at)
    join account_person p on p.workspace = $1 and p.id = m.account
    where p.has_email is distinct from false
    on conflict do nothing`);
}

/** What has happened so far is mailed to nobody: mails are switched on. */
export async function skipTold(tx: Transaction, workspace: number): Promise<void> {
  await tx.execute(sql`insert into mail_cursor as c (workspace, sequence)
    select workspace, sequence from seal where workspace = ${workspace}
    on conflict (workspace) do update set sequence = excluded.sequence`);
}
