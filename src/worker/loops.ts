// Starts and stops a process's background loops (deliveries, event sealing, audit, provider calls,
// statements, upkeep), wakes them after commits, and fixes the order in which they stop.
import type { Database } from '../db/index.ts';
import type { Services } from '../domain/context.ts';
import { signWebhookToken } from '../domain/oauth/index.ts';
import { deliveryLoop, fanOut } from '../domain/webhook/index.ts';
import { isEnded } from '../engine/index.ts';
import { startSealing } from '../outbox/index.ts';
import type { Anchors } from '../ports/anchors.ts';
import type { Outbound } from '../ports/outbound.ts';
import { startAudit } from './audit.ts';
import { clockRows } from './clock.ts';
import { startExchanges } from './exchanges.ts';
import { identityRows } from './identity.ts';
import { reconciliationRows, startReconciliation } from './reconciliation.ts';
import { shared } from './turns.ts';
import { startUpkeep, turnOf, upkeepRows } from './upkeep.ts';
import { vaultRows } from './vault.ts';

/** What the loops run on. */
export interface LoopParts {
  readonly services: Services;
  /** Connections for background work. */
  readonly db: Database;
  /** Null: nobody outside is called, and such work waits. */
  readonly outbound: Outbound | null;
  /** Where the audit's block hashes go. */
  readonly anchors: Anchors;
  /** Milliseconds that a call of the processor may take. */
  readonly processorTimeoutMs: number;
  /** Called on a fault, with the name of the work if it has one. */
  readonly fault: (error: unknown, name?: string) => void;
  /** Called with one line that people should read. */
  readonly notice: (text: string) => void;
}

/** Running loops. */
export interface Loops {
  /** To be called at each commit with the workspaces and tables written. */
  committed(worlds: ReadonlySet<number>, tables: ReadonlySet<string>): void;
  /** One turn of each loop now: local work is done when it resolves, network work has begun. */
  turn(): Promise<void>;
  /** First half of the stop: no more calls to the processor, no more commands. */
  stopAsking(): Promise<void>;
  /** Second half, after the engine has stopped: no more sealing or sending. */
  stopTelling(): Promise<void>;
}

/** Replaces a loop that calls outside when nobody is to be called: its rows wait. */
const WAITING = { wake() {}, committed() {}, stop: async () => {} } as const;

export function startLoops(given: LoopParts): Loops {
  // Work running in a workspace that was archived is dropped; that is no fault.
  const fault: LoopParts['fault'] = (error, name) => {
    if (!isEnded(error)) given.fault(error, name);
  };
  const parts = { ...given, fault };
  const { services, db, outbound, notice } = parts;
  const { env, keys, entropy, stream } = services;
  const signer = signWebhookToken(services);
  const hosted = services.sandboxCounterparties?.receivers;
  const howToDeliver = {
    signToken: async (id: string) => (await signer(id)).token,
    patienceOf: (url: string) => hosted?.patienceAt(url) ?? null,
    onFault: fault,
  };
  const deliveries =
    outbound === null
      ? WAITING
      : deliveryLoop({ env, db, keys, entropy, outbound, stream }, howToDeliver);
  const sealing = startSealing({
    db,
    environment: env,
    fanOut,
    queued: () => deliveries.wake(),
    fault,
  });
  const audit = startAudit(parts);
  const exchanges = outbound === null ? WAITING : startExchanges(parts);
  const reconciliation = outbound === null ? WAITING : startReconciliation(parts);
  const ofClock = clockRows(db, services);
  const clock = startUpkeep([...ofClock, ...vaultRows(db, services)], fault);
  const ofIdentity = identityRows(db, services);
  const kept = [...upkeepRows(db), ...reconciliationRows(db, notice), ...ofIdentity];
  const upkeep = startUpkeep(kept, fault);
  return {
    committed(worlds, tables) {
      if (tables.has('outbox')) sealing.wake(worlds);
      exchanges.committed(tables);
      reconciliation.committed(worlds, tables);
    },
    turn: shared(async () => {
      exchanges.wake();
      reconciliation.wake();
      await turnOf(ofClock, fault);
      sealing.wake(new Set());
      deliveries.wake();
    }),
    async stopAsking() {
      await Promise.all([exchanges.stop(), reconciliation.stop(), clock.stop()]);
    },
    async stopTelling() {
      await upkeep.stop();
      await sealing.stop();
      await audit.stop();
      await deliveries.stop();
    },
  };
}
