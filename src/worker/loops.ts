// Starts and stops a process's background loops (deliveries, event sealing, audit, provider calls,
// statements, upkeep), wakes them after commits, and fixes the order in which they stop.
import { signWebhookToken } from '../product/access/oauth/index.ts';
import { deliveryLoop, fanOut } from '../product/tell/webhook/index.ts';
import { isAway, isUnavailable } from '../engine/index.ts';
import { startSealing } from '../outbox/index.ts';
import { startAudit } from './audit.ts';
import { clockRows } from './clock.ts';
import { startExchanges } from './exchanges.ts';
import { identityRows } from './identity.ts';
import { startUpkeep, turnOf, upkeepRows, vaultRows } from './upkeep.ts';
import { startMail } from './mail.ts';
import type { LoopParts, Loops } from './parts.ts';
import { reconciliationRows, startReconciliation } from './reconciliation.ts';

/** Replaces a loop that calls outside when nobody is to be called: its rows wait. */
const WAITING = { wake() {}, committed() {}, stop: async () => {} } as const;

export function startLoops(given: LoopParts): Loops {
  // Work in a workspace that is gone is dropped; of a database that is away the engine told itself.
  const fault: LoopParts['fault'] = (error, name) => {
    if (!isAway(error) && !isUnavailable(error)) given.fault(error, name);
  };
  const parts = { ...given, fault };
  const { services, db, outbound, patienceOf, notice, observer } = parts;
  const { env, keys, random, stream } = services;
  const signer = signWebhookToken(services);
  const howToDeliver = {
    signToken: async (id: string) => (await signer(id)).token,
    patienceOf,
    observer,
    onFault: fault,
  };
  const deliveries =
    outbound === null
      ? WAITING
      : deliveryLoop({ env, db, keys, random, outbound, stream }, howToDeliver);
  const sealing = startSealing({
    db,
    environment: env,
    fanOut,
    queued: () => deliveries.wake(),
    fault,
  });
  const mail = outbound === null ? WAITING : startMail(parts);
  const audit = startAudit(parts);
  const exchanges = outbound === null ? WAITING : startExchanges(parts);
  const reconciliation = outbound === null ? WAITING : startReconciliation(parts);
  const ofClock = clockRows(db, services);
  const clock = startUpkeep([...ofClock, ...vaultRows(db, services)], fault);
  const ofIdentity = identityRows(db, services);
  const kept = [...upkeepRows(db), ...reconciliationRows(db, notice), ...ofIdentity];
  const upkeep = startUpkeep(kept, fault);
  return {
    committed(workspaces, tables) {
      if (tables.has('outbox')) sealing.wake(workspaces);
      exchanges.committed(tables);
      reconciliation.committed(workspaces, tables);
    },
    turn: shared(async () => {
      exchanges.wake();
      reconciliation.wake();
      await turnOf(ofClock, fault);
      sealing.wake(new Set());
      deliveries.wake();
      mail.wake();
    }),
    async stopAsking() {
      await Promise.all([exchanges.stop(), reconciliation.stop(), clock.stop()]);
    },
    async stopTelling() {
      await upkeep.stop();
      await sealing.stop();
      await audit.stop();
      await Promise.all([deliveries.stop(), mail.stop()]);
    },
  };
}

/**
 * Shares runs between callers: whoever asks during a run gets the next one, since their change may
 * have come too late for the current one.
 */
function shared(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const start = (): Promise<void> => {
    next = null;
    running = run().finally(() => (running = null));
    return running;
  };
  return () => {
    if (running === null) return start();
    next ??= running.then(start, start);
    return next;
  };
}
