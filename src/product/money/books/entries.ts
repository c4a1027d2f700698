// Ledger entries summed by kind of account, currency and what moved them, before and within a span
// of time. From this one query come the trial balance, balances at a moment and statements.
import type { Queryable } from '../../../db/index.ts';
import type { Instant } from '../../../core/time.ts';
import { inChain } from '../../../core/by-account.ts';

/** Entries that the same kind of step wrote on one kind of account. Minor units. */
export interface Moved {
  readonly kind: string;
  readonly currency: string;
  /** The machine and its move that caused them; both '' for all that was before the span. */
  readonly resource: string;
  readonly event: string;
  readonly count: bigint;
  /** The sum of negative entries, as a positive amount. */
  readonly debit: bigint;
  readonly credit: bigint;
}

/** From a moment, until just before another, by the clock of the workspace. */
export interface Span {
  readonly from: Instant;
  readonly to: Instant;
}

const OF_ACCOUNT = `wallet w cross join lateral (values (w.id), (w.kept_back_id)) as own (id)
        join posting p on w.workspace = $1 and w.account_id = $4 and ${inChain('p', 'own.id')}`;

/** What moved an entry: of all of a tenant at once, of one account's one by one. */
const MOVES = `join history s on s.workspace = $1 and s.resource_id = p.resource_id
          and s.version = p.version`;
const ITS_MOVE = `cross join lateral (select at, machine, event from history
          where workspace = $1 and resource_id = p.resource_id and version = p.version limit 1) s`;

/**
 * Sums the entries of a tenant until the end of a span; with the UUID of an account those of its
 * wallets and restricted funds alone.
 */
export function movedIn(
  tx: Queryable,
  workspace: number,
  { from, to }: Span,
  account: string | null = null,
): Promise<readonly Moved[]> {
  return tx.query({
    text: `select m.kind, m.currency, m.resource, m.event, count(*) as count,
        coalesce(-sum(m.amount) filter (where m.amount < 0), 0)::int8 as debit,
        coalesce(sum(m.amount) filter (where m.amount > 0), 0)::int8 as credit
      from (
        select a.kind, p.currency, p.amount,
          case when s.at < $2 then '' else s.machine end as resource,
          case when s.at < $2 then '' else s.event end as event
        from ${account === null ? 'posting p' : OF_ACCOUNT}
        ${account === null ? MOVES : ITS_MOVE}
        join ledger_account a on a.workspace = p.workspace and a.id = p.account_id
        where p.workspace = $1 and a.workspace = $1 and s.at < $3) m
      group by m.currency, m.kind, m.resource, m.event
      order by m.currency, m.kind, m.resource, m.event`,
    values: [workspace, from, to, ...(account === null ? [] : [account])],
  });
}
