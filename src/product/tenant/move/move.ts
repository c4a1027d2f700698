// A tenant's move, step by step. Most rows are carried while it is served; then it is frozen, the
// rest follows, the side it comes from gives it up, and the other side opens it. Run again after a
// crash it begins anew before the hand-over and finishes after it.
import type { Transaction } from '../../../db/index.ts';
import { MOVED } from '../../../providers/keys/versions.ts';
import { audit, carryAnchors } from '../../tell/audit/index.ts';
import { agreedParts, refuseUnmovable, unguarded, type Side } from './agree.ts';
import { ALL, carry, census, level, type Crossing } from './copy.ts';
import {
  freeze,
  handOver,
  holdArriving,
  note,
  numberOf,
  standingOf,
  thaw,
  type Standing,
} from './store.ts';
import type { Carried, Parts } from './tables.ts';
import { untilStill } from './still.ts';

/** The result of a move. */
export interface Moved {
  readonly workspace: number;
  readonly rows: number;
  /** Rounds of copying while the tenant was served. */
  readonly rounds: number;
  /** Milliseconds from the freeze until the other side served; 0 where this run froze nothing. */
  readonly refusedMs: number;
}

interface Move {
  readonly from: Side;
  readonly to: Side;
  readonly integrator: string;
  readonly workspace: number;
  readonly parts: Parts;
  say(line: string): void;
}

/** A round that carried fewer rows is followed by the freeze. */
const FEW = 2_000;
const ROUNDS = 8;
/** Rounds after the freeze: the first may still meet what began before it. */
const LAST_ROUNDS = 3;

/** Moves a tenant. Throws a sentence for the operator; before the hand-over it is served again. */
export async function moveTenant(
  from: Side,
  to: Side,
  integrator: string,
  say: (line: string) => void,
): Promise<Moved> {
  const [here, there] = await Promise.all([from, to].map(({ db }) => standingOf(db, integrator)));
  if (here === undefined) throw new Error('There is no such tenant.');
  const { workspace } = here;
  const parts = await agreedParts(from, to, workspace);
  const move: Move = { from, to, integrator, workspace, parts, say };
  if (here.state === 'moved') return finish(move, there);
  await refuseUnmovable(from, to, here, there);
  const begun = await begin(move);
  const { since, rows, rounds } = await copyServed(move, begun.there);
  const frozen = performance.now();
  try {
    const last = await copyFrozen(move, begun, since);
    if (!(await handOver(from.db, workspace, integrator, begun.here))) {
      throw new Error('The rest took too long: the tenant stays where it is.');
    }
    say('handed over');
    await open(move, begun.there);
    const refusedMs = Math.round(performance.now() - frozen);
    await leave(move);
    return { workspace, rows: rows + last, rounds, refusedMs };
  } catch (error) {
    // After the hand-over there is nothing left to thaw.
    await thaw(from.db, workspace).catch(() => 0);
    throw error;
  }
}

/** Does what a move that was handed over has left to do. */
async function finish(move: Move, there: Standing | undefined): Promise<Moved> {
  if (there?.state !== 'arriving' && there?.state !== 'arrived') {
    throw new Error('This tenant has moved to another installation.');
  }
  move.say('it was handed over before');
  if (there.state === 'arriving') await open(move, null);
  await leave(move);
  return { workspace: move.workspace, rows: 0, rounds: 0, refusedMs: 0 };
}

/** The moments at which the move was written down on each side. */
interface Begun {
  readonly here: string;
  readonly there: string;
}

/** Writes the move down on both sides; nobody reads the workspace where it arrives. */
async function begin(move: Move): Promise<Begun> {
  const { from, to, workspace, parts } = move;
  const here = await note(from.db, workspace, 'copying', await numberOf(to.db));
  const other = await numberOf(from.db);
  const there = await cross(move, async (crossing) => {
    for (const table of parts.shared) await carry(crossing, table, { since: null, keep: true });
    for (const table of parts.tables.filter(isWorkspace)) {
      await clear(crossing, table.name);
      await carry(crossing, table, ALL);
    }
    return note(crossing.to, workspace, 'arriving', other);
  });
  return { here, there };
}

const isWorkspace = ({ name }: Carried): boolean => name === 'workspace';

async function clear({ to, workspace }: Crossing, name: string): Promise<void> {
  await to.execute(`delete from ${name} where workspace = ${workspace}`);
}

/**
 * One snapshot there, one transaction here, without triggers: what arrives was checked where it
 * comes from, and its count and hash are compared.
 */
function cross<R>(move: Move, work: (crossing: Crossing) => Promise<R>): Promise<R> {
  const { from, to, workspace } = move;
  const [keysFrom, keysTo, wrapped] = [from.keys, to.keys, from.wrapped];
  return from.db.transaction(
    (source) =>
      to.db.transaction(async (target) => {
        await unguarded(target);
        return work({ from: source, to: target, keysFrom, keysTo, wrapped, workspace });
      }),
    'begin isolation level repeatable read, read only',
  );
}

interface Round {
  readonly rows: number;
  /** What the next round sends was written by this transaction or later ones. */
  readonly since: string;
}

/** One round: all rows, or those written since the one before. */
function round(move: Move, begun: string, since: string | null): Promise<Round> {
  const { workspace, parts } = move;
  // The workspace itself came with the beginning.
  const tables = since === null ? parts.tables.filter((one) => !isWorkspace(one)) : parts.tables;
  return cross(move, async (crossing) => {
    await holdArriving(crossing.to, workspace, begun);
    const [seen] = await crossing.from.query<{ since: string }>(
      'select pg_snapshot_xmin(pg_current_snapshot())::xid::text as since',
    );
    const here = await census(crossing.from, tables, since);
    let rows = 0;
    for (const table of tables) {
      if (since === null) await clear(crossing, table.name);
      if (here.get(table.name)?.fresh === 0n) continue;
      rows += await carry(crossing, table, { since, keep: false });
    }
    const there = await census(crossing.to, tables, null);
    for (const table of tables) {
      const same = here.get(table.name)?.n === there.get(table.name)?.n;
      if (!same) rows += await level(crossing, table);
    }
    return { rows, since: seen?.since ?? '' };
  });
}

/** Copies while the tenant is served, until little is left. */
async function copyServed(move: Move, begun: string) {
  let done = await round(move, begun, null);
  let { rows } = done;
  move.say(`copied ${rows} rows`);
  let rounds = 1;
  for (; rounds < ROUNDS && (rounds === 1 || done.rows > FEW); rounds += 1) {
    done = await round(move, begun, done.since);
    rows += done.rows;
    move.say(`copied ${done.rows} rows that were written meanwhile`);
  }
  return { rows, rounds, since: done.since };
}

/** Freezes the tenant, and copies what is left until a round finds nothing. */
async function copyFrozen(move: Move, begun: Begun, since: string): Promise<number> {
  const { from, workspace, say } = move;
  const at = await freeze(from.db, workspace, begun.here);
  say('frozen');
  await untilStill(from.db, workspace, at);
  let rows = 0;
  for (let done: Round = { rows: 1, since }, n = 0; done.rows > 0; n += 1) {
    if (n === LAST_ROUNDS) throw new Error('Somebody still writes: the tenant stays here.');
    done = await round(move, begun.there, done.since);
    rows += done.rows;
  }
  say(`copied the last ${rows} rows`);
  return rows;
}

/** The other side serves from its commit on. */
async function open(move: Move, begun: string | null): Promise<void> {
  const { from, integrator, workspace, parts } = move;
  const other = await numberOf(from.db);
  await cross(move, async (crossing) => {
    const { to } = crossing;
    await holdArriving(to, workspace, begun);
    for (const table of parts.doors) {
      await clear(crossing, table.name);
      await carry(crossing, table, ALL);
    }
    for (const table of parts.shared) await carry(crossing, table, { since: null, keep: true });
    await advance(to, move);
    await to.execute('set local session_replication_role = origin');
    await to.execute(`update workspace set ended = null where workspace = ${workspace}`);
    await note(to, workspace, 'arrived', other);
    const entry = { actor: 'operator', act: 'tenant_moved', subject: integrator } as const;
    await audit(to, { workspace, ...entry });
  });
  move.say('served by the other side');
}

/** What may come after: the anchors follow, and where it was nobody gets in or opens anything. */
async function leave({ from, to, workspace, parts }: Move): Promise<void> {
  await carryAnchors(from.anchors, workspace, to.anchors);
  await from.db.transaction(async (tx) => {
    await unguarded(tx);
    for (const { table, key, column, where = 'true' } of from.wrapped) {
      const isOwn = key.includes('workspace') && parts.tables.some(({ name }) => name === table);
      if (!isOwn) continue;
      await tx.execute(`update ${table} set ${column} = '${MOVED}'
        where workspace = ${workspace} and (${where})`);
    }
    for (const name of ['link', 'refresh_token']) {
      await tx.execute(`delete from ${name} where workspace = ${workspace}`);
    }
    // What a sandbox's simulators would still do there.
    for (const { name } of parts.tables) {
      if (!/^(processor|vendor)_(due|notice)$/.test(name)) continue;
      await tx.execute(`update ${name} set due = 'infinity' where workspace = ${workspace}`);
    }
  });
}

/** Numbers that the database gives go on after those that arrived. */
async function advance(tx: Transaction, { workspace, parts }: Move): Promise<void> {
  for (const [table, column, sequence] of parts.sequences) {
    await tx.query(`select setval('${sequence}', greatest(
        (select max(${column}) from ${table} where workspace = ${workspace}),
        (select last_value from ${sequence})))`);
  }
}
