// The loop that makes blocks of the audit and sends their heads outside. Answers for its beat: a
// block within a second, a head within a minute and at the end. Knows nothing of what is audited.
import type { Database } from '../db/index.ts';
import { anchorOf, Sealer } from '../domain/audit/index.ts';
import type { Services } from '../domain/context.ts';
import type { Anchors } from '../ports/anchors.ts';
import { startUpkeep } from './upkeep.ts';

/** What the loop runs on. */
export interface AuditParts {
  readonly services: Pick<Services, 'db' | 'keys' | 'entropy'>;
  /** Connections for background work. */
  readonly db: Database;
  readonly anchors: Anchors;
  readonly fault: (error: unknown, name: string) => void;
}

/** A running loop. */
export interface Audit {
  /** Seals what waits, sends the heads, and ends. */
  stop(): Promise<void>;
}

/** Starts it. Several processes may run one each: every block is made by one of them. */
export function startAudit({ services, db, anchors, fault }: AuditParts): Audit {
  const sealer = new Sealer(services, db);
  /** The newest block of each world that this process has sent. */
  const sent = new Map<number, bigint>();

  async function seal(): Promise<number> {
    await sealer.pass();
    return 0;
  }

  async function anchor(): Promise<number> {
    const fresh = (await sealer.heads()).filter((head) => sent.get(head.world) !== head.number);
    if (fresh.length > 0) await anchors.append(fresh.map(anchorOf));
    for (const { world, number } of fresh) sent.set(world, number);
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
