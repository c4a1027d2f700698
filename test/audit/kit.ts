// An audit with content: accounts verified, blocked and opened, events sealed, blocks made, hashes
// sent to an anchor in memory. It can be checked inside one transaction, so that tampering is
// undone afterwards.
import type { Database, Transaction } from '../../src/db/index.ts';
import { anchorOf, audit, Sealer, verifyAudit } from '../../src/product/tell/audit/index.ts';
import { laws } from '../../src/product/tell/audit/laws.ts';
import { uuidOfWireId } from '../../src/core/ids.ts';
import { bookProofs } from '../../src/catalogue.ts';
import { runProofs } from '../../src/ledger/index.ts';
import { sealBlock } from '../../src/outbox/index.ts';
import { openBench, type Bench } from '../kit/domain-bench.ts';

/** What was found broken: names of laws, and what is wrong in words. */
export interface Found {
  readonly laws: readonly string[];
  readonly what: readonly string[];
}

export interface Scene {
  readonly bench: Bench;
  readonly sealer: Sealer;
  /** What was sent outside so far. */
  readonly anchors: string[];
  /** Ids of accounts that were verified and blocked. */
  readonly accounts: readonly string[];
  /** Makes some more history in one workspace, and blocks of it. */
  live(): Promise<string>;
  anchor(): Promise<void>;
}

/** Opens a scene of several blocks. */
export async function openScene(blocks: number): Promise<Scene> {
  const bench = await openBench();
  const { db } = bench;
  const sealer = new Sealer(bench.services, db);
  const anchors: string[] = [];
  const accounts: string[] = [];
  const live = async (): Promise<string> => {
    const account_id = await bench.newAccount();
    for (const state of ['MANUAL_REVIEW', 'ACCEPT']) {
      await bench.must('setAccountKYCState', { params: { account_id }, body: { state } });
    }
    const { workspace } = bench.home;
    const subject = uuidOfWireId('acct', account_id) ?? '';
    await audit(db, { workspace, actor: 'operator', act: 'person_opened', subject });
    await announce(db, workspace);
    await sealer.pass();
    return account_id;
  };
  const anchor = async (): Promise<void> => {
    anchors.push(...(await sealer.heads()).map(anchorOf));
  };
  for (let n = 0; n < blocks; n += 1) accounts.push(await live());
  await anchor();
  return { bench, sealer, anchors, accounts, live, anchor };
}

/** Gives one block of committed events their numbers; tells how many there were. */
export async function announceBlock(db: Database, workspace: number): Promise<number> {
  const fanOut = () => ({ text: 'select where false' });
  return (await sealBlock({ db, environment: 'staging', fanOut }, workspace)).events;
}

/** Gives all committed events their numbers; nobody may be writing, or it does not end. */
export async function announce(db: Database, workspace: number): Promise<void> {
  while ((await announceBlock(db, workspace)) > 0);
}

async function* each(lines: readonly string[]): AsyncIterable<string> {
  yield* lines;
}

/** Every law, every chain, every anchor, as `verify` asks them. */
export async function prove(scene: Scene, tx: Transaction): Promise<Found> {
  const { keys } = scene.bench.services;
  const results = [
    ...(await runProofs(tx, [...bookProofs, ...laws])),
    ...(await verifyAudit(tx, keys, each(scene.anchors))).results,
  ].filter(({ breaches }) => breaches > 0);
  return {
    laws: results.map(({ name }) => name),
    what: results.flatMap(({ examples }) => examples),
  };
}

const UNDO = new Error('undone on purpose');

/** Does something as a superuser past every trigger, gives what is found, and undoes it. */
export async function tamper(
  scene: Scene,
  act: (tx: Transaction) => Promise<unknown>,
): Promise<Found> {
  let found: Found | null = null;
  await scene.bench.db
    .transaction(async (tx) => {
      await tx.execute('set local session_replication_role = replica');
      await act(tx);
      await tx.execute('set local session_replication_role = origin');
      found = await prove(scene, tx);
      throw UNDO;
    })
    .catch((error: unknown) => {
      if (error !== UNDO) throw error;
    });
  if (found === null) throw new Error('nothing was proved');
  return found;
}

/** A database that is one transaction: what runs on it is undone with it. */
export function within(tx: Transaction): Database {
  return { ...tx, transaction: (work: (tx: Transaction) => unknown) => work(tx) } as never;
}
