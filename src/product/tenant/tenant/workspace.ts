// Creates tenants and workspaces, and enables currencies: the rows that everything else refers to.
// A workspace is created whole (currencies, system accounts, the integrator's wallets, its event
// stream) or not at all.
import type { Database, Transaction } from '../../../db/index.ts';
import { digitsOf } from '../../../core/currency.ts';
import { newUuid } from '../../../core/ids.ts';
import { houseAccountId, openHouse } from '../../../ledger/index.ts';
import { openStream } from '../../../outbox/index.ts';
import { audit } from '../../tell/audit/index.ts';
import { fillWallets, openIntegratorWallet } from '../../money/wallet/index.ts';

/** A workspace to create. */
export interface NewWorld {
  /** For readers; a new tenant's pages show it until the tenant sets another name. */
  readonly name: string;
  /** Active ISO 4217 codes; at least one. */
  readonly currencies: readonly string[];
  /** The tenant that gets another workspace; absent: a new tenant. */
  readonly integrator?: string;
}

export interface MadeWorld {
  readonly world: number;
  /** The tenant's wire id. */
  readonly integrator: string;
}

/** Creates a workspace, and its tenant where none is named, in one transaction. */
export async function createWorld(db: Database, wish: NewWorld): Promise<MadeWorld> {
  if (wish.currencies.length === 0) throw new Error('a world needs at least one currency');
  const integrator = wish.integrator ?? newUuid();
  return db.transaction(async (tx) => {
    if (wish.integrator === undefined) {
      await tx.execute({
        text: 'insert into tenant (integrator, name) values ($1, $2)',
        values: [integrator, wish.name],
      });
    }
    const rows = await tx.query<{ world: number }>({
      text: 'insert into world (integrator) values ($1) returning world',
      values: [integrator],
    });
    const world = rows[0]?.world;
    if (world === undefined) throw new Error('a world was not made');
    await openStream(tx, world);
    for (const currency of wish.currencies) {
      await addCurrency(tx, world, currency, isoDigits(currency));
    }
    await audit(tx, { world, actor: 'operator', act: 'world_created', subject: integrator });
    return { world, integrator };
  });
}

/**
 * Enables a currency: its system accounts, the integrator's wallet, and a wallet for every account.
 * Repeating adds what is missing, such as the wallet of an account that was registered at the same
 * moment. `digits` is for a token of the tenant, which ISO does not list. [G-20, G-30]
 */
export async function enableCurrency(
  db: Database,
  world: number,
  currency: string,
  digits: number = isoDigits(currency),
): Promise<void> {
  await db.transaction((tx) => addCurrency(tx, world, currency, digits));
  await fillWallets(db, world, currency);
}

function isoDigits(currency: string): number {
  const digits = digitsOf(currency);
  if (digits === null) throw new Error('a currency is not an active ISO 4217 code');
  return digits;
}

async function addCurrency(
  tx: Transaction,
  world: number,
  currency: string,
  digits: number,
): Promise<void> {
  const [of] = await tx.query<{ line: number }>({
    text: 'select line from world where world = $1',
    values: [world],
  });
  if (of === undefined) throw new Error('a currency for a world that is not there');
  await tx.execute({
    text: `insert into world_currency (world, currency, digits) values ($1, $2, $3)
      on conflict do nothing`,
    values: [world, currency, digits],
  });
  await openHouse(tx, world, of.line, currency);
  // The integrator's wallet is the system account of its share.
  const share = houseAccountId(of.line, 'integrator_share', currency);
  await openIntegratorWallet(tx, world, share, currency);
}
