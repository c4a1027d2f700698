// Verifies the audit trail: every chain against its rows, and every anchor that was sent outside.
// Memory does not grow with the log. Reads only. [PD5]
import type { Transaction } from '../../../db/index.ts';
import type { ProofResult } from '../../../ledger/index.ts';
import type { Keys } from '../../../providers/keys/port.ts';
import { checkAnchors } from './anchors.ts';
import { checkChain } from './chain.ts';
import { Findings } from './findings.ts';
import type { Block } from './canonical.ts';
import { AuditKeys } from './keys.ts';
import type { Marks } from './proven.ts';

/** Forces lookups by key: with a hash join, each block would read all rows. */
const PLAN = ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin'];

/** What a verification found, and the last block of each chain that holds. */
export interface Verified {
  readonly results: readonly ProofResult[];
  readonly proven: readonly Block[];
}

/**
 * Verifies the chains in the transaction's snapshot, each from the block of its mark, without marks
 * from its first. `anchored` are the lines sent outside, no further than they were before the
 * snapshot was taken; null where there are none.
 */
export async function verifyAudit(
  tx: Transaction,
  keys: Keys,
  anchored: AsyncIterable<string> | null,
  marks: Marks | null = null,
): Promise<Verified> {
  for (const kind of PLAN) await tx.execute(`set local enable_${kind} = off`);
  const ring = new AuditKeys(keys);
  await ring.load(tx);
  const workspaces = await tx.query<{ workspace: number }>(
    'select workspace from workspace union all select 0 order by workspace',
  );
  const chains = marks?.findings ?? new Findings();
  const proven: Block[] = [];
  for (const { workspace } of workspaces) {
    const quick = { tx, keys: ring, findings: new Findings(), thorough: false };
    const last = await checkChain(quick, workspace, marks?.blocks.get(workspace) ?? null);
    // Something is wrong: a second, thorough pass also names what was forged.
    if (quick.findings.count > 0) {
      await checkChain({ ...quick, findings: chains, thorough: true }, workspace, null);
    } else if (last !== null && marks?.unfit.has(workspace) !== true) {
      proven.push(last);
    }
  }
  const heads = new Findings();
  const lines = anchored === null ? 0 : await checkAnchors(tx, ring, anchored, heads);
  for (const kind of PLAN) await tx.execute(`set local enable_${kind} to default`);
  const since = (marks?.blocks.size ?? 0) === 0 ? '' : ' after those that were proven before';
  const law = `No audit block${since} was changed after it was sealed: rows, position, signature.`;
  const kept =
    lines === 0
      ? 'No audit anchors were found, so a removed newest block would go unnoticed.'
      : `Every anchored audit block is unchanged (${lines} anchors).`;
  const results = [chains.result('audit_chain', law), heads.result('audit_anchors', kept)];
  return { results, proven };
}
