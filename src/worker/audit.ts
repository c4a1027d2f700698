// The loop that seals audit blocks (within a second) and copies their hashes to the anchor (within
// a minute, and at the stop).
import type { Database } from '../db/index.ts';
import { anchorOf, Sealer } from '../product/tell/audit/index.ts';
import type { Services } from '../product/context.ts';
import type { Anchors } from '../providers/anchors/port.ts';
import { startUpkeep } from './upkeep.ts';

/** What the loop runs on. */
export interface AuditParts {
  readonly services: Pick<Services, 'db' | 'keys' | 'random'>;
  /** Connections for background work. */
  readonly db: Database;
  readonly anchors: Anchors;
  readonly fault: (error: unknown, name: string) => void;
  /** Called when the heads are in the anchor. */
  readonly anchored: () => void;
}

export interface Audit {
  /** Seals what waits, sends the hashes, and ends. */
  stop(): Promise<void>;
}

/** Starts the loop. Several processes may run one: each block is made by one of them. */
export function startAudit({ services, db, anchors, fault, anchored }: AuditParts): Audit {
  const sealer = new Sealer(services, db);
  /** The newest block of each workspace that this process has sent. */
  const sent = new Map<number, bigint>();

  async function seal(): Promise<number> {
    await sealer.pass();
    return 0;
  }

  async function anchor(): Promise<number> {
    const fresh = (await sealer.heads()).filter((head) => sent.get(head.workspace) !== head.number);
    if (fresh.length > 0) await anchors.append(fresh.map(anchorOf));
    for (const { workspace, number } of fresh) sent.set(workspace, number);
    anchored();
    return 0;
  }

  const rows = [
    { name: 'blocks of the audit', everySeconds: 0.5, run: seal },
    { name: 'heads of the audit', everySeconds: 60, run: anchor },
  ];
  const upkeep = startUpkeep(rows, fault);
  return {
    async stop() {
      await upkeep.stop();
      for (const { name, run } of rows) await run().catch((error: unknown) => fault(error, name));
    },
  };
}
