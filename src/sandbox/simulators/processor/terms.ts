// The settlement terms of a workspace at the processor simulator: what it keeps, after how many
// days money is available, and what it sends to the merchant's bank at midnight. Without terms it
// keeps nothing, and money is available at once. A trigger applies them to each statement row.
import { z } from 'zod';
import { prepared, raw } from '../../../db/index.ts';
import type { Database, Queryable, Transaction } from '../../../db/index.ts';
import type { Instant } from '../../../core/time.ts';
import type { SettlementTerms } from '../../ports/cards.ts';

const minor = z.int().min(0).max(1_000_000_000);

/** Body of the terms. */
export const termsBody = z.strictObject({
  fee_basis_points: z.int().min(0).max(10_000),
  fee_fixed: minor,
  dispute_fee: minor,
  returns_dispute_fee: z.boolean().optional(),
  monthly_fee: minor,
  delay_days: z.int().min(0).max(90),
  bank_above: minor.optional(),
}).meta({ title: 'SettlementTerms' });

/** SQL: what a row of the statement adds to the merchant's money. */
const MOVED = `case
    when s.kind in ('capture', 'payout_return', 'dispute_won', 'dispute_withdrawn',
      'provider_payout_returned') then s.amount
    when s.kind in ('dispute_under_review', 'dispute_lost') then 0
    else -s.amount end - s.fee`;

/** SQL: rows `s` of workspace $1 whose money is available at `moment`. */
const ripe = (moment: string): string => `coalesce(s.available_at, s.at) <= ${moment}`;

/** Sets the terms from now on; what was written before keeps its own. */
export async function setTerms(
  db: Database,
  workspace: number,
  terms: SettlementTerms,
): Promise<void> {
  const { fee_basis_points, fee_fixed, dispute_fee, monthly_fee, delay_days, bank_above } = terms;
  const { returns_dispute_fee = false } = terms;
  await keepTerms(db, workspace);
  await db.execute({
    name: 'processor_set_terms',
    text: `insert into processor_terms (workspace, fee_basis_points, fee_fixed, dispute_fee,
        monthly_fee, delay_days, bank_above, returns_dispute_fee, since, swept)
      values ($1, $2, $3, $4, $5, $6, $7, $8, workspace_at($1, $now), workspace_at($1, $now))
      on conflict (workspace) do update set (fee_basis_points, fee_fixed, dispute_fee, monthly_fee,
        delay_days, bank_above, returns_dispute_fee) = ($2, $3, $4, $5, $6, $7, $8)`,
    values: [
      ...[workspace, fee_basis_points, fee_fixed, dispute_fee, monthly_fee, delay_days],
      ...[bank_above ?? null, returns_dispute_fee],
    ],
  });
}

/** Writes what the midnights since the last call brought: monthly fees, transfers to the bank. */
export async function keepTerms(db: Database, workspace: number): Promise<void> {
  await db.transaction((tx) => sweep(tx, workspace));
}

async function sweep(tx: Transaction, workspace: number): Promise<boolean> {
  const [terms] = await tx.query<{ swept: Instant }>(prepared('processor_lock_terms')`
    select swept from processor_terms where workspace = ${workspace} for update`);
  if (terms === undefined) return false;
  const midnights = await tx.query<{ at: Instant; first: boolean }>(prepared('processor_midnights')`
    select at at time zone 'UTC' as at, extract(day from at) = 1 as first
    from generate_series(date_trunc('day', ${terms.swept}::timestamptz at time zone 'UTC') +
      interval '1 day',
      workspace_now(${workspace}) at time zone 'UTC', interval '1 day') as at`);
  for (const { at, first } of midnights) {
    if (first) await tx.execute({ name: 'processor_monthly', text: FEES, values: [workspace, at] });
    await tx.execute({ name: 'processor_to_bank', text: TO_BANK, values: [workspace, at] });
  }
  if (midnights.length > 0) {
    await tx.execute(prepared('processor_swept')`
      update processor_terms set swept = ${midnights.at(-1)?.at} where workspace = ${workspace}`);
  }
  return true;
}

const ROW = `insert into processor_statement
    (at, workspace, key, reference, kind, amount, currency)
  select $2::timestamptz, $1::int4, n.name, n.name, n.kind, n.amount, n.currency`;

/** SQL: the name of a row that midnight $2 writes in a currency. */
const named = (prefix: string): string =>
  `'${prefix}_' || to_char($2::timestamptz at time zone 'UTC', 'YYYYMMDD') || '_' || s.currency`;

const FEES = `${ROW} from (
    select ${named('fee')} as name, 'fee' as kind, t.monthly_fee as amount, s.currency
    from processor_statement s join processor_terms t on t.workspace = s.workspace
    where s.workspace = $1 and t.monthly_fee > 0 and s.at < $2
    group by s.currency, t.monthly_fee) n`;

const TO_BANK = `${ROW} from (
    select ${named('po')} as name, 'provider_payout' as kind, s.currency,
      (sum(${MOVED}) - t.bank_above - coalesce((select sum(p.amount) from processor_transfer p
        where p.workspace = $1 and p.currency = s.currency and p.kind = 'payout'
          and p.state = 'pending'), 0))::bigint as amount
    from processor_statement s join processor_terms t on t.workspace = s.workspace
    where s.workspace = $1 and t.bank_above is not null and ${ripe('$2::timestamptz')}
    group by s.currency, t.bank_above) n
  where n.amount > 0`;

/**
 * True where payouts that are ordered, with the one that was just written, are more than what is
 * available. Without terms nothing is checked.
 */
export async function overdrawn(
  tx: Transaction,
  workspace: number,
  currency: string,
): Promise<boolean> {
  if (!(await sweep(tx, workspace))) return false;
  const [sum] = await tx.query<{ free: bigint }>(prepared('processor_free')`
    select coalesce(sum(${raw(MOVED)}), 0)::bigint - coalesce((select sum(p.amount)
      from processor_transfer p where p.workspace = ${workspace} and p.currency = ${currency}
        and p.kind = 'payout' and p.state = 'pending'), 0)::bigint as free
    from processor_statement s
    where s.workspace = $1 and s.currency = $2 and ${raw(ripe('workspace_now($1)'))}`);
  return (sum?.free ?? 0n) < 0n;
}

/** The merchant's money of one currency at the processor. Minor units. */
export interface Balance {
  readonly currency: string;
  readonly pending: bigint;
  readonly available: bigint;
  /** Everything that was kept: of payments, of disputes, and monthly. */
  readonly fees: bigint;
  readonly sent_to_bank: bigint;
}

/** The balances of a workspace by its own clock, in the order of the currencies. */
export function balanceOf(db: Queryable, workspace: number): Promise<readonly Balance[]> {
  return db.query(prepared('processor_balance')`select s.currency,
      coalesce(sum(${raw(MOVED)}) filter (where not ${raw(ripe('workspace_now($1)'))}), 0)::bigint
        as pending,
      coalesce(sum(${raw(MOVED)}) filter (where ${raw(ripe('workspace_now($1)'))}), 0)::bigint
        as available,
      sum(case s.kind when 'fee' then s.amount else s.fee end)::bigint as fees,
      coalesce(sum(case s.kind when 'provider_payout' then s.amount else -s.amount end)
        filter (where s.kind like 'provider_payout%'), 0)::bigint as sent_to_bank
    from processor_statement s where s.workspace = ${workspace} group by s.currency
      order by s.currency`);
}
