// Imports a file of accounts or payment methods in blocks, each one commit. It can be stopped at
// any row and run again: what is there already is left alone.
import type { Engine } from '../../../engine/index.ts';
import type { Queryable } from '../../../db/index.ts';
import { Refusal } from '../../../core/refusal.ts';
import { audit } from '../../tell/audit/index.ts';
import { checkCells, columnsOf } from './cells.ts';
import type { RowRefusal } from './row-codes.ts';
import {
  differing,
  type ImportParts,
  type ImportPlace,
  type PreparedRow,
  type RowKind,
  type RowOutcome,
} from './row-kind.ts';
import { readTable, type TableRow } from './table-file.ts';

/** Rows in one commit: an account with two currencies writes some 16 rows, a batch takes 2,000. */
const BLOCK = 100;

/** What became of the rows of a file. */
export interface ImportSummary {
  rows: number;
  imported: number;
  unchanged: number;
  refused: number;
}

/** What is told about each row as it happens. */
export interface ImportListener {
  refused(why: RowRefusal): void | Promise<void>;
  /** A row that is there now, with the UUID of its account. */
  known(reference: string, account: string): void | Promise<void>;
}

interface ImportServices extends ImportParts {
  readonly db: Queryable;
  readonly engine: Engine;
}

interface Task<R extends PreparedRow> {
  readonly kind: RowKind<R>;
  readonly place: ImportPlace;
  /** Who imports, as history names them. */
  readonly actor: string;
  /** True: nothing is written. A trial remembers a hash of each row. */
  readonly trial: boolean;
  readonly listener: ImportListener;
}

type Ready<R> = { readonly row: TableRow; readonly prepared: R };

/** Imports a file. Throws `HeaderRefused` before anything is imported. */
export async function importFile<R extends PreparedRow>(
  services: ImportServices,
  bytes: AsyncIterable<Uint8Array>,
  task: Task<R>,
): Promise<ImportSummary> {
  const { kind, trial, actor, place } = task;
  const run = new Run(services, task);
  let block: TableRow[] = [];
  let begun = trial;
  for await (const row of readTable(bytes, columnsOf(kind.columns))) {
    if (!begun) {
      const { workspace } = place;
      await audit(services.db, { workspace, actor, act: 'imported', subject: kind.command.name });
      begun = true;
    }
    if ('code' in row) {
      await run.refuse([row]);
      continue;
    }
    block.push(row);
    if (block.length < BLOCK) continue;
    await run.take(block);
    block = [];
  }
  await run.take(block);
  return run.summary;
}

class Run<R extends PreparedRow> {
  readonly summary: ImportSummary = { rows: 0, imported: 0, unchanged: 0, refused: 0 };
  /** Of a trial: the fingerprint of the row that has an id or a claim. */
  readonly #seen = new Map<string, string>();
  readonly #services: ImportServices;
  readonly #task: Task<R>;

  constructor(services: ImportServices, task: Task<R>) {
    this.#services = services;
    this.#task = task;
  }

  /** Counts a row with all that stands against it. */
  async refuse(why: readonly RowRefusal[]): Promise<void> {
    this.summary.rows += 1;
    this.summary.refused += 1;
    for (const one of why) await this.#task.listener.refused(one);
  }

  /** Imports the rows of a block that fit, in one commit. */
  async take(rows: readonly TableRow[]): Promise<void> {
    const ready: Ready<R>[] = [];
    for (const one of await Promise.all(rows.map((row) => this.#prepare(row)))) {
      if ('prepared' in one) ready.push(one);
      else await this.refuse(one.why);
    }
    if (ready.length === 0) return;
    const { kind, place, actor, trial } = this.#task;
    const { workspace, integrator } = place;
    const input = { rows: ready.map(({ prepared }) => prepared), integrator, trial };
    const answer = await this.#services.engine.run(kind.command, input, { workspace, actor });
    const outcomes = answer.payload as readonly RowOutcome[];
    for (const [at, outcome] of outcomes.entries()) {
      const one = ready[at] as Ready<R>;
      await this.#tell(one.row, trial ? this.#repeated(one.prepared, outcome) : outcome);
    }
  }

  async #prepare(row: TableRow): Promise<Ready<R> | { readonly why: readonly RowRefusal[] }> {
    const { kind, place } = this.#task;
    const wrong = checkCells(kind.columns, row);
    if (wrong.length > 0) return { why: wrong };
    try {
      return { row, prepared: await kind.prepare(this.#services, place, row) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { code, sentence } = error.spec;
      const [column = ''] = Object.keys(error.fields);
      return { why: [{ line: row.line, column, code, sentence }] };
    }
  }

  /** In a trial: what the row would be after those before it. */
  #repeated({ id, fingerprint, claims }: R, outcome: RowOutcome): RowOutcome {
    if (outcome.outcome !== 'imported') return outcome;
    const before = this.#seen.get(id);
    if (before !== undefined) {
      return before === fingerprint ? { ...outcome, outcome: 'unchanged' } : differing;
    }
    if (claims.some((claim) => this.#seen.has(claim))) return this.#task.kind.claimed;
    for (const one of [id, ...claims]) this.#seen.set(one, fingerprint);
    return outcome;
  }

  async #tell(row: TableRow, given: RowOutcome): Promise<void> {
    const { outcome, code = '', sentence = '', column = '', account = '' } = given;
    if (outcome === 'refused') {
      return this.refuse([{ line: row.line, column, code, sentence }]);
    }
    this.summary.rows += 1;
    this.summary[outcome] += 1;
    const { kind, listener } = this.#task;
    await listener.known(row.cells[kind.reference] ?? '', account);
  }
}
