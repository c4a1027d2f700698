// The text of the terms: its versions, and what may be published. Only plain text; versions are
// numbered without gaps.
import { prepared, sql } from '../../../db/index.ts';
import type { Database, Queryable, Transaction } from '../../../db/index.ts';
import type { Instant } from '../../../core/time.ts';
import { audit } from '../../tell/audit/index.ts';
import { SANDBOX_TERMS } from './sandbox-text.ts';

/** In bytes of UTF-8. */
export const TERMS_MAX_BYTES = 200_000;

export interface Terms {
  readonly version: number;
  readonly created: Instant;
  /** Plain text; an empty line separates paragraphs. */
  readonly content: string;
}

/** The newest version, or null where none was published. */
export async function currentTerms(db: Queryable): Promise<Terms | null> {
  const rows = await db.query<Terms>(prepared('terms_current')`
    select version, created, content from terms_version order by version desc limit 1`);
  return rows[0] ?? null;
}

/**
 * Reads a text to publish: line ends become one kind, surrounding blanks are removed. Throws an
 * Error with one sentence for a text that is empty, too long, or not plain.
 */
export function readTerms(bytes: Uint8Array): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error('The terms must be text in UTF-8.');
  }
  const content = text.replace(/\r\n?/g, '\n').replace(/[ \t]+$/gm, '').trim();
  if (content === '') throw new Error('The terms are empty.');
  if (Buffer.byteLength(content) > TERMS_MAX_BYTES) {
    throw new Error(`The terms are longer than ${TERMS_MAX_BYTES} bytes.`);
  }
  if (/(?![\n\t])\p{Cc}/u.test(content)) throw new Error('The terms contain control characters.');
  if (/<[a-z!/?]/i.test(content)) {
    throw new Error(
      'The terms contain markup: write plain text, with empty lines between paragraphs.',
    );
  }
  return content;
}

/**
 * Publishes a text from `readTerms`: everybody is asked again. Publishing the current text again
 * makes no new version.
 */
export function publishTerms(
  db: Database,
  content: string,
): Promise<{ readonly terms: Terms; readonly fresh: boolean }> {
  return db.transaction(async (tx) => {
    const current = await lockedTerms(tx);
    if (current?.content === content) return { terms: current, fresh: false };
    return { terms: await addVersion(tx, content, 'operator'), fresh: true };
  });
}

/** Publishes an invented text in a sandbox that has none. */
export async function ensureSandboxTerms(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    if ((await lockedTerms(tx)) === null) await addVersion(tx, SANDBOX_TERMS, 'system');
  });
}

/** The advisory lock of whoever publishes. */
const PUBLISHING = 4_604_127_041;

/** Serializes concurrent publishing. */
async function lockedTerms(tx: Transaction): Promise<Terms | null> {
  await tx.query(sql`select pg_advisory_xact_lock(${PUBLISHING})`);
  return currentTerms(tx);
}

async function addVersion(tx: Transaction, content: string, actor: string): Promise<Terms> {
  const [added] = await tx.query<Terms>(sql`insert into terms_version (version, content)
    select coalesce(max(version), 0) + 1, ${content} from terms_version
    returning version, created, content`);
  if (added === undefined) throw new Error('a version of the terms was not made');
  const { version } = added;
  await audit(tx, { workspace: 0, actor, act: 'terms_published', detail: { version } });
  return added;
}
