// The bytes that the chain is made of, shared by sealing and verifying: one text of each row, the
// hash of a block, and what its signature covers. They contain no personal data and no sealed blob,
// so that erasing a person changes no hash. Any change here is a new format.
import { createHash } from 'node:crypto';
import { CHAINED } from '../../../core/labels.ts';
import type { Instant } from '../../../core/time.ts';

/** Bytes of a digest, and of its part that is kept to name a changed row. */
export const DIGEST = 32;
export const MARK = 8;
/** The most audit lines, and the most events, of a block. */
export const MOST = 1_000;

/** What the hash of a block covers, besides the digests of its rows. */
export interface BlockHead {
  readonly workspace: number;
  readonly number: bigint;
  readonly previous: Buffer;
  readonly at: Instant;
  readonly lines: number;
  readonly first_event: bigint;
  readonly last_event: bigint;
  readonly key: string;
}

export interface Block extends BlockHead {
  readonly hash: Buffer;
  readonly signature: Buffer;
}

const EMPTY = Buffer.alloc(0);

/** The columns of `Block` in a query. */
export const BLOCK_COLUMNS =
  'b.workspace, b.number, b.previous, b.at, b.lines, b.first_event, b.last_event, b.key, ' +
  'b.hash, b.signature';

/** What is sealed of a step, an entry, an event; the first word tells which. */
const STEP = `'${CHAINED.step}', s.workspace, s.resource_id, s.version, s.machine, s.from_state,
  s.event, s.to_state, ${micros('s.at')}, s.actor, s.detail`;
const ENTRY = `'${CHAINED.entry}', a.workspace, a.id, ${micros('a.at')}, a.actor, a.act,
  a.subject, a.detail`;
const EVENT = `'${CHAINED.event}', e.workspace, e.sequence, e.event_id, e.name, e.resource_id,
  e.resource_version,
  ${micros('e.at')}, e.record, encode(sha256(convert_to(e.body, 'UTF8')), 'hex')`;

/** Microseconds, independent of how a session writes times. */
function micros(column: string): string {
  return `(extract(epoch from ${column}) * 1000000)::int8`;
}

function digest(fields: string): string {
  return `sha256(convert_to(${textOf(fields)}, 'UTF8'))`;
}

/** The text of a row that is hashed. */
function textOf(fields: string): string {
  return `json_build_array(${fields})::text`;
}

/** The digest of a missing row. */
const ABSENT = `'\\x${'00'.repeat(DIGEST)}'::bytea`;

/**
 * SQL for the digests of a block's audit lines, joined in order; a missing row has zeros. Null for
 * none. The database hashes, so that no row travels. Each row is fetched by its key in a subquery:
 * a join may be planned, while its table is small, as a scan of all of it.
 */
export function lineDigests(workspace: string, block: string): string {
  return `(select string_agg(coalesce(case when l.version > 0
        then (select ${digest(STEP)} from history s
          where s.workspace = l.workspace and s.resource_id = l.id and s.version = l.version)
        else (select ${digest(ENTRY)} from audit_entry a
          where a.workspace = l.workspace and a.id = l.id) end, ${ABSENT}), '' order by l.line)
    from audit_line l where l.workspace = ${workspace} and l.block = ${block})`;
}

/** As `lineDigests`, for the events from `first` to `last`, at most as many as a block holds. */
export function eventDigests(workspace: string, first: string, last: string): string {
  return `(select string_agg(coalesce((select ${digest(EVENT)} from event e
        where e.workspace = ${workspace} and e.sequence = n.sequence), ${ABSENT}), ''
        order by n.sequence)
    from generate_series(${first}, least(${last}, ${first} + ${MOST - 1})) n(sequence))`;
}

/**
 * SQL for the texts themselves, of a block's audit lines and then of its events, as an array; a
 * missing row is null.
 */
export const ROW_TEXTS = `array(select case when l.version > 0
        then (select ${textOf(STEP)} from history s
          where s.workspace = l.workspace and s.resource_id = l.id and s.version = l.version)
        else (select ${textOf(ENTRY)} from audit_entry a
          where a.workspace = l.workspace and a.id = l.id) end
      from audit_line l where l.workspace = b.workspace and l.block = b.number order by l.line)
    || array(select (select ${textOf(EVENT)} from event e
        where e.workspace = b.workspace and e.sequence = n.sequence)
      from generate_series(b.first_event, b.last_event) n(sequence) order by n.sequence)`;

/** The digest of a row's text; null: of a missing row. */
export function digestOf(text: string | null): Buffer {
  if (text === null) return Buffer.alloc(DIGEST);
  return createHash('sha256').update(text).digest();
}

/** SHA-256 over the block's own fields and the digests of its rows. */
export function hashOf(head: BlockHead, digests: Buffer): Buffer {
  const { workspace, number, previous, at, lines, first_event, last_event, key } = head;
  const fields = [
    workspace,
    number,
    previous.toString('hex'),
    at,
    lines,
    first_event,
    last_event,
    key,
  ];
  const text = JSON.stringify([CHAINED.block, ...fields.map(String)]);
  return createHash('sha256').update(`${text}\n`).update(digests).digest();
}

/** The link to the block before; it covers the signature, so that none can be replaced. */
export function linkTo(before: Pick<Block, 'hash' | 'signature'> | null): Buffer {
  if (before === null) return EMPTY;
  return createHash('sha256').update(before.hash).update(before.signature).digest();
}

/** The bytes that are signed. */
export function signedBytes(workspace: number, number: bigint, hash: Buffer): Buffer {
  return Buffer.from(`${CHAINED.signed}\n${workspace}\n${number}\n${hash.toString('hex')}`, 'utf8');
}

/** What was proven of a chain, and when. */
export interface Proven {
  readonly workspace: number;
  readonly number: bigint;
  /** As the next block states it. */
  readonly link: Buffer;
  readonly at: Instant;
}

/** The bytes that are signed once a chain was proven up to a block. */
export function provenBytes({ workspace, number, link, at }: Proven): Buffer {
  return Buffer.from([CHAINED.proven, workspace, number, link.toString('hex'), at].join('\n'));
}

/** The first bytes of each digest, joined. */
export function marksOf(digests: Buffer): Buffer {
  const marks = Buffer.alloc((digests.length / DIGEST) * MARK);
  for (let n = 0; n * DIGEST < digests.length; n += 1) {
    digests.copy(marks, n * MARK, n * DIGEST, n * DIGEST + MARK);
  }
  return marks;
}
