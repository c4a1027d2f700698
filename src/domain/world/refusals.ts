// The refusals of snapshots and clones, in order of precedence.
import { defineRefusals, type RefusalSpec } from '../../kernel/refusal.ts';

export const refusals = defineRefusals({
  SNAPSHOT_NOT_FOUND: {
    status: 404,
    sentence: 'There is no snapshot of that id.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  WORLD_NOT_FOUND: {
    status: 404,
    sentence: 'There is no sandbox world of that id.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  WORLD_IN_USE: {
    status: 409,
    sentence: 'The main world stays, and so does the world of the client that asks.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  WORLD_NOT_BEGUN: {
    status: 409,
    sentence: 'The snapshot that this world began as was deleted; roll back to another one.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  SNAPSHOT_OUTDATED: {
    status: 409,
    sentence: 'The snapshot was taken by another release, with other fields; take a new one.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  SNAPSHOT_TOO_LARGE: {
    status: 409,
    sentence: 'The world has more rows than a snapshot holds.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  SNAPSHOT_LIMIT: {
    status: 409,
    sentence: 'The tenant has as many snapshots as it may; delete one first.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  WORLD_LIMIT: {
    status: 409,
    sentence: 'The tenant has as many sandbox worlds as it may; end one first.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
  WORLD_BUSY: {
    status: 409,
    sentence: 'Other copies of the sandbox are being made; nothing was changed.',
    act: 'caller',
    retry: true,
    cites: 'G-64',
  },
});

/** For a snapshot named by a body. */
export const snapshotUnknown: RefusalSpec = { ...refusals.SNAPSHOT_NOT_FOUND, status: 400 };
