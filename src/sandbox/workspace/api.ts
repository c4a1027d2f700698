// The operations on snapshots of a sandbox's workspace and its clones, with their wire fields:
// clones, rollbacks, resets. Times are the workspace's. Staging only. [G-64]
import { isUuid } from '../../core/ids.ts';
import { refuse } from '../../core/refusal.ts';
import { audit } from '../../product/tell/audit/index.ts';
import { actorOf, type DomainOperation } from '../../product/context.ts';
import { operation } from '../services.ts';
import { keptAnswer, once } from '../../product/idempotent/index.ts';
import { announcing, clone, placeOf, rollBack, tidyStored } from './clone.ts';
import { closeWorkspace } from './archive.ts';
import { listWorkspaces, lockWorkspace } from './list.ts';
import { refusals, snapshotUnknown } from './refusals.ts';
import {
  deleteSnapshot,
  findSnapshot,
  listSnapshots,
  renderSnapshot,
  takeSnapshot,
} from './snapshot.ts';
import { z } from 'zod';
import { name, optional, strictObject, uuid } from '../../core/schema.ts';

const NAME_MAX = 100;

const nameBody = strictObject({ name: optional(name(NAME_MAX)) });
const cloneBody = strictObject({
  name: optional(name(NAME_MAX)),
  snapshot_id: optional(uuid()),
}).meta({ description: "Without snapshot_id, the caller's current workspace is cloned." });
const rollBackBody = strictObject({ snapshot_id: uuid() });

const snapshotPath = strictObject({ snapshot_id: uuid() });
const workspacePath = strictObject({ world_id: uuid() });

const snapshotRecord = z.strictObject({
  snapshot_id: z.string(),
  name: z.string(),
  world_id: z.string(),
  taken_at: z.string(),
  objects: z
    .number()
    .meta({ description: 'Number of accounts, invoices, escrows and other objects.' }),
  rows: z.number(),
}).meta({ title: 'Snapshot' });
const snapshotList = z.strictObject({ snapshots: z.array(snapshotRecord) });

const cloneRecord = z.strictObject({
  world_id: z.string(),
  name: z.string(),
  client_id: z.string(),
  client_secret: z.string().meta({ description: 'Shown only in this response.' }),
  scopes: z.array(z.string()),
  born_of: z.string().meta({ description: 'The snapshot from which it was cloned.' }),
});

const workspaceRecord = z.strictObject({
  world_id: z.string(),
  name: z.string(),
  current: z.boolean().meta({ description: 'True for the workspace of the calling client.' }),
  main: z.boolean(),
  now: z.string(),
  client_ids: z.array(z.string()),
  snapshot_id: z
    .string()
    .nullable()
    .meta({ description: 'The snapshot to which a reset returns.' }),
  created: z.string(),
}).meta({ title: 'World' });
const workspaceList = z.strictObject({ worlds: z.array(workspaceRecord) });

const changedRecord = z.strictObject({
  world_id: z.string().meta({ description: 'The workspace that the clients use from now on.' }),
  snapshot_id: z.string(),
  now: z.string(),
});

const common = { cites: 'G-64', access: { client: 'write_sandbox' }, stagingOnly: true } as const;
const { SNAPSHOT_OUTDATED, SNAPSHOT_TOO_LARGE, WORLD_BUSY } = refusals;

const take = operation({
  ...common,
  id: 'sandboxTakeSnapshot',
  route: 'POST invoicing /sandbox/snapshots',
  summary: "Takes a snapshot of the caller's workspace.",
  body: nameBody,
  answers: { 201: snapshotRecord },
  refusals: [refusals.SNAPSHOT_LIMIT, SNAPSHOT_TOO_LARGE, WORLD_BUSY],
  async run(services, { caller, body, idempotency }) {
    const { stored, workspace } = await placeOf(services, caller);
    return once(stored.db, workspace, idempotency, async (tx) => {
      const row = await takeSnapshot(tx, stored, workspace, body.name ?? 'snapshot');
      return { status: 201, payload: renderSnapshot(row) };
    });
  },
});

const listAll = operation({
  ...common,
  id: 'sandboxListSnapshots',
  route: 'GET invoicing /sandbox/snapshots',
  summary: 'Lists the snapshots of the tenant, oldest first.',
  answers: { 200: snapshotList },
  async run({ db }, { caller }) {
    const rows = await listSnapshots(db, caller.integrator);
    return { status: 200, payload: { snapshots: rows.map(renderSnapshot) } };
  },
});

const remove = operation({
  ...common,
  id: 'sandboxDeleteSnapshot',
  route: 'DELETE invoicing /sandbox/snapshots/{snapshot_id}',
  summary: 'Deletes a snapshot.',
  params: snapshotPath,
  answers: { 204: null },
  refusals: [refusals.SNAPSHOT_NOT_FOUND],
  async run(services, { caller, params, idempotency }) {
    const { stored, workspace } = await placeOf(services, caller);
    const { snapshot_id: id } = params;
    return once(stored.db, workspace, idempotency, async (tx) => {
      const found = isUuid(id) ? await findSnapshot(tx, caller.integrator, id) : null;
      if (found === null) throw refuse(refusals.SNAPSHOT_NOT_FOUND);
      await deleteSnapshot(tx, stored, found);
      return { status: 204, payload: null };
    });
  },
});

const cloneWorkspace = operation({
  ...common,
  id: 'sandboxForkWorld',
  route: 'POST invoicing /sandbox/worlds',
  summary: 'Clones a snapshot or the current workspace into a new workspace with its own client.',
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
  route: 'GET invoicing /sandbox/worlds',
  summary: 'Lists the active workspaces of the tenant, the main one first.',
  answers: { 200: workspaceList },
  async run({ db }, { caller }) {
    const worlds = await listWorkspaces(db, caller.integrator, caller.workspace);
    return { status: 200, payload: { worlds } };
  },
});

const end = operation({
  ...common,
  id: 'sandboxEndWorld',
  route: 'DELETE invoicing /sandbox/worlds/{world_id}',
  summary: 'Archives a cloned workspace and revokes the access of its clients.',
  params: workspacePath,
  answers: { 204: null },
  refusals: [refusals.WORLD_NOT_FOUND, refusals.WORLD_IN_USE],
  async run(services, { caller, params, idempotency }) {
    const { news, stored, workspace } = await placeOf(services, caller);
    const { world_id: id } = params;
    const { integrator } = caller;
    const kept = await keptAnswer(idempotency, (work) =>
      once(stored.db, workspace, idempotency, work),
    );
    if (kept !== null) return kept;
    const answer = await once(announcing(news), workspace, idempotency, async (tx) => {
      const found = isUuid(id) ? await lockWorkspace(tx, integrator, id) : null;
      if (found === null) throw refuse(refusals.WORLD_NOT_FOUND);
      if (found.main || found.workspace === workspace) throw refuse(refusals.WORLD_IN_USE);
      await closeWorkspace(tx, found.workspace, null);
      await audit(tx, { workspace, actor: actorOf(caller), act: 'workspace_ended', subject: id });
      return { status: 204, payload: null };
    });
    await tidyStored(stored, integrator);
    return answer;
  },
});

const back = operation({
  ...common,
  id: 'sandboxRollBack',
  route: 'POST invoicing /sandbox/rollback',
  summary: "Rolls the caller's workspace back to a snapshot, with its ids, responses and clock.",
  body: rollBackBody,
  answers: { 200: changedRecord },
  refusals: [snapshotUnknown, SNAPSHOT_OUTDATED, WORLD_BUSY],
  run: (services, { caller, body, idempotency }) =>
    rollBack(services, { caller, idempotency }, body.snapshot_id),
});

const reset = operation({
  ...common,
  id: 'sandboxReset',
  route: 'POST invoicing /sandbox/reset',
  summary: "Resets the caller's workspace to its initial state.",
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
