// What happens to a disagreement without anybody: a warning before its limit and the default
// outcome at it, and its end with an escrow that a lost dispute of a charge ended. Pure. [G-96]
import { command, type Decision, type ReadSet } from '../../../engine/index.ts';
import { addSeconds } from '../../../core/time.ts';
import { disputesOf, escrowTable, requireEscrow } from '../escrow/index.ts';
import { load, saidOf, settle, stay } from './decide.ts';
import { disagreementMachine } from './machine.ts';
import { allTo } from './split.ts';
import { disagreementOf, disagreementTable } from './tables.ts';

/** Seconds until the clock looks again where a charge is disputed at the bank. */
const LATER = 86_400;

/** Warns of the limit of a disagreement, or does what follows at it. */
export const watchDisagreement = command({
  name: 'watch_disagreement',
  load(rows, { id }: { readonly id: string }) {
    const known = rows.read(disagreementTable, id);
    return known && load(rows, { escrowId: known.escrow_id });
  },
  decide(decision, _, loaded) {
    const done = { status: 200, payload: null };
    const row = loaded?.row ?? null;
    if (!row?.due || row.due > decision.now || row.state !== 'open') return done;
    if (row.due_by > decision.now) {
      stay(decision, row, 'warn', { due: row.due_by });
      return done;
    }
    const escrow = requireEscrow(loaded?.escrow ?? null);
    if (row.outcome === 'none') stay(decision, row, 'lapse', { due: null });
    else if (disputesOf(escrow.row).open > 0) {
      decision.update(disagreementTable, row.id, { due: addSeconds(decision.now, LATER) });
    } else {
      settle(decision, { escrow, row }, 'default', allTo(escrow, row.outcome), 'default');
    }
    return done;
  },
});

/** Locks the disagreement of an escrow whose charge is disputed. */
export function loadDisagreement(rows: ReadSet, escrowId: string): void {
  const id = disagreementOf(escrowId);
  if (rows.read(disagreementTable, id) !== null) rows.lock(disagreementTable, id);
}

/** Ends the disagreement of an escrow that a lost dispute has ended. [G-93] */
export function endWithEscrow(decision: Decision, escrowId: string): void {
  const row = decision.get(disagreementTable, disagreementOf(escrowId));
  if (row?.state !== 'open' || decision.get(escrowTable, escrowId)?.state === 'ESCROWED') return;
  const patch = { due: null, proposal: null };
  const said = { ...saidOf(row), proposal: null };
  decision.move(
    disagreementMachine, disagreementTable, row.id, 'charged_back', 'closed', patch, said,
  );
}
