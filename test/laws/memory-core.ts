// The engine without a database: rows in maps, commands decided by the engine's own Draft, so
// that its laws (legal moves, balanced entries, no balance below zero, no change without a lock)
// are the real ones. Answers for writing what was decided as the database would, unique keys and
// versions included.
import type { Command, CommandAnswer, IdRow, Table } from '../../src/engine/index.ts';
import { Draft, Effects } from '../../src/engine/effects.ts';
import type { StepRow } from '../../src/engine/history.ts';
import { rowKey, type Index, type WorldRow } from '../../src/engine/table.ts';
import { Collector, findKey, Loaded, WorkingCopy } from '../../src/engine/view.ts';
import { Refusal } from '../../src/kernel/refusal.ts';
import { instantFromMillis } from '../../src/kernel/time.ts';
import { balanceTable, type PostingRow } from '../../src/ledger/index.ts';
import type { OutboxRow } from '../../src/outbox/index.ts';

export const WORLD = 1;

/** What became of a command. A fault is a broken law; nothing of it was written. */
export type Outcome =
  | { readonly kind: 'answer'; readonly answer: CommandAnswer }
  | { readonly kind: 'refusal'; readonly code: string }
  | { readonly kind: 'fault'; readonly error: Error };

/** A command with its input. */
export interface Submitted {
  readonly command: Command<unknown>;
  readonly input: unknown;
}

/** Joins a command to its input. */
export function submit<I>(command: Command<I>, input: I): Submitted {
  return { command: command as Command<unknown>, input };
}

interface Ready extends Submitted {
  readonly loaded: Loaded;
  readonly locks: ReadonlySet<string>;
}

const FIRST_MOMENT = 1_790_000_000_000;

/** All rows of one world. */
export class MemoryCore {
  readonly #rows: Map<Table, Map<string, IdRow>>;
  readonly steps: StepRow[];
  readonly postings: PostingRow[];
  readonly outbox: OutboxRow[];
  #keys: Set<string>;
  #clock: number;

  constructor(from?: MemoryCore) {
    this.#rows = new Map([...(from?.rowMaps() ?? [])].map(([t, rows]) => [t, new Map(rows)]));
    this.steps = [...(from?.steps ?? [])];
    this.postings = [...(from?.postings ?? [])];
    this.outbox = [...(from?.outbox ?? [])];
    this.#keys = new Set(from === undefined ? [] : from.#keys);
    this.#clock = from === undefined ? FIRST_MOMENT : from.#clock;
  }

  rowMaps(): ReadonlyMap<Table, ReadonlyMap<string, IdRow>> {
    return this.#rows;
  }

  get<R extends IdRow>(table: Table<R>, id: string): R | null {
    const row = this.#rows.get(table as unknown as Table)?.get(rowKey(WORLD, id));
    return (row as R | undefined) ?? null;
  }

  all<R extends IdRow>(table: Table<R>): R[] {
    return [...(this.#rows.get(table as unknown as Table)?.values() ?? [])] as R[];
  }

  /** Minor units on an account with a running balance. */
  balanceOf(id: string): bigint {
    return this.get(balanceTable, id)?.amount ?? 0n;
  }

  /** Sets a row past every rule: for circumstances that no command makes yet. */
  force<R extends IdRow>(table: Table<R>, row: R): void {
    this.#table(table as unknown as Table).set(rowKey(row.world, row.id), row);
  }

  /** Decides one command. */
  run<I>(command: Command<I>, input: I): Outcome {
    return this.batch([submit(command, input)])[0] as Outcome;
  }

  /** Places of the last batch's commands in the order in which they were decided. */
  order: readonly number[] = [];

  /** Decides commands that share a transaction; those whose lock set grew go again, alone. */
  batch(list: readonly Submitted[]): Outcome[] {
    const working = new WorkingCopy();
    const ready = list.map((one) => this.#discover(one, working, null));
    this.#clock += 1;
    const effects = new Effects();
    const outcomes = ready.map((one) => this.#decide(one, working, effects));
    this.#write(effects);
    this.order = [...list.keys()].sort(
      (a, b) => Number(outcomes[a] === null) - Number(outcomes[b] === null),
    );
    return outcomes.map((outcome, at) => outcome ?? this.#again(list[at] as Submitted));
  }

  /** A second look with hints: what the rows under lock said. */
  #again(one: Submitted): Outcome {
    const working = new WorkingCopy();
    const hints = new Loaded();
    for (const [table, rows] of this.#rows) {
      for (const row of rows.values()) hints.set(table, WORLD, row.id, row);
    }
    const ready = this.#discover(one, working, hints);
    const effects = new Effects();
    const outcome = this.#decide(ready, working, effects);
    if (outcome === null) throw new Error(`${one.command.name} wants other rows each time`);
    this.#write(effects);
    return outcome;
  }

  #discover(one: Submitted, working: WorkingCopy, hints: Loaded | null): Ready {
    const loaded = new Loaded();
    for (;;) {
      const collector = new Collector(WORLD, loaded, null, hints);
      one.command.needs(collector, one.input);
      for (const { table, id } of collector.missing) {
        loaded.set(table, WORLD, id, this.#row(table, id));
      }
      for (const { index, value } of collector.missingFinds) this.#find(index, value, loaded);
      if (collector.missing.length + collector.missingFinds.length > 0) continue;
      for (const { table, id } of collector.locks) {
        const row = this.#row(table, id);
        if (row !== null) working.set(table, row);
      }
      return { ...one, loaded, locks: new Set(collector.locks.map(nameOf)) };
    }
  }

  #find(index: Index, value: string, loaded: Loaded): void {
    const rows = [...this.#table(index.table).values()].filter(
      (row) => (row as unknown as Record<string, unknown>)[index.column] === value,
    );
    loaded.found.set(findKey(index, WORLD, value), rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
    for (const row of rows) loaded.set(index.table, WORLD, row.id, row);
  }

  #decide(one: Ready, working: WorkingCopy, effects: Effects): Outcome | null {
    const again = new Collector(WORLD, one.loaded, working);
    one.command.needs(again, one.input);
    if (!again.locks.every((lock) => one.locks.has(nameOf(lock)))) return null;
    const now = instantFromMillis(this.#clock);
    const newId = (): string => `event-${this.#clock}-${effects.inserts.size}`;
    const draft = new Draft(WORLD, now, 'laws', working, one.loaded, newId);
    try {
      const answer = one.command.decide(draft, one.input);
      draft.merge(effects);
      return { kind: 'answer', answer };
    } catch (error) {
      if (error instanceof Refusal) return { kind: 'refusal', code: error.spec.code };
      return { kind: 'fault', error: error as Error };
    }
  }

  #write(effects: Effects): void {
    for (const [table, rows] of effects.inserts) for (const row of rows) this.#insert(table, row);
    for (const [table, changes] of effects.updates) {
      for (const { row, expected } of changes) {
        const before = this.#row(table, row.id) as { version?: number } | null;
        if (before === null) throw new Error(`${table.name}: an update of no row`);
        if (table.versioned && before.version !== expected) {
          throw new Error(`${table.name}: a lost update`);
        }
        this.#table(table).set(rowKey(row.world, row.id), row);
      }
    }
  }

  #insert(table: Table, row: WorldRow): void {
    const record = row as unknown as Record<string, string | number>;
    const { name } = table;
    if ('id' in row) {
      this.#unique(`${name}:${record['id']}`);
      this.#table(table).set(rowKey(row.world, String(record['id'])), row as IdRow);
    } else if (name === 'step') {
      this.#unique(`step:${record['resource_id']}:${record['version']}`);
      this.steps.push(row as StepRow);
    } else if (name === 'posting') {
      this.#unique(`posting:${record['resource_id']}:${record['version']}:${record['line']}`);
      if (record['account_version'] !== null) {
        this.#unique(`chain:${record['account_id']}:${record['account_version']}`);
      }
      this.postings.push(row as PostingRow);
    } else if (name === 'outbox') {
      this.outbox.push(row as OutboxRow);
    }
  }

  #unique(key: string): void {
    if (this.#keys.has(key)) throw new Error(`a second row for ${key}`);
    this.#keys.add(key);
  }

  #row(table: Table, id: string): IdRow | null {
    return this.#rows.get(table)?.get(rowKey(WORLD, id)) ?? null;
  }

  #table(table: Table): Map<string, IdRow> {
    let rows = this.#rows.get(table);
    if (rows === undefined) this.#rows.set(table, (rows = new Map()));
    return rows;
  }
}

function nameOf(lock: { readonly table: Table; readonly id: string }): string {
  return `${lock.table.name}:${lock.id}`;
}
