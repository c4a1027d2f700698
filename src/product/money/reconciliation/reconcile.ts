// One pass over a workspace: reads new statement rows, matches them, and runs the commands that
// move money. It may be interrupted anywhere and run in several processes: every step happens once.
import type { Database } from '../../../db/index.ts';
import type { Command, CommandAnswer } from '../../../engine/index.ts';
import { derivedUuid } from '../../../core/ids.ts';
import type { Services } from '../../context.ts';
import { disputePolicy } from '../../tenant/settings/index.ts';
import {
  changeDispute,
  openDispute,
  type DisputeChange,
  type NewDispute,
} from '../dispute/index.ts';
import { findDiscrepancy, matchLine, returnSecondCapture } from './discrepancy.ts';
import { matchPlainLines, type Finding } from './match.ts';
import { bookSettlements } from './settlements.ts';
import {
  claimStatements,
  readPage,
  releaseStatement,
  type Claimed,
  type Look,
} from './statement.ts';

export interface ReconcilerParts {
  readonly services: Pick<Services, 'engine' | 'processor' | 'random' | 'workspaces'>;
  /** Connections for background work. */
  readonly db: Database;
  readonly fault: (error: unknown) => void;
}

/** Pages that are read in one pass; the next pass reads the rest. */
const PAGES_AT_ONCE = 20;

/** Reads and matches every statement that is due; gives how many workspaces that were. */
export async function reconcileDue(parts: ReconcilerParts): Promise<number> {
  const claimed = await claimStatements(parts.db, parts.services.random.uuid());
  await Promise.all(claimed.map((one) => reconcile(parts, one)));
  return claimed.length;
}

async function reconcile(parts: ReconcilerParts, claimed: Claimed): Promise<void> {
  let look: Look = 'silent';
  try {
    look = await readAndMatch(parts, claimed);
  } catch (error) {
    parts.fault(error);
  }
  await releaseStatement(parts.db, claimed, look);
}

async function readAndMatch(parts: ReconcilerParts, claimed: Claimed): Promise<Look> {
  const { db, services } = parts;
  const { workspace } = claimed;
  let { cursor } = claimed;
  let look: Look = 'quiet';
  for (let pages = 0; pages < PAGES_AT_ONCE; pages += 1) {
    const page = await readPage(db, services, workspace, cursor);
    await matchWorkspace(parts, workspace);
    if (await bookSettlements(parts, workspace)) await matchWorkspace(parts, workspace);
    if (page === null) return 'silent';
    cursor = page.cursor;
    if (page.fresh) look = 'lively';
    if (!page.more) break;
  }
  return look;
}

/** Matches the open rows of a workspace. A row that fails does not hold up the others. */
export async function matchWorkspace(parts: ReconcilerParts, workspace: number): Promise<void> {
  for (const finding of await matchPlainLines(parts.db, workspace)) {
    await act(parts, workspace, finding).catch(parts.fault);
  }
}

async function act(parts: ReconcilerParts, workspace: number, line: Finding): Promise<void> {
  const run = <I>(command: Command<I>, input: I): Promise<CommandAnswer> =>
    parts.services.engine.run(command, input, { workspace, actor: 'processor' });
  const verdict = { lineId: line.id, why: line.why };
  if (line.finding === 'differs') await run(findDiscrepancy, verdict);
  else if (line.finding === 'second') await run(returnSecondCapture, { lineId: line.id });
  else if (line.finding === 'dispute') {
    const { payload } = await run(changeDispute, changeOf(line));
    if (payload === true) await run(matchLine, verdict);
    else await run(findDiscrepancy, { lineId: line.id, why: 'disagrees' });
  } else {
    const of = parts.services.workspaces.lineageOf(workspace);
    if (line.finding === 'reversal') {
      const { bearer, fee_bearer } = await disputePolicy(parts.db, workspace);
      await run(openDispute, { ...disputeOf(of, line), bearer, fee_bearer });
    }
    await run(matchLine, verdict);
  }
}

/** The dispute that a row opens; its ids derive from lineage and reference. */
function disputeOf(of: number, line: Finding): NewDispute {
  const { subject, kind, reference, amount, currency, reason, due_by, fee } = line;
  return {
    id: derivedUuid(`dispute/${of}/${reference}`),
    reversalId: derivedUuid(`reversal/${of}/${reference}`),
    attemptId: subject ?? '',
    kind: kind as NewDispute['kind'],
    ...{ reference, amount, currency, reason, due_by, fee },
  };
}

function changeOf({ kind, reference, amount, currency, fee }: Finding): DisputeChange {
  const to = kind.replace('dispute_', '') as DisputeChange['to'];
  return { reference, to, amount, currency, fee };
}
