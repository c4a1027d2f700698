// Verifies the audit trail: recomputes every chain from its rows, block by block and a page at a
// time, names the block and row that differ from what was sealed, and compares every anchor that
// was sent outside. Memory does not grow with the log. Reads only. [PD5]
import { prepared, raw, sql, type Queryable, type Transaction } from '../../../db/index.ts';
import type { ProofResult } from '../../../ledger/index.ts';
import type { Keys } from '../../../providers/keys/port.ts';
import { checkAnchors } from './anchors.ts';
import { Findings } from './findings.ts';
import { AuditKeys } from './keys.ts';
import type { Marks } from './proven.ts';
import {
  BLOCK_COLUMNS,
  DIGEST,
  eventDigests,
  hashOf,
  lineDigests,
  linkTo,
  MARK,
  marksOf,
  signedBytes,
  type Block,
} from './canonical.ts';

interface ChainCheck {
  readonly tx: Queryable;
  readonly keys: AuditKeys;
  readonly findings: Findings;
  /**
   * True checks every signature. False checks only the last, which proves the others, since their
   * signatures are in its hash; but it cannot name the forged block.
   */
  readonly thorough: boolean;
}

interface Page extends Block {
  readonly marks: Buffer;
  readonly of_lines: Buffer | null;
  readonly of_events: Buffer | null;
}

/** Blocks that are read at a time: at most 2,000 digests each. */
const PAGE = 128;
const NONE = Buffer.alloc(0);

/**
 * Checks one workspace after a block, or from its first with null; adds every breach to the
 * findings. Gives the last block.
 */
async function checkChain(
  check: ChainCheck,
  workspace: number,
  after: Block | null,
): Promise<Block | null> {
  let last = after;
  for (;;) {
    const page: Page[] = await readPage(check.tx, workspace, last?.number ?? 0n);
    for (const block of page) {
      checkPlace(check.findings, block, last);
      await checkRows(check, block);
      if (check.thorough) checkSignature(check, block);
      last = block;
    }
    if (page.length < PAGE) break;
  }
  if (last !== null && !check.thorough) checkSignature(check, last);
  return last;
}

async function readPage(tx: Queryable, workspace: number, after: bigint): Promise<Page[]> {
  return tx.query<Page>(prepared('audit_page')`
    select ${raw(BLOCK_COLUMNS)}, b.marks, ${raw(lineDigests('b.workspace', 'b.number'))} as
      of_lines,
      ${raw(eventDigests('b.workspace', 'b.first_event', 'b.last_event'))} as of_events
    from audit_block b where b.workspace = ${workspace} and b.number > ${after} order by b.number
      limit ${PAGE}`);
}

function named({ workspace, number }: Block): string {
  return `workspace ${workspace} block ${number}`;
}

function checkPlace(findings: Findings, block: Block, last: Block | null): void {
  const number = (last?.number ?? 0n) + 1n;
  if (block.number !== number) {
    const end = block.number - 1n;
    const gone = number === end ? `${number} is` : `${number} to ${end} are`;
    findings.add(`workspace ${block.workspace} block ${gone} gone`);
    return;
  }
  if (!block.previous.equals(linkTo(last))) {
    findings.add(`${named(block)} does not follow the current previous block`);
  }
  if (block.first_event !== (last?.last_event ?? 0n) + 1n) {
    findings.add(`${named(block)} does not start at the event after the previous block`);
  }
}

function checkSignature({ keys, findings }: ChainCheck, block: Block): void {
  const { workspace, number, key, hash, signature } = block;
  if (!keys.knows(key)) {
    findings.add(`${named(block)} is signed with a key of another installation`);
  } else if (!keys.verifies(key, signedBytes(workspace, number, hash), signature)) {
    findings.add(`${named(block)} has a signature that is not from this installation`);
  }
}

async function checkRows({ tx, findings }: ChainCheck, block: Page): Promise<void> {
  const lines = block.of_lines ?? NONE;
  const digests = Buffer.concat([lines, block.of_events ?? NONE]);
  const found = lines.length / DIGEST;
  if (found !== block.lines) {
    findings.add(`${named(block)} has ${found} rows, but ${block.lines} were sealed`);
    return;
  }
  const marks = marksOf(digests);
  const whole = hashOf(block, digests).equals(block.hash);
  if (whole && marks.equals(block.marks)) return;
  let changed = 0;
  for (let n = 0; n * MARK < marks.length; n += 1) {
    const part = [n * MARK, (n + 1) * MARK] as const;
    if (marks.subarray(...part).equals(block.marks.subarray(...part))) continue;
    changed += 1;
    const gone = digests.subarray(n * DIGEST, (n + 1) * DIGEST).every((byte) => byte === 0);
    const row = n < found ? await nameLine(tx, block, n + 1) : nameEvent(block, n - found);
    findings.add(`${named(block)}: ${row} ${gone ? 'is gone' : 'was changed after it was sealed'}`);
  }
  if (changed > 0) return;
  findings.add(`${named(block)} was changed after it was sealed: its own fields differ`);
}

async function nameLine(tx: Queryable, { workspace, number }: Block, nth: number): Promise<string> {
  const rows = await tx.query<{ id: string; version: number }>(sql`
    select id, version from audit_line where workspace = ${workspace} and block = ${number}
    order by line offset ${nth - 1} limit 1`);
  const { id, version } = rows[0] ?? { id: 'a row', version: 0 };
  return version === 0 ? `entry ${id}` : `step ${id} v${version}`;
}

function nameEvent({ first_event }: Block, nth: number): string {
  return `event ${first_event + BigInt(nth)}`;
}

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
