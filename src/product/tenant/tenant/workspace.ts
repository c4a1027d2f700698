// Creates tenants and workspaces, and enables currencies: the rows that everything else refers to.
// A workspace is created whole (currencies, system accounts, the integrator's wallets, its event
// stream) or not at all.
import { sql, type Database, type Transaction } from '../../../db/index.ts';
import { digitsOf } from '../../../core/currency.ts';
import { newUuid } from '../../../core/ids.ts';
import { systemAccountId, openHouse } from '../../../ledger/index.ts';
import { openStream } from '../../../outbox/index.ts';
import { audit } from '../../tell/audit/index.ts';
import { fillWallets, openIntegratorWallet } from '../../money/wallet/index.ts';

/** A workspace to create. */
export interface NewWorkspace {
  /** For readers; a new tenant's pages show it until the tenant sets another name. */
  readonly name: string;
  /** Active ISO 4217 codes; at least one. */
  readonly currencies: readonly string[];
  /** The tenant that gets another workspace; absent: a new tenant. */
  readonly integrator?: string;
}

export interface CreatedWorkspace {
  readonly workspace: number;
  /** The tenant's wire id. */
  readonly integrator: string;
}

/** Creates a workspace, and its tenant where none is named, in one transaction. */
export async function createWorkspace(
  db: Database,
  request: NewWorkspace,
): Promise<CreatedWorkspace> {
  if (request.currencies.length === 0) throw new Error('a workspace needs at least one currency');
  const integrator = request.integrator ?? newUuid();
  return db.transaction(async (tx) => {
    if (request.integrator === undefined) {
      await tx.execute(sql`
        insert into tenant (integrator, name) values (${integrator}, ${request.name})`);
    }
    const rows = await tx.query<{ workspace: number }>(sql`
      insert into workspace (integrator) values (${integrator}) returning workspace`);
    const workspace = rows[0]?.workspace;
    if (workspace === undefined) throw new Error('a workspace was not made');
    await openStream(tx, workspace);
    for (const currency of request.currencies) {
      await addCurrency(tx, workspace, currency, isoDigits(currency));
    }
    await audit(tx, {
      workspace,
      actor: 'operator',
      act: 'workspace_created',
      subject: integrator,
    });
    return { workspace, integrator };
  });
}

/**
 * Enables a currency: its system accounts, the integrator's wallet, and a wallet for every account.
 * Repeating adds what is missing, such as the wallet of an account that was registered at the same
 * moment. `digits` is for a token of the tenant, which ISO does not list. [G-20, G-30]
 */
export async function enableCurrency(
  db: Database,
  workspace: number,
  currency: string,
  digits: number = isoDigits(currency),
): Promise<void> {
  await db.transaction(async (tx) => {
    const isNew = await addCurrency(tx, workspace, currency, digits);
    const entry = { actor: 'operator', act: 'currency_enabled', subject: currency } as const;
    if (isNew) await audit(tx, { workspace, ...entry });
  });
  await fillWallets(db, workspace, currency);
}

function isoDigits(currency: string): number {
  const digits = digitsOf(currency);
  if (digits === null) throw new Error('a currency is not an active ISO 4217 code');
  return digits;
}

/** True where the workspace did not have it. */
async function addCurrency(
  tx: Transaction,
  workspace: number,
  currency: string,
  digits: number,
): Promise<boolean> {
  const [of] = await tx.query<{ lineage: number }>(sql`
    select lineage from workspace where workspace = ${workspace}`);
  if (of === undefined) throw new Error('a currency for a workspace that is not there');
  const added = await tx.execute(sql`
    insert into workspace_currency (workspace, currency, digits) values (${workspace}, ${currency},
      ${digits})
    on conflict do nothing`);
  await openHouse(tx, workspace, of.lineage, currency);
  // The integrator's wallet is the system account of its share.
  const share = systemAccountId(of.lineage, 'integrator_share', currency);
  await openIntegratorWallet(tx, workspace, share, currency);
  return added > 0;
}
