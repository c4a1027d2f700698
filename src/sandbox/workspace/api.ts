// The operations on snapshots of a sandbox's workspace and its clones: clones, rollbacks, resets.
// Staging only. [G-64]
import { isUuid } from '../../core/ids.ts';
import type { Answer } from '../../core/operation.ts';
import { refuse } from '../../core/refusal.ts';
import { audit } from '../../product/tell/audit/index.ts';
import { actorOf, type DomainOperation } from '../../product/context.ts';
import { operation } from '../services.ts';
import { once } from '../../product/idempotent/index.ts';
import { announcing, clone, keptAnswer, placeOf, rollBack, tidyStored } from './clone.ts';
import { closeWorkspace } from './archive.ts';
import { listWorkspaces, lockWorkspace } from './list.ts';
import { refusals, snapshotUnknown } from './refusals.ts';
import {
  changedRecord,
  cloneBody,
  cloneRecord,
  nameBody,
  NONE,
  rollBackBody,
  snapshotList,
  snapshotPath,
  snapshotRecord,
  workspaceList,
  workspacePath,
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
    const { stored, workspace } = await placeOf(services, caller);
    return once(
      stored.db,
      workspace,
      idempotency,
      async (tx) => {
        const row = await takeSnapshot(tx, stored, workspace, body.name ?? 'snapshot');
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
    const { stored, workspace } = await placeOf(services, caller);
    const { snapshot_id: id } = params;
    return once(
      stored.db,
      workspace,
      idempotency,
      async (tx) => {
        const found = isUuid(id) ? await findSnapshot(tx, caller.integrator, id) : null;
        if (found === null) throw refuse(refusals.SNAPSHOT_NOT_FOUND);
        await deleteSnapshot(tx, stored, found);
        return { status: 204, payload: null };
      },
      async () => ({ status: 204 }),
    );
  },
});

const cloneWorkspace = operation({
  ...common,
  id: 'sandboxForkWorld',
  method: 'POST',
  path: '/sandbox/worlds',
  summary: 'Clones a snapshot or the current workspace into a new workspace with its own client.',
  params: NONE,
  body: cloneBody,
  answers: { 201: cloneRecord },
  refusals: [
    snapshotUnknown,
    SNAPSHOT_OUTDATED,
    SNAPSHOT_TOO_LARGE,
    refusals.WORLD_LIMIT,
    WORLD_BUSY,
  ],
  run: (services, { caller, body, idempotency }) => clone(services, { caller, idempotency }, body),
});

const list = operation({
  ...common,
  id: 'sandboxListWorlds',
  method: 'GET',
  path: '/sandbox/worlds',
  summary: 'Lists the active workspaces of the tenant, the main one first.',
  params: NONE,
  body: null,
  answers: { 200: workspaceList },
  refusals: [],
  async run({ db }, { caller }) {
    const worlds = await listWorkspaces(db, caller.integrator, caller.workspace);
    return { status: 200, payload: { worlds } };
  },
});

const end = operation({
  ...common,
  id: 'sandboxEndWorld',
  method: 'DELETE',
  path: '/sandbox/worlds/{world_id}',
  summary: 'Archives a cloned workspace and revokes the access of its clients.',
  params: workspacePath,
  body: null,
  answers: { 204: null },
  refusals: [refusals.WORLD_NOT_FOUND, refusals.WORLD_IN_USE],
  async run(services, { caller, params, idempotency }) {
    const { news, stored, workspace } = await placeOf(services, caller);
    const { world_id: id } = params;
    const { integrator } = caller;
    const show = async (): Promise<Answer> => ({ status: 204 });
    const kept = await keptAnswer(
      idempotency,
      (db, work) => once(db, workspace, idempotency, work, show),
      stored.db,
    );
    if (kept !== null) return kept;
    const answer = await once(
      announcing(news),
      workspace,
      idempotency,
      async (tx) => {
        const found = isUuid(id) ? await lockWorkspace(tx, integrator, id) : null;
        if (found === null) throw refuse(refusals.WORLD_NOT_FOUND);
        if (found.main || found.workspace === workspace) throw refuse(refusals.WORLD_IN_USE);
        await closeWorkspace(tx, found.workspace, null);
        await audit(tx, { workspace, actor: actorOf(caller), act: 'workspace_ended', subject: id });
        return { status: 204, payload: null };
      },
      show,
    );
    await tidyStored(stored, integrator);
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
  cloneWorkspace,
  list,
  end,
  back,
  reset,
];
