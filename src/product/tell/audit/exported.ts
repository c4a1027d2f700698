// The chain of a tenant as it leaves the installation: each block with the texts that it hashes,
// and a reader that proves it elsewhere, from the texts and public keys alone. [PD5]
import { raw, sql, type Queryable } from '../../../db/index.ts';
import type { Keys } from '../../../providers/keys/port.ts';
import {
  BLOCK_COLUMNS,
  digestOf,
  hashOf,
  linkTo,
  ROW_TEXTS,
  signedBytes,
  type Block,
} from './canonical.ts';
import { activeKey, AuditKeys, ensureAuditKey, signedBy, type AuditStore } from './keys.ts';

/** A block, and what it hashes: ids, states and digests, no personal data. */
export interface SealedBlock extends Block {
  /** Null where a row is gone. */
  readonly texts: readonly (string | null)[];
}

/** The next blocks of a workspace after one, oldest first; none at the end. */
export function readSealed(
  tx: Queryable,
  workspace: number,
  after: bigint,
  limit: number,
): Promise<SealedBlock[]> {
  return tx.query(sql`select ${raw(BLOCK_COLUMNS)}, ${raw(ROW_TEXTS)} as texts
    from audit_block b where b.workspace = ${workspace} and b.number > ${after} order by b.number
      limit ${limit}`);
}

/** Signs an export with the key that signs the audit; gives that key's name as well. */
export async function signExport(
  store: AuditStore & { readonly keys: Keys },
  bytes: Buffer,
): Promise<{ readonly key: string; readonly signature: Buffer }> {
  await ensureAuditKey(store);
  const row = await activeKey(store.db);
  return { key: row.key, signature: await new AuditKeys(store.keys).sign(row, bytes) };
}

/** Takes the blocks of one chain in order, and says what is wrong with each. */
export class ChainReader {
  readonly #keys: ReadonlySet<string>;
  #last: Block | null = null;

  /** `keys`: the public keys that may have signed. */
  constructor(keys: Iterable<string>) {
    this.#keys = new Set(keys);
  }

  /** What is wrong with a block; null: it follows, and says what was sealed. */
  take({ texts, ...block }: SealedBlock): string | null {
    const last = this.#last;
    this.#last = block;
    const { number, previous, hash, key, signature, workspace } = block;
    if (number !== (last?.number ?? 0n) + 1n) return 'is not the next block';
    if (!previous.equals(linkTo(last))) return 'does not follow the block before it';
    if (block.first_event !== (last?.last_event ?? 0n) + 1n) return 'skips events';
    const rows = BigInt(block.lines) + block.last_event - block.first_event + 1n;
    if (rows !== BigInt(texts.length)) return 'has not as many rows as were sealed';
    if (!hashOf(block, Buffer.concat(texts.map(digestOf))).equals(hash)) {
      return 'was changed after it was sealed';
    }
    if (!this.#keys.has(key)) return 'is signed with an unknown key';
    const signed = signedBy(key, signedBytes(workspace, number, hash), signature);
    return signed ? null : 'has a signature that is not of its key';
  }
}
