// The exchanges with the payment processor: which queues there are, and who settles what. Answers
// for a table of purposes; knows no rule of theirs.
import type { Command } from '../engine/index.ts';
import { settleEscrowCancel, settleEscrowPayment } from '../domain/escrow/index.ts';
import { settleInvoice } from '../domain/invoice/index.ts';
import { settlePayout } from '../domain/payout/index.ts';
import {
  attemptQueue,
  remittanceQueue,
  settleDeposit,
  startExchangeWorker,
} from '../domain/wallet/index.ts';
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
  const by =
    <I>(command: Command<I>) =>
    (world: number, answer: I) =>
      engine.run(command, answer, { world, actor: 'processor' });
  const options = {
    db,
    fault,
    newId: entropy.uuid,
    chance: Math.random,
    leaseSeconds: processorTimeoutMs / 1000 + 5,
  };
  const charges = attemptQueue(db, processor, {
    invoice: by(settleInvoice),
    escrow: by(settleEscrowPayment),
    deposit: by(settleDeposit),
  });
  const remittances = remittanceQueue(db, processor, {
    escrow_cancel: by(settleEscrowCancel),
    payout: by(settlePayout),
  });
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
