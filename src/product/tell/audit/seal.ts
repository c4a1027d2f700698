// Seals blocks: takes what is pending and what was announced since the last block, hashes, links
// and signs it. One transaction for each block under a lock of its workspace, so that several
// processes make one chain, and a crash leaves a whole block or none.
import { prepared, raw, type Database, type Transaction } from '../../../db/index.ts';
import type { Instant } from '../../../core/time.ts';
import {
  BLOCK_COLUMNS,
  eventDigests,
  hashOf,
  lineDigests,
  linkTo,
  marksOf,
  MOST,
  signedBytes,
  type Block,
} from './canonical.ts';
import { activeKey, AuditKeys, ensureAuditKey, type AuditStore } from './keys.ts';

const LOCK = 7_317;

/**
 * SQL: live workspaces, the installation (0), and recently archived ones with a block to come. That
 * of one that was moved is made where it is now.
 */
const WATCHED = `select workspace from workspace where ended is null
  union all select workspace from workspace where ended > now() - interval '2 minutes'
    and not exists (select from tenant_move m where m.workspace = workspace.workspace)
  union all select 0`;

/** Workspaces with something that is in no block yet; 0 is the installation. */
async function unsealedWorkspaces(db: Database): Promise<number[]> {
  // One probe into each of three indexes for each workspace, however much is pending.
  const rows = await db.query<{ workspace: number }>(prepared('audit_waiting')`
    select w.workspace from (${raw(WATCHED)}) w
    where (select true from audit_pending p where p.workspace = w.workspace limit 1)
      or exists (select from event e where e.workspace = w.workspace and e.sequence > coalesce((
        select b.last_event from audit_block b where b.workspace = w.workspace
        order by b.number desc limit 1), 0))`);
  return rows.map((row) => row.workspace);
}

export class Sealer {
  readonly #db: Database;
  readonly #store: AuditStore;
  readonly #keys: AuditKeys;

  /** Runs on `db`. */
  constructor(store: AuditStore, db: Database) {
    this.#store = { ...store, db };
    this.#db = db;
    this.#keys = new AuditKeys(store.keys);
  }

  /** Seals all that is pending in all workspaces; gives how many blocks it made. */
  async pass(): Promise<number> {
    const workspaces = await unsealedWorkspaces(this.#db);
    if (workspaces.length > 0) await ensureAuditKey(this.#store);
    let made = 0;
    for (const workspace of workspaces) {
      for (;;) {
        const block = await this.#db.transaction((tx) => this.#block(tx, workspace));
        if (block === null) break;
        made += 1;
        if (block.lines < MOST && block.last_event - block.first_event < MOST - 1) break;
      }
    }
    return made;
  }

  /** The newest block of each workspace. */
  async heads(): Promise<Block[]> {
    return this.#db.query<Block>(prepared('audit_heads')`
      select ${raw(BLOCK_COLUMNS)} from (${raw(WATCHED)}) w
      cross join lateral (select * from audit_block h where h.workspace = w.workspace
        order by h.number desc limit 1) b order by b.workspace`);
  }

  /** Null where nothing is pending, or another process is sealing. */
  async #block(tx: Transaction, workspace: number): Promise<Block | null> {
    const locked = await tx.query<{ mine: boolean }>(prepared('audit_lock')`
      select pg_try_advisory_xact_lock(${LOCK}, ${workspace}) as mine`);
    if (locked[0]?.mine !== true) return null;
    const before = await lastBlock(tx, workspace);
    const number = (before?.number ?? 0n) + 1n;
    const { lines, newest } = await takeLines(tx, workspace, number);
    const first_event = (before?.last_event ?? 0n) + 1n;
    const key = await activeKey(tx);
    const { last_event, at, digests } = await digestsOf(tx, {
      workspace,
      number,
      first_event,
      newest: [newest, before?.at ?? null],
    });
    if (lines === 0 && last_event < first_event) return null;
    const head = {
      ...{ workspace, number, previous: linkTo(before), at, lines, first_event, last_event },
      key: key.key,
    };
    const hash = hashOf(head, digests);
    const signature = await this.#keys.sign(key, signedBytes(workspace, number, hash));
    await store(tx, { ...head, hash, signature }, marksOf(digests));
    return { ...head, hash, signature };
  }
}

async function lastBlock(tx: Transaction, workspace: number): Promise<Block | null> {
  const rows = await tx.query<Block>(prepared('audit_last')`
    select ${raw(BLOCK_COLUMNS)} from audit_block b where b.workspace = ${workspace}
    order by b.number desc limit 1`);
  return rows[0] ?? null;
}

/** Moves what is pending into the block, oldest first; gives how much, and the newest time. */
async function takeLines(
  tx: Transaction,
  workspace: number,
  block: bigint,
): Promise<{ lines: number; newest: Instant | null }> {
  const rows = await tx.query<{ lines: number; newest: Instant | null }>(prepared('audit_take')`
    with taken as (
      delete from audit_pending where (workspace, at, id, version) in (
        select workspace, at, id, version from audit_pending where workspace = ${workspace}
        order by at, id, version limit ${MOST})
      returning at, id, version),
    kept as (
      insert into audit_line (workspace, block, line, id, version)
      select $1, ${block}, row_number() over (order by at, id, version), id, version from taken)
    select count(*)::int4 as lines, max(at) as newest from taken`);
  return rows[0] ?? { lines: 0, newest: null };
}

/** The digests of the block's audit lines and events, its last event, and its time. */
async function digestsOf(
  tx: Transaction,
  request: {
    readonly workspace: number;
    readonly number: bigint;
    readonly first_event: bigint;
    /** The block's time is not before these. */
    readonly newest: readonly (Instant | null)[];
  },
): Promise<{ last_event: bigint; at: Instant; digests: Buffer }> {
  const { workspace, number, first_event, newest } = request;
  interface Row {
    readonly last_event: bigint;
    readonly at: Instant;
    readonly of_lines: Buffer | null;
    readonly of_events: Buffer | null;
  }
  const rows = await tx.query<Row>({
    name: 'audit_digests',
    text: `select t.last_event, ${lineDigests('$1::int4', '$2::int8')} as of_lines,
        ${eventDigests('$1::int4', '$3::int8', 't.last_event')} as of_events,
        greatest(
          clock_timestamp() + coalesce((select clock_offset from workspace
          where workspace = $1), '0'),
          (select max(e.at) from event e
            where e.workspace = $1 and e.sequence between $3 and t.last_event),
          (select max(n) from unnest($5::timestamptz[]) n)) as at
      from (select greatest($3::int8 - 1, least($3::int8 + $4 - 1,
        coalesce((select max(sequence) from event where workspace = $1), 0))) as last_event) t`,
    values: [workspace, number, first_event, MOST, newest],
  });
  const row = rows[0] as Row;
  const parts = [row.of_lines, row.of_events].filter((part) => part !== null);
  return { last_event: row.last_event, at: row.at, digests: Buffer.concat(parts) };
}

async function store(tx: Transaction, block: Block, marks: Buffer): Promise<void> {
  await tx.execute(prepared('audit_store')`
    insert into audit_block (workspace, number, previous, at, lines, first_event, last_event,
      key, hash, signature, marks)
    values (${block.workspace}, ${block.number}, ${block.previous}, ${block.at}, ${block.lines},
      ${block.first_event}, ${block.last_event}, ${block.key}, ${block.hash}, ${block.signature},
      ${marks})`);
}
