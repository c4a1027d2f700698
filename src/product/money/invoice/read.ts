// Reads of invoices: the current record, and the record at a version for events and replays.
import { prepared, type Queryable } from '../../../db/index.ts';
import { isUuid } from '../../../core/ids.ts';
import type { JsonText } from '../../../core/json-text.ts';
import type { Instant } from '../../../core/time.ts';
import { recordAtVersion } from '../../../outbox/index.ts';
import { isFramed } from '../wallet/index.ts';
import { saleTermsOf } from './stored-terms.ts';
import { isWithin, type VisibilityFilter } from './visibility.ts';
import { renderInvoice } from './render.ts';
import { invoiceRecord } from './schema.ts';

interface CurrentRow {
  readonly lineage: number;
  readonly document: string;
  readonly state: string;
  readonly updated: Instant;
  readonly failure_code: string | null;
  readonly authentication_url: string | null;
  readonly token: string | null;
}

/**
 * The current invoice, or null where it is unknown or filtered out by `bounds`. One statement.
 * [M19]
 */
export async function readInvoice(
  db: Queryable,
  workspace: number,
  id: string,
  visibility: VisibilityFilter | null = null,
): Promise<JsonText | null> {
  if (!isUuid(id)) return null;
  const rows = await db.query<CurrentRow>(prepared('read_invoice')`
    select (select lineage from workspace where workspace = ${workspace}) as lineage, d.document,
      i.state,
      i.updated, i.failure_code, a.authentication_url, a.processor_token as token
    from invoice i join invoice_document d on d.workspace = i.workspace and d.id = i.id
    left join lateral (select authentication_url, processor_token from attempt
      where workspace = i.workspace and resource_id = i.id and state = 'challenged'
      order by id limit 1) a on i.state = 'processing'
    where i.workspace = $1 and i.id = ${id}`);
  const row = rows[0];
  if (row === undefined) return null;
  const document = { id, document: row.document };
  const authentication_framed = row.token === null || isFramed(row.token) ? null : false;
  return isWithin(visibility, saleTermsOf(document))
    ? renderInvoice(row.lineage, document, { ...row, authentication_framed })
    : null;
}

interface Facts {
  readonly lineage: number;
  readonly document: string;
}

/** The invoice record at a version. */
export const invoiceRecords = recordAtVersion<Facts>(
  {
    kind: 'invoice',
    schema: invoiceRecord,
    table: 'invoice_document d',
    columns:
      '(select lineage from workspace w where w.workspace = k.workspace) as lineage, d.document',
  },
  (row) => {
    const { failure_code = null } = JSON.parse(row.detail ?? '{}') as Failure;
    return renderInvoice(row.lineage, row, { ...row, failure_code });
  },
);

interface Failure {
  readonly failure_code?: string;
}
