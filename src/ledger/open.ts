// Opens ledger accounts: those of the platform in a currency, and those behind wallets.
import type { Queryable, Transaction } from '../db/index.ts';
import { SYSTEM_ACCOUNT_KINDS, systemAccountId, type SystemAccountKind } from './chart.ts';

const HOUSE = Object.keys(SYSTEM_ACCOUNT_KINDS) as SystemAccountKind[];

/** Opens the system accounts of a currency, where they are missing; `of`: the lineage. */
export async function openHouse(
  tx: Transaction,
  workspace: number,
  of: number,
  currency: string,
): Promise<void> {
  await tx.execute({
    text: `insert into ledger_account (workspace, id, kind, currency)
      select $1::int, n.id, n.kind, $2::text from unnest($3::uuid[], $4::text[]) as n(id, kind)
      on conflict do nothing`,
    values: [workspace, currency, HOUSE.map((kind) => systemAccountId(of, kind, currency)), HOUSE],
  });
  await tx.execute({
    text: `insert into integrator_balance (workspace, id) values ($1, $2) on conflict do nothing`,
    values: [workspace, systemAccountId(of, 'integrator_share', currency)],
  });
}

/**
 * Opens the system accounts that live workspaces lack: a node of an earlier release knows fewer
 * kinds and may have enabled a currency after the migration.
 */
export async function openMissing(db: Queryable): Promise<void> {
  await db.query({
    text: `insert into ledger_account (workspace, id, kind, currency)
      select workspace, (substr(hex, 1, 8) || '-' || substr(hex, 9, 4) || '-8' || substr(hex, 14, 3)
        || '-8' || substr(hex, 18, 3) || '-' || substr(hex, 21, 12))::uuid, kind, currency
      from (
        select c.workspace, k.kind, c.currency, encode(sha256(convert_to(
          'holdfast/ledger/' || w.lineage || '/' || k.kind || '/' || c.currency, 'UTF8')), 'hex')
          as hex
        from workspace_currency c
        join workspace w on w.workspace = c.workspace and w.ended is null
        cross join unnest($1::text[]) as k(kind)
      ) as named
      on conflict do nothing`,
    values: [HOUSE],
  });
}

/** Opens the accounts of new wallets and of what is held of them; `accrues` is for both. */
export async function openTracked(
  tx: Transaction,
  workspace: number,
  currency: string,
  wallets: readonly string[],
  restrictedFunds: readonly string[],
  accrues: readonly boolean[],
): Promise<void> {
  await tx.execute({
    text: `insert into ledger_account (workspace, id, kind, currency)
      select $1::int, n.id, 'wallet', $2::text from unnest($3::uuid[]) as n(id)
      union all select $1::int, n.id, 'kept_back', $2::text from unnest($4::uuid[]) as n(id)`,
    values: [workspace, currency, wallets, restrictedFunds],
  });
  await tx.execute({
    text: `insert into balance (workspace, id, accrues, updated)
      select $1::int, n.id, n.accrues, workspace_now($1)
      from unnest($2::uuid[], $3::bool[]) as n(id, accrues)`,
    values: [workspace, [...wallets, ...restrictedFunds], [...accrues, ...accrues]],
  });
}
