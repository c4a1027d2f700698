// What an id stands for: the resource, its parts, and what it is a part of.
import { prepared, raw, type Queryable } from '../../../db/index.ts';
import { inChain, ofBuyer } from '../../../core/by-account.ts';
import { wireId, type WirePrefix } from '../../../core/ids.ts';
import { escrowByInvoice, readInvoicesOf } from '../../money/escrow/index.ts';
import { deliveryShown } from '../webhook/index.ts';
import { bankNamed } from './bank-names.ts';
import { namedId } from './named.ts';
import type { Thing } from './schema.ts';

/** The explained resource. */
export interface Subject {
  readonly workspace: number;
  readonly kind: string;
  readonly uuid: string;
  /** Only for a delivery: the number of its event. */
  readonly sequence: number | null;
}

/** Kinds whose ids have a prefix on the wire. [G-82] */
const PREFIXES: Readonly<Record<string, WirePrefix>> = {
  account: 'acct',
  kyc_application: 'kyc',
  kyc_document: 'kycmc',
  entity: 'ent',
  entity_agent: 'agt',
  entity_document: 'doc',
  escrow: 'esc',
  account_block: 'blk',
};

/** An id in its wire form. */
export function spelled(kind: string, uuid: string): Thing {
  const prefix = PREFIXES[kind];
  return { kind, id: prefix === undefined ? uuid : wireId(prefix, uuid) };
}

/** A lifecycle's name for readers: the identity state is the account's. */
export function kindOf(machine: string): string {
  return machine === 'kyc' ? 'account' : machine;
}

const by = (table: string, id = 'id'): string =>
  `select '${table}' as kind from ${table} where workspace = $1 and ${id} = $2`;

/** SQL: what an id may stand for; the first row counts, so lifecycles come first. */
const NAMED = `${[
  'select machine as kind from history where workspace = $1 and resource_id = $2 and version = 1',
  ...['payment_method', 'webhook_endpoint', 'wallet', 'kyc_application', 'link'].map((t) => by(t)),
  ...['authorized_invoice', 'consent', 'method_entry', 'kyc_document'].map((t) => by(t)),
  ...[by('entity_document'), by('event', 'event_id')],
  `select 'event' from outbox where workspace = $1 and event_id = $2`,
  `select 'request' from request_note
    where workspace = $1 and named = $2 and id = $2 and status >= 500`,
  `select 'request' from resources_of_request($1, $2)`,
]
  .map((text) => `(${text} limit 1)`)
  .join(' union all ')} limit 1`;

const DELIVERY = /^([0-9a-f-]{36}):(\d{1,15})$/;

/** What the id stands for in this workspace; null for an unknown, foreign or malformed one. */
export async function subjectOf(
  db: Queryable,
  workspace: number,
  id: string,
): Promise<Subject | null> {
  const delivery = DELIVERY.exec(id);
  const named = namedId(delivery?.[1] ?? id);
  if (named === null) {
    const found = await bankNamed(db, workspace, id);
    return found && { workspace, kind: found.kind, uuid: found.id, sequence: null };
  }
  const { uuid, prefix } = named;
  if (delivery !== null) {
    const found = await db.query(prepared('explain_delivery')`select from delivery d
      join event v on v.workspace = d.workspace and v.sequence = d.sequence
      where d.workspace = ${workspace} and d.endpoint_id = ${uuid} and d.sequence = ${delivery[2]}
        and ${raw(deliveryShown())}`);
    const sequence = Number(delivery[2]);
    return found.length === 0 ? null : { workspace, kind: 'delivery', uuid, sequence };
  }
  const values = [workspace, uuid];
  const rows = await db.query<{ kind: string }>({ name: 'explain_named', text: NAMED, values });
  const kind = rows[0] === undefined ? null : kindOf(rows[0].kind);
  if (kind === null || (prefix !== null && PREFIXES[kind] !== prefix)) return null;
  return { workspace, kind, uuid, sequence: null };
}

/** SQL: parts, found by the resource that they were made for. */
const MADE_FOR = `select id from attempt where workspace = $1 and resource_id = any ($2)
  union select id from transfer where workspace = $1 and resource_id = any ($2)
  union select id from refund where workspace = $1 and invoice_id = any ($2)
  union select refund_invoice_id from refund where workspace = $1 and id = any ($2)
  union select id from reversal where workspace = $1 and resource_id = any ($2)
  union select id from dispute where workspace = $1 and resource_id = any ($2)
  union select id from disagreement where workspace = $1 and escrow_id = any ($2)
  union select reversal_id from dispute where workspace = $1 and id = any ($2)
  union select d.id from statement_line l join difference d on d.workspace = l.workspace
  and d.id = l.id
    where l.workspace = $1 and l.subject = any ($2)
  union select id from deposit where workspace = $1 and incoming_transfer_id = any ($2)
  union select id from money_act where workspace = $1 and subject_id = any ($2)
  union select id from identity_check where workspace = $1 and application_id = any ($2)
  union select id from review_proposal where workspace = $1 and subject_id = any ($2)
  union select id from entity_agent where workspace = $1 and entity_id = any ($2)`;
/** A refund, its invoice, its outbound transfer, a discrepancy about that. */
const DEPTH = 4;

const LAST = 20;
const SCANNED = 5_000;
const recent = (table: string): string => `(select id from (select id, payment_method_id
    from ${table} where workspace = $1 order by id desc limit ${SCANNED}) t
  where payment_method_id = $2 limit ${LAST})`;

/**
 * SQL: an account's business, blocks, applications, latest sales, lost disputes that it owes for,
 * reserves, and what moved its wallets.
 */
const OF_ACCOUNT = `select id from account_block where workspace = $1 and account_id = $2
  union select id from entity where workspace = $1 and account_id = $2
  union (select id from kyc_application where workspace = $1 and account_id = $2
    order by created desc limit ${LAST})
  union (select id from invoice i where workspace = $1 and ${ofBuyer('i', '$2')} order by id desc
  limit ${LAST})
  union (select id from payout where workspace = $1 and account_id = $2
    order by created desc limit ${LAST})
  union (select dispute_id from wallet_debt where workspace = $1 and account_id = $2
    order by created desc limit ${LAST})
  union select id from reserve where workspace = $1 and account_id = $2
  union (select m.resource_id from wallet w
    cross join lateral (values (w.id), (w.kept_back_id)) as own (id)
    cross join lateral (
      select resource_id from posting p where p.workspace = $1 and ${inChain('p', 'own.id')}
      order by p.account_version desc limit ${LAST}) m
    where w.workspace = $1 and w.account_id = $2)`;

const SEEDS: Readonly<Record<string, string>> = {
  account: OF_ACCOUNT,
  payment_method: `${recent('attempt')} union ${recent('transfer')}`,
  payout_file: `select transfer_id as id from payout_file_item
    where workspace = $1 and file_id = $2`,
  authorized_invoice: `select latest_invoice_id as id from authorized_invoice
    where workspace = $1 and id = $2 and latest_invoice_id is not null`,
};

/** UUIDs of the subject and all of its parts. */
export async function partsOf(db: Queryable, subject: Subject): Promise<readonly string[]> {
  const { workspace, kind, uuid } = subject;
  if (['event', 'delivery'].includes(kind)) return [uuid];
  if (kind === 'request') return [uuid, ...(await movedBy(db, workspace, uuid))];
  const ids = new Set([uuid]);
  const seeds = SEEDS[kind];
  if (seeds !== undefined) {
    const rows = await db.query<{ id: string }>({ text: seeds, values: [workspace, uuid] });
    for (const { id } of rows) ids.add(id);
  }
  for (const id of kind === 'account' ? [] : [...ids]) {
    for (const one of await familyOf(db, workspace, id, kind)) ids.add(one);
  }
  for (let depth = 0, size = 0; depth < DEPTH && size < ids.size; depth += 1) {
    size = ids.size;
    const rows = await db.query<{ id: string }>({
      name: 'explain_made_for',
      text: MADE_FOR,
      values: [workspace, [...ids]],
    });
    for (const { id } of rows) ids.add(id);
  }
  return [...ids];
}

/** Everything that a request has moved, then and later. */
async function movedBy(
  db: Queryable,
  workspace: number,
  requestId: string,
): Promise<readonly string[]> {
  const rows = await db.query<{ id: string }>(prepared('explain_moved_by')`
    select id from resources_of_request(${workspace}, ${requestId}) as id`);
  return rows.map(({ id }) => id);
}

/** An escrow and its invoices are explained together, whichever of them was asked for. */
async function familyOf(
  db: Queryable,
  workspace: number,
  id: string,
  kind: string,
): Promise<readonly string[]> {
  if (!['escrow', 'invoice', 'authorized_invoice'].includes(kind)) return [];
  const record = kind === 'escrow' ? null : await escrowByInvoice(db, workspace, id);
  const escrow = record === null ? id : namedId(record.id)?.uuid;
  if (escrow === undefined || (kind !== 'escrow' && record === null)) return [];
  return [escrow, ...(await readInvoicesOf(db, workspace, escrow))];
}

const owner = (table: string, column: string, kind: string | null): string =>
  `select ${kind === null ? 'null' : `'${kind}'`} as kind, ${column} as id from ${table} t
    where t.workspace = $1 and t.id = $2 and ${column} is not null`;

const OWNERS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['invoice', 'escrow', 'deposit', 'payout', 'payment_method', 'wallet', 'link', 'entity']
      .concat(['reserve', 'kyc_application', 'authorized_invoice', 'account_block', 'consent'])
      .map((table) => [table, owner(table, 'account_id', 'account')]),
  ),
  ...Object.fromEntries(
    ['attempt', 'reversal', 'dispute'].map((table) => [
      table,
      owner(table, 'resource_id', null),
    ]),
  ),
  transfer: `${owner('transfer', 'resource_id', null)} union all
    select null, file_id from payout_file_item where workspace = $1 and transfer_id = $2 and live`,
  incoming_transfer: owner('incoming_transfer', 'wallet_id', 'wallet'),
  account: `select 'entity' as kind, entity_id as id from entity_agent
    where workspace = $1 and person_id = $2`,
  refund: owner('refund', 'invoice_id', 'invoice'),
  disagreement: owner('disagreement', 'escrow_id', 'escrow'),
  money_act: `${owner('money_act', 'subject_id', null)} and t.subject_id <> t.id`,
  entity_agent: owner('entity_agent', 'entity_id', 'entity'),
  identity_check: owner('identity_check', 'application_id', 'kyc_application'),
  review_proposal: owner('review_proposal', 'account_id', 'account'),
  event: `select null as kind, resource_id as id from event where workspace = $1 and event_id = $2
    union all select null, resource_id from outbox where workspace = $1 and event_id = $2`,
  delivery: `select 'webhook_endpoint' as kind, $2::uuid as id where $1::int is not null`,
};

/** What the subject is a part of; empty for most. */
export async function ownersOf(db: Queryable, subject: Subject): Promise<readonly Thing[]> {
  const { workspace, kind, uuid } = subject;
  const text = OWNERS[kind];
  if (text === undefined) return [];
  const rows = await db.query<{ kind: string | null; id: string }>({
    text: `select coalesce(o.kind, s.machine, 'payment_method') as kind, o.id from (${text}) o
      left join lateral (select machine from history
        where workspace = $1 and resource_id = o.id and version = 1 limit 1) s on true`,
    values: [workspace, uuid],
  });
  return rows.map((row) => spelled(kindOf(row.kind ?? ''), row.id));
}
