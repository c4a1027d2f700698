// Which loops a process runs: the deliveries, the sealing of events, the audit, the exchanges with
// the card processor, its statements, the upkeep. Answers for how they wake each other and in
// which order they end. Knows no adapter.
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
  /** Null: nobody is called, and what would call somebody waits. */
  readonly outbound: Outbound | null;
  /** Where the heads of the audit go. */
  readonly anchors: Anchors;
  /** Milliseconds that an exchange with the processor may take. */
  readonly processorTimeoutMs: number;
  /** Told of faults, with the name of the work where it has one. */
  readonly fault: (error: unknown, name?: string) => void;
  /** Told in one line what people should look at. */
  readonly notice: (text: string) => void;
}

/** Running loops. */
export interface Loops {
  /** To be told of each commit: the worlds and the tables that it wrote. */
  committed(worlds: ReadonlySet<number>, tables: ReadonlySet<string>): void;
  /** A turn of each loop now: what needs no network is done then, the rest has begun. */
  turn(): Promise<void>;
  /** First half of the end: asks the processor nothing more, submits no command. */
  stopAsking(): Promise<void>;
  /** Second half, after the engine has stopped: nothing more is sealed or sent. */
  stopTelling(): Promise<void>;
}

/** Stands for a loop that calls somebody, where nobody is called: its rows wait. */
const WAITING = { wake() {}, committed() {}, stop: async () => {} } as const;

/** Starts them. */
export function startLoops(given: LoopParts): Loops {
  // What was under way in a world that ended is dropped; that is no fault.
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
