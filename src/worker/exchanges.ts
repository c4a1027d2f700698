// The exchanges with the payment processor: which queues there are, and who asks. Answers for every
// answer reaching the command of its purpose; knows no rule of theirs.
import type { Command } from '../engine/index.ts';
import { chargeSettlers, remittanceSettlers } from '../domain/reconciliation/index.ts';
import { attemptQueue, remittanceQueue, startExchangeWorker } from '../domain/wallet/index.ts';
import type { LoopParts } from './loops.ts';

/** Running exchanges. */
export interface Exchanges {
  /** To be told which tables a commit wrote. */
  committed(tables: ReadonlySet<string>): void;
  /** Asks nothing more; resolves when what is under way has ended. */
  stop(): Promise<void>;
}

/** Starts one worker for each queue. */
export function startExchanges(parts: LoopParts): Exchanges {
  const { services, db, processorTimeoutMs, fault } = parts;
  const { engine, entropy, processor } = services;
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
  const workers = [charges, remittances].map((queue) => ({
    jobs: queue.jobs,
    worker: startExchangeWorker(options, queue as typeof charges),
  }));
  return {
    committed(tables) {
      for (const { jobs, worker } of workers) if (tables.has(jobs)) worker.wake();
    },
    async stop() {
      await Promise.all(workers.map(({ worker }) => worker.stop()));
    },
  };
}
