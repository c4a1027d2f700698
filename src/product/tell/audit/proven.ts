// How far the chains were proven before: a signed mark for each, which names a block by its number
// and by the link that covers it and all before it. A mark that does not fit proves nothing.
import type { Database, Queryable } from '../../../db/index.ts';
import type { Instant } from '../../../core/time.ts';
import type { Keys } from '../../../providers/keys/port.ts';
import { BLOCK_COLUMNS, linkTo, provenBytes, type Block } from './canonical.ts';
import type { Findings } from './findings.ts';
import { activeKey, AuditKeys } from './keys.ts';

interface Marked extends Omit<Block, 'number' | 'workspace'> {
  readonly workspace: number;
  /** Null: the block is gone. */
  readonly number: bigint | null;
  readonly of: bigint;
  readonly link: Buffer;
  readonly proven: Instant;
  readonly by: string;
  readonly seal: Buffer;
}

/**
 * The block up to which each chain was proven. What this installation signed and the chain no
 * longer says is a breach; what it did not sign is one too, and counts for nothing.
 */
export async function provenBlocks(
  tx: Queryable,
  keys: AuditKeys,
  findings: Findings,
): Promise<ReadonlyMap<number, Block>> {
  const rows = await tx.query<Marked>(`select ${BLOCK_COLUMNS}, p.workspace, p.number as of, p.link,
      p.at as proven, p.key as by, p.signature as seal
    from audit_proof p left join audit_block b on b.workspace = p.workspace and b.number = p.number
    order by p.workspace`);
  const blocks = new Map<number, Block>();
  for (const { number, of, link, proven, by, seal, ...rest } of rows) {
    const what = `workspace ${rest.workspace} block ${of}`;
    if (!keys.verifies(by, provenBytes(rest.workspace, of, link, proven), seal)) {
      findings.add(`${what}: its proof was not signed by this installation`);
    } else if (number === null) {
      findings.add(`${what} is gone: it was proven at ${proven}`);
    } else if (!linkTo(rest).equals(link)) {
      findings.add(`${what} differs from the one proven at ${proven}`);
    } else {
      blocks.set(rest.workspace, { ...rest, number });
    }
  }
  return blocks;
}

/** Keeps how far chains were proven, for the next time; nothing on a standby. */
export async function markProven(
  db: Database,
  keys: Keys,
  blocks: readonly Block[],
): Promise<void> {
  const text = 'select clock_timestamp() as at, pg_is_in_recovery() as standby';
  const [now] = await db.query<{ at: Instant; standby: boolean }>(text);
  if (blocks.length === 0 || now === undefined || now.standby) return;
  const key = await activeKey(db);
  const signer = new AuditKeys(keys);
  for (const block of blocks) {
    const { workspace, number } = block;
    const link = linkTo(block);
    const signature = await signer.sign(key, provenBytes(workspace, number, link, now.at));
    await db.execute({
      name: 'audit_mark_proven',
      text: `insert into audit_proof (workspace, number, link, at, key, signature)
        values ($1, $2, $3, $4, $5, $6) on conflict (workspace) do update
        set number = $2, link = $3, at = $4, key = $5, signature = $6`,
      values: [workspace, number, link, now.at, key.key, signature],
    });
  }
}
