// The unit of work: what one command decided. An accepted one is merged into the writes of the
// batch, a refused one is dropped. The engine's invariants are checked here: legal transitions,
// balanced ledger entries, no balance below zero, no update without a lock, nothing left undone.
import {
  EngineFault,
  type Decision,
  type HeadRow,
  type LedgerEntry,
  type MessageEvent,
} from '../core/command.ts';
import type { WebhookEvent } from '../core/event.ts';
import { findMove, postsOf, type Machine, type Move } from '../core/machine.ts';
import type { IdRow, Index, Table, WorkspaceRow } from '../core/table.ts';
import { laterOf, type Instant } from '../core/time.ts';
import { balanceTable, postingTable, type BalanceRow } from '../ledger/tables.ts';
import { outboxTable, type OutboxRow } from '../outbox/tables.ts';
import type { Asked } from './discover.ts';
import { ByRow, findKey, type Loaded, type WorkingCopy } from './rows.ts';
import { causedBy, stepTable } from './tables.ts';
import type { Writes } from './write.ts';

/** One row of a unit of work. `fresh`: inserted rather than updated. */
interface Written {
  readonly table: Table;
  row: IdRow;
  readonly fresh: boolean;
}

/** What one command has decided so far. */
export class UnitOfWork implements Decision {
  readonly workspace: number;
  readonly lineage: number;
  readonly now: Instant;
  readonly actor: string;
  readonly #caused: ReturnType<typeof causedBy>;
  readonly #working: WorkingCopy;
  readonly #loaded: Loaded;
  readonly #inserts: [Table, WorkspaceRow][] = [];
  readonly #written: Written[] = [];
  readonly #byRow = new ByRow<Written>();
  readonly #newEventId: () => string;
  /** When each resource moved in this command. */
  readonly #movedAt = new Map<string, Instant>();
  readonly #owed = new Owed();

  constructor(
    { submission, lineage, loaded, cause }: Asked,
    now: Instant,
    working: WorkingCopy,
    newEventId: () => string,
  ) {
    this.workspace = submission.workspace;
    this.lineage = lineage;
    this.now = now;
    this.actor = submission.actor;
    this.#caused = causedBy(cause);
    this.#working = working;
    this.#loaded = loaded;
    this.#newEventId = newEventId;
  }

  get<R extends IdRow>(table: Table<R>, id: string): R | null {
    const row = this.#row(table as unknown as Table, id);
    if (row === undefined) throw new EngineFault(`${table.name} was read but never named in load`);
    return row as R | null;
  }

  find<R extends IdRow>(index: Index<R>, value: string): readonly R[] {
    const untyped = index as unknown as Index;
    const rows = this.#loaded.found.get(findKey(untyped, this.workspace, value));
    if (rows === undefined) throw new EngineFault(`${index.table.name} was searched without need`);
    return rows.map((row) => this.#row(untyped.table, row.id) ?? row) as R[];
  }

  insert<R extends WorkspaceRow>(table: Table<R>, row: R): void {
    const untyped = table as unknown as Table;
    if ('id' in row) {
      this.#remember(untyped, row as unknown as IdRow, true);
    } else {
      this.#inserts.push([untyped, row]);
    }
  }

  update<R extends IdRow>(table: Table<R>, id: string, patch: Partial<R>): void {
    const row = this.get(table, id);
    if (row === null) throw new EngineFault(`${table.name}: an absent row cannot change`);
    this.#remember(table as unknown as Table, { ...row, ...patch }, false);
  }

  create<R extends HeadRow>(
    machine: Machine,
    table: Table<R>,
    on: string,
    row: R,
    detail?: object,
  ): void {
    this.#step(machine, row.id, 1, null, on, row.state, row.updated, detail);
    this.insert(table, row);
  }

  move<R extends HeadRow>(
    machine: Machine,
    table: Table<R>,
    id: string,
    on: string,
    to: string,
    patch?: Partial<R>,
    detail?: object,
  ): number {
    const row = this.get(table, id);
    if (row === null) throw new EngineFault(`${table.name}: an absent row cannot move`);
    const version = row.version + 1;
    const at = laterOf(this.now, row.updated);
    this.#step(machine, id, version, row.state, on, to, at, detail);
    this.update(table, id, { ...patch, state: to, version, updated: at } as unknown as Partial<R>);
    return version;
  }

  post(resourceId: string, version: number, entries: readonly LedgerEntry[]): void {
    const sums = new Map<string, bigint>();
    let number = 0;
    for (const entry of entries) {
      if (entry.amount === 0n) continue;
      sums.set(entry.currency, (sums.get(entry.currency) ?? 0n) + entry.amount);
      number += 1;
      const chain = entry.tracked ? this.#carry(entry) : null;
      this.#inserts.push([
        postingTable as unknown as Table,
        {
          workspace: this.workspace,
          resource_id: resourceId,
          version,
          line: number,
          account_id: entry.account_id,
          currency: entry.currency,
          amount: entry.amount,
          account_version: chain?.version ?? null,
          balance_after: chain?.amount ?? null,
        } as WorkspaceRow,
      ]);
    }
    this.#owed.post(resourceId, version, number === 0);
    for (const [currency, sum] of sums) {
      if (sum !== 0n) throw new EngineFault(`an entry is off balance in ${currency}`);
    }
  }

  announce(event: MessageEvent, resourceId: string, version: number, message: object): void {
    this.#owed.announce(event, resourceId, version);
    this.#announce(event, resourceId, version, JSON.stringify(message));
  }

  /** True if the command writes nothing. */
  get empty(): boolean {
    return this.#inserts.length === 0 && this.#written.length === 0;
  }

  /** Adds the unit of work to the batch, so that later commands see its rows. */
  merge(writes: Writes): void {
    this.#owed.close();
    for (const { table, row, fresh } of this.#written) {
      if (fresh) {
        writes.addInsert(table, row);
      } else {
        const before = this.#working.get(table, row.workspace, row.id);
        const expected = (before as { version?: number } | undefined)?.version ?? 0;
        writes.addUpdate(table, row, expected);
      }
      this.#working.set(table, row);
    }
    for (const [table, row] of this.#inserts) writes.addInsert(table, row);
  }

  #row(table: Table, id: string): IdRow | null | undefined {
    return (
      this.#byRow.get(table, this.workspace, id)?.row ??
      this.#working.get(table, this.workspace, id) ??
      this.#loaded.get(table, this.workspace, id)
    );
  }

  #remember(table: Table, row: IdRow, fresh: boolean): void {
    const before = this.#byRow.get(table, row.workspace, row.id);
    if (before !== undefined && (before.fresh || !fresh)) {
      before.row = row;
      return;
    }
    // Only a locked row may be updated: a row read without a lock may have changed since.
    if (!fresh && this.#working.get(table, row.workspace, row.id) === undefined) {
      throw new EngineFault(`${table.name} would change without a lock`);
    }
    if (before !== undefined) throw new EngineFault(`${table.name}: a row that is there again`);
    const written = { table, row, fresh };
    this.#written.push(written);
    this.#byRow.set(table, row.workspace, row.id, written);
  }

  #carry(entry: LedgerEntry): BalanceRow {
    const row = this.get(balanceTable, entry.account_id);
    if (row === null) throw new EngineFault('a tracked account has no balance');
    const amount = row.amount + entry.amount;
    if (amount < 0n) throw new EngineFault('a balance would fall below zero');
    const next = { ...row, amount, version: row.version + 1, updated: this.now };
    this.#remember(balanceTable as unknown as Table, next, false);
    return next;
  }

  #step(
    machine: Machine,
    id: string,
    version: number,
    from: string | null,
    on: string,
    to: string,
    at: Instant,
    detail: object | undefined,
  ): void {
    const row = findMove(machine, from, on, to);
    if (row === null) {
      throw new EngineFault(`${machine.name}: no arrow from ${from ?? 'birth'} by ${on} to ${to}`);
    }
    this.#movedAt.set(id, at);
    this.insert(stepTable, {
      workspace: this.workspace,
      resource_id: id,
      version,
      machine: machine.name,
      from_state: from ?? '',
      event: on,
      to_state: to,
      at,
      actor: this.actor,
      detail: detail === undefined ? null : JSON.stringify(detail),
      ...this.#caused,
    });
    this.#owed.take(row, id, version);
    const { emits } = row;
    if (emits?.record !== undefined) this.#announce(emits, id, version, null);
  }

  #announce(
    { name, record }: WebhookEvent,
    resource_id: string,
    resource_version: number,
    message: string | null,
  ): void {
    const [workspace, event_id] = [this.workspace, this.#newEventId()];
    // The step's own time: it keeps a resource's order when the clock goes back.
    const at = this.#movedAt.get(resource_id) ?? this.now;
    const step = { workspace, resource_id, resource_version, event_id, name, at };
    const row: OutboxRow = { ...step, record: record ?? null, message };
    this.#inserts.push([outboxTable as unknown as Table, row]);
  }
}

/** What one command owes to its rows. */
export class Owed {
  /** Movements of money that the row of each step names. */
  readonly #movements = new Map<string, readonly string[]>();
  readonly #posted = new Set<string>();
  readonly #unsaid = new Set<string>();

  /** Notes the row of a step. */
  take({ posts, emits }: Move, id: string, version: number): void {
    if (posts !== undefined) this.#movements.set(keyOf(id, version), postsOf({ posts }));
    if (emits !== undefined && emits.record === undefined) {
      this.#unsaid.add(keyOf(id, version, emits.name));
    }
  }

  /** An entry of a step is posted, or none where nothing is to be moved. */
  post(id: string, version: number, empty: boolean): void {
    const movements = this.#movements.get(keyOf(id, version));
    if (movements === undefined && !empty) {
      throw new EngineFault('an entry is posted by a move whose row posts nothing');
    }
    for (const movement of movements ?? []) this.#posted.add(movement);
  }

  announce({ name, stepless }: WebhookEvent, id: string, version: number): void {
    if (this.#unsaid.delete(keyOf(id, version, name)) || stepless === true) return;
    throw new EngineFault(`${name} is announced by a move whose row does not emit it`);
  }

  /**
   * Throws where something is left undone. An escrow and a refund move their money along an
   * invoice, so one entry counts for every row that names its movement.
   */
  close(): void {
    for (const key of this.#unsaid) throw new EngineFault(`an event was not announced: ${key}`);
    for (const [key, movements] of this.#movements) {
      if (movements.some((movement) => this.#posted.has(movement))) continue;
      throw new EngineFault(`no entry was posted for ${movements.join(' or ')}: ${key}`);
    }
  }
}

function keyOf(id: string, version: number, event = ''): string {
  return `${id} ${version} ${event}`;
}
