// Rows of statements that settle nothing of ours, as operators see them and decide about them: what
// each may be, which credits a debit may take back, and what is the tenant's own.
import { prepared, raw, type Queryable } from '../../../db/index.ts';
import { isUuid } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import { STANDING } from '../../../ledger/index.ts';
import type { Command } from '../../../engine/index.ts';
import { secondFrom } from '../../context.ts';
import type { BankOperator, ActServices } from './operate.ts';
import { decideRow, secondRow, type OwnMoney } from './own-rows.ts';
import type { IncomingSeen } from './read.ts';
import { refusals as no } from './refusals.ts';
import type { BankBookingRow, OWN_KINDS } from './tables.ts';

export type RowKind = (typeof OWN_KINDS)[number];

/** A row of a statement that settles nothing of ours. */
export interface BankRow {
  readonly id: string;
  readonly statement_id: string;
  readonly bank_account_id: string;
  readonly direction: 'credit' | 'debit';
  readonly currency: string;
  readonly digits: number;
  /** Minor units, positive. */
  readonly amount: bigint;
  readonly booked: string;
  readonly bank_reference: string;
  /** What it seems to be by the bank's own codes; a person decides. */
  readonly suggestion: RowKind | null;
  /** Its incoming transfer, which waits for a person; null for a debit. */
  readonly transfer_id: string | null;
  /** It names a payout of ours that it fits, and is booked with it. */
  readonly is_payout: boolean;
  /** What was said of it. */
  readonly booking_id: string | null;
  readonly kind: RowKind | null;
  readonly state: BankBookingRow['state'] | null;
  readonly operator_id: string | null;
}

/** SQL: the row `e` names a payout by file, or a file, that it fits and that no row did before. */
const IS_PAYOUT = `e.end_to_end_id ~* '^[0-9a-f]{32}$' and (
    exists (select from transfer r where r.workspace = e.workspace and r.rail = 'file'
      and r.id = case when e.end_to_end_id ~* '^[0-9a-f]{32}$' then e.end_to_end_id::uuid end
      and r.amount = e.amount and r.state in ('handed_over', 'paid', 'returned'))
    or exists (select from payout_file f where f.workspace = e.workspace
      and f.id = case when e.end_to_end_id ~* '^[0-9a-f]{32}$' then e.end_to_end_id::uuid end
      and f.total >= e.amount and f.state in ('handed_over', 'settled')))
  and not exists (select from bank_entry o where o.workspace = e.workspace
    and o.end_to_end_id = e.end_to_end_id and o.direction = e.direction and o.settles = 'payout')`;

const SEEN = `select e.id, e.statement_id, e.bank_account_id, e.direction, e.currency, c.digits,
    e.amount, e.booked, e.bank_reference, t.id as transfer_id, (${IS_PAYOUT}) as is_payout,
    case when e.charge then 'bank_fee' when e.direction = 'debit' and e.returned then 'reversal'
      end as suggestion, b.id as booking_id, b.kind, b.state, b.operator_id
  from bank_entry e
  join workspace_currency c on c.workspace = e.workspace and c.currency = e.currency
  left join incoming_transfer t on t.workspace = e.workspace and t.entry_id = e.id
  left join bank_booking b on b.workspace = e.workspace and b.entry_id = e.id
    and b.state <> 'rejected'
  where e.workspace = $1`;

/** The rows that wait for a decision, the oldest first; open transfers are not among them. */
export function undecidedRows(
  db: Queryable,
  workspace: number,
  most: number,
): Promise<readonly BankRow[]> {
  return db.query({
    name: 'undecided_bank_rows',
    text: `${SEEN} and e.settles is null and t.id is null and not (${IS_PAYOUT})
      order by e.booked, e.id limit $2`,
    values: [workspace, most],
  });
}

/** One row, or null where a transfer or payout of ours explains it. */
export async function bankRow(
  db: Queryable,
  workspace: number,
  id: string,
): Promise<BankRow | null> {
  const rows = await db.query<BankRow>({
    name: 'bank_row',
    text: `${SEEN} and e.id = $2 and (e.settles is null or b.id is not null)`,
    values: [workspace, isUuid(id) ? id : null],
  });
  return rows[0] ?? null;
}

/** Credits that a debit may take back: of its account and amount, the newest first. */
export function takenBackPerhaps(
  db: Queryable,
  workspace: number,
  { bank_account_id, amount }: Pick<BankRow, 'bank_account_id' | 'amount'>,
): Promise<readonly Pick<IncomingSeen, 'id' | 'state' | 'value_date' | 'bank_reference'>[]> {
  return db.query(prepared('bank_credits_taken_back')`
    select t.id, t.state, t.value_date, t.bank_reference from incoming_transfer t
    where t.workspace = ${workspace} and t.bank_account_id = ${bank_account_id}
      and t.amount = ${amount}
      and t.state in ('credited', 'covered', 'unallocated', 'returning')
      and not exists (select from bank_booking b where b.workspace = t.workspace
        and b.transfer_id = t.id and b.state <> 'rejected')
    order by t.created desc, t.id limit 100`);
}

const OWN = Object.entries(STANDING)
  .flatMap(([kind, standing]) => (standing === 'own' ? [`'${kind}'`] : []))
  .join(', ');

/** What is the tenant's own in a currency, summed up at one moment. */
async function ownMoney(db: Queryable, workspace: number, currency: string): Promise<OwnMoney> {
  const [row] = await db.query<OwnMoney>(prepared('own_money')`
    select coalesce((select sum(p.amount) from posting p join ledger_account a
        on a.workspace = p.workspace and a.id = p.account_id and a.kind in (${raw(OWN)})
      where p.workspace = ${workspace} and p.currency = ${currency}), 0)::bigint as own,
    coalesce((select version from funds where workspace = $1 and currency = $2
      and place = 'bank'), 0) as "fundsVersion"`);
  return row ?? { own: 0n, fundsVersion: 0 };
}

/** What came of a decision about a row. */
export interface RowAnswer {
  readonly booking_id: string;
  readonly state: BankBookingRow['state'];
}

async function run<I extends OwnMoney>(
  { db, engine }: ActServices,
  { operatorId, workspace }: BankOperator,
  entryId: string,
  command: Command<I>,
  input: Omit<I, keyof OwnMoney>,
): Promise<RowAnswer> {
  const row = await bankRow(db, workspace, entryId);
  if (row === null) throw refuse(no.BANK_ROW_NOT_FOUND);
  if (row.is_payout) throw refuse(no.BANK_ROW_IS_PAYOUT);
  const whole = { ...input, ...(await ownMoney(db, workspace, row.currency)) } as I;
  const submission = { workspace, actor: `operator:${operatorId}` };
  return (await engine.run(command, whole, submission)).payload as RowAnswer;
}

/** Says what a row is; `transferId` names the credit that a reversal takes back. */
export async function decideBankRow(
  services: ActServices,
  operator: BankOperator,
  said: { readonly entryId: string; readonly kind: RowKind; readonly transferId: string | null },
): Promise<RowAnswer> {
  const { entryId, kind, transferId } = said;
  if (kind === 'reversal' && !isUuid(transferId ?? '')) throw refuse(no.BANK_TRANSFER_NOT_FOUND);
  const { workspace } = operator;
  const row = await bankRow(services.db, workspace, entryId);
  return run(services, operator, entryId, decideRow, {
    ...{ bookingId: services.random.uuid(), entryId, kind, operatorId: operator.operatorId },
    transferId: kind === 'reversal' ? transferId : null,
    limit: await secondFrom(services, workspace, row?.currency ?? ''),
  });
}

/** Confirms or rejects what another operator said of a row. */
export function secondBankRow(
  services: ActServices,
  operator: BankOperator,
  row: Pick<BankRow, 'id' | 'booking_id'>,
  agrees: boolean,
  dependent: readonly string[],
): Promise<RowAnswer> {
  const bookingId = row.booking_id;
  if (bookingId === null) throw refuse(no.BANK_ROW_CHANGED);
  const { operatorId } = operator;
  const word = { bookingId, operatorId, agrees, dependent };
  return run(services, operator, row.id, secondRow, word);
}
