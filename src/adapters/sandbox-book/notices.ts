// What a foreign system of the sandbox does by itself: makes happen what was put off, and posts
// notices until they are taken. Answers for pauses, giving up, and for costing little where there
// are many: a notice of what an answer has told already may stay unsent.
// Refuses to know whose book it is, and what becomes of a notice.
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Database } from '../../db/index.ts';
import type { Book } from './access.ts';
import { signature, type Signing } from './signing.ts';

/** What notices run on. */
export interface NoticeOptions {
  readonly db: Database;
  /** Where notices are posted. */
  readonly url: string;
  /** The secret of a world at the system. */
  keyOf(world: number): string;
  /** Told of faults of our own, never of a merchant that does not listen. */
  fault(error: unknown): void;
  /** Milliseconds between looks for what is due. Default 500. */
  readonly beat?: number;
  /** Milliseconds before the first repetition; doubles. Default 1,000. */
  readonly firstPause?: number;
}

/** Whose notices they are. `B`: the body of one; `O`: columns that only this book has. */
export interface NoticeBook<B, O extends object> {
  readonly book: Book;
  readonly ownColumns: readonly (keyof O & string)[];
  readonly signing: Signing<B>;
  bodyOf(notice: NoticeRow & O): B;
  /** Makes happen what was put off and is due now. */
  happenDue(db: Database): Promise<number>;
}

/** A notice as its book has it. */
export interface NoticeRow {
  readonly world: number;
  readonly number: bigint;
  readonly key: string;
  readonly ordinary: boolean;
  readonly created: string;
}

/** Running notices. */
export interface Notices {
  /** Has what is due happen and be told now. */
  wake(): void;
  stop(): Promise<void>;
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

  constructor(
    options: NoticeOptions,
    book: NoticeBook<B, O>,
    agent: Agent,
    signal: AbortSignal,
  ) {
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

  /** Sends what is due, urgent ones first; true when more of those may be waiting. */
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

  /** Takes notices for one try each; due again when that must have ended: a crash loses none. */
  #claim(): Promise<(NoticeRow & O)[]> {
    const { book, ownColumns } = this.#book;
    return this.#options.db.query<NoticeRow & O>({
      name: `${book}_claim_notices`,
      text: `update ${book}_notice set tries = tries + 1, posting = true,
          due = clock_timestamp() + interval '${LEASE_SECONDS} seconds'
        where (world, number) in (
          select world, number from ${book}_notice
          where remaining > 0 and due <= clock_timestamp() and tries < ${TRIES}
          order by ordinary, due limit ${AT_ONCE} for update skip locked)
        returning ${['world', 'number', 'key', 'ordinary', 'created', ...ownColumns].join(', ')}`,
    });
  }

  /** True when it was taken. */
  async #post(notice: NoticeRow & O): Promise<boolean> {
    const { url, keyOf } = this.#options;
    const { bodyOf, signing } = this.#book;
    const { world } = notice;
    const body = bodyOf(notice);
    const seconds = Math.floor(Date.now() / 1000);
    const mark = signature(keyOf(world), seconds, world, signing.signed(body));
    try {
      const answer = await request(url, {
        dispatcher: this.#agent,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          [signing.worldHeader]: String(world),
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

  /** One delivery less to make; one that is to be repeated is due again. */
  async #taken({ world, number }: NoticeRow): Promise<void> {
    const { book } = this.#book;
    await this.#options.db.execute({
      name: `${book}_notice_taken`,
      text: `update ${book}_notice set remaining = remaining - 1, sent = sent + 1, tries = 0,
          posting = false, due = clock_timestamp()
        where world = $1 and number = $2 and remaining > 0`,
      values: [world, number],
    });
  }

  /** The next try comes after a pause that doubles. */
  async #refused({ world, number }: NoticeRow): Promise<void> {
    const { book } = this.#book;
    const { db, firstPause } = this.#options;
    await db.execute({
      name: `${book}_notice_refused`,
      text: `update ${book}_notice set posting = false, due = clock_timestamp()
          + least($3::int * 2 ^ (tries - 1), ${LONGEST_PAUSE_MS}) * interval '1 millisecond'
        where world = $1 and number = $2`,
      values: [world, number, firstPause ?? FIRST_PAUSE_MS],
    });
  }

  /** Forgets ordinary notices after a minute, sent or not. */
  async #clear(): Promise<void> {
    const { book } = this.#book;
    await this.#options.db.execute({
      name: `${book}_clear_notices`,
      text: `delete from ${book}_notice
        where ordinary and due < clock_timestamp() - interval '1 minute'`,
    });
  }
}
