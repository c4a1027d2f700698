// Recomputes the chain of a workspace from its rows, block by block and a page at a time, and names
// the block and row that differ from what was sealed. Reads only.
import type { Queryable } from '../../../db/index.ts';
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
import type { Findings } from './findings.ts';
import type { AuditKeys } from './keys.ts';

export interface ChainCheck {
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
export async function checkChain(
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
  return tx.query<Page>({
    name: 'audit_page',
    text: `select ${BLOCK_COLUMNS}, b.marks, ${lineDigests('b.workspace', 'b.number')} as of_lines,
        ${eventDigests('b.workspace', 'b.first_event', 'b.last_event')} as of_events
      from audit_block b where b.workspace = $1 and b.number > $2 order by b.number limit $3`,
    values: [workspace, after, PAGE],
  });
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
  const rows = await tx.query<{ id: string; version: number }>({
    text: `select id, version from audit_line where workspace = $1 and block = $2
      order by line offset $3 limit 1`,
    values: [workspace, number, nth - 1],
  });
  const { id, version } = rows[0] ?? { id: 'a row', version: 0 };
  return version === 0 ? `entry ${id}` : `step ${id} v${version}`;
}

function nameEvent({ first_event }: Block, nth: number): string {
  return `event ${first_event + BigInt(nth)}`;
}
