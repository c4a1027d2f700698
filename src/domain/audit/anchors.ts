// Heads of the chains outside the database: what a line says, and whether the chains still agree
// with every line that was ever sent. So a tail that was cut, an old backup that was put back and a
// chain that was made again from its beginning are found. Reads only.
import type { Queryable } from '../../db/index.ts';
import { signedBytes, type Block } from './canonical.ts';
import type { Findings } from './findings.ts';
import type { AuditKeys } from './keys.ts';

/** One line, as it is kept. The signature is the block's own; whoever has the key can check it. */
interface Anchor {
  readonly world: number;
  readonly number: string;
  readonly hash: string;
  readonly at: string;
  readonly key: string;
  readonly signature: string;
}

/** Lines that are compared at a time. */
const BATCH = 1_000;

/** The line of a block. */
export function anchorOf({ world, number, hash, at, key, signature }: Block): string {
  const anchor: Anchor = {
    ...{ world, number: String(number), hash: hash.toString('hex'), at, key },
    signature: signature.toString('base64url'),
  };
  return JSON.stringify(anchor);
}

/** Compares every line with the block that it names; gives how many lines there were. */
export async function checkAnchors(
  tx: Queryable,
  keys: AuditKeys,
  lines: AsyncIterable<string>,
  findings: Findings,
): Promise<number> {
  let count = 0;
  let batch: Anchor[] = [];
  for await (const line of lines) {
    count += 1;
    const anchor = readAnchor(line);
    // Half a line is what a machine leaves that loses power while it writes.
    if (anchor === null) continue;
    batch.push(anchor);
    if (batch.length < BATCH) continue;
    await compare(tx, keys, batch, findings);
    batch = [];
  }
  if (batch.length > 0) await compare(tx, keys, batch, findings);
  return count;
}

function readAnchor(line: string): Anchor | null {
  try {
    const { world, number, hash, at, key, signature } = JSON.parse(line) as Partial<Anchor>;
    if (!Number.isInteger(world) || !/^\d{1,18}$/.test(number ?? '')) return null;
    return { world, number, hash, at, key, signature } as Anchor;
  } catch {
    return null;
  }
}

async function compare(
  tx: Queryable,
  keys: AuditKeys,
  anchors: readonly Anchor[],
  findings: Findings,
): Promise<void> {
  const rows = await tx.query<{ hash: Buffer | null }>({
    name: 'audit_anchored',
    text: `select b.hash from unnest($1::int4[], $2::int8[]) with ordinality as n(world, number, at)
      left join audit_block b on b.world = n.world and b.number = n.number order by n.at`,
    values: [anchors.map(({ world }) => world), anchors.map(({ number }) => number)],
  });
  for (const [at, { world, number, hash, at: sent, key, signature }] of anchors.entries()) {
    const now = rows[at]?.hash?.toString('hex') ?? null;
    if (now === hash) continue;
    const bytes = signedBytes(world, BigInt(number), Buffer.from(hash, 'hex'));
    const ours = keys.verifies(key, bytes, Buffer.from(signature, 'base64url'));
    const what = `world ${world} block ${number}`;
    if (!ours) findings.add(`${what}: its anchor was not signed by this installation`);
    else if (now === null) findings.add(`${what} is gone: it was anchored at ${sent}`);
    else findings.add(`${what} is another one than was anchored at ${sent}`);
  }
}
