// How far the chains were proven before: a signed mark for each, which names a block by its number
// and by the link that covers it and all before it. A mark that does not fit proves nothing.
import { createHash } from 'node:crypto';
import type { Database, Queryable } from '../../../db/index.ts';
import type { Proof } from '../../../core/proof.ts';
import type { Instant } from '../../../core/time.ts';
import type { ProvenEvents } from '../../../ledger/index.ts';
import type { Keys } from '../../../providers/keys/port.ts';
import { BLOCK_COLUMNS, linkTo, provenBytes, type Block, type Proven } from './canonical.ts';
import { Findings } from './findings.ts';
import { activeKey, AuditKeys } from './keys.ts';

/** What earlier verifications proved and the chains still say, and which marks do not fit. */
export interface Marks {
  /** The block of each chain up to which it holds. */
  readonly blocks: ReadonlyMap<number, Block>;
  /** Of every workspace the last event up to which resources keep the laws. */
  readonly events: ProvenEvents;
  readonly findings: Findings;
}

interface Row extends Proven {
  readonly signer: string;
  readonly seal: Buffer;
}

/** The digest of the laws that can go on, in the words of this release. */
function digestOf(laws: readonly Proof[]): Buffer {
  const texts = laws.filter(({ since }) => since !== undefined).map(({ text }) => text);
  return createHash('sha256').update(JSON.stringify(texts)).digest();
}

/**
 * Reads the marks. What this installation signed and the chain no longer says is a breach; what it
 * did not sign is one too, and counts for nothing.
 */
export async function readMarks(
  tx: Queryable,
  keys: Keys,
  laws: readonly Proof[],
): Promise<Marks> {
  const ring = new AuditKeys(keys);
  await ring.load(tx);
  const rows = await tx.query<Row>(`select workspace, number, link, laws, at, key as signer,
    signature as seal from audit_proof order by workspace`);
  const found = await tx.query<Block>(`select ${BLOCK_COLUMNS} from audit_proof p
    join audit_block b on b.workspace = p.workspace and b.number = p.number`);
  const workspaces = await tx.query<{ workspace: number }>('select workspace from workspace');
  const events = new Map(workspaces.map(({ workspace }) => [workspace, 0n]));
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
      if (row.laws.equals(digestOf(laws))) events.set(row.workspace, block.last_event);
    }
  }
  return { blocks, events, findings };
}

/**
 * Keeps how far chains were proven, for the next time; nothing on a standby. `laws`: those that
 * held with them, or null where one that can go on did not.
 */
export async function markProven(
  db: Database,
  keys: Keys,
  blocks: readonly Block[],
  laws: readonly Proof[] | null,
): Promise<void> {
  const text = 'select clock_timestamp() as at, pg_is_in_recovery() as standby';
  const [now] = await db.query<{ at: Instant; standby: boolean }>(text);
  if (blocks.length === 0 || now === undefined || now.standby) return;
  const key = await activeKey(db);
  const signer = new AuditKeys(keys);
  const digest = laws === null ? Buffer.alloc(0) : digestOf(laws);
  for (const block of blocks) {
    const { workspace, number } = block;
    const proven = { workspace, number, link: linkTo(block), laws: digest, at: now.at };
    const signature = await signer.sign(key, provenBytes(proven));
    await db.execute({
      name: 'audit_mark_proven',
      text: `insert into audit_proof (workspace, number, link, laws, at, key, signature)
        values ($1, $2, $3, $4, $5, $6, $7) on conflict (workspace) do update
        set number = $2, link = $3, laws = $4, at = $5, key = $6, signature = $7`,
      values: [workspace, number, proven.link, digest, now.at, key.key, signature],
    });
  }
}
