// Reads of escrows: the current record, by its id or any of its invoices, and the record at a
// version.
import type { Queryable } from '../../../db/index.ts';
import { isUuid } from '../../../core/ids.ts';
import type { Instant } from '../../../core/time.ts';
import {
  recordAtVersion,
  rowsAtVersion,
  type Recorded,
  type RecordKind,
} from '../../../outbox/index.ts';
import type { EscrowState } from './machine.ts';
import type { SeenEscrow } from './party.ts';
import { escrowRecord, invoicesOf, renderEscrow, type EscrowRecord } from './schema.ts';
import { invoiceOf } from './tables.ts';

interface Row {
  readonly id: string;
  readonly account_id: string;
  readonly state: EscrowState;
  readonly integrator: string;
  readonly created: Instant;
  readonly updated: Instant;
  readonly course: string | null;
}

/** The current escrow, or null. One statement, on the primary. [M19] */
export async function readEscrow(
  db: Queryable,
  workspace: number,
  id: string | null,
): Promise<EscrowRecord | null> {
  if (id === null) return null;
  const rows = await db.query<Row>({
    name: 'read_escrow',
    text: `select e.id, e.account_id, e.state, w.integrator, e.created, e.updated,
        e.course
      from escrow e join workspace w on w.workspace = e.workspace where e.workspace = $1
      and e.id = $2`,
    values: [workspace, id],
  });
  const row = rows[0];
  return row === undefined ? null : renderEscrow(row, row.integrator);
}

/** What parties are shown of an escrow, or null. One statement, on the primary. */
export async function readSeenEscrow(
  db: Queryable,
  workspace: number,
  id: string,
): Promise<SeenEscrow | null> {
  const rows = await db.query<SeenEscrow>({
    name: 'escrow_of_party',
    text: `select e.state, e.due, e.warned, e.hold_seconds, e.time_left, e.course, e.disputes,
        e.created, d.id, d.document
      from escrow e join invoice_document d on d.workspace = e.workspace and d.id = $3
      where e.workspace = $1 and e.id = $2`,
    values: [workspace, id, invoiceOf(id, 'escrow')],
  });
  return rows[0] ?? null;
}

/** The ids of all invoices that an escrow may have; none for an unknown one. */
export async function readInvoicesOf(
  db: Queryable,
  workspace: number,
  id: string,
): Promise<readonly string[]> {
  const rows = await db.query<{ course: string | null }>({
    name: 'invoices_of_escrow',
    text: 'select course from escrow where workspace = $1 and id = $2',
    values: [workspace, id],
  });
  return rows.flatMap(({ course }) => invoicesOf(id, course));
}

/** The escrow that an invoice belongs to: of its payment, or of a movement; or null. */
export async function escrowByInvoice(
  db: Queryable,
  workspace: number,
  invoiceId: string,
): Promise<EscrowRecord | null> {
  if (!isUuid(invoiceId)) return null;
  const rows = await db.query<{ escrow: string | null }>({
    name: 'escrow_of_invoice',
    text: `select sale_term(id::text, document, 'escrow') as escrow from invoice_document
      where workspace = $1 and id = $2`,
    values: [workspace, invoiceId],
  });
  return readEscrow(db, workspace, rows[0]?.escrow ?? null);
}

/** The currency of each of these escrows. */
export async function escrowCurrencies(
  db: Queryable,
  workspace: number,
  ids: readonly string[],
): Promise<readonly (readonly [id: string, currency: string])[]> {
  const rows = await db.query<{ id: string; currency: string }>({
    name: 'escrow_currencies',
    text: `select e.id, sale_term(d.id::text, d.document, 'currency') as currency
      from unnest($2::uuid[], $3::uuid[]) as e (id, invoice)
      join invoice_document d on d.workspace = $1 and d.id = e.invoice`,
    values: [workspace, ids, ids.map((id) => invoiceOf(id, 'escrow'))],
  });
  return rows.map(({ id, currency }) => [id, currency]);
}

/** A step repeats the course as it was then. */
function atStep(row: Omit<Row, 'course'> & Recorded): EscrowRecord {
  return renderEscrow({ ...row, course: row.detail }, row.integrator);
}

const AT_VERSION = {
  kind: 'escrow',
  table: 'escrow e',
  columns: `e.account_id, e.created,
    (select integrator from workspace w where w.workspace = k.workspace) as integrator`,
};

/** The escrow record at a version. */
export const escrowRecords = recordAtVersion<Omit<Row, 'course'>>(
  { ...AT_VERSION, schema: escrowRecord },
  atStep,
);

/** The answer to a payment: version 2 of the escrow, its outcome, once that is known. */
export const escrowPaymentRecords: RecordKind = {
  kind: 'escrow_payment',
  schema: escrowRecord,
  async compose(db, keys) {
    const outcomes = keys.map((key) => ({ ...key, version: 2 }));
    const rows = await rowsAtVersion<Omit<Row, 'course'>>(db, AT_VERSION, [...keys, ...outcomes]);
    return keys.map((_, at) => {
      const row = rows[keys.length + at] ?? rows[at];
      if (row === undefined) throw new Error('an answer names a missing escrow');
      return atStep(row);
    });
  },
};

/** The escrow as its payment left it; OPEN while the outcome is not known. */
export async function readPayment(
  db: Queryable,
  workspace: number,
  id: string,
): Promise<EscrowRecord> {
  const [record] = await escrowPaymentRecords.compose(db, [{ workspace, id, version: 1 }]);
  return record as EscrowRecord;
}
