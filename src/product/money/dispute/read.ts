// Reads of disputes: the current record, the record at a version, and a page of them.
import { prepared, raw, sql, type Queryable } from '../../../db/index.ts';
import { isUuid, uuidOfWireId } from '../../../core/ids.ts';
import { recordAtVersion } from '../../../outbox/index.ts';
import {
  disputeRecord,
  renderDispute,
  type DisputeMoment,
  type DisputeRecord,
} from './schema.ts';
import type { DisputeFacts } from './tables.ts';

type Shown = DisputeFacts & DisputeMoment;

/** SQL: the evidence of dispute `d` at a version, in JSON, with the last step that spoke of it. */
const evidenceAt = (version: string): string => `(select coalesce(json_agg(json_build_object(
      'id', e.id, 'kind', e.kind, 'mime', e.mime, 'added', e.created::text, 'said', (
        select p.event from history p where p.workspace = e.workspace
          and p.resource_id = e.dispute_id and p.version > e.version and p.version <= ${version}
          and p.event in ('submit', 'decline_answer') order by p.version desc limit 1)
    ) order by e.version), '[]')
  from dispute_evidence e where e.workspace = d.workspace and e.dispute_id = d.id
    and e.version <= ${version})::text as evidence`;

const FACTS = `d.id, d.account_id, d.resource_id, d.purpose, d.escrow_id, d.reference, d.amount,
  d.currency, d.reason, d.due_by, d.created`;
const NOW = `${FACTS}, d.state, d.updated, ${evidenceAt('d.version')}`;

/** The current dispute, or null. One statement, on the primary. [M19] */
export async function readDispute(
  db: Queryable,
  workspace: number,
  id: string,
): Promise<DisputeRecord | null> {
  if (!isUuid(id)) return null;
  const [row] = await db.query<Shown>(prepared('read_dispute')`
    select ${raw(NOW)} from dispute d where d.workspace = ${workspace} and d.id = ${id}`);
  return row === undefined ? null : renderDispute(row, row);
}

/** What to list; an absent field does not filter. */
export interface DisputeFilter {
  readonly status?: string | undefined;
  readonly account_id?: string | undefined;
  readonly invoice_id?: string | undefined;
  readonly escrow_id?: string | undefined;
}

interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** The conditions of a filter with their values; null where it has a malformed id. */
function conditionsOf(filter: DisputeFilter): readonly (readonly [string, string])[] | null {
  const { status, account_id: account, invoice_id: invoice, escrow_id: escrow } = filter;
  const wished = [
    ['d.state', status, status],
    ['d.account_id', account, account && uuidOfWireId('acct', account)],
    ['d.resource_id', invoice, invoice && isUuid(invoice) ? invoice : null],
    ['d.escrow_id', escrow, escrow && uuidOfWireId('esc', escrow)],
  ] as const;
  const asked = wished.filter(([, text]) => text !== undefined);
  const valued = asked.flatMap(([column, , value]) => (value ? [[column, value] as const] : []));
  return valued.length < asked.length ? null : valued;
}

/** A page of disputes, newest first, and how many there are in all. */
export async function listDisputes(
  db: Queryable,
  workspace: number,
  filter: DisputeFilter,
  { limit, offset }: Page,
): Promise<{ total: number; disputes: DisputeRecord[] }> {
  const conditions = conditionsOf(filter);
  if (conditions === null) return { total: 0, disputes: [] };
  const of = filter.invoice_id === undefined ? '' : ` and d.purpose <> 'deposit'`;
  const where = conditions.map(([column], at) => ` and ${column} = $${at + 4}`).join('') + of;
  // The page is joined to the count, so that both are of one moment.
  const rows = await db.query<Shown & { readonly id: string | null; readonly total: bigint }>({
    text: `with t as (select count(*) as total from dispute d where d.workspace = $1${where})
      select t.total, p.* from t left join lateral (
        select ${NOW} from dispute d where d.workspace = $1${where}
        order by d.created desc, d.id desc limit $2 offset $3) p on true`,
    values: [workspace, limit, offset, ...conditions.map(([, value]) => value)],
  });
  const disputes = rows.flatMap((row) => (row.id === null ? [] : [renderDispute(row, row)]));
  return { total: Number(rows[0]?.total ?? 0n), disputes };
}

/** An open dispute, and the seconds until its deadline; null where it takes no answer. */
export interface WaitingDispute {
  readonly record: DisputeRecord;
  readonly dueSeconds: number | null;
}

const WAITING_MOST = 200;

/** Open disputes, those to answer first, by their deadline. */
export async function waitingDisputes(
  db: Queryable,
  workspace: number,
): Promise<WaitingDispute[]> {
  const rows = await db.query<Shown & { readonly due_seconds: number | null }>(sql`
    select ${raw(NOW)}, extract(epoch from d.due_by - workspace_now(${workspace}))::float8 as
      due_seconds
    from dispute d where d.workspace = $1 and d.state in ('needs_response', 'under_review')
    order by d.state, d.due_by, d.created limit ${raw(WAITING_MOST)}`);
  return rows.map((row) => ({ record: renderDispute(row, row), dueSeconds: row.due_seconds }));
}

/** The dispute record at a version. */
export const disputeRecords = recordAtVersion<
  DisputeFacts & Pick<DisputeMoment, 'state' | 'evidence'>
>(
  {
    kind: 'dispute',
    schema: disputeRecord,
    table: 'dispute d',
    columns: `${FACTS}, ${evidenceAt('k.version')}`,
  },
  (row) => renderDispute(row, row),
);
