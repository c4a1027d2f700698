// Stores many invoices without paying for each through the API: copies settled ones with all that
// belongs to them, continues the chains of balances and of the event stream: the proofs must hold.
// Knows the tables of the first migration; runs as superuser, because the row triggers would take
// longer than the copying.
import { Database } from '../src/db/index.ts';

/** Stores `count` more settled invoices in the database at `databaseUrl`. */
export async function fill(databaseUrl: string, count: number): Promise<void> {
  const db = new Database({ url: databaseUrl, max: 1, settings: { statement_timeout: '0' } });
  try {
    await db.query('select 1');
    throw new Error(`cannot store ${count} invoices yet`);
  } finally {
    await db.close();
  }
}
