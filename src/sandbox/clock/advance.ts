// Advances the clock of a workspace from one due item to the next, each at its own time, and waits
// after each until the loops have done it. It never skips a time at which something acts. What is
// due, and when, is listed in sources.ts.
import { setTimeout as sleep } from 'node:timers/promises';
import { refuse } from '../../core/refusal.ts';
import { addSeconds, type Instant } from '../../core/time.ts';
import {
  END_OF_TIME,
  leftUndone,
  readClock,
  readRunning,
  thingsDue,
  type DueThing,
} from './due.ts';
import {
  renewLease,
  releaseLease,
  moveTo,
  noteTarget,
  takeLease,
  type ClockLease,
} from './lease.ts';
import { refusals } from './refusals.ts';
import { settle, type ClockServices } from './drain.ts';

/** How far to advance. */
export type Request =
  | { readonly kind: 'advance'; readonly seconds: number }
  | { readonly kind: 'to'; readonly to: Instant }
  | { readonly kind: 'next' }
  | { readonly kind: 'until_idle' };

/** The result of an advance. */
export interface Advanced {
  readonly before: Instant;
  readonly now: Instant;
  /** What became due, in order; the first thousand. */
  readonly steps: readonly DueThing[];
  /** True where nothing is in progress any more. */
  readonly idle: boolean;
  readonly next: DueThing | null;
}

const STEPS_MAX = 1_000;
/** Items of each kind that are read at once. */
const AHEAD = 200;
const TOGETHER_SECONDS = 60;
/** Milliseconds of one call; the rest is left to the next one. */
const CALL_MS = 50_000;
const TURN_MS = 20_000;
const TURN_PAUSE_MS = 25;

/** Runs `work` while no other call moves the workspace's clock. */
export async function withLease<T>(
  services: ClockServices,
  workspace: number,
  scope: string | null,
  work: (lease: ClockLease) => Promise<T>,
): Promise<T> {
  const { db, random } = services;
  const end = performance.now() + TURN_MS;
  for (;;) {
    const lease = await takeLease(db, workspace, random.uuid(), scope);
    if (lease !== null) {
      let ended = false;
      const over = new AbortController();
      const kept = renewLease(db, lease, over.signal);
      try {
        const result = await work(lease);
        ended = true;
        return result;
      } finally {
        over.abort();
        await kept;
        await releaseLease(db, lease, ended);
      }
    }
    await readRunning(db, workspace);
    if (performance.now() > end) {
      throw refuse(refusals.CLOCK_BUSY, { due: 'another request is moving this clock' });
    }
    await sleep(TURN_PAUSE_MS);
  }
}

/** Advances the clock. Each move is one transaction: interrupted anywhere, the clock is valid. */
export async function advance(
  services: ClockServices,
  lease: ClockLease,
  request: Request,
): Promise<Advanced> {
  const { db } = services;
  const { workspace } = lease;
  const { now: before } = await readRunning(db, workspace);
  const target = targetOf(request, lease, before);
  if (isTimed(request)) await noteTarget(db, lease, target);
  await settle(services, workspace);
  const steps: DueThing[] = [];
  const end = performance.now() + CALL_MS;
  let from = before;
  for (let moves = 0; ; moves += 1) {
    const ahead = await thingsDue(db, workspace, { from, to: target, most: AHEAD });
    const stop = nextStop(ahead, request, target);
    if (stop === null || (request.kind === 'next' && moves > 0)) break;
    if (performance.now() > end || moves === STEPS_MAX) {
      if (request.kind === 'until_idle') break;
      throw refuse(refusals.CLOCK_BUSY, {
        due: `more work than one request can do; reached ${from}`,
      });
    }
    if (request.kind === 'next') await noteTarget(db, lease, stop);
    const moved = await moveTo(db, lease, stop);
    if (moved) await settle(services, workspace);
    const { now } = await readRunning(db, workspace);
    if (!moved) throw refuse(refusals.CLOCK_BUSY, { due: 'the lease of the clock was lost' });
    steps.push(...ahead.filter(({ at }) => at <= now));
    from = now;
    if (stop === target) break;
  }
  return { before, steps: steps.slice(0, STEPS_MAX), ...(await standing(services, workspace)) };
}

type Timed = Extract<Request, { kind: 'advance' | 'to' }>;

function isTimed(request: Request): request is Timed {
  return request.kind === 'advance' || request.kind === 'to';
}

/** An interrupted call goes on to its own target, which it may have reached. */
function targetOf(request: Request, { target }: ClockLease, now: Instant): Instant {
  if (target !== null) return target;
  if (!isTimed(request)) return END_OF_TIME;
  const to = request.kind === 'to' ? request.to : addSeconds(now, request.seconds);
  if (request.kind === 'to' && to <= now) throw refuse(refusals.CLOCK_BACKWARDS);
  if (to >= END_OF_TIME) throw refuse(refusals.CLOCK_TOO_FAR);
  return to;
}

/** The time to advance to next; null where nothing is left to advance for. */
function nextStop(ahead: readonly DueThing[], request: Request, target: Instant): Instant | null {
  if (request.kind === 'until_idle' && !ahead.some(({ kind }) => kind === 'work')) return null;
  const first = request.kind === 'next' ? ahead[0]?.at : actsAt(ahead.filter(isActed));
  const full = ends(ahead);
  const stop = [first, full].filter((at) => at !== undefined).toSorted()[0];
  return stop ?? (isTimed(request) ? target : null);
}

function isActed({ kind }: DueThing): boolean {
  return kind !== 'end';
}

/**
 * When the first of these items is done. Retries within a minute are sent together at the time of
 * the last: failures at a dead endpoint drift apart with each attempt, and nothing else waits
 * between them.
 */
function actsAt(things: readonly DueThing[]): Instant | undefined {
  const [first] = things;
  if (first?.what !== 'delivery') return first?.at;
  const until = addSeconds(first.at, TOGETHER_SECONDS);
  const other = things.findIndex(({ what, at }) => what !== 'delivery' || at > until);
  return things.at(other < 0 ? -1 : other - 1)?.at;
}

/** Where the read of a kind of items was cut off: nothing is known of that kind beyond. */
function ends(ahead: readonly DueThing[]): Instant | undefined {
  const kinds = Map.groupBy(ahead, ({ what }) => what).values();
  const full = [...kinds].filter((things) => things.length === AHEAD);
  return full.map((things) => things.at(-1)?.at ?? '').toSorted()[0];
}

/** The state of a clock, and what comes next. */
export async function standing(
  { db }: Pick<ClockServices, 'db'>,
  workspace: number,
): Promise<Pick<Advanced, 'now' | 'idle' | 'next'>> {
  const { now } = await readClock(db, workspace);
  const waiting = await thingsDue(db, workspace, { from: null, to: END_OF_TIME, most: 1 });
  const left = await leftUndone(db, workspace);
  const idle = left.length === 0 && !waiting.some(({ kind }) => kind === 'work');
  return { now, idle, next: waiting[0] ?? null };
}
