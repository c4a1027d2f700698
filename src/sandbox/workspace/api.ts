// The operations on snapshots of a sandbox's workspace and its clones: forks, rollbacks, resets.
// Staging only. [G-64]
import { isUuid } from '../../core/ids.ts';
import type { Answer } from '../../core/operation.ts';
import { refuse } from '../../core/refusal.ts';
import { audit } from '../../product/tell/audit/index.ts';
import { actorOf, operation, type DomainOperation } from '../../product/context.ts';
import { once } from '../../product/idempotent/index.ts';
import { announcing, fork, keptAnswer, placeOf, rollBack, tidyShelf } from './clone.ts';
import { closeWorld } from './archive.ts';
import { listWorlds, lockWorld } from './list.ts';
import { refusals, snapshotUnknown } from './refusals.ts';
import {
  changedRecord,
  forkBody,
  forkRecord,
  nameBody,
  NONE,
  rollBackBody,
  snapshotList,
  snapshotPath,
  snapshotRecord,
  worldList,
  worldPath,
} from './schema.ts';
import {
  deleteSnapshot,
  findSnapshot,
  listSnapshots,
  renderSnapshot,
  takeSnapshot,
} from './snapshot.ts';

const common = {
  host: 'invoicing',
  cites: 'G-64',
  access: { client: 'write_sandbox' },
  query: NONE,
  stagingOnly: true,
} as const;
const { SNAPSHOT_OUTDATED, SNAPSHOT_TOO_LARGE, WORLD_BUSY } = refusals;

const take = operation({
  ...common,
  id: 'sandboxTakeSnapshot',
  method: 'POST',
  path: '/sandbox/snapshots',
  summary: "Takes a snapshot of the caller's workspace.",
  params: NONE,
  body: nameBody,
  answers: { 201: snapshotRecord },
  refusals: [refusals.SNAPSHOT_LIMIT, SNAPSHOT_TOO_LARGE, WORLD_BUSY],
  async run(services, { caller, body, idempotency }) {
    const { shelf, world } = await placeOf(services, caller);
    return once(
      shelf.db,
      world,
      idempotency,
      async (tx) => {
        const row = await takeSnapshot(tx, shelf, world, body.name ?? 'snapshot');
        return { status: 201, payload: renderSnapshot(row) };
      },
      async (_, { status, payload }) => ({ status, payload }),
    );
  },
});

const listAll = operation({
  ...common,
  id: 'sandboxListSnapshots',
  method: 'GET',
  path: '/sandbox/snapshots',
  summary: 'Lists the snapshots of the tenant, oldest first.',
  params: NONE,
  body: null,
  answers: { 200: snapshotList },
  refusals: [],
  async run({ db }, { caller }) {
    const rows = await listSnapshots(db, caller.integrator);
    return { status: 200, payload: { snapshots: rows.map(renderSnapshot) } };
  },
});

const remove = operation({
  ...common,
  id: 'sandboxDeleteSnapshot',
  method: 'DELETE',
  path: '/sandbox/snapshots/{snapshot_id}',
  summary: 'Deletes a snapshot.',
  params: snapshotPath,
  body: null,
  answers: { 204: null },
  refusals: [refusals.SNAPSHOT_NOT_FOUND],
  async run(services, { caller, params, idempotency }) {
    const { shelf, world } = await placeOf(services, caller);
    const { snapshot_id: id } = params;
    return once(
      shelf.db,
      world,
      idempotency,
      async (tx) => {
        const found = isUuid(id) ? await findSnapshot(tx, caller.integrator, id) : null;
        if (found === null) throw refuse(refusals.SNAPSHOT_NOT_FOUND);
        await deleteSnapshot(tx, shelf, found);
        return { status: 204, payload: null };
      },
      async () => ({ status: 204 }),
    );
  },
});

const forkWorld = operation({
  ...common,
  id: 'sandboxForkWorld',
  method: 'POST',
  path: '/sandbox/worlds',
  summary: 'Clones a snapshot or the current workspace into a new workspace with its own client.',
  params: NONE,
  body: forkBody,
  answers: { 201: forkRecord },
  refusals: [
    snapshotUnknown,
    SNAPSHOT_OUTDATED,
    SNAPSHOT_TOO_LARGE,
    refusals.WORLD_LIMIT,
    WORLD_BUSY,
  ],
  run: (services, { caller, body, idempotency }) => fork(services, { caller, idempotency }, body),
});

const list = operation({
  ...common,
  id: 'sandboxListWorlds',
  method: 'GET',
  path: '/sandbox/worlds',
  summary: 'Lists the active workspaces of the tenant, the main one first.',
  params: NONE,
  body: null,
  answers: { 200: worldList },
  refusals: [],
  async run({ db }, { caller }) {
    const worlds = await listWorlds(db, caller.integrator, caller.world);
    return { status: 200, payload: { worlds } };
  },
});

const end = operation({
  ...common,
  id: 'sandboxEndWorld',
  method: 'DELETE',
  path: '/sandbox/worlds/{world_id}',
  summary: 'Archives a cloned workspace and revokes the access of its clients.',
  params: worldPath,
  body: null,
  answers: { 204: null },
  refusals: [refusals.WORLD_NOT_FOUND, refusals.WORLD_IN_USE],
  async run(services, { caller, params, idempotency }) {
    const { news, shelf, world } = await placeOf(services, caller);
    const { world_id: id } = params;
    const { integrator } = caller;
    const show = async (): Promise<Answer> => ({ status: 204 });
    const kept = await keptAnswer(
      idempotency,
      (db, work) => once(db, world, idempotency, work, show),
      shelf.db,
    );
    if (kept !== null) return kept;
    const answer = await once(
      announcing(news),
      world,
      idempotency,
      async (tx) => {
        const found = isUuid(id) ? await lockWorld(tx, integrator, id) : null;
        if (found === null) throw refuse(refusals.WORLD_NOT_FOUND);
        if (found.main || found.world === world) throw refuse(refusals.WORLD_IN_USE);
        await closeWorld(tx, found.world, null);
        await audit(tx, { world, actor: actorOf(caller), act: 'world_ended', subject: id });
        return { status: 204, payload: null };
      },
      show,
    );
    await tidyShelf(shelf, integrator);
    return answer;
  },
});

const back = operation({
  ...common,
  id: 'sandboxRollBack',
  method: 'POST',
  path: '/sandbox/rollback',
  summary: "Rolls the caller's workspace back to a snapshot, with its ids, responses and clock.",
  params: NONE,
  body: rollBackBody,
  answers: { 200: changedRecord },
  refusals: [snapshotUnknown, SNAPSHOT_OUTDATED, WORLD_BUSY],
  run: (services, { caller, body, idempotency }) =>
    rollBack(services, { caller, idempotency }, body.snapshot_id),
});

const reset = operation({
  ...common,
  id: 'sandboxReset',
  method: 'POST',
  path: '/sandbox/reset',
  summary: "Resets the caller's workspace to its initial state.",
  params: NONE,
  body: null,
  answers: { 200: changedRecord },
  refusals: [refusals.WORLD_NOT_BEGUN, snapshotUnknown, SNAPSHOT_OUTDATED, WORLD_BUSY],
  run: (services, { caller, idempotency }) => rollBack(services, { caller, idempotency }, null),
});

export const operations: readonly DomainOperation[] = [
  take,
  listAll,
  remove,
  forkWorld,
  list,
  end,
  back,
  reset,
];
