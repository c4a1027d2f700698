// What the sandbox processor does by itself: makes happen what scripts put off, and posts notices
// to the merchant until they are taken. Answers for pauses, giving up, and for costing little where
// there are many: a notice of what an answer has told already may stay unsent.
// Refuses to know what the merchant does with a notice.
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Database } from '../../db/index.ts';
import type { NoticeBody } from './protocol.ts';
import { noticeSignature, SIGNATURE_HEADER, WORLD_HEADER } from './notice-signature.ts';
import { happenDue } from './outside.ts';

/** What notices run on. */
export interface NoticeOptions {
  readonly db: Database;
  /** Where notices are posted. */
  readonly url: string;
  /** The secret of a world's merchant. */
  keyOf(world: number): string;
  /** Told of faults of our own, never of a merchant that does not listen. */
  fault(error: unknown): void;
  /** Milliseconds between looks for what is due. Default 500. */
  readonly beat?: number;
  /** Milliseconds before the first repetition; doubles. Default 1,000. */
  readonly firstPause?: number;
}

/** Running notices. */
export interface Notices {
  stop(): Promise<void>;
}

interface Due {
  readonly world: number;
  readonly number: bigint;
  readonly key: string;
  readonly about: NoticeBody['about'];
  readonly ordinary: boolean;
  readonly created: string;
}

const BEAT_MS = 500;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
const TRIES = 10;
/** Notices of one turn; after a full turn with an urgent one the next follows at once. */
const AT_ONCE = 8;
const TIMEOUT_MS = 5_000;
const LEASE_SECONDS = 10;
/** Turns between clearings. */
const CLEARING = 20;

/** Starts them. */
export function startNotices(options: NoticeOptions): Notices {
  const stopping = new AbortController();
  const agent = new Agent({ connections: AT_ONCE, headersTimeout: TIMEOUT_MS });
  const running = run(options, agent, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await running;
      await agent.destroy();
    },
  };
}

async function run(options: NoticeOptions, agent: Agent, signal: AbortSignal): Promise<void> {
  for (let turn = 1; !signal.aborted; turn += 1) {
    let more = false;
    try {
      if (turn % CLEARING === 0) await clear(options.db);
      await happenDue(options.db);
      more = await sendDue(options, agent, signal);
    } catch (error) {
      if (!signal.aborted) options.fault(error);
    }
    if (!more) await sleep(options.beat ?? BEAT_MS, null, { signal }).catch(() => {});
  }
}

/** Sends what is due, urgent ones first; true when more of those may be waiting. */
async function sendDue(
  options: NoticeOptions,
  agent: Agent,
  signal: AbortSignal,
): Promise<boolean> {
  const due = await claim(options);
  await Promise.all(
    due.map(async (notice) => {
      if (await post(options, agent, signal, notice)) await taken(options.db, notice);
      else await refused(options, notice);
    }),
  );
  return due.length === AT_ONCE && due.some((notice) => !notice.ordinary);
}

/** Takes notices for one try each; due again when that must have ended, so a crash loses none. */
function claim({ db }: NoticeOptions): Promise<Due[]> {
  return db.query<Due>({
    name: 'processor_claim_notices',
    text: `update processor_notice set tries = tries + 1,
        due = clock_timestamp() + interval '${LEASE_SECONDS} seconds'
      where (world, number) in (
        select world, number from processor_notice
        where remaining > 0 and due <= clock_timestamp() and tries < ${TRIES}
        order by ordinary, due limit ${AT_ONCE} for update skip locked)
      returning world, number, key, about, ordinary, created`,
  });
}

/** True when the merchant took it. */
async function post(
  { url, keyOf }: NoticeOptions,
  agent: Agent,
  signal: AbortSignal,
  { world, number, key, about, created }: Due,
): Promise<boolean> {
  const body: NoticeBody = { notice_id: `ntc_${number}`, key, about, at: created };
  const seconds = Math.floor(Date.now() / 1000);
  const signature = noticeSignature(keyOf(world), seconds, world, body);
  try {
    const answer = await request(url, {
      dispatcher: agent,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        [WORLD_HEADER]: String(world),
        [SIGNATURE_HEADER]: `t=${seconds},v1=${signature}`,
      },
      body: JSON.stringify(body),
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await answer.body.dump();
    return answer.statusCode >= 200 && answer.statusCode < 300;
  } catch {
    return false;
  }
}

/** One delivery less to make; one that is to be repeated is due again. */
async function taken(db: Database, { world, number }: Due): Promise<void> {
  await db.execute({
    name: 'processor_notice_taken',
    text: `update processor_notice set remaining = remaining - 1, sent = sent + 1, tries = 0,
        due = clock_timestamp()
      where world = $1 and number = $2 and remaining > 0`,
    values: [world, number],
  });
}

/** The next try comes after a pause that doubles. */
async function refused({ db, firstPause }: NoticeOptions, { world, number }: Due): Promise<void> {
  await db.execute({
    name: 'processor_notice_refused',
    text: `update processor_notice set due = clock_timestamp()
        + least($3::int * 2 ^ (tries - 1), ${LONGEST_PAUSE_MS}) * interval '1 millisecond'
      where world = $1 and number = $2`,
    values: [world, number, firstPause ?? FIRST_PAUSE_MS],
  });
}

/** Forgets ordinary notices after a minute, sent or not. */
async function clear(db: Database): Promise<void> {
  await db.execute({
    name: 'processor_clear_notices',
    text: `delete from processor_notice
      where ordinary and due < clock_timestamp() - interval '1 minute'`,
  });
}
