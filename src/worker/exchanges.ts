// The queues of calls to the payment processor and the identity vendor, and the command that each
// answer goes to.
import type { Command } from '../engine/index.ts';
import { checkQueue, settleCheck } from '../product/people/identity/index.ts';
import { answerQueue, settleAnswer } from '../product/money/dispute/index.ts';
import { payeeQueue, settlePayee } from '../product/money/payee/index.ts';
import { chargeSettlers, transferSettlers } from '../product/money/reconciliation/index.ts';
import { attemptQueue, transferQueue, startExchangeWorker } from '../product/money/wallet/index.ts';
import { matchThresholds, reviewedFrom } from '../product/tenant/settings/index.ts';
import type { LoopParts } from './parts.ts';

/** Seconds a claimed check is reserved: its files are many megabytes. */
const CHECK_LEASE_SECONDS = 60;
/** Concurrent checks: the files of each are in memory. */
const CHECKS_AT_ONCE = 4;

export interface Exchanges {
  /** To be called with the tables that a commit wrote. */
  committed(tables: ReadonlySet<string>): void;
  /** Checks for due work now. */
  wake(): void;
  /** Makes no more calls; resolves when running ones have ended. */
  stop(): Promise<void>;
}

/** Starts one worker per queue. */
export function startExchanges(parts: LoopParts): Exchanges {
  const { services, db, processorTimeoutMs, fault, observer } = parts;
  const { engine, random, keys, policies, processor, identityVendor: vendor, providers } = services;
  const settled = <I>(command: Command<I>) => (workspace: number, said: I) =>
    engine.run(command, said, { workspace, actor: 'processor' });
  const by = <I>(table: Readonly<Record<string, Command<I>>>) => {
    const rows = Object.entries(table).map(([purpose, command]) => [purpose, settled(command)]);
    return Object.fromEntries(rows) as Record<string, ReturnType<typeof settled<I>>>;
  };
  const options = {
    db,
    fault,
    observer,
    newId: random.uuid,
    chance: Math.random,
    leaseSeconds: processorTimeoutMs / 1000 + 5,
  };
  const charges = attemptQueue(db, processor, by(chargeSettlers));
  const transfers = transferQueue(db, processor, by(transferSettlers));
  const hasVendor = (workspace: number) => providers.configured(workspace, 'identity');
  const checks = checkQueue({
    db,
    keys,
    random,
    vendor,
    hasVendor,
    async settle(workspace, answer) {
      const actor = (await hasVendor(workspace)) ? 'vendor' : 'system';
      // By default a match is reported and decides nothing: what is compared is common to many.
      const reviewFrom = reviewedFrom(await matchThresholds(db, workspace), policies);
      return engine.run(settleCheck, { ...answer, reviewFrom }, { workspace, actor });
    },
  });
  const answers = answerQueue({ db, keys, random, processor, settle: settled(settleAnswer) });
  const { payees, workspaces } = services;
  const sellers = payeeQueue({ db, payees, workspaces, settle: settled(settlePayee) });
  const ofChecks = { ...options, leaseSeconds: CHECK_LEASE_SECONDS, parallel: CHECKS_AT_ONCE };
  const workers = [
    ...[charges, transfers].map((queue) => ({
      jobs: queue.jobs,
      worker: startExchangeWorker(options, queue as typeof charges),
    })),
    { jobs: checks.jobs, worker: startExchangeWorker(ofChecks, checks) },
    { jobs: answers.jobs, worker: startExchangeWorker({ ...options, parallel: 4 }, answers) },
    { jobs: sellers.jobs, worker: startExchangeWorker({ ...options, parallel: 4 }, sellers) },
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
