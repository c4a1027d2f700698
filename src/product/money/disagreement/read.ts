// Reads of disagreements: the current record, the record at a version, and what was stated.
import { prepared, raw, type Queryable } from '../../../db/index.ts';
import { recordAtVersion, type RecordKey } from '../../../outbox/index.ts';
import { saleTermsOf } from '../invoice/index.ts';
import { invoiceOf } from '../escrow/index.ts';
import {
  disagreementRecord,
  renderDisagreement,
  type DisagreementFacts,
  type DisagreementMoment,
  type DisagreementRecord,
  type Said,
} from './schema.ts';
import type { Side } from './tables.ts';

/** SQL: the statements of disagreement `d` up to a version, in JSON. */
const statementsAt = (version: string): string => `(select coalesce(json_agg(json_build_object(
      'id', e.id, 'side', e.side, 'account', e.account_id, 'mime', e.mime,
      'created', e.created::text) order by e.version), '[]')
  from disagreement_statement e where e.workspace = d.workspace and e.disagreement_id = d.id
    and e.version <= ${version})::text as statements`;

const FACTS = `d.id, d.escrow_id, d.account_id, d.opened_by, d.reason, d.currency, d.held,
  d.outcome, d.due_by, d.created`;

type Row = DisagreementFacts &
  Pick<DisagreementMoment, 'state' | 'updated' | 'statements'> & {
    readonly proposal: string | null;
    readonly settlement: string | null;
  };

function saidIn({ proposal, settlement }: Pick<Row, 'proposal' | 'settlement'>): Said {
  return {
    proposal: proposal === null ? null : (JSON.parse(proposal) as Said['proposal']),
    settlement: settlement === null ? null : (JSON.parse(settlement) as Said['settlement']),
  };
}

/** The disagreement of an escrow (a UUID), or null. One statement, on the primary. [M19] */
export async function readDisagreement(
  db: Queryable,
  workspace: number,
  escrowId: string | null,
): Promise<DisagreementRecord | null> {
  if (escrowId === null) return null;
  const [row] = await db.query<Row>(prepared('read_disagreement')`
    select ${raw(FACTS)}, d.state, d.updated, d.proposal, d.settlement,
      ${raw(statementsAt('d.version'))}
    from disagreement d where d.workspace = ${workspace} and d.escrow_id = ${escrowId}`);
  return row === undefined ? null : renderDisagreement(row, { ...row, ...saidIn(row) });
}

/** The disagreement about the escrow of an invoice (a UUID, of its payment), or null. */
export async function disagreementOfInvoice(
  db: Queryable,
  workspace: number,
  invoice: string,
): Promise<DisagreementRecord | null> {
  const terms = await termsOf(db, workspace, invoice);
  return readDisagreement(db, workspace, terms?.escrow ?? null);
}

async function termsOf(db: Queryable, workspace: number, invoice: string) {
  const [row] = await db.query<{ id: string; document: string }>(prepared('disagreed_terms')`
    select id, document from invoice_document where workspace = ${workspace} and id = ${invoice}`);
  return row && saleTermsOf(row);
}

/** Buyer and sellers of an escrow, on the wire; null where there is no such escrow. */
export async function sidesOf(
  db: Queryable,
  workspace: number,
  escrowId: string | null,
): Promise<ReadonlySet<string> | null> {
  if (escrowId === null) return null;
  const terms = await termsOf(db, workspace, invoiceOf(escrowId, 'escrow'));
  if (terms?.escrow !== escrowId) return null;
  const sellers = terms.lines.flatMap(({ recipients }) => recipients.map((one) => one.account_id));
  return new Set([terms.account_id, ...sellers]);
}

/** The type of a statement's file; null for a text. */
export async function statementMime(
  db: Queryable,
  workspace: number,
  id: string,
): Promise<string | null> {
  const [row] = await db.query<{ mime: string | null }>(prepared('statement_mime')`
    select mime from disagreement_statement where workspace = ${workspace} and id = ${id}`);
  return row?.mime ?? null;
}

/** The record at a version: each step repeats what is on the table then. */
export const disagreementRecords = recordAtVersion<
  DisagreementFacts & Pick<DisagreementMoment, 'state' | 'statements'>
>(
  {
    kind: 'disagreement',
    schema: disagreementRecord,
    table: 'disagreement d',
    columns: `${FACTS}, ${statementsAt('k.version')}`,
  },
  (row) => renderDisagreement(row, { ...row, ...(JSON.parse(row.detail ?? '{}') as Said) }),
);

/** The side whose proposal was on the table at a version; null: none was. */
export async function offererOf(db: Queryable, at: RecordKey): Promise<Side | null> {
  const [record] = await disagreementRecords.compose(db, [at]);
  return (record as DisagreementRecord).proposal?.side ?? null;
}
