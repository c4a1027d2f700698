// Reads of statement rows and incoming transfers. Who paid is sealed; it is opened for one transfer
// by an operator who gives a reason, and for matching.
import { prepared, raw, type Queryable } from '../../../db/index.ts';
import { creditorReference } from '../../../core/bank-numbers.ts';
import { sealedPlace } from '../../../core/labels.ts';
import { open } from '../../../core/sealing.ts';
import type { Instant } from '../../../core/time.ts';
import { audit } from '../../tell/audit/index.ts';
import type { Services } from '../../context.ts';
import { ENDED_STATES, OPEN_STATES } from './machine.ts';
import type { IncomingRow } from './tables.ts';

/** Who sent a payment, and what they wrote; '' where the bank does not say. */
export interface Payer {
  readonly name: string;
  readonly number: string;
  readonly text: string;
}

interface SealedRow {
  readonly id: string;
  readonly statement_id: string;
  readonly wrapped_key: string;
  readonly sealed: string;
}

async function payersOf(
  { keys }: Pick<Services, 'keys'>,
  workspace: number,
  rows: readonly SealedRow[],
): Promise<Payer[]> {
  const lineage = keys.lineageOf(workspace);
  const opened = new Map<string, Promise<Buffer>>();
  return Promise.all(rows.map(async ({ id, statement_id, wrapped_key, sealed }) => {
    const place = sealedPlace('bankStatement', lineage, statement_id);
    const key = opened.get(statement_id) ?? keys.unwrap(wrapped_key, place);
    opened.set(statement_id, key);
    return JSON.parse(open(await key, sealed, sealedPlace('bankEntry', lineage, id))) as Payer;
  }));
}

/** A row of a statement that is not taken yet. */
export interface OpenEntry {
  readonly id: string;
  readonly bank_account_id: string;
  readonly direction: 'credit' | 'debit';
  readonly currency: string;
  /** Minor units. */
  readonly amount: bigint;
  readonly booked: string;
  readonly bank_reference: string;
  readonly end_to_end_id: string;
  /** The one creditor reference that it names, or ''. */
  readonly reference: string;
  readonly returned: boolean;
  /** Its end-to-end id is that of a payout of ours by bank file. */
  readonly ours: boolean;
  /** What the payer, or for a debit we, wrote. */
  readonly text: string;
}

/** Debits of so many days are still looked at: most settle nothing, such as the bank's fees. */
const DEBIT_DAYS = 90;

/**
 * The rows that are not taken yet, in the order of their days: credits that are no transfer, and
 * debits that settle nothing of ours so far.
 */
export async function openEntries(
  services: Pick<Services, 'db' | 'keys'>,
  workspace: number,
): Promise<OpenEntry[]> {
  const rows = await services.db.query<Omit<OpenEntry, 'text'> & SealedRow>(
    prepared('open_bank_entries')`
    select e.id, e.bank_account_id, e.direction, e.currency, e.amount, e.booked,
      e.bank_reference, e.end_to_end_id, e.reference, e.returned, e.statement_id, e.sealed,
      s.wrapped_key, exists (select from transfer o where o.workspace = e.workspace
          and o.rail = 'file'
          and o.id = case when e.end_to_end_id ~* '^[0-9a-f]{32}$' then e.end_to_end_id::uuid end)
        as ours
    from bank_entry e
    join bank_statement s on s.workspace = e.workspace and s.id = e.statement_id
    where e.workspace = ${workspace} and e.settles is null and case e.direction
      when 'credit' then not exists (select from incoming_transfer t
        where t.workspace = $1 and t.entry_id = e.id)
      else e.booked > to_char(workspace_now($1) - interval '${raw(DEBIT_DAYS)} days',
      'YYYY-MM-DD') end
    order by e.booked, e.id`);
  const payers = await payersOf(services, workspace, rows);
  return rows.map((row, at) => ({ ...row, text: payers[at]?.text ?? '' }));
}

/** The transfer that is to be sent back under these digits, or null. */
export async function returnUnder(
  db: Queryable,
  workspace: number,
  bankAccount: string,
  digits: string,
): Promise<string | null> {
  const rows = await db.query<{ id: string }>(prepared('bank_return_under')`
    select id from incoming_transfer where workspace = ${workspace} and state = 'returning'
    and bank_account_id = ${bankAccount} and reference_digits(id) = ${digits}`);
  return rows[0]?.id ?? null;
}

/** An incoming transfer as operators see it. */
export interface IncomingSeen {
  readonly id: string;
  readonly state: IncomingRow['state'];
  readonly version: number;
  readonly currency: string;
  readonly digits: number;
  /** Minor units. */
  readonly amount: bigint;
  readonly value_date: string;
  readonly bank_reference: string;
  readonly why: IncomingRow['why'];
  readonly wallet_id: string | null;
  readonly account_id: string | null;
  readonly deposit_id: string | null;
  readonly operator_id: string | null;
  readonly entry_id: string | null;
  readonly bank_account_id: string;
  readonly awaits: string | null;
  readonly created: Instant;
  /** What a payment that sends it back must name. */
  readonly return_reference: string;
}

const SEEN = `select t.id, t.state, t.version, t.currency, c.digits, t.amount, t.value_date,
    t.bank_reference, t.why, t.wallet_id, w.account_id, t.operator_id, t.entry_id,
    t.bank_account_id, t.awaits, t.created, d.id as deposit_id,
    reference_digits(t.id) as return_reference
  from incoming_transfer t
  join workspace_currency c on c.workspace = t.workspace and c.currency = t.currency
  left join wallet w on w.workspace = t.workspace and w.id = t.wallet_id
  left join deposit d on d.workspace = t.workspace and d.incoming_transfer_id = t.id
  where t.workspace = $1`;

function seenOf(row: IncomingSeen): IncomingSeen {
  return { ...row, return_reference: creditorReference(row.return_reference) };
}

/** Transfers that wait for a person, oldest first, and after them the latest others. */
export async function incomingTransfers(
  db: Queryable,
  workspace: number,
  limit: number,
): Promise<{ readonly open: IncomingSeen[]; readonly latest: IncomingSeen[] }> {
  const open = await db.query<IncomingSeen>({
    name: 'open_incoming_transfers',
    text: `${SEEN} and t.state in ('proposed', ${OPEN_STATES})
      order by t.created, t.id limit $2`,
    values: [workspace, limit],
  });
  const latest = await db.query<IncomingSeen>({
    name: 'latest_incoming_transfers',
    text: `${SEEN} and t.state in (${ENDED_STATES})
      order by t.created desc, t.id desc limit $2`,
    values: [workspace, limit],
  });
  return { open: open.map(seenOf), latest: latest.map(seenOf) };
}

/** One transfer, or null. */
export async function incomingTransfer(
  db: Queryable,
  workspace: number,
  id: string,
): Promise<IncomingSeen | null> {
  const rows = await db.query<IncomingSeen>({
    name: 'incoming_transfer',
    text: `${SEEN} and t.id = $2`,
    values: [workspace, id],
  });
  return rows[0] === undefined ? null : seenOf(rows[0]);
}

/** The transfer of a row with this reference of the bank, or null. */
export async function transferOfReference(
  db: Queryable,
  workspace: number,
  bankReference: string,
): Promise<IncomingSeen | null> {
  const rows = await db.query<IncomingSeen>({
    name: 'incoming_transfer_of_reference',
    text: `${SEEN} and t.bank_reference = $2 and t.entry_id is not null order by t.id limit 1`,
    values: [workspace, bankReference],
  });
  return rows[0] === undefined ? null : seenOf(rows[0]);
}

/** Recorded transfers of the same amount that no row of the statement has confirmed yet. */
export async function recordedAlike(
  db: Queryable,
  workspace: number,
  of: Pick<IncomingSeen, 'bank_account_id' | 'amount'>,
): Promise<IncomingSeen[]> {
  return db.query({
    name: 'recorded_alike',
    text: `${SEEN} and t.awaits = $2 and t.amount = $3
      and t.state in ('credited', 'covered') order by t.created, t.id`,
    values: [workspace, of.bank_account_id, of.amount],
  });
}

/** Opens who sent a transfer, for a logged reason; null where no statement says. */
export async function openPayer(
  services: Pick<Services, 'db' | 'keys'>,
  workspace: number,
  transfer: Pick<IncomingSeen, 'id' | 'entry_id'>,
  actor: string,
  reason: string,
): Promise<Payer | null> {
  if (transfer.entry_id === null) return null;
  const { db } = services;
  const rows = await db.query<SealedRow>(prepared('bank_payer')`
    select e.id, e.statement_id, e.sealed, s.wrapped_key
    from bank_entry e
    join bank_statement s on s.workspace = e.workspace and s.id = e.statement_id
    where e.workspace = ${workspace} and e.id = ${transfer.entry_id}`);
  const entry = { workspace, actor, act: 'bank_payer_opened', subject: transfer.id } as const;
  await db.transaction((tx) => audit(tx, { ...entry, detail: { reason } }));
  return (await payersOf(services, workspace, rows))[0] ?? null;
}
