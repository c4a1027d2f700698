// Opens ledger accounts: those of the platform in a currency, and those behind wallets.
import type { Transaction } from '../db/index.ts';
import { HOUSE_KINDS, houseAccountId, type HouseKind } from './chart.ts';

const HOUSE = Object.keys(HOUSE_KINDS) as HouseKind[];

/** Opens the system accounts of a currency, where they are missing; `of`: the lineage. */
export async function openHouse(
  tx: Transaction,
  world: number,
  of: number,
  currency: string,
): Promise<void> {
  await tx.execute({
    text: `insert into ledger_account (world, id, kind, currency)
      select $1::int, n.id, n.kind, $2::text from unnest($3::uuid[], $4::text[]) as n(id, kind)
      on conflict do nothing`,
    values: [world, currency, HOUSE.map((kind) => houseAccountId(of, kind, currency)), HOUSE],
  });
  await tx.execute({
    text: `insert into integrator_balance (world, id) values ($1, $2) on conflict do nothing`,
    values: [world, houseAccountId(of, 'integrator_share', currency)],
  });
}

/** Opens the accounts of new wallets and of what is held of them; `accrues` is for both. */
export async function openTracked(
  tx: Transaction,
  world: number,
  currency: string,
  wallets: readonly string[],
  keptBacks: readonly string[],
  accrues: readonly boolean[],
): Promise<void> {
  await tx.execute({
    text: `insert into ledger_account (world, id, kind, currency)
      select $1::int, n.id, 'wallet', $2::text from unnest($3::uuid[]) as n(id)
      union all select $1::int, n.id, 'kept_back', $2::text from unnest($4::uuid[]) as n(id)`,
    values: [world, currency, wallets, keptBacks],
  });
  await tx.execute({
    text: `insert into balance (world, id, accrues, updated)
      select $1::int, n.id, n.accrues, world_now($1)
      from unnest($2::uuid[], $3::bool[]) as n(id, accrues)`,
    values: [world, [...wallets, ...keptBacks], [...accrues, ...accrues]],
  });
}
