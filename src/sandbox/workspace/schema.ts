// Wire fields of snapshots and workspaces. Times are the workspace's.
import { z } from 'zod';
import { name, optional, strictObject, uuid } from '../../core/schema.ts';

const NAME_MAX = 100;

export const nameBody = strictObject({ name: optional(name(NAME_MAX)) });
export const cloneBody = strictObject({
  name: optional(name(NAME_MAX)),
  snapshot_id: optional(uuid()),
}).meta({ description: "Without snapshot_id, the caller's current workspace is cloned." });
export const rollBackBody = strictObject({ snapshot_id: uuid() });

export const snapshotPath = strictObject({ snapshot_id: uuid() });
export const workspacePath = strictObject({ world_id: uuid() });

export const snapshotRecord = z.strictObject({
  snapshot_id: z.string(),
  name: z.string(),
  world_id: z.string(),
  taken_at: z.string(),
  objects: z
    .number()
    .meta({ description: 'Number of accounts, invoices, escrows and other objects.' }),
  rows: z.number(),
}).meta({ title: 'Snapshot' });
export const snapshotList = z.strictObject({ snapshots: z.array(snapshotRecord) });

export const cloneRecord = z.strictObject({
  world_id: z.string(),
  name: z.string(),
  client_id: z.string(),
  client_secret: z.string().meta({ description: 'Shown only in this response.' }),
  scopes: z.array(z.string()),
  born_of: z.string().meta({ description: 'The snapshot from which it was cloned.' }),
});

export const workspaceRecord = z.strictObject({
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
export const workspaceList = z.strictObject({ worlds: z.array(workspaceRecord) });

export const changedRecord = z.strictObject({
  world_id: z.string().meta({ description: 'The workspace that the clients use from now on.' }),
  snapshot_id: z.string(),
  now: z.string(),
});
