// What a simulator does by itself: carries out delayed events and posts webhooks with growing
// pauses until they are accepted or given up. To stay cheap, a webhook whose content an answer has
// already given may be dropped.
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Database } from '../../../db/index.ts';
import type { Book } from './access.ts';
import { signature, type Signing } from './signing.ts';

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
export interface NoticeBook<B, O extends object> {
  readonly book: Book;
  readonly ownColumns: readonly (keyof O & string)[];
  readonly signing: Signing<B>;
  bodyOf(notice: NoticeRow & O): B;
  /** Carries out delayed events that are due. */
  happenDue(db: Database): Promise<number>;
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
const TIMEOUT_MS = 5_000;
const LEASE_SECONDS = 10;
/** Turns between deletions. */
const CLEARING = 20;

/** Starts the sender. */
export function startNotices<B, O extends object>(
  options: NoticeOptions,
  book: NoticeBook<B, O>,
): Notices {
  const stopping = new AbortController();
  const agent = new Agent({ connections: AT_ONCE, headersTimeout: TIMEOUT_MS });
  const sender = new Sender(options, book, agent, stopping.signal);
  const running = sender.run();
  return {
    wake: () => sender.wake(),
    async stop() {
      stopping.abort();
      await running;
      await agent.destroy();
    },
  };
}

class Sender<B, O extends object> {
  readonly #options: NoticeOptions;
  readonly #book: NoticeBook<B, O>;
  readonly #agent: Agent;
  readonly #signal: AbortSignal;
  #awake = new AbortController();

  constructor(options: NoticeOptions, book: NoticeBook<B, O>, agent: Agent, signal: AbortSignal) {
    this.#options = options;
    this.#book = book;
    this.#agent = agent;
    this.#signal = signal;
  }

  wake(): void {
    this.#awake.abort();
  }

  async run(): Promise<void> {
    const { db, fault, beat } = this.#options;
    const signal = this.#signal;
    for (let turn = 1; !signal.aborted; turn += 1) {
      let more = false;
      this.#awake = new AbortController();
      const pause = AbortSignal.any([signal, this.#awake.signal]);
      try {
        if (turn % CLEARING === 0) await this.#clear();
        await this.#book.happenDue(db);
        more = await this.#sendDue();
      } catch (error) {
        if (!signal.aborted) fault(error);
      }
      if (!more) await sleep(beat ?? BEAT_MS, null, { signal: pause }).catch(() => {});
    }
  }

  /** Sends what is due, urgent ones first; true if more urgent ones may be waiting. */
  async #sendDue(): Promise<boolean> {
    const due = await this.#claim();
    await Promise.all(
      due.map(async (notice) => {
        if (await this.#post(notice)) await this.#taken(notice);
        else await this.#refused(notice);
      }),
    );
    return due.length === AT_ONCE && due.some((notice) => !notice.ordinary);
  }

  /** Claims webhooks for one attempt each; due again once that has ended: a crash loses none. */
  #claim(): Promise<(NoticeRow & O)[]> {
    const { book, ownColumns } = this.#book;
    return this.#options.db.query<NoticeRow & O>({
      name: `${book}_claim_notices`,
      text: `update ${book}_notice set tries = tries + 1, posting = true,
          due = clock_timestamp() + interval '${LEASE_SECONDS} seconds'
        where (workspace, number) in (
          select workspace, number from ${book}_notice
          where remaining > 0 and due <= clock_timestamp() and tries < ${TRIES}
          order by ordinary, due limit ${AT_ONCE} for update skip locked)
        returning
          ${['workspace', 'number', 'key', 'ordinary', 'created', ...ownColumns].join(', ')}`,
    });
  }

  /** True if it was accepted. */
  async #post(notice: NoticeRow & O): Promise<boolean> {
    const { url, keyOf } = this.#options;
    const { bodyOf, signing } = this.#book;
    const { workspace } = notice;
    const body = bodyOf(notice);
    const seconds = Math.floor(Date.now() / 1000);
    const mark = signature(keyOf(workspace), seconds, workspace, signing.signed(body));
    try {
      const answer = await request(url, {
        dispatcher: this.#agent,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          [signing.workspaceHeader]: String(workspace),
          [signing.signatureHeader]: `t=${seconds},v1=${mark}`,
        },
        body: JSON.stringify(body),
        signal: AbortSignal.any([this.#signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      await answer.body.dump();
      return answer.statusCode >= 200 && answer.statusCode < 300;
    } catch {
      return false;
    }
  }

  /** One delivery done; one to be repeated is due again. */
  async #taken({ workspace, number }: NoticeRow): Promise<void> {
    const { book } = this.#book;
    await this.#options.db.execute({
      name: `${book}_notice_taken`,
      text: `update ${book}_notice set remaining = remaining - 1, sent = sent + 1, tries = 0,
          posting = false, due = clock_timestamp()
        where workspace = $1 and number = $2 and remaining > 0`,
      values: [workspace, number],
    });
  }

  /** The next attempt comes after a doubled pause. */
  async #refused({ workspace, number }: NoticeRow): Promise<void> {
    const { book } = this.#book;
    const { db, firstPause } = this.#options;
    await db.execute({
      name: `${book}_notice_refused`,
      text: `update ${book}_notice set posting = false, due = clock_timestamp()
          + least($3::int * 2 ^ (tries - 1), ${LONGEST_PAUSE_MS}) * interval '1 millisecond'
        where workspace = $1 and number = $2`,
      values: [workspace, number, firstPause ?? FIRST_PAUSE_MS],
    });
  }

  /** Deletes ordinary webhooks after a minute, sent or not. */
  async #clear(): Promise<void> {
    const { book } = this.#book;
    await this.#options.db.execute({
      name: `${book}_clear_notices`,
      text: `delete from ${book}_notice
        where ordinary and due < clock_timestamp() - interval '1 minute'`,
    });
  }
}
