// Opens ledger accounts: those of the platform in a currency, and those behind wallets.
import type { Transaction } from '../db/index.ts';
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
