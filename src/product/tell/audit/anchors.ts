// Heads of the chains that were sent outside the database: what such an anchor says, and whether
// the chains still agree with every anchor ever sent. This finds a cut tail, a restored old backup
// and a chain rebuilt from its beginning. Reads only.
import { prepared, type Queryable } from '../../../db/index.ts';
import type { Anchors } from '../../../providers/anchors/port.ts';
import { signedBytes, type Block } from './canonical.ts';
import type { Findings } from './findings.ts';
import type { AuditKeys } from './keys.ts';

/** An anchor as stored outside. The signature is the block's own, so a key holder can check it. */
interface Anchor {
  readonly workspace: number;
  readonly number: string;
  readonly hash: string;
  readonly at: string;
  readonly key: string;
  readonly signature: string;
}

/** Anchors that are compared at a time. */
const BATCH = 1_000;

/** The anchor of a block, as one line of text. */
export function anchorOf({ workspace, number, hash, at, key, signature }: Block): string {
  const anchor: Anchor = {
    ...{ workspace, number: String(number), hash: hash.toString('hex'), at, key },
    signature: signature.toString('base64url'),
  };
  return JSON.stringify(anchor);
}

/** Appends the anchors of a workspace to those of another installation. */
export async function carryAnchors(from: Anchors, workspace: number, to: Anchors): Promise<void> {
  const lines: string[] = [];
  for await (const line of (await from.read()) ?? []) {
    if (readAnchor(line)?.workspace === workspace) lines.push(line);
  }
  if (lines.length > 0) await to.append(lines);
}

/** Compares every anchor with the block that it names; gives how many there were. */
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
    // A machine that loses power while it writes leaves half a line.
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
    const { workspace, number, hash, at, key, signature } = JSON.parse(line) as Partial<Anchor>;
    if (!Number.isInteger(workspace) || !/^\d{1,18}$/.test(number ?? '')) return null;
    return { workspace, number, hash, at, key, signature } as Anchor;
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
  const rows = await tx.query<{ hash: Buffer | null }>(prepared('audit_anchored')`
    select b.hash from unnest(${anchors.map(({ workspace }) => workspace)}::int4[],
      ${anchors.map(({ number }) => number)}::int8[]) with ordinality as n(workspace, number,
    at)
    left join audit_block b on b.workspace = n.workspace and b.number = n.number order by n.at`);
  for (const [at, { workspace, number, hash, at: sent, key, signature }] of anchors.entries()) {
    const now = rows[at]?.hash?.toString('hex') ?? null;
    if (now === hash) continue;
    const bytes = signedBytes(workspace, BigInt(number), Buffer.from(hash, 'hex'));
    const ours = keys.verifies(key, bytes, Buffer.from(signature, 'base64url'));
    const what = `workspace ${workspace} block ${number}`;
    if (!ours) findings.add(`${what}: its anchor was not signed by this installation`);
    else if (now === null) findings.add(`${what} is gone: it was anchored at ${sent}`);
    else findings.add(`${what} differs from the one anchored at ${sent}`);
  }
}
