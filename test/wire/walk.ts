// One walk through the interface, and its record: each step names an operation, is sent as an
// integrator would send it, and is written down with what was answered. Knows no operation's rules.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Call, Reply } from '../kit/api.ts';
import type { CheckedApi, Place } from '../api/answers.ts';
import { atRest, UNDER_WAY, type Platform } from '../api/kit.ts';
import { laidOut } from './layout.ts';
import { Names } from './names.ts';

/** What a step sends; `at`: the names in braces of the path. */
export interface Step extends Call {
  readonly at?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  /** What it sets going waits for somebody. */
  readonly waits?: true;
}

/** What every answer says besides; a step tells where it does not. */
const USUAL: readonly string[] = [
  'cache-control: no-store',
  "content-security-policy: default-src 'none'; frame-ancestors 'none'",
  'content-type: application/json',
  'cross-origin-resource-policy: same-origin',
  'referrer-policy: no-referrer',
  'x-content-type-options: nosniff',
  'x-frame-options: DENY',
];
/** Headers that say something about the connection, or the time, only. */
const UNSAID: ReadonlySet<string> = new Set([
  ...['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'],
  'x-request-id',
]);
const WAIT_MS = 20_000;
const PAUSE_MS = 5;
/** A body that is longer is shown by its beginning, and summed up. */
const SHOWN_MAX = 60_000;
/** A text that was sent and is longer than this is shown by its beginning. */
const SENT_MAX = 60;

/** What may go on: the statement is read a while after money moved, and tells nobody anything. */
const LATER = `'busy statement', 'busy line'`;
const NOW = `select name, '' as sum from (${UNDER_WAY}) as work where name not in (${LATER})`;
/** A pass over the statement: what it read is booked only at its end. */
const READING = `select 'reading' as name, '' as sum from statement_cursor
  where lease is not null`;
const LAST =
  'select coalesce(max(sequence), 0)::integer as sequence from event where workspace = 1';
const DELIVERIES = `select 'delivery' as name, '' as sum from delivery d
  join workspace w using (workspace)
  where d.state = 'pending' and w.ended is null`;

export class Walk {
  readonly platform: Platform;
  readonly api: CheckedApi;
  readonly names = new Names();
  /** The record so far, by chapter. */
  readonly chapters = new Map<string, string[]>();
  /** The last sequence number of the stream after each step. */
  readonly steps: number[] = [];
  #lines: string[] = [];

  constructor(platform: Platform) {
    this.platform = platform;
    this.api = platform.api;
    for (const [host, url] of Object.entries(platform.ready.urls)) {
      this.names.fix(url, host);
      this.names.fix(url.replace(/^https?:\/\//, ''), `${host}-address`);
    }
  }

  get ready() {
    return this.platform.ready;
  }

  chapter(name: string): void {
    this.#lines = [];
    this.chapters.set(name, this.#lines);
    this.names.begin(name.slice(0, 2));
  }

  /** A step that must succeed; gives the payload, or the body of an answer without an envelope. */
  async ok<T = Record<string, string>>(id: string, step: Step = {}): Promise<T> {
    const { reply, method } = await this.#take(id, step);
    const what = `${id} ${JSON.stringify(step.at ?? {})} answered ${reply.status} ${reply.text}`;
    assert.ok(reply.status < 400, what.slice(0, 1_000));
    // What one call sets going has ended before the next, so that there is one order only.
    if (method !== 'GET' && step.waits === undefined) await this.rest();
    return ('payload' in reply.body ? reply.body.payload : reply.body) as T;
  }

  /** A step that must be refused. */
  async no(id: string, step: Step = {}): Promise<void> {
    const { reply } = await this.#take(id, step);
    const refused = reply.status >= 400 && reply.status !== 503 && reply.status !== 429;
    assert.ok(refused, `${id} answered ${reply.status} ${reply.text}`.slice(0, 1_000));
  }

  /** Waits until what a call has set going has ended. */
  async rest(): Promise<void> {
    const { db } = this.platform;
    for (const until = Date.now() + WAIT_MS; ; await delay(PAUSE_MS)) {
      const left = await db.query<{ name: string }>(NOW);
      if (left.length === 0) break;
      assert.ok(Date.now() < until, `still under way: ${left.map(({ name }) => name).join(', ')}`);
    }
    await this.#mark();
  }

  /** Waits until the processor's statement is read and booked, too. */
  async read(): Promise<void> {
    await atRest(this.platform.db, READING);
    await this.#mark();
  }

  /** Waits until every event has been delivered. */
  async delivered(): Promise<void> {
    await atRest(this.platform.db, DELIVERIES);
    await this.#mark();
  }

  async #mark(): Promise<void> {
    const [last] = await this.platform.db.query<{ sequence: number }>(LAST);
    this.steps.push(last?.sequence ?? 0);
  }

  /** Writes something else down. */
  note(text: string): void {
    this.#lines.push(text);
  }

  /** A body as it is written down. */
  body(text: string): string {
    const named = this.names.in(text);
    const shown = /^[[{]/.test(named) ? laidOut(named) : named;
    if (shown.length <= SHOWN_MAX) return shown;
    const end = shown.lastIndexOf('\n', SHOWN_MAX / 4);
    const digest = createHash('sha256').update(named).digest('hex').slice(0, 16);
    return `${shown.slice(0, end)}\n... ${named.length} characters in all, sha256 ${digest}`;
  }

  async #take(id: string, step: Step): Promise<{ reply: Reply; method: string }> {
    const place = this.api.places.find((one) => one.operation.operationId === id);
    assert.ok(place, `${id} is no operation`);
    const { at = {}, query, waits: _, ...call } = step;
    const filled = place.path.replace(/\{(\w+)\}/g, (_, name: string) => {
      assert.ok(at[name], `${id} needs ${name}`);
      return encodeURIComponent(at[name]);
    });
    const asked = new URLSearchParams();
    for (const [name, value] of Object.entries(query ?? {})) asked.set(name, String(value));
    const path = query === undefined ? filled : `${filled}?${asked}`;
    const reply = await this.api.send(place.host, place.method, path, call);
    this.#write(place, path, call, reply);
    return { reply, method: place.method };
  }

  #write(place: Place, path: string, call: Call, reply: Reply): void {
    const { host, method, operation } = place;
    const lines = [`== ${operation.operationId} ${reply.status}`];
    lines.push(this.names.in(`${method} ${host}${path}`));
    const token = call.headers?.['authorization'] ?? call.token;
    if (token !== undefined) lines.push(`by ${token === null ? 'nobody' : this.names.in(token)}`);
    const sent = call.raw ?? JSON.stringify(call.body ?? call.form);
    if (sent !== undefined) lines.push(`> ${this.names.in(shortened(String(sent)))}`);
    lines.push(...unusual([...reply.headers], USUAL).map((line) => this.names.in(line)));
    if (reply.text !== '') lines.push(this.body(reply.text));
    this.note(lines.join('\n'));
  }
}

/** The headers that are not the usual ones, and those that lack. */
export function unusual(
  headers: readonly (readonly [string, string])[],
  usual: readonly string[],
): string[] {
  const lines = headers
    .filter(([name]) => !UNSAID.has(name))
    .map(([name, value]) => `${name}: ${value}`)
    .toSorted();
  const missing = usual.filter((line) => !lines.includes(line));
  return lines.filter((line) => !usual.includes(line)).concat(missing.map((one) => `no ${one}`));
}

/** Long texts of a request are files, of which nothing is said here. */
function shortened(text: string): string {
  return text.replace(/"data:[^"]+"/g, (found) =>
    found.length > SENT_MAX ? `${found.slice(0, SENT_MAX)}..."` : found,
  );
}
