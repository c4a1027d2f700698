// How far the chains were proven before: a signed mark for each, which names a block by its number
// and by the link that covers it and all before it. A mark that does not fit proves nothing.
import type { Database, Queryable } from '../../../db/index.ts';
import type { Instant } from '../../../core/time.ts';
import type { Keys } from '../../../providers/keys/port.ts';
import { BLOCK_COLUMNS, linkTo, provenBytes, type Block, type Proven } from './canonical.ts';
import { Findings } from './findings.ts';
import { activeKey, AuditKeys } from './keys.ts';

/** How far earlier verifications proved the chains, and which marks do not fit. */
export interface Marks {
  /** The block of each chain up to which it holds. */
  readonly blocks: ReadonlyMap<number, Block>;
  /** Chains whose mark does not fit: it stays until a whole verification. */
  readonly unfit: ReadonlySet<number>;
  readonly findings: Findings;
}

interface Row extends Proven {
  readonly signer: string;
  readonly seal: Buffer;
}

/**
 * Reads the marks. What this installation signed and the chain no longer says is a breach; what it
 * did not sign is one too, and counts for nothing.
 */
export async function readMarks(tx: Queryable, keys: Keys): Promise<Marks> {
  const ring = new AuditKeys(keys);
  await ring.load(tx);
  const rows = await tx.query<Row>(`select workspace, number, link, at, key as signer,
    signature as seal from audit_proof order by workspace`);
  const found = await tx.query<Block>(`select ${BLOCK_COLUMNS} from audit_proof p
    join audit_block b on b.workspace = p.workspace and b.number = p.number`);
  const blocks = new Map<number, Block>();
  const findings = new Findings();
  for (const row of rows) {
    const what = `workspace ${row.workspace} block ${row.number}`;
    const block = found.find(({ workspace }) => workspace === row.workspace);
    if (!ring.verifies(row.signer, provenBytes(row), row.seal)) {
      findings.add(`${what}: its proof was not signed by this installation`);
    } else if (block === undefined) {
      findings.add(`${what} is gone: it was proven at ${row.at}`);
    } else if (!linkTo(block).equals(row.link)) {
      findings.add(`${what} differs from the one proven at ${row.at}`);
    } else {
      blocks.set(row.workspace, block);
    }
  }
  const unfit = new Set(rows.map((row) => row.workspace).filter((one) => !blocks.has(one)));
  return { blocks, unfit, findings };
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
    const proven = { workspace, number, link: linkTo(block), at: now.at };
    const signature = await signer.sign(key, provenBytes(proven));
    await db.execute({
      name: 'audit_mark_proven',
      text: `insert into audit_proof (workspace, number, link, at, key, signature)
        values ($1, $2, $3, $4, $5, $6) on conflict (workspace) do update
        set number = $2, link = $3, at = $4, key = $5, signature = $6`,
      values: [workspace, number, proven.link, now.at, key.key, signature],
    });
  }
}
