// Reads of payout files: what waits to be collected, the files of a workspace, and the payouts of
// one. Names and IBANs are opened for the bytes of a file only.
import { prepared, raw, type Queryable } from '../../../db/index.ts';
import { accountId, isUuid } from '../../../core/ids.ts';
import type { Keys } from '../../../providers/keys/port.ts';
import { refuse } from '../../../core/refusal.ts';
import type { Instant } from '../../../core/time.ts';
import { sealerOf } from '../../people/account/index.ts';
import { openDestination } from '../wallet/index.ts';
import type { Services } from '../../context.ts';
import { bankId, type FileContent, type FilePayment, type FileTerms } from './content.ts';
import type { CsvMapping } from './mapping.ts';
import { refusals as no } from './refusals.ts';
import type { PayoutFileRow } from './tables.ts';

export type ReadParts = Pick<Services, 'db' | 'random'> & { readonly keys: Keys };

interface StoredPayment {
  readonly id: string;
  readonly amount: bigint;
  readonly method: string;
  readonly account_id: string;
  readonly sealed: string;
}

const PAYMENT = `r.id, r.amount, r.payment_method_id as method, m.account_id, d.sealed`;
const DESTINATION = `join payment_method m on m.workspace = r.workspace
    and m.id = r.payment_method_id
  join payout_destination d on d.workspace = r.workspace and d.id = r.payment_method_id`;

/**
 * What waits in a currency and is in no live file, oldest first. Whoever was blocked or lost their
 * accepted identity since the payout was released is left out until that ends. [G-38]
 */
export function waitingPayments(
  db: Queryable,
  workspace: number,
  currency: string,
  most: number,
): Promise<readonly StoredPayment[]> {
  return db.query(prepared('waiting_payouts')`
    select ${raw(PAYMENT)} from transfer r ${raw(DESTINATION)}
    join account a on a.workspace = m.workspace and a.id = m.account_id and not a.blocked
    join kyc k on k.workspace = m.workspace and k.id = m.account_id and k.state = 'ACCEPT'
    where r.workspace = ${workspace} and r.currency = ${currency} and r.state = 'waiting'
      and not exists (select from payout_file_item i where i.workspace = r.workspace
        and i.transfer_id = r.id and i.live)
    order by r.id limit ${most}`);
}

/** Opens where the payments go; those of an erased person are left out. */
export async function opened(
  parts: ReadParts,
  workspace: number,
  stored: readonly StoredPayment[],
): Promise<FilePayment[]> {
  const payments: FilePayment[] = [];
  for (const { id, amount, method, account_id, sealed } of stored) {
    const sealer = sealed === '' ? null : await sealerOf(parts, workspace, account_id);
    if (sealer === null) continue;
    payments.push({ transferId: id, amount, to: openDestination(sealer, method, sealed) });
  }
  return payments;
}

/** The stored row of a file. Throws a Refusal for an unknown one. */
export async function fileRow(
  db: Queryable,
  workspace: number,
  id: string,
): Promise<PayoutFileRow> {
  const rows = await db.query<PayoutFileRow>(prepared('payout_file')`
    select workspace, id, currency, format, state, version, made_by, confirmed_by,
      transactions, total, sha256, terms, drafted, updated
    from payout_file where workspace = ${workspace} and id = ${isUuid(id) ? id : null}`);
  const [row] = rows;
  if (row === undefined) throw refuse(no.PAYOUT_FILE_NOT_FOUND);
  return row;
}

/** What the bytes of a stored file are made from. */
export async function contentOf(parts: ReadParts, row: PayoutFileRow): Promise<FileContent> {
  const { workspace, id, format, currency, drafted } = row;
  const stored = await parts.db.query<StoredPayment>(prepared('payout_file_payments')`
    select ${raw(PAYMENT)} from payout_file_item i
    join transfer r on r.workspace = i.workspace and r.id = i.transfer_id ${raw(DESTINATION)}
    where i.workspace = ${workspace} and i.file_id = ${id} order by i.number`);
  const payments = await opened(parts, workspace, stored);
  const terms = JSON.parse(row.terms) as FileTerms;
  return { id, format, currency, drafted, terms, payments };
}

/** A file as operators see it. Amounts are minor units. */
export interface FileView {
  readonly file_id: string;
  readonly state: PayoutFileRow['state'];
  readonly format: PayoutFileRow['format'];
  readonly currency: string;
  readonly transactions: number;
  readonly total: bigint;
  readonly sha256: string;
  readonly message_id: string;
  readonly made_by: string;
  readonly confirmed_by: string | null;
  readonly drafted: Instant;
  readonly updated: Instant;
}

/** Renders a file. */
export function fileView(row: PayoutFileRow): FileView {
  const { id, state, format, currency, transactions, total, sha256, drafted, updated } = row;
  return {
    ...{ file_id: id, state, format, currency, transactions, total, sha256 },
    message_id: bankId(id),
    ...{ made_by: row.made_by, confirmed_by: row.confirmed_by, drafted, updated },
  };
}

/** The files of a workspace, newest first. */
export async function listFiles(
  db: Queryable,
  workspace: number,
  most: number,
): Promise<readonly FileView[]> {
  const rows = await db.query<PayoutFileRow>(prepared('list_payout_files')`
    select workspace, id, currency, format, state, version, made_by, confirmed_by,
      transactions, total, sha256, terms, drafted, updated
    from payout_file where workspace = ${workspace} order by drafted desc, id desc limit ${most}`);
  return rows.map(fileView);
}

/** The columns of the newest file in CSV in a currency, or null. */
export async function lastMapping(
  db: Queryable,
  workspace: number,
  currency: string,
): Promise<CsvMapping | null> {
  const [row] = await db.query<{ terms: string }>(prepared('last_payout_file_columns')`
    select terms from payout_file where workspace = ${workspace} and currency = ${currency}
      and format = 'csv'
    order by drafted desc limit 1`);
  return row === undefined ? null : (JSON.parse(row.terms) as FileTerms).mapping;
}

/** A payout in a file; the account shows as the person sees it, by its last four. */
export interface FileItem {
  readonly number: number;
  readonly transfer_id: string;
  readonly payout_id: string;
  readonly account_id: string;
  readonly to: string;
  readonly amount: bigint;
  readonly state: string;
}

/** The payouts of a file, in its order. */
export async function itemsIn(
  db: Queryable,
  workspace: number,
  fileId: string,
): Promise<readonly FileItem[]> {
  const rows = await db.query<FileItem>(prepared('payout_file_items')`
    select i.number, r.id as transfer_id, r.resource_id as payout_id, m.account_id,
      m.display_string as to, r.amount, r.state
    from payout_file_item i join transfer r on r.workspace = i.workspace and r.id = i.transfer_id
    join payment_method m on m.workspace = r.workspace and m.id = r.payment_method_id
    where i.workspace = ${workspace} and i.file_id = ${fileId} order by i.number`);
  return rows.map((row) => ({ ...row, account_id: accountId(row.account_id) }));
}

/** How much waits to be collected, by currency. */
export function waitingTotals(
  db: Queryable,
  workspace: number,
): Promise<readonly { readonly currency: string; readonly n: number; readonly total: bigint }[]> {
  return db.query(prepared('waiting_payout_totals')`
    select r.currency, count(*)::int as n, sum(r.amount)::bigint as total from transfer r
    where r.workspace = ${workspace} and r.state = 'waiting' and not exists (
      select from payout_file_item i where i.workspace = r.workspace
        and i.transfer_id = r.id and i.live)
    group by r.currency order by r.currency`);
}
