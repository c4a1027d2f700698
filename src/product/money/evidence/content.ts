// What evidence says, of disputes and of disagreements: sealed with the key of whoever was charged
// or said it, stored just before the command that adds it, and opened for one look.
import { prepared, raw, sql, type Database, type Queryable } from '../../../db/index.ts';
import type { PersonSealer } from '../../people/account/index.ts';
import type { EvidenceKind } from '../../../providers/processor/port.ts';

type Executor = Pick<Database, 'execute'>;

/** Of which person, and for which new piece. */
interface ContentOwner {
  readonly workspace: number;
  readonly account: string;
  /** Of the evidence. */
  readonly id: string;
}

/** Seals and stores the content of a piece that is about to be added. */
export async function storeContent(
  db: Executor,
  sealer: PersonSealer,
  { workspace, account, id }: ContentOwner,
  bytes: Buffer,
): Promise<void> {
  await db.execute(prepared('dispute_content_insert')`
    insert into dispute_content (workspace, id, account_id, sealed)
    values (${workspace}, ${id}, ${account}, ${sealer.sealBytes('evidence', id, bytes)})`);
}

const UNNAMED = ['dispute_evidence', 'disagreement_statement']
  .map((table) => `not exists (select from ${table} e
    where e.workspace = c.workspace and e.id = c.id)`)
  .join(' and ');

/** Deletes the content of a piece that was not added. */
export async function dropContent(db: Executor, workspace: number, id: string): Promise<void> {
  await db.execute(prepared('dispute_content_drop')`
    delete from dispute_content c where workspace = ${workspace} and id = ${id}
      and ${raw(UNNAMED)}`);
}

/** Deletes content whose piece was not added within an hour; gives how much. Until it gives 0. */
export function forgetStrayContent(db: Executor): Promise<number> {
  return db.execute(`delete from dispute_content c where (workspace, id) in (
    select workspace, id from dispute_content c
    where created < $now - interval '1 hour' and ${UNNAMED} limit 500)`);
}

/** Deletes what was said about an erased person. [PD3] */
export function forgetEvidence(db: Executor, workspace: number, account: string): Promise<number> {
  return db.execute(sql`
    delete from dispute_content where workspace = ${workspace} and account_id = ${account}`);
}

/** Where the content of what kind of case is named, and in which states the case has not ended. */
const CASES = [
  ['dispute', 'dispute_evidence', 'dispute_id', `'needs_response', 'under_review'`],
  ['disagreement', 'disagreement_statement', 'disagreement_id', `'open'`],
] as const;

/**
 * SQL: deletes the content of up to a thousand cases that ended so long ago. `keeps` is an interval
 * by the workspace's clock, `unheld` a condition on the case `a`. [PD6]
 */
export function endedEvidence(keeps: string, unheld: string): string {
  const ended = CASES.map(([table, pieces, of, open]) => `select c.workspace, c.id from workspace w
    join ${table} a on a.workspace = w.workspace and a.state not in (${open})
      and a.updated < $now + w.clock_offset - interval '${keeps}' and ${unheld}
    join ${pieces} e on e.workspace = a.workspace and e.${of} = a.id
    join dispute_content c on c.workspace = e.workspace and c.id = e.id
    where w.ended is null`);
  return `delete from dispute_content where (workspace, id) in (
    ${ended.join(' union all ')} limit 1000)`;
}

/** What one piece says; null where it was erased. */
export async function openContent(
  db: Queryable,
  sealer: PersonSealer,
  workspace: number,
  id: string,
): Promise<Buffer | null> {
  const [row] = await db.query<{ readonly sealed: Buffer }>(prepared('evidence_content')`
    select sealed from dispute_content where workspace = ${workspace} and id = ${id}`);
  return row === undefined ? null : sealer.openBytes('evidence', id, row.sealed);
}

/** A piece with what it says. */
export interface OpenedPiece {
  readonly id: string;
  readonly kind: EvidenceKind;
  /** Null for a text. */
  readonly mime: 'image/jpeg' | 'image/png' | 'application/pdf' | null;
  readonly bytes: Buffer;
}

/** The evidence of a dispute up to a version, opened; what was erased is left out. */
export async function openEvidence(
  db: Queryable,
  sealer: PersonSealer,
  workspace: number,
  disputeId: string,
): Promise<OpenedPiece[]> {
  const rows = await db.query<Omit<OpenedPiece, 'bytes'> & { readonly sealed: Buffer }>(
    prepared('dispute_contents')`
    select e.id, e.kind, e.mime, c.sealed from dispute_evidence e
    join dispute_content c on c.workspace = e.workspace and c.id = e.id
    where e.workspace = ${workspace} and e.dispute_id = ${disputeId} order by e.version`);
  return rows.map(({ sealed, ...rest }) => {
    return { ...rest, bytes: sealer.openBytes('evidence', rest.id, sealed) };
  });
}
