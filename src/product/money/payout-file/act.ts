// What operators do with payout files: draft and store one, confirm it, take its bytes, hand it
// over. The commands decide; here names and IBANs are opened and bytes made. [G-91]
import { sql, type Database } from '../../../db/index.ts';
import type { Engine } from '../../../engine/index.ts';
import { digitsOf } from '../../../core/currency.ts';
import { refuse } from '../../../core/refusal.ts';
import type { Instant } from '../../../core/time.ts';
import { isIban } from '../../../core/bank-numbers.ts';
import { requirePayouts } from '../../tenant/stop/index.ts';
import { activeBankAccount } from '../bank/index.ts';
import { digestOf, fileBytes } from './bytes.ts';
import { totalOf, type Debtor, type FileContent } from './content.ts';
import {
  cancelPayoutFile,
  collectPayouts,
  confirmPayoutFile,
  handOverPayoutFile,
  type FileConfirmation,
} from './decide.ts';
import type { CsvMapping } from './mapping.ts';
import { reaches } from './pain.ts';
import {
  contentOf,
  fileRow,
  fileView,
  opened,
  waitingPayments,
  type FileView,
  type ReadParts,
} from './read.ts';
import { refusals as no } from './refusals.ts';
import type { PayoutFileRow } from './tables.ts';

export type FileParts = Omit<ReadParts, 'db'> & { readonly db: Database; readonly engine: Engine };

/** Most payouts of a file: all are handed over in one transaction. */
const MOST = 500;

/** What a new file is made of. */
export interface NewFile {
  readonly workspace: number;
  readonly currency: string;
  readonly format: PayoutFileRow['format'];
  /** For a CSV. */
  readonly mapping: CsvMapping | null;
  /** `YYYY-MM-DD`; null: the day of the workspace's clock. */
  readonly executeOn: string | null;
  /** UUID of the operator. */
  readonly operator: string;
}

/** A new file, and how many payouts wait that it does not hold. */
export interface MadeFile {
  readonly file: FileView;
  readonly left: number;
}

/** The operator in history. */
function actorOf(operator: string): string {
  return `operator:${operator}`;
}

/**
 * Collects what waits in one currency into a file. Throws a Refusal where nothing does, or the
 * tenant has no bank account in the currency.
 */
export async function makeFile(parts: FileParts, wanted: NewFile): Promise<MadeFile> {
  const { db, engine, random } = parts;
  const { workspace, currency, format, mapping, operator } = wanted;
  if (digitsOf(currency) === null) throw refuse(no.PAYOUT_FILE_EMPTY);
  await requirePayouts(db, workspace);
  const debtor = await debtorIn(db, wanted);
  const stored = await waitingPayments(db, workspace, currency, MOST + 1);
  const payments = (await opened(parts, workspace, stored.slice(0, MOST))).filter(
    ({ to }) => format !== 'pain.001' || reaches(to, currency),
  );
  if (payments.length === 0) throw refuse(no.PAYOUT_FILE_EMPTY);
  const drafted = await nowIn(db, workspace);
  const terms = { debtor, execute_on: wanted.executeOn ?? drafted.slice(0, 10), mapping };
  const content: FileContent = {
    ...{ id: random.uuid(), format, currency, drafted, terms, payments },
  };
  const draft = {
    ...{ id: content.id, operator, currency, format, drafted, terms: JSON.stringify(terms) },
    transfers: payments.map(({ transferId }) => transferId),
    total: totalOf(payments),
    sha256: digestOf(fileBytes(content)),
  };
  await engine.run(collectPayouts, draft, { workspace, actor: actorOf(operator) });
  const file = fileView(await fileRow(db, workspace, content.id));
  return { file, left: stored.length - payments.length };
}

const BIC = /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/;

/** The tenant's bank account in the currency. Throws a Refusal where the format cannot name it. */
async function debtorIn(db: Database, { workspace, currency, format }: NewFile): Promise<Debtor> {
  const account = await activeBankAccount(db, workspace, currency);
  if (account === null || (format === 'pain.001' && !isIban(account.number))) {
    throw refuse(no.PAYOUT_FILE_NO_BANK_ACCOUNT);
  }
  const { holder: name, number: iban, bic } = account;
  return { name, iban, bic: BIC.test(bic) ? bic : '' };
}

async function nowIn(db: Database, workspace: number): Promise<Instant> {
  const [row] = await db.query<{ now: Instant }>(sql`select workspace_now(${workspace}) as now`);
  return row?.now ?? '';
}

/** Who acts on which file. */
export interface Acting {
  readonly workspace: number;
  readonly fileId: string;
  /** The actor in history. */
  readonly actor: string;
}

/** Confirms a file as a second operator, by the digest that they were shown. */
export async function confirmFile(
  { db, engine }: FileParts,
  { workspace, ...act }: FileConfirmation & Pick<Acting, 'workspace'>,
): Promise<FileView> {
  await fileRow(db, workspace, act.fileId);
  const submission = { workspace, actor: actorOf(act.operator) };
  await engine.run(confirmPayoutFile, act, submission);
  return fileView(await fileRow(db, workspace, act.fileId));
}

/** Cancels a file that was not handed over. */
export async function cancelFile(
  { db, engine }: FileParts,
  { workspace, fileId, actor }: Acting,
): Promise<FileView> {
  await fileRow(db, workspace, fileId);
  await engine.run(cancelPayoutFile, { fileId }, { workspace, actor });
  return fileView(await fileRow(db, workspace, fileId));
}

/**
 * Hands a file over. The bytes are made and checked before anything changes, and once more come
 * from `bytesOf` should they get lost on the way.
 */
export async function handOverFile(
  parts: FileParts,
  { workspace, fileId, actor }: Acting,
): Promise<{ readonly file: FileView; readonly bytes: Buffer }> {
  const bytes = await provenBytes(parts, await fileRow(parts.db, workspace, fileId));
  await parts.engine.run(handOverPayoutFile, { fileId }, { workspace, actor });
  return { file: fileView(await fileRow(parts.db, workspace, fileId)), bytes };
}

/**
 * The bytes of a file that was handed over. Throws a Refusal for any other: nobody gives a bank
 * what one person alone made, or what could still be cancelled and paid by the next file.
 */
export async function bytesOf(
  parts: FileParts,
  workspace: number,
  fileId: string,
): Promise<{ readonly file: FileView; readonly bytes: Buffer }> {
  const row = await fileRow(parts.db, workspace, fileId);
  await requirePayouts(parts.db, workspace);
  const { state } = row;
  if (state !== 'handed_over' && state !== 'settled') throw refuse(no.PAYOUT_FILE_NOT_HANDED_OVER);
  return { file: fileView(row), bytes: await provenBytes(parts, row) };
}

/** Throws a Refusal where they are not those that were stored, as after an erasure of a person. */
async function provenBytes(parts: FileParts, row: PayoutFileRow): Promise<Buffer> {
  const bytes = fileBytes(await contentOf(parts, row));
  if (digestOf(bytes) !== row.sha256) throw refuse(no.PAYOUT_FILE_OUTDATED);
  return bytes;
}
