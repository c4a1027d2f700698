// Reads of escrows: the current record, by its id or any of its invoices, and the record at a
// version.
import type { Queryable } from '../../db/index.ts';
import { isUuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import type { RecordKey, RecordKind } from '../../outbox/index.ts';
import { renderEscrow, type EscrowRecord } from './schema.ts';

interface Row {
  readonly world: number;
  readonly id: string;
  readonly version: number;
  readonly account_id: string;
  readonly state: string;
  readonly integrator: string;
  readonly created: Instant;
  readonly updated: Instant;
}

/** The current escrow, or null. One statement, on the primary. [M19] */
export async function readEscrow(
  db: Queryable,
  world: number,
  id: string | null,
): Promise<EscrowRecord | null> {
  if (id === null) return null;
  const rows = await db.query<Row>({
    name: 'read_escrow',
    text: `select e.id, e.account_id, e.state, w.integrator, e.created, e.updated
      from escrow e join world w on w.world = e.world where e.world = $1 and e.id = $2`,
    values: [world, id],
  });
  const row = rows[0];
  return row === undefined ? null : renderEscrow(row, row.integrator);
}

/** The escrow that an escrow, commit or cancel invoice belongs to, or null. */
export async function escrowByInvoice(
  db: Queryable,
  world: number,
  invoiceId: string,
): Promise<EscrowRecord | null> {
  if (!isUuid(invoiceId)) return null;
  const rows = await db.query<{ escrow: string | null }>({
    name: 'escrow_of_invoice',
    text: `select document::json ->> 'escrow' as escrow from invoice_document
      where world = $1 and id = $2`,
    values: [world, invoiceId],
  });
  return readEscrow(db, world, rows[0]?.escrow ?? null);
}

async function atVersions(
  db: Queryable,
  keys: readonly RecordKey[],
): Promise<ReadonlyMap<string, Row>> {
  const rows = await db.query<Row>({
    name: 'compose_escrow',
    text: `select k.world, k.id, k.version, e.account_id, s.to_state as state, w.integrator,
        e.created, s.at as updated
      from unnest($1::int4[], $2::uuid[], $3::int4[]) as k(world, id, version)
      join escrow e on e.world = k.world and e.id = k.id
      join step s on s.world = k.world and s.resource_id = k.id and s.version = k.version
      join world w on w.world = k.world`,
    values: [
      keys.map((key) => key.world),
      keys.map((key) => key.id),
      keys.map((key) => key.version),
    ],
  });
  return new Map(rows.map((row) => [keyText(row), row]));
}

function keyText({ world, id, version }: RecordKey): string {
  return `${world}:${id}:${version}`;
}

function rendered(row: Row | undefined): EscrowRecord {
  if (row === undefined) throw new Error('an event names an escrow version that is not there');
  return renderEscrow(row, row.integrator);
}

/** The escrow record at a version. */
export const escrowRecords: RecordKind = {
  kind: 'escrow',
  async compose(db, keys) {
    const rows = await atVersions(db, keys);
    return keys.map((key) => rendered(rows.get(keyText(key))));
  },
};

/** The answer to a payment: version 2 of the escrow, its outcome, once that is known. */
export const escrowPaymentRecords: RecordKind = {
  kind: 'escrow_payment',
  async compose(db, keys) {
    const outcomes = keys.map((key) => ({ ...key, version: 2 }));
    const rows = await atVersions(db, [...keys, ...outcomes]);
    return keys.map((key, at) =>
      rendered(rows.get(keyText(outcomes[at] ?? key)) ?? rows.get(keyText(key))),
    );
  },
};

/** The escrow as its payment left it; OPEN while the outcome is not known. */
export async function readPayment(
  db: Queryable,
  world: number,
  id: string,
): Promise<EscrowRecord> {
  const [record] = await escrowPaymentRecords.compose(db, [{ world, id, version: 1 }]);
  return record as EscrowRecord;
}
