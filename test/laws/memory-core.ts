// The engine without a database: rows in maps, decided by the engine's own Draft, so that its
// invariants are the real ones. Writes follow the database's rules: unique keys, versions, the
// integrator's credits. All rows are of one workspace; another one is empty.
import type { Command, CommandAnswer, IdRow, Index, Table } from '../../src/engine/index.ts';
import { Writes } from '../../src/engine/write.ts';
import { UnitOfWork } from '../../src/engine/unit-of-work.ts';
import { stepTable, type StepRow } from '../../src/engine/tables.ts';
import type { WorkspaceRow } from '../../src/core/table.ts';
import { Collector, findKey, Loaded, WorkingCopy } from '../../src/engine/rows.ts';
import { transferTable, type TransferRow } from '../../src/product/money/wallet/index.ts';
import { Refusal } from '../../src/core/refusal.ts';
import { instantFromMillis } from '../../src/core/time.ts';
import {
  balanceTable,
  systemAccountId,
  integratorBalanceTable,
  type PostingRow,
} from '../../src/ledger/index.ts';
import type { OutboxRow } from '../../src/outbox/index.ts';

export const WORKSPACE = 1;
export const OTHER_WORKSPACE = 2;
export const CURRENCY = 'USD';
const ACTOR = 'laws';
export const INTEGRATOR = systemAccountId(WORKSPACE, 'integrator_share', CURRENCY);

/** What became of a command. A fault is a broken law; nothing of it was written. */
export type Outcome =
  | { readonly kind: 'answer'; readonly answer: CommandAnswer }
  | { readonly kind: 'refusal'; readonly code: string }
  | { readonly kind: 'fault'; readonly error: Error };

/** A command with its input, and its workspace. */
export interface Submitted {
  readonly command: Command<unknown>;
  readonly input: unknown;
  readonly workspace: number;
  /** Absent: one for all. */
  readonly actor?: string;
}

/** Joins a command to its input. */
export function submit<I>(command: Command<I>, input: I, workspace = WORKSPACE): Submitted {
  return { command: command as Command<unknown>, input, workspace };
}

interface Ready extends Submitted {
  readonly loaded: Loaded;
  readonly locks: ReadonlySet<string>;
  readonly speculative: Loaded | null;
}

/** Where the clock begins. */
export const FIRST_MOMENT = 1_790_000_000_000;
const MOST_ROUNDS = 6;
/** Of what is sent for one thing to one receiver, at most one is under way or has arrived. */
const ENDED_WITHOUT = ['replaced', 'declined', 'returned'];

/** All rows of one workspace. */
export class MemoryCore {
  readonly #rows: Map<Table, Map<string, IdRow>>;
  readonly steps: StepRow[];
  readonly postings: PostingRow[];
  readonly outbox: OutboxRow[];
  /** Credits of the integrator that are not folded into its balance. Minor units. */
  unfolded: bigint;
  /** The number of the command that made each step. */
  readonly commandOf: Map<StepRow, number>;
  /** Rows inserted and updated so far. */
  writes = 0;
  #keys: Set<string>;
  #now: number;

  constructor(from?: MemoryCore) {
    this.#rows = new Map([...(from?.rowMaps() ?? [])].map(([t, rows]) => [t, new Map(rows)]));
    this.steps = [...(from?.steps ?? [])];
    this.postings = [...(from?.postings ?? [])];
    this.outbox = [...(from?.outbox ?? [])];
    this.unfolded = from?.unfolded ?? 0n;
    this.commandOf = new Map(from?.commandOf);
    this.#keys = new Set(from === undefined ? [] : from.#keys);
    this.#now = from === undefined ? FIRST_MOMENT : from.#now;
  }

  rowMaps(): ReadonlyMap<Table, ReadonlyMap<string, IdRow>> {
    return this.#rows;
  }

  /** Milliseconds after 1970 at the last decision. */
  get now(): number {
    return this.#now;
  }

  /** Lets time go by. */
  pass(seconds: number): void {
    this.#now += seconds * 1_000;
  }

  get<R extends IdRow>(table: Table<R>, id: string): R | null {
    return this.#row(table as unknown as Table, id, WORKSPACE) as R | null;
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
    this.#table(table as unknown as Table).set(row.id, row);
  }

  /** Folds the integrator's credits into what debits may take, as the worker does. */
  fold(): void {
    const row = this.get(integratorBalanceTable, INTEGRATOR);
    if (row === null || this.unfolded === 0n) return;
    const version = row.version + 1;
    this.force(integratorBalanceTable, { ...row, amount: row.amount + this.unfolded, version });
    this.unfolded = 0n;
  }

  /** Decides one command. */
  run<I>(command: Command<I>, input: I): Outcome {
    return this.batch([submit(command, input)])[0] as Outcome;
  }

  /** Places of the last batch's commands in the order in which they were decided. */
  order: readonly number[] = [];

  /**
   * Decides commands that share a transaction: all look before the first decides. Those whose lock
   * set changed meanwhile go again, alone.
   */
  batch(list: readonly Submitted[]): Outcome[] {
    const working = new WorkingCopy();
    const ready = list.map((one) => this.#discover(one, working, null));
    this.#now += 1;
    const writes = new Writes();
    const outcomes = ready.map((one) => this.#decide(one, working, writes));
    this.#write(writes);
    this.order = [...list.keys()].sort(
      (a, b) => Number(outcomes[a] === null) - Number(outcomes[b] === null),
    );
    for (const at of this.order) outcomes[at] ??= this.#again(ready[at] as Ready, working);
    return outcomes as Outcome[];
  }

  /** Reads again, with the rows it held for speculative reads. */
  #again(before: Ready, held: WorkingCopy): Outcome {
    for (let [round, one, seen] = [0, before, held]; round < MOST_ROUNDS; round += 1) {
      const speculative = new Loaded();
      for (const lock of one.locks) {
        const { table, id } = this.#locked.get(lock) as { table: Table; id: string };
        const row = seen.get(table, one.workspace, id);
        if (row !== undefined) speculative.set(table, one.workspace, id, row);
      }
      const working = new WorkingCopy();
      one = this.#discover(one, working, speculative);
      seen = working;
      const writes = new Writes();
      const outcome = this.#decide(one, working, writes);
      if (outcome === null) continue;
      this.#write(writes);
      return outcome;
    }
    throw new Error(`${before.command.name} wants other rows each time`);
  }

  readonly #locked = new Map<string, { readonly table: Table; readonly id: string }>();

  #discover(one: Submitted, working: WorkingCopy, speculative: Loaded | null): Ready {
    const loaded = new Loaded();
    const { command, input, workspace } = one;
    for (;;) {
      const submission = { workspace, actor: ACTOR };
      const collector = new Collector(
        { submission, lineage: workspace, loaded },
        null,
        speculative,
      );
      command.load(collector, input);
      for (const { table, id } of collector.missing) {
        loaded.set(table, workspace, id, this.#row(table, id, workspace));
      }
      for (const { index, value } of collector.missingFinds) {
        this.#find(index, value, workspace, loaded);
      }
      if (collector.missing.length + collector.missingFinds.length > 0) continue;
      const locks = new Set<string>();
      for (const { table, id } of collector.locks) {
        const name = `${table.name}:${id}`;
        locks.add(name);
        this.#locked.set(name, { table, id });
        const row = this.#row(table, id, workspace);
        if (row !== null) working.set(table, row);
      }
      return { command, input, workspace, loaded, locks, speculative };
    }
  }

  #find(index: Index, value: string, workspace: number, loaded: Loaded): void {
    const rows = [...this.#table(index.table).values()].filter(
      (row) =>
        row.workspace === workspace &&
        (row as unknown as Record<string, unknown>)[index.column] === value,
    );
    loaded.found.set(
      findKey(index, workspace, value),
      rows.sort((a, b) => (a.id < b.id ? -1 : 1)),
    );
    for (const row of rows) loaded.set(index.table, workspace, row.id, row);
  }

  #decide(one: Ready, working: WorkingCopy, writes: Writes): Outcome | null {
    const { workspace, loaded } = one;
    const asked = { submission: { workspace, actor: ACTOR }, lineage: workspace, loaded };
    const again = new Collector(asked, working);
    const rows = one.command.load(again, one.input);
    const same =
      again.missing.length + again.missingFinds.length === 0 &&
      again.locks.every(({ table, id }) => one.locks.has(`${table.name}:${id}`));
    if (!same) return null;
    const newId = (): string => `event-${this.outbox.length}-${writes.inserts.size}`;
    const now = instantFromMillis(this.#now);
    const draft = new UnitOfWork(asked, now, working, newId);
    try {
      const answer = one.command.decide(draft, one.input, rows);
      const steps = stepsIn(writes).length;
      draft.merge(writes);
      const command = this.commandOf.size;
      for (const step of stepsIn(writes).slice(steps)) this.commandOf.set(step, command);
      return { kind: 'answer', answer };
    } catch (error) {
      if (error instanceof Refusal) return { kind: 'refusal', code: error.spec.code };
      return { kind: 'fault', error: error as Error };
    }
  }

  #write(writes: Writes): void {
    for (const [table, rows] of writes.inserts) for (const row of rows) this.#insert(table, row);
    for (const [table, changes] of writes.updates) {
      for (const { row, expected } of changes) {
        const before = this.#row(table, row.id, row.workspace) as { version?: number } | null;
        if (before === null) throw new Error(`${table.name}: an update of no row`);
        if (table.versioned && before.version !== expected) {
          throw new Error(`${table.name}: a lost update`);
        }
        this.writes += 1;
        this.#table(table).set(row.id, row);
      }
    }
    for (const row of writes.inserts.get(transferTable as unknown as Table) ?? []) {
      this.#sentOnce(row as TransferRow);
    }
  }

  #insert(table: Table, row: WorkspaceRow): void {
    const record = row as unknown as Record<string, string | number>;
    const { name } = table;
    this.writes += 1;
    if ('id' in row) {
      this.#unique(`${name}:${record['id']}`);
      this.#table(table).set(String(record['id']), row as IdRow);
    } else if (name === 'history') {
      this.#unique(`step:${record['resource_id']}:${record['version']}`);
      this.steps.push(row as StepRow);
    } else if (name === 'posting') {
      this.#unique(`posting:${record['resource_id']}:${record['version']}:${record['line']}`);
      if (record['account_version'] !== null) {
        this.#unique(`chain:${record['account_id']}:${record['account_version']}`);
      }
      const posting = row as PostingRow;
      this.postings.push(posting);
      if (posting.account_id === INTEGRATOR && posting.amount > 0n) this.unfolded += posting.amount;
    } else if (name === 'outbox') {
      this.outbox.push(row as OutboxRow);
    }
  }

  /** The database's unique index on what is sent. */
  #sentOnce({ resource_id, target }: TransferRow): void {
    const live = this.all(transferTable).filter(
      (one) =>
        one.resource_id === resource_id &&
        one.target === target &&
        !(one.purpose === 'payout' && one.state === 'parked') &&
        !ENDED_WITHOUT.includes(one.state),
    );
    if (live.length > 1) throw new Error('a second transfer for one thing');
  }

  #unique(key: string): void {
    if (this.#keys.has(key)) throw new Error(`a second row for ${key}`);
    this.#keys.add(key);
  }

  #row(table: Table, id: string, workspace: number): IdRow | null {
    const row = this.#rows.get(table)?.get(id);
    return row === undefined || row.workspace !== workspace ? null : row;
  }

  #table(table: Table): Map<string, IdRow> {
    let rows = this.#rows.get(table);
    if (rows === undefined) this.#rows.set(table, (rows = new Map()));
    return rows;
  }
}

function stepsIn({ inserts }: Writes): readonly StepRow[] {
  return (inserts.get(stepTable as unknown as Table) ?? []) as StepRow[];
}
