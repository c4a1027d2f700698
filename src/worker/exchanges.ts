// The exchanges with the payment processor and the identity vendor: which queues there are, and who
// asks. Answers for every answer reaching the command of its purpose; knows no rule of theirs.
import type { Command } from '../engine/index.ts';
import { checkQueue, settleCheck } from '../domain/identity/index.ts';
import { REVIEW_THRESHOLD } from '../domain/matching/index.ts';
import { chargeSettlers, remittanceSettlers } from '../domain/reconciliation/index.ts';
import { attemptQueue, remittanceQueue, startExchangeWorker } from '../domain/wallet/index.ts';
import type { LoopParts } from './loops.ts';

/** Seconds that a claim of a check lasts: its files are many megabytes. */
const CHECK_LEASE_SECONDS = 60;
/** Checks asked about at the same time: the files of each are in memory. */
const CHECKS_AT_ONCE = 4;

/** Running exchanges. */
export interface Exchanges {
  /** To be told which tables a commit wrote. */
  committed(tables: ReadonlySet<string>): void;
  /** Looks for what is due now. */
  wake(): void;
  /** Asks nothing more; resolves when what is under way has ended. */
  stop(): Promise<void>;
}

/** Starts one worker for each queue. */
export function startExchanges(parts: LoopParts): Exchanges {
  const { services, db, processorTimeoutMs, fault } = parts;
  const { engine, entropy, keys, policies, processor, identityVendor: vendor } = services;
  const by = <I>(table: Readonly<Record<string, Command<I>>>) => {
    const rows = Object.entries(table).map(([purpose, command]) => {
      const settle = (world: number, answer: I) =>
        engine.run(command, answer, { world, actor: 'processor' });
      return [purpose, settle] as const;
    });
    return Object.fromEntries(rows);
  };
  const options = {
    db,
    fault,
    newId: entropy.uuid,
    chance: Math.random,
    leaseSeconds: processorTimeoutMs / 1000 + 5,
  };
  const charges = attemptQueue(db, processor, by(chargeSettlers));
  const remittances = remittanceQueue(db, processor, by(remittanceSettlers));
  // Unless the operator wants it, a match is told and decides nothing: many share what is compared.
  const strictness = policies.reviewMatches ? { reviewFrom: REVIEW_THRESHOLD } : {};
  const checks = checkQueue({
    db,
    keys,
    entropy,
    vendor,
    settle: (world, answer) =>
      engine.run(settleCheck, { ...answer, ...strictness }, { world, actor: 'vendor' }),
  });
  const ofChecks = { ...options, leaseSeconds: CHECK_LEASE_SECONDS, parallel: CHECKS_AT_ONCE };
  const workers = [
    ...[charges, remittances].map((queue) => ({
      jobs: queue.jobs,
      worker: startExchangeWorker(options, queue as typeof charges),
    })),
    { jobs: checks.jobs, worker: startExchangeWorker(ofChecks, checks) },
  ];
  return {
    committed(tables) {
      for (const { jobs, worker } of workers) if (tables.has(jobs)) worker.wake();
    },
    wake() {
      for (const { worker } of workers) worker.wake();
    },
    async stop() {
      await Promise.all(workers.map(({ worker }) => worker.stop()));
    },
  };
}
