// Reads of invoices: the current record, and the record at a version for events and replays.
import type { Queryable } from '../../db/index.ts';
import { isUuid } from '../../kernel/ids.ts';
import type { JsonText } from '../../kernel/json-text.ts';
import type { Instant } from '../../kernel/time.ts';
import type { RecordKey, RecordKind } from '../../outbox/index.ts';
import { agreementOf } from './agreement.ts';
import { isWithin, type Bounds } from './bounds.ts';
import { renderInvoice } from './render.ts';

interface CurrentRow {
  readonly line: number;
  readonly document: string;
  readonly state: string;
  readonly updated: Instant;
  readonly failure_code: string | null;
  readonly authentication_url: string | null;
}

/**
 * The current invoice, or null where it is unknown or filtered out by `bounds`. One statement.
 * [M19]
 */
export async function readInvoice(
  db: Queryable,
  world: number,
  id: string,
  bounds: Bounds | null = null,
): Promise<JsonText | null> {
  if (!isUuid(id)) return null;
  const rows = await db.query<CurrentRow>({
    name: 'read_invoice',
    text: `select (select line from world where world = $1) as line, d.document, i.state,
        i.updated, i.failure_code,
        case when i.state = 'processing' then (select a.authentication_url from attempt a
          where a.world = i.world and a.resource_id = i.id and a.state = 'challenged'
          order by a.id limit 1) end as authentication_url
      from invoice i join invoice_document d on d.world = i.world and d.id = i.id
      where i.world = $1 and i.id = $2`,
    values: [world, id],
  });
  const row = rows[0];
  if (row === undefined) return null;
  const document = { id, document: row.document };
  return isWithin(bounds, agreementOf(document)) ? renderInvoice(row.line, document, row) : null;
}

interface VersionRow {
  readonly world: number;
  readonly line: number;
  readonly id: string;
  readonly version: number;
  readonly document: string;
  readonly state: string;
  readonly at: Instant;
  readonly detail: string | null;
}

/** The invoice record at a version: the document, and what the step to that version recorded. */
export const invoiceRecords: RecordKind = {
  kind: 'invoice',
  async compose(db, keys) {
    const rows = await db.query<VersionRow>({
      name: 'compose_invoice',
      text: `select k.world, (select line from world w where w.world = k.world) as line, k.id,
          k.version, d.document, s.to_state as state, s.at, s.detail
        from unnest($1::int4[], $2::uuid[], $3::int4[]) as k(world, id, version)
        join step s
          on s.world = k.world and s.resource_id = k.id and s.version = k.version
        join invoice_document d on d.world = k.world and d.id = k.id`,
      values: [
        keys.map((key) => key.world),
        keys.map((key) => key.id),
        keys.map((key) => key.version),
      ],
    });
    const found = new Map(rows.map((row) => [keyText(row), row]));
    return keys.map((key) => {
      const row = found.get(keyText(key));
      if (row === undefined) throw new Error('an event names an invoice version that is not there');
      const failure = row.detail === null ? {} : (JSON.parse(row.detail) as Failure);
      return renderInvoice(row.line, row, {
        state: row.state,
        updated: row.at,
        failure_code: failure.failure_code ?? null,
      });
    });
  },
};

interface Failure {
  readonly failure_code?: string;
}

function keyText(key: RecordKey): string {
  return `${key.world}:${key.id}:${key.version}`;
}
