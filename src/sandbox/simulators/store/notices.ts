// What a simulator does by itself: carries out delayed events and posts webhooks with growing
// pauses until they are accepted or given up. To stay cheap, a webhook whose content an answer has
// already given may be dropped.
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { prepared, raw, type Database, type Transaction } from '../../../db/index.ts';
import type { Book } from './access.ts';
import { signedHeaders, type Signing } from './signing.ts';

/** What webhooks run on. */
export interface NoticeOptions {
  readonly db: Database;
  /** Where webhooks are posted. */
  readonly url: string;
  /** The workspace's secret at the simulator. */
  keyOf(workspace: number): string;
  /** Called on faults of our own, not if a merchant does not accept. */
  fault(error: unknown): void;
  /** Milliseconds between checks for due work. Default 500. */
  readonly beat?: number;
  /** Milliseconds before the first retry; doubles. Default 1,000. */
  readonly firstPause?: number;
}

/** One simulator's webhooks. `B`: their body; `O`: columns of this simulator only. */
export interface NoticeBook<B, O extends object, E extends string> {
  readonly book: Book;
  readonly ownColumns: readonly (keyof O & string)[];
  readonly signing: Signing<B>;
  bodyOf(notice: NoticeRow & O): B;
  /** Carries out a delayed event. */
  happen(tx: Transaction, workspace: number, key: string, event: E): Promise<unknown>;
}

/** A stored webhook. */
export interface NoticeRow {
  readonly workspace: number;
  readonly number: bigint;
  readonly key: string;
  readonly ordinary: boolean;
  readonly created: string;
}

/** The running sender. */
export interface Notices {
  /** Carries out and sends what is due now. */
  wake(): void;
  stop(): Promise<void>;
}

const BEAT_MS = 500;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
const TRIES = 10;
/** Webhooks per turn; after a full turn with an urgent one the next follows at once. */
const AT_ONCE = 8;
/** Delayed events per turn. */
const EVENTS_AT_ONCE = 20;
const TIMEOUT_MS = 5_000;
const LEASE_SECONDS = 10;
/** Turns between deletions. */
const CLEARING = 20;

interface Sender<B, O extends object> extends NoticeOptions {
  readonly notices: Omit<NoticeBook<B, O, never>, 'happen'>;
  readonly agent: Agent;
  readonly signal: AbortSignal;
}

/** Starts the sender. */
export function startNotices<B, O extends object, E extends string>(
  options: NoticeOptions,
  notices: NoticeBook<B, O, E>,
): Notices {
  const { db, fault, beat = BEAT_MS } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const agent = new Agent({ connections: AT_ONCE, headersTimeout: TIMEOUT_MS });
  const sender = { ...options, notices, agent, signal };
  let awake = new AbortController();

  async function run(): Promise<void> {
    for (let turn = 1; !signal.aborted; turn += 1) {
      let more = false;
      awake = new AbortController();
      const pause = AbortSignal.any([signal, awake.signal]);
      try {
        if (turn % CLEARING === 0) await clear(db, notices.book);
        await takeDue(db, notices.book, notices.happen);
        more = await sendDue(sender);
      } catch (error) {
        if (!signal.aborted) fault(error);
      }
      if (!more) await sleep(beat, null, { signal: pause }).catch(() => {});
    }
  }

  const running = run();
  return {
    wake: () => awake.abort(),
    async stop() {
      stopping.abort();
      await running;
      await agent.destroy();
    },
  };
}

/** Sends what is due, urgent ones first; true if more urgent ones may be waiting. */
async function sendDue<B, O extends object>(to: Sender<B, O>): Promise<boolean> {
  const { db, notices, firstPause = FIRST_PAUSE_MS } = to;
  const { book } = notices;
  const due = await claim(to);
  await Promise.all(
    due.map(async (notice) => {
      if (await post(to, notice)) await taken(db, book, notice);
      else await refused(db, book, notice, firstPause);
    }),
  );
  return due.length === AT_ONCE && due.some((notice) => !notice.ordinary);
}

/** SQL: the workspace of a row is not being moved to another installation. */
const STAYS = (of: string): string => `not exists (select from workspace w
  where w.workspace = ${of}.workspace and w.ended = '-infinity')`;

/** Claims webhooks for one attempt each; due again once that has ended: a crash loses none. */
function claim<B, O extends object>({ db, notices }: Sender<B, O>): Promise<(NoticeRow & O)[]> {
  const { book, ownColumns } = notices;
  const columns = ['workspace', 'number', 'key', 'ordinary', 'created', ...ownColumns];
  return db.query<NoticeRow & O>(prepared(`${book}_claim_notices`)`
    update ${raw(book)}_notice set tries = tries + 1, posting = true,
      due = $now + interval '${raw(LEASE_SECONDS)} seconds'
    where (workspace, number) in (
      select workspace, number from ${raw(book)}_notice n
      where remaining > 0 and due <= $now and tries < ${raw(TRIES)} and ${raw(STAYS('n'))}
      order by ordinary, due limit ${raw(AT_ONCE)} for update skip locked)
    returning ${raw(columns.join(', '))}`);
}

/** True if it was accepted. */
async function post<B, O extends object>(
  { url, keyOf, notices, agent, signal }: Sender<B, O>,
  notice: NoticeRow & O,
): Promise<boolean> {
  const { workspace } = notice;
  const { bodyOf, signing } = notices;
  const body = bodyOf(notice);
  const seconds = Math.floor(Date.now() / 1000);
  const signed = signedHeaders(signing, keyOf(workspace), seconds, workspace, body);
  try {
    const answer = await request(url, {
      dispatcher: agent,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signed },
      body: JSON.stringify(body),
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await answer.body.dump();
    return answer.statusCode >= 200 && answer.statusCode < 300;
  } catch {
    return false;
  }
}

/** One delivery done; one to be repeated is due again. */
async function taken(db: Database, book: Book, { workspace, number }: NoticeRow): Promise<void> {
  await db.execute(prepared(`${book}_notice_taken`)`
    update ${raw(book)}_notice set remaining = remaining - 1, sent = sent + 1, tries = 0,
      posting = false, due = $now
    where workspace = ${workspace} and number = ${number} and remaining > 0`);
}

/** The next attempt comes after a doubled pause. */
async function refused(
  db: Database,
  book: Book,
  { workspace, number }: NoticeRow,
  firstPause: number,
): Promise<void> {
  await db.execute({
    name: `${book}_notice_refused`,
    text: `update ${book}_notice set posting = false, due = $now
        + least($3::int * 2 ^ (tries - 1), ${LONGEST_PAUSE_MS}) * interval '1 millisecond'
      where workspace = $1 and number = $2`,
    values: [workspace, number, firstPause],
  });
}

/** Deletes ordinary webhooks after a minute, sent or not. */
async function clear(db: Database, book: Book): Promise<void> {
  await db.execute(prepared(`${book}_clear_notices`)`delete from ${raw(book)}_notice n
    where ordinary and due < $now - interval '1 minute' and ${raw(STAYS('n'))}`);
}

/** Carries out due events, each once; returns how many. */
export function takeDue<E extends string>(
  db: Database,
  book: Book,
  happen: NoticeBook<unknown, object, E>['happen'],
): Promise<number> {
  return db.transaction(async (tx) => {
    const due = await tx.query<{ workspace: number; key: string; event: E }>({
      text: `delete from ${book}_due where (workspace, key, event) in (
          select workspace, key, event from ${book}_due d
          where due <= $now and ${STAYS('d')}
          order by due limit ${EVENTS_AT_ONCE} for update skip locked)
        returning workspace, key, event`,
    });
    for (const { workspace, key, event } of due) await happen(tx, workspace, key, event);
    return due.length;
  });
}
