// A page of an account's history as records, for the operation and for the console.
import type { z } from 'zod';
import type { Queryable } from '../../../db/index.ts';
import { accountId } from '../../../core/ids.ts';
import { methodNames, transactionsOf, type Page } from './read.ts';
import { render } from './render.ts';
import type { transactionPage } from './schema.ts';

/** Transactions of an account, newest first, and how many there are. [G-43] */
export async function transactionPageOf(
  db: Queryable,
  workspace: number,
  account: string,
  page: Page,
): Promise<z.output<typeof transactionPage>> {
  const { total, parts } = await transactionsOf(db, workspace, account, page);
  const names = await methodNames(db, workspace, account);
  const account_id = accountId(account);
  const transactions = parts.flatMap((part) => render(part, account_id, names) ?? []);
  return { total, account_id, transactions };
}
