// Clones workspaces from snapshots: clones, rollbacks, resets. A clone is written beside all that
// goes on and goes live, with all of its clients, in one short transaction at the end; if the
// process is killed before, nobody ever sees it. One effect for each Idempotency-Key.
import { prepared, sql, type Database, type Transaction } from '../../db/index.ts';
import type { Answer, Caller } from '../../core/operation.ts';
import { refuse } from '../../core/refusal.ts';
import { Slots } from '../../concurrency/slots.ts';
import type { Instant } from '../../core/time.ts';
import { audit } from '../../product/tell/audit/index.ts';
import { actorOf, type Sender } from '../../product/context.ts';
import { addClient } from '../../product/access/oauth/index.ts';
import { keptAnswer, once, onceSealed } from '../../product/idempotent/index.ts';
import {
  addClone,
  type CacheInvalidation,
  type CreatedClone,
} from '../../product/tenant/tenant/index.ts';
import type { SandboxServices } from '../services.ts';
import { closeWorkspace } from './archive.ts';
import { refusals, snapshotUnknown } from './refusals.ts';
import { storedOf, type Stored } from './snapshot-storage.ts';
import { deleteForgotten, findSnapshot, takeSnapshot, type SnapshotRow } from './snapshot.ts';

/** The most live workspaces of one tenant. */
export const WORKSPACES_MAX = 1_000;

interface Place {
  readonly news: CacheInvalidation;
  readonly stored: Stored;
  /** The client's current workspace. */
  readonly workspace: number;
}

/** Milliseconds that a clone waits for the tenant's earlier one. */
const WAIT_MS = 5_000;
/** One clone of a tenant at a time, so that none takes all the connections for cloning. */
const slots = new Slots({
  most: Infinity,
  waitMs: WAIT_MS,
  full: () => refuse(refusals.WORLD_BUSY, {}, 1),
});

/** What cloning needs. */
export async function placeOf(services: SandboxServices, caller: Caller): Promise<Place> {
  const { cacheInvalidation: news, copies, db } = services;
  const rows = await db.query<{ workspace: number }>(prepared('workspace_of_client')`
    select workspace from client where client_id = ${caller.clientId}`);
  return {
    news,
    stored: await storedOf(copies),
    workspace: rows[0]?.workspace ?? caller.workspace,
  };
}

/** The tenant's snapshot in a body. Throws a Refusal for one of another release. */
export async function snapshotOf(
  { stored }: Place,
  integrator: string,
  id: string,
): Promise<SnapshotRow> {
  const found = await findSnapshot(stored.db, integrator, id);
  if (found === null) throw refuse(snapshotUnknown);
  if (found.shape !== stored.shape) throw refuse(refusals.SNAPSHOT_OUTDATED);
  return found;
}

/** Creates another live workspace of the tenant, with a client of its own. */
export function clone(
  services: SandboxServices,
  { caller, idempotency }: Sender,
  request: { readonly name?: string | undefined; readonly snapshot_id?: string | undefined },
): Promise<Answer> {
  const { integrator } = caller;
  return slots.run(integrator, async () => {
    const place = await placeOf(services, caller);
    const { news, stored, workspace } = place;
    const kept = await keptAnswer(idempotency, (work) =>
      onceSealed({ ...services, db: stored.db }, workspace, idempotency, work),
    );
    if (kept !== null) return kept;
    const from =
      request.snapshot_id === undefined
        ? await stored.db.transaction((tx) => takeSnapshot(tx, stored, workspace, null))
        : await snapshotOf(place, integrator, request.snapshot_id);
    const name = request.name ?? from.name;
    const copy = await createClone(place, from, { name, snapshot: from.id, instead: null });
    const announced = announcing(news);
    return onceSealed({ ...services, db: announced }, workspace, idempotency, async (tx) => {
      await beginClone(tx, copy, from, caller);
      const scopes = [...caller.scopes];
      const client = { workspace: copy.workspace, name, scopes };
      const { client_id, client_secret: text } = await addClient(tx, services, client);
      const shown = { world_id: copy.id, name, client_id, client_secret: '', scopes };
      const secrets = [{ place: 'client_secret', text, seconds: SECRET_SECONDS }];
      return { status: 201, payload: { ...shown, born_of: from.id }, secrets };
    });
  });
}

/** Seconds for which a repeated request gets the clone's secret again. */
const SECRET_SECONDS = 86_400;

/** Points the clients of the caller's workspace to a clone of a snapshot; null: of its creation. */
export function rollBack(
  services: SandboxServices,
  { caller, idempotency }: Sender,
  snapshotId: string | null,
): Promise<Answer> {
  const { integrator } = caller;
  return slots.run(integrator, async () => {
    const place = await placeOf(services, caller);
    const { news, stored, workspace } = place;
    const kept = await keptAnswer(idempotency, (work) =>
      once(stored.db, workspace, idempotency, work),
    );
    if (kept !== null) return kept;
    const [old] = await stored.db.query<{ name: string; snapshot_id: string | null }>(sql`
      select name, snapshot_id from workspace where workspace = ${workspace}`);
    const id = snapshotId ?? old?.snapshot_id ?? null;
    if (old === undefined || id === null) throw refuse(refusals.WORLD_NOT_BEGUN);
    const from = await snapshotOf(place, integrator, id);
    const request = { name: old.name, snapshot: old.snapshot_id, instead: workspace };
    const copy = await createClone(place, from, request);
    return once(announcing(news), copy.workspace, idempotency, async (tx) => {
      if (!(await closeWorkspace(tx, workspace, copy.workspace)))
        throw refuse(refusals.WORLD_BUSY, {}, 1);
      const now = await beginClone(tx, copy, from, caller);
      return { status: 200, payload: { world_id: copy.id, snapshot_id: from.id, now } };
    });
  });
}

/** Transactions whose commit every process knows of. */
export function announcing(news: CacheInvalidation): Pick<Database, 'transaction'> {
  return { transaction: (work) => news.announce(work) };
}

/** Writes a clone that is not live yet. */
async function createClone(
  { news, stored }: Place,
  from: SnapshotRow,
  {
    name,
    snapshot,
    instead,
  }: {
    readonly name: string;
    /** The snapshot that a reset of the clone goes back to. */
    readonly snapshot: string | null;
    readonly instead: number | null;
  },
): Promise<CreatedClone> {
  const copy = await news.announce(async (tx) => {
    const [live] = await tx.query<{ n: number }>(prepared('live_workspaces')`
      select (select count(*)::int from workspace w
        where w.integrator = s.integrator and w.ended is null) as n
      from snapshot s where s.id = ${from.id} for key share of s`);
    if (live === undefined) throw refuse(snapshotUnknown);
    if (instead === null && live.n >= WORKSPACES_MAX) throw refuse(refusals.WORLD_LIMIT);
    const made = await addClone(tx, { of: from.lineage, name, snapshot });
    await tx.execute(prepared('workspace_unbegun')`
      update workspace set ended = '-infinity' where workspace = ${made.workspace}`);
    return made;
  });
  await stored.restore(copy.workspace, from, instead);
  return copy;
}

/** Makes a clone live: its clock goes on from the snapshot's time. Gives its time. */
async function beginClone(
  tx: Transaction,
  { workspace, id }: CreatedClone,
  from: SnapshotRow,
  caller: Caller,
): Promise<Instant> {
  const [row] = await tx.query<{ now: Instant }>(prepared('workspace_begun')`
    update workspace set ended = null, clock_offset = ${from.taken_virtual}::timestamptz - $now
    where workspace = ${workspace} returning $1::timestamptz as now`);
  if (row === undefined) throw new Error('a copy vanished while it was made');
  const detail = { snapshot: from.id, of: from.world_id };
  await audit(tx, {
    workspace,
    actor: actorOf(caller),
    act: 'workspace_copied',
    subject: id,
    detail,
  });
  return row.now;
}

/** Deletes snapshots that no workspace needs any more, such as an archived clone's first one. */
export function tidyStored(stored: Stored, integrator: string): Promise<void> {
  return stored.db.transaction((tx) => deleteForgotten(tx, stored, integrator));
}
