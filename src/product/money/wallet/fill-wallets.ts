// Creates the wallets of all accounts of a workspace in a currency that was enabled later, with the
// same rows as registration.
import { raw, sql, type Database, type Transaction } from '../../../db/index.ts';
import { newUuid } from '../../../core/ids.ts';
import { openTracked } from '../../../ledger/index.ts';

const BLOCK = 500;

interface Bare {
  readonly id: string;
  readonly accrues: boolean;
}

/** Creates the missing wallets, some hundreds in each transaction; gives how many. */
export async function fillWallets(
  db: Database,
  workspace: number,
  currency: string,
): Promise<number> {
  let made = 0;
  for (;;) {
    const count = await db.transaction((tx) => fillBlock(tx, workspace, currency));
    made += count;
    if (count < BLOCK) return made;
  }
}

async function fillBlock(tx: Transaction, workspace: number, currency: string): Promise<number> {
  // The lock keeps the identity state from changing between the read and the insert.
  const accounts = await tx.query<Bare>(sql`
    select k.id, not (coalesce(k.requirements_before, k.requirements) = 'FULL_KYC'
      and k.state <> 'ACCEPT') as accrues
    from kyc k where k.workspace = ${workspace} and not exists (
      select from wallet w where w.workspace = $1 and w.account_id = k.id
      and w.currency = ${currency})
    order by k.id limit ${raw(BLOCK)} for no key update`);
  if (accounts.length === 0) return 0;
  const rows = accounts.map((account) => ({
    account: account.id,
    accrues: account.accrues,
    wallet: newUuid(),
    restricted: newUuid(),
    method: newUuid(),
  }));
  const wallets = rows.map((row) => row.wallet);
  const restrictedFunds = rows.map((row) => row.restricted);
  const accrues = rows.map((row) => row.accrues);
  await openTracked(tx, workspace, currency, wallets, restrictedFunds, accrues);
  await tx.execute(sql`with made as (
      insert into wallet
        (workspace, id, account_id, currency, kept_back_id, payment_method_id, created)
      select ${workspace}::int, n.wallet, n.account, ${currency}::text, n.kept_back, n.method,
        clock_timestamp() + clock_offset
      from unnest(${wallets}::uuid[], ${rows.map((row) => row.account)}::uuid[],
      ${restrictedFunds}::uuid[], ${rows.map((row) => row.method)}::uuid[])
        as n(wallet, account, kept_back, method), workspace where workspace = $1
      returning id, account_id, payment_method_id, created)
    insert into payment_method (workspace, id, account_id, provider, method_class, display_string,
      currency, pm_state, wallet_id, created, updated)
    select $1::int, payment_method_id, account_id, 'wallet', 'registration',
      $2::text || ' wallet', $2::text, 'ACTIVE', id, created, created from made`);
  return accounts.length;
}

/** Creates the integrator's wallet of a currency; it has no running balance. */
export async function openIntegratorWallet(
  tx: Transaction,
  workspace: number,
  id: string,
  currency: string,
): Promise<void> {
  await tx.execute(sql`insert into wallet
      (workspace, id, account_id, currency, kept_back_id, payment_method_id, created)
    select ${workspace}::int, ${id}::uuid, null, ${currency}::text, null, null,
      clock_timestamp() + clock_offset
    from workspace where workspace = $1
    on conflict do nothing`);
}
