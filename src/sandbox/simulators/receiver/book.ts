// Rows of hosted receivers: which exist, what each received, and scripted answers. Secrets and
// tokens are not stored.
import { prepared, raw, sql } from '../../../db/index.ts';
import type { Database, Queryable, Transaction } from '../../../db/index.ts';
import { FIRST_CLONE } from '../../../core/lineages.ts';
import type { BookPage, ReceiverFact } from '../../ports/counterparties.ts';
import { pageOf } from '../store/paging.ts';
import type { Checks } from './checks.ts';

/** Requests kept per receiver. */
const KEPT = 1_000;
/** Requests per page: each shows a whole body. */
const PAGE = 50;

/** A receiver that was called. */
export interface Receiver {
  readonly workspace: number;
  readonly id: string;
  readonly endpoint_id: string;
}

/**
 * The receiver at an address. `workspace`: the clone that the request names; null: none, so it
 * comes from a workspace that is no clone.
 */
export async function receiverAt(
  db: Queryable,
  id: string,
  workspace: number | null,
): Promise<Receiver | null> {
  const rows = await db.query<Receiver>(prepared('receiver_at')`
    select workspace, id, endpoint_id from receiver where id = ${id} and ended is null
    and case when ${workspace}::int is null then workspace < ${raw(FIRST_CLONE)}
      else workspace = $2 end`);
  return rows[0] ?? null;
}

/** One request, and how it is answered. */
export interface Received extends Checks {
  readonly event_id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly exchange: string;
  readonly status: number | null;
}

/** Stores a request, and keeps only the receiver's last thousand. */
export async function keep(db: Database, to: Receiver, got: Received): Promise<void> {
  await db.execute({
    name: 'receiver_keep',
    text: `with old as (
        delete from receiver_request where workspace = $1 and receiver_id = $2 and number <= (
          select number from receiver_request where workspace = $1 and receiver_id = $2
          order by number desc offset ${KEPT - 1} limit 1)
      )
      insert into receiver_request (workspace, receiver_id, event_id, headers, body, signed, fresh,
        authentic, token, exchange, status)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    values: [
      ...[to.workspace, to.id, got.event_id, JSON.stringify(got.headers), got.body],
      ...[got.signed, got.fresh, got.authentic, got.token, got.exchange, got.status],
    ],
  });
}

/** Creates a receiver. */
export async function openReceiver(
  tx: Transaction,
  workspace: number,
  id: string,
  endpoint: string,
): Promise<void> {
  await tx.execute(sql`
    insert into receiver (workspace, id, endpoint_id) values (${workspace}, ${id}, ${endpoint})`);
}

/** Ends a receiver; what it received stays. */
export async function endReceiver(tx: Transaction, workspace: number, id: string): Promise<void> {
  await tx.execute(sql`update receiver set ended = $now
    where workspace = ${workspace} and id = ${id} and ended is null`);
}

/** Those of a workspace, oldest first. */
export function receiversOf(db: Queryable, workspace: number): Promise<ReceiverFact[]> {
  return db.query<ReceiverFact>(sql`select r.id as receiver_id, r.endpoint_id, r.created,
      (select count(*)::int from receiver_request q
        where q.workspace = r.workspace and q.receiver_id = r.id) as requests
    from receiver r where r.workspace = ${workspace} and r.ended is null order by r.created, r.id`);
}

/** Its endpoint; null for one that is unknown or has ended. */
export async function endpointOf(
  db: Queryable,
  workspace: number,
  id: string,
): Promise<string | null> {
  return (await receiverAt(db, id, workspace))?.endpoint_id ?? null;
}

const SHOWN =
  'number, receiver_id, at, event_id, exchange, status, signed, fresh, authentic, token';

/** Requests after a number, oldest first: exactly as they came, or of all receivers in short. */
export async function requestsOf(
  db: Queryable,
  workspace: number,
  receiver: string | null,
  after: string,
): Promise<BookPage> {
  const rows = await db.query<{ number: bigint; headers?: string }>(sql`
    select ${raw(SHOWN)}${raw(receiver === null ? '' : ', headers, body')} from receiver_request
    where workspace = ${workspace} and (${receiver}::uuid is null or receiver_id = $2)
      and number > ${after === '' ? 0 : after}
    order by number limit ${PAGE + 1}`);
  const { entries, next } = pageOf(rows, PAGE, ({ number }) => String(number));
  const shown = entries.map((row) =>
    row.headers === undefined ? row : { ...row, headers: JSON.parse(row.headers) as object },
  );
  return { entries: shown, next };
}
