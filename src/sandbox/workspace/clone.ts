// Clones workspaces from snapshots: forks, rollbacks, resets. A clone is written beside all that
// goes on and goes live, with all of its clients, in one short transaction at the end; if the
// process is killed before, nobody ever sees it. One effect for each Idempotency-Key.
import type { Database, Transaction } from '../../db/index.ts';
import type { Answer, Caller, IdempotencyClaim } from '../../core/operation.ts';
import { refuse } from '../../core/refusal.ts';
import type { Instant } from '../../core/time.ts';
import { audit } from '../../product/tell/audit/index.ts';
import { actorOf, type Services, type WorldNews } from '../../product/context.ts';
import { addClient } from '../../product/access/oauth/index.ts';
import { once, onceSealed } from '../../product/idempotent/index.ts';
import { addCopy, type MadeCopy } from '../../product/tenant/tenant/index.ts';
import { closeWorld } from './archive.ts';
import { refusals, snapshotUnknown } from './refusals.ts';
import { shelfOf, type Shelf } from './snapshot-storage.ts';
import { deleteForgotten, findSnapshot, takeSnapshot, type SnapshotRow } from './snapshot.ts';
import { Turns } from './mutex.ts';

/** The most live workspaces of one tenant. */
export const WORLDS_MAX = 1_000;

/** Who asks for a clone, and under which key. */
export interface Asked {
  readonly caller: Caller;
  readonly idempotency: IdempotencyClaim | null;
}

interface Place {
  readonly news: WorldNews;
  readonly shelf: Shelf;
  /** The client's current workspace. */
  readonly world: number;
}

const turns = new Turns();
const UNKNOWN_YET = Symbol('the key has no answer yet');

/** What cloning needs; throws a fault in production, where no operation calls it. */
export async function placeOf(services: Services, caller: Caller): Promise<Place> {
  const { worldNews: news, copies, db } = services;
  if (news === null || copies === null) throw new Error('worlds are copied in a sandbox only');
  const rows = await db.query<{ world: number }>({
    name: 'world_of_client',
    text: 'select world from client where client_id = $1',
    values: [caller.clientId],
  });
  return { news, shelf: await shelfOf(copies), world: rows[0]?.world ?? caller.world };
}

/** The tenant's snapshot in a body. Throws a Refusal for one of another release. */
export async function snapshotOf(
  { shelf }: Place,
  integrator: string,
  id: string,
): Promise<SnapshotRow> {
  const found = await findSnapshot(shelf.db, integrator, id);
  if (found === null) throw refuse(snapshotUnknown);
  if (found.shape !== shelf.shape) throw refuse(refusals.SNAPSHOT_OUTDATED);
  return found;
}

/** Creates another live workspace of the tenant, with a client of its own. */
export function fork(
  services: Services,
  { caller, idempotency }: Asked,
  wish: { readonly name?: string | undefined; readonly snapshot_id?: string | undefined },
): Promise<Answer> {
  const { integrator } = caller;
  return turns.take(integrator, async () => {
    const place = await placeOf(services, caller);
    const { news, shelf, world } = place;
    const kept = await keptAnswer(idempotency, (db, work) =>
      onceSealed({ ...services, db }, world, idempotency, work), shelf.db);
    if (kept !== null) return kept;
    const from =
      wish.snapshot_id === undefined
        ? await shelf.db.transaction((tx) => takeSnapshot(tx, shelf, world, null))
        : await snapshotOf(place, integrator, wish.snapshot_id);
    const name = wish.name ?? from.name;
    const copy = await makeCopy(place, from, { name, snapshot: from.id, instead: null });
    const announced = announcing(news);
    return onceSealed({ ...services, db: announced }, world, idempotency, async (tx) => {
      await beginCopy(tx, copy, from, caller);
      const scopes = [...caller.scopes];
      const client = { world: copy.world, name, scopes };
      const { client_id, client_secret: text } = await addClient(tx, services, client);
      const shown = { world_id: copy.id, name, client_id, client_secret: '', scopes };
      const secrets = [{ place: 'client_secret', text, seconds: SECRET_SECONDS }];
      return { status: 201, payload: { ...shown, born_of: from.id }, secrets };
    });
  });
}

/** Seconds for which a repeated request gets the fork's secret again. */
const SECRET_SECONDS = 86_400;

/** Points the clients of the caller's workspace to a clone of a snapshot; null: of its creation. */
export function rollBack(
  services: Services,
  { caller, idempotency }: Asked,
  snapshotId: string | null,
): Promise<Answer> {
  const { integrator } = caller;
  return turns.take(integrator, async () => {
    const place = await placeOf(services, caller);
    const { news, shelf, world } = place;
    const show = async (_: Transaction, { payload }: { payload: object | null }) => {
      return { status: 200, payload };
    };
    const kept = await keptAnswer(idempotency, (db, work) =>
      once(db, world, idempotency, work, show), shelf.db);
    if (kept !== null) return kept;
    const [old] = await shelf.db.query<{ name: string; snapshot_id: string | null }>({
      text: 'select name, snapshot_id from world where world = $1',
      values: [world],
    });
    const id = snapshotId ?? old?.snapshot_id ?? null;
    if (old === undefined || id === null) throw refuse(refusals.WORLD_NOT_BEGUN);
    const from = await snapshotOf(place, integrator, id);
    const wish = { name: old.name, snapshot: old.snapshot_id, instead: world };
    const copy = await makeCopy(place, from, wish);
    return once(announcing(news), copy.world, idempotency, async (tx) => {
      if (!(await closeWorld(tx, world, copy.world))) throw refuse(refusals.WORLD_BUSY, {}, 1);
      const now = await beginCopy(tx, copy, from, caller);
      return { status: 200, payload: { world_id: copy.id, snapshot_id: from.id, now } };
    }, show);
  });
}

/** Transactions whose commit every process knows of. */
export function announcing(news: WorldNews): Pick<Database, 'transaction'> {
  return { transaction: (work) => news.announce(work) };
}

/** The stored answer of the key, or null. Claims nothing. */
export async function keptAnswer(
  claim: IdempotencyClaim | null,
  ask: (db: Pick<Database, 'transaction'>, work: () => Promise<never>) => Promise<Answer>,
  db: Database,
): Promise<Answer | null> {
  if (claim === null) return null;
  try {
    return await ask(db, () => Promise.reject(UNKNOWN_YET));
  } catch (error) {
    if (error === UNKNOWN_YET) return null;
    throw error;
  }
}

/** Writes a clone that is not live yet. */
async function makeCopy(
  { news, shelf }: Place,
  from: SnapshotRow,
  { name, snapshot, instead }: {
    readonly name: string;
    /** The snapshot that a reset of the clone goes back to. */
    readonly snapshot: string | null;
    readonly instead: number | null;
  },
): Promise<MadeCopy> {
  const copy = await news.announce(async (tx) => {
    const [live] = await tx.query<{ n: number }>({
      name: 'live_worlds',
      text: `select (select count(*)::int from world w
          where w.integrator = s.integrator and w.ended is null) as n
        from snapshot s where s.id = $1 for key share of s`,
      values: [from.id],
    });
    if (live === undefined) throw refuse(snapshotUnknown);
    if (instead === null && live.n >= WORLDS_MAX) throw refuse(refusals.WORLD_LIMIT);
    const made = await addCopy(tx, { of: from.line, name, snapshot });
    await tx.execute({
      name: 'world_unbegun',
      text: `update world set ended = '-infinity' where world = $1`,
      values: [made.world],
    });
    return made;
  });
  await shelf.restore(copy.world, from, instead);
  return copy;
}

/** Makes a clone live: its clock goes on from the snapshot's time. Gives its time. */
async function beginCopy(
  tx: Transaction,
  { world, id }: MadeCopy,
  from: SnapshotRow,
  caller: Caller,
): Promise<Instant> {
  const [row] = await tx.query<{ now: Instant }>({
    name: 'world_begun',
    text: `update world set ended = null, clock_offset = $2::timestamptz - clock_timestamp()
      where world = $1 returning $2::timestamptz as now`,
    values: [world, from.taken_virtual],
  });
  if (row === undefined) throw new Error('a copy vanished while it was made');
  const detail = { snapshot: from.id, of: from.world_id };
  await audit(tx, { world, actor: actorOf(caller), act: 'world_copied', subject: id, detail });
  return row.now;
}

/** Deletes snapshots that no workspace needs any more, such as an archived fork's first one. */
export function tidyShelf(shelf: Shelf, integrator: string): Promise<void> {
  return shelf.db.transaction((tx) => deleteForgotten(tx, shelf, integrator));
}
