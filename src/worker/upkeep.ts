// Periodic work that keeps tables small, and that of retention and erasure: the lists of it, each
// with its interval, and its stop.
import { startLoop } from '../concurrency/loop.ts';
import { turnGenerations, type Database } from '../db/index.ts';
import { forgetStrayContent } from '../product/money/evidence/index.ts';
import { forgetUnused } from '../product/money/invoice/index.ts';
import { forgetOperatorMails } from '../product/access/operator/index.ts';
import { forgetExpired } from '../product/access/oauth/index.ts';
import { forgetSecrets } from '../product/idempotent/index.ts';
import { forgetViews } from '../product/people/review/index.ts';
import { forgetChecks } from '../product/people/email-check/index.ts';
import { forgetMails } from '../product/tell/mail/index.ts';
import { thaw } from '../product/tenant/move/index.ts';
import { foldAllCredits } from '../ledger/index.ts';
import type { Services } from '../product/context.ts';
import { finishErasures, RETENTION } from '../product/people/retention/index.ts';

/** One kind of periodic work. */
export interface UpkeepRow {
  /** For the log. */
  readonly name: string;
  /** Seconds from the end of one turn to the start of the next. */
  readonly everySeconds: number;
  /** Does part of the work and returns how much; called again at once until it returns 0. */
  run(): Promise<number>;
}

export interface Upkeep {
  /** Begins no more work; resolves when running work has ended. */
  stop(): Promise<void>;
}

const MINUTE = 60;
const HOUR = 3_600;

/** The upkeep of an installation. Safe in several processes. [G-10, G-14, G-44] */
export function upkeepRows(db: Database): readonly UpkeepRow[] {
  return [
    { name: 'tenants whose move stands still', everySeconds: 1, run: () => thaw(db) },
    { name: 'credits of integrators', everySeconds: 2, run: () => foldAllCredits(db) },
    { name: 'expired tokens and links', everySeconds: HOUR, run: () => forgetExpired({ db }) },
    { name: 'unused authorized invoices', everySeconds: HOUR, run: () => forgetUnused(db) },
    { name: 'evidence of no dispute', everySeconds: HOUR, run: () => forgetStrayContent(db) },
    { name: 'secrets of kept answers', everySeconds: MINUTE, run: () => forgetSecrets(db) },
    { name: 'codes of addresses', everySeconds: MINUTE, run: () => forgetChecks(db) },
    { name: 'old mails', everySeconds: HOUR, run: () => forgetMails(db) },
    { name: 'old mails to operators', everySeconds: HOUR, run: () => forgetOperatorMails(db) },
    { name: 'ended generations', everySeconds: MINUTE, run: () => turnGenerations(db) },
    { name: 'documents shown to reviewers', everySeconds: HOUR, run: () => forgetViews(db) },
  ];
}

/**
 * Starts one loop per row, the first turn after one interval. A failed turn is reported to `fault`
 * with the row's name and repeated at the next interval.
 */
export function startUpkeep(
  rows: readonly UpkeepRow[],
  fault: (error: unknown, name: string) => void,
): Upkeep {
  let ended = false;
  const loops = rows.map((row) =>
    startLoop({
      everyMs: row.everySeconds * 1_000,
      turn: () => turn(row, () => ended),
      fault: (error) => fault(error, row.name),
    }),
  );
  return {
    async stop() {
      ended = true;
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

/** One turn of each row now, beside its loop; failures are reported the same way. */
export async function turnOf(
  rows: readonly UpkeepRow[],
  fault: (error: unknown, name: string) => void,
): Promise<void> {
  const one = (row: UpkeepRow): Promise<void> =>
    turn(row, () => false).catch((error: unknown) => fault(error, row.name));
  await Promise.all(rows.map(one));
}

async function turn(row: UpkeepRow, ended: () => boolean): Promise<void> {
  while (!ended() && (await row.run()) > 0);
}

/** The rows of retention and erasure. Safe in several processes. [PD3, PD6] */
export function vaultRows(db: Database, services: Services): readonly UpkeepRow[] {
  const { engine, keys, random, identityVendor } = services;
  const parts = { db, engine, keys, random };
  return [
    { name: 'erasures', everySeconds: 5, run: () => finishErasures(db, identityVendor) },
    ...RETENTION.map(({ name, run }) => ({
      name: `retention: ${name}`,
      everySeconds: 3_600,
      run: () => run(parts),
    })),
  ];
}
