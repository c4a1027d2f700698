// Reads a file of opening balances: all its lines are stored in one transaction or none is. What
// the operator stated about count and total must be what the file has. [G-97]
import { createHash } from 'node:crypto';
import type { Database, Transaction } from '../../../db/index.ts';
import type { Engine } from '../../../engine/index.ts';
import { currencyCode, numberText } from '../../../core/schema.ts';
import { LINE_CAP, TOTAL_CAP } from '../../../core/money.ts';
import { openHouse } from '../../../ledger/index.ts';
import { accountReference, checkCells, columnsOf, type ColumnSchemas } from './cells.ts';
import { beginOpening, cancelOpening, prepareOpening, type OpeningRequest } from './opening.ts';
import { forgetCancelled } from './opening-lines.ts';
import { importedId } from './references.ts';
import { rowRefusal, type RowCode, type RowRefusal } from './row-codes.ts';
import type { ImportParts } from './row-kind.ts';
import { readTable, type TableRow } from './table-file.ts';

/** Lines looked up and stored by one statement. */
const BLOCK = 1_000;

const columns: ColumnSchemas = {
  account: accountReference,
  currency: currencyCode(),
  amount: numberText(1, Number(LINE_CAP)),
};

interface PrepareServices extends Pick<ImportParts, 'keys' | 'random'> {
  readonly db: Database;
  readonly engine: Engine;
}

/** A file as its operator states it. */
export interface StatedFile extends Omit<OpeningRequest, 'id'> {
  readonly workspace: number;
  readonly actor: string;
  /** True: the file is read and checked, and nothing is stored. */
  readonly trial: boolean;
}

/** What a file was found to have. */
export interface FoundFile {
  /** The opening; null for a trial, and where the file was refused. */
  readonly id: string | null;
  readonly rows: number;
  readonly refused: number;
  /** Minor units of the rows that are accepted. */
  readonly total: bigint;
}

/** Told of each refused row. */
type Refuse = (why: RowRefusal) => void | Promise<void>;

/** Ends the transaction of a file that is not to be stored. */
class NotStored extends Error {}

/**
 * Prepares an opening. Throws `HeaderRefused` for a file that cannot be read at all; a file with a
 * refused row, or with another count or total than stated, leaves a cancelled opening.
 */
export async function prepareFile(
  services: PrepareServices,
  bytes: AsyncIterable<Uint8Array>,
  { workspace, actor, trial, ...stated }: StatedFile,
  refuse: Refuse,
): Promise<FoundFile> {
  const { db, engine, random } = services;
  const id = random.uuid();
  const by = { workspace, actor };
  await db.transaction((tx) => readyFor(services, tx, workspace, stated.currency));
  if (!trial) await engine.run(beginOpening, { id, ...stated }, by);
  const file = new OpeningFile(services, { workspace, id, currency: stated.currency }, refuse);
  try {
    await db.transaction(async (tx) => {
      await file.read(tx, bytes);
      const { rows, refused, total } = file.found;
      const agrees = rows === stated.lines && total === stated.total;
      if (trial || refused > 0 || !agrees) throw new NotStored();
    });
  } catch (error) {
    if (!trial) await engine.run(cancelOpening, { id }, by);
    if (!(error instanceof NotStored)) throw error;
    return { id: null, ...file.found };
  }
  await engine.run(prepareOpening, { id, digest: file.digest() }, by);
  return { id, ...file.found };
}

/** Opens the system account where it is missing, and removes lines of what was cancelled. */
async function readyFor(
  { keys }: PrepareServices,
  tx: Transaction,
  workspace: number,
  currency: string,
): Promise<void> {
  await openHouse(tx, workspace, keys.lineageOf(workspace), currency);
  await forgetCancelled(tx, workspace);
}

interface Place {
  readonly workspace: number;
  readonly id: string;
  readonly currency: string;
}

interface Resolved {
  readonly line: number;
  readonly wallet: string | null;
  readonly held: bigint;
}

class OpeningFile {
  readonly found = { rows: 0, refused: 0, total: 0n };
  readonly #hash = createHash('sha256');
  readonly #keys: ImportParts['keys'];
  readonly #place: Place;
  readonly #refuse: Refuse;

  constructor({ keys }: PrepareServices, place: Place, refuse: Refuse) {
    this.#keys = keys;
    this.#place = place;
    this.#refuse = refuse;
  }

  digest(): string {
    return this.#hash.digest('hex');
  }

  async read(tx: Transaction, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    let block: TableRow[] = [];
    for await (const row of readTable(this.#hashed(bytes), columnsOf(columns))) {
      this.found.rows += 1;
      const wrong = 'code' in row ? [row] : this.#wrong(row);
      if (wrong.length > 0) await this.#count(wrong);
      else if ('cells' in row) block.push(row);
      if (block.length < BLOCK) continue;
      await this.#store(tx, block);
      block = [];
    }
    await this.#store(tx, block);
  }

  async *#hashed(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      this.#hash.update(chunk);
      yield chunk;
    }
  }

  #wrong(row: TableRow): readonly RowRefusal[] {
    const wrong = checkCells(columns, row);
    if (wrong.length > 0 || row.cells['currency'] === this.#place.currency) return wrong;
    return [rowRefusal(row.line, 'CURRENCY_OTHER', 'currency')];
  }

  async #count(wrong: readonly RowRefusal[]): Promise<void> {
    this.found.refused += 1;
    for (const one of wrong) await this.#refuse(one);
  }

  async #store(tx: Transaction, rows: readonly TableRow[]): Promise<void> {
    if (rows.length === 0) return;
    const { workspace, id, currency } = this.#place;
    const refuse = (line: number, code: RowCode, column: string): Promise<void> =>
      this.#count([rowRefusal(line, code, column)]);
    const amounts = new Map(rows.map(({ line, cells }) => [line, BigInt(cells['amount'] ?? 0)]));
    const ids = rows.map(({ cells }) =>
      importedId(this.#keys, workspace, 'account', cells['account'] ?? ''),
    );
    const found = await tx.query<Resolved>({
      name: 'opening_wallets',
      text: RESOLVE,
      values: [workspace, currency, rows.map(({ line }) => line), ids],
    });
    const fit: Resolved[] = [];
    for (const one of found) {
      const room = one.held + (amounts.get(one.line) ?? 0n) <= TOTAL_CAP;
      if (one.wallet === null) await refuse(one.line, 'ACCOUNT_UNKNOWN', 'account');
      else if (!room) await refuse(one.line, 'WALLET_FULL', 'amount');
      else fit.push(one);
    }
    const stored = await tx.query<{ line: number }>({
      name: 'opening_lines',
      text: `insert into opening_line (workspace, opening_id, line, wallet_id, amount)
        select $1::int, $2::uuid, n.line, n.wallet, n.amount
        from unnest($3::int[], $4::uuid[], $5::int8[]) as n(line, wallet, amount)
        on conflict (wallet_id, workspace) do nothing returning line`,
      values: [
        ...[workspace, id, fit.map(({ line }) => line), fit.map(({ wallet }) => wallet)],
        fit.map(({ line }) => String(amounts.get(line))),
      ],
    });
    const kept = new Set(stored.map(({ line }) => line));
    for (const { line } of fit) {
      if (kept.has(line)) this.found.total += amounts.get(line) ?? 0n;
      else await refuse(line, 'BALANCE_OPENED', 'account');
    }
  }
}

/** SQL: the wallet of each line, and what it and its restricted account hold. */
const RESOLVE = `select n.line, w.id as wallet,
    coalesce(b.amount, 0) + coalesce(k.amount, 0) as held
  from unnest($3::int[], $4::uuid[]) with ordinality as n(line, id, place)
  left join imported i on i.workspace = $1 and i.id = n.id
  left join wallet w on w.workspace = $1 and w.account_id = i.account_id and w.currency = $2
  left join balance b on b.workspace = $1 and b.id = w.id
  left join balance k on k.workspace = $1 and k.id = w.kept_back_id
  order by n.place`;
