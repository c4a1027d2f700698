// Random dates and milestones of escrows, and what becomes of them. [G-95]
import { allocate } from '../../src/core/money.ts';
import { instantFromMillis, millisOf } from '../../src/core/time.ts';
import type { PlanWish, ScheduleWish } from '../../src/product/money/escrow/plan.ts';
import type { Request } from './market-sales.ts';
import {
  courseIn,
  dueOf,
  emptyCourse,
  sum,
  type Course,
  type Held,
  type Moment,
} from './model-parts.ts';
import type { Escrow, Model } from './model.ts';
import type { Rng } from './rng.ts';

/** Seconds of a holding period in which there are dates. */
const LONG = 3_600;

/**
 * A date: mostly within the holding period, sometimes now or beyond it. Never close to either, nor
 * to another one: histories are repeated on a slower clock.
 */
function momentIn(rng: Rng, now: number, seconds: number): string {
  const share = rng.of([0.13, 0.29, 0.47, 0.71, ...(rng.once(4) ? [0, 1.63] : [])]);
  return instantFromMillis(now + Math.ceil(seconds * share) * 1_000);
}

/** What a creation plans. */
export function planOf(rng: Rng, wish: Request, now: number, seconds: number): PlanWish {
  const dates = seconds >= LONG;
  const kind = dates ? rng.of(['release', 'return', 'return', 'both', 'none']) : 'none';
  const dated = (on: boolean, name: string) => (on ? { [name]: momentIn(rng, now, seconds) } : {});
  const total = Number(wish.total);
  const milestones = Array.from({ length: rng.below(4) }, (_, n) => {
    const at = rng.below(wish.lines.length);
    const most = Number(wish.lines[at]?.amount ?? 0n);
    const part = 1 + rng.below(Math.max(1, Math.floor((rng.once(6) ? total + 2 : total / 4))));
    const line = { line_item: at, amount: 1 + rng.below(Math.max(1, Math.floor(most / 3))) };
    const what = rng.once(2) ? { amount: part } : { line_items: [line] };
    const name = rng.once(12) ? 'part 0' : `part ${n}`;
    return { name, ...what, ...dated(dates && rng.once(2), 'release_at') };
  });
  return {
    ...dated(kind === 'release' || (kind === 'both' && rng.once(3)), 'release_at'),
    ...dated(kind === 'return' || kind === 'both', 'return_at'),
    ...(rng.once(2) && { default_outcome: rng.of(['cancel', 'commit'] as const) }),
    milestones,
  };
}

/** Why a date is refused, or the moment. */
function dateOf(
  text: string | null | undefined,
  now: number,
  until: number,
): Moment | string | null {
  if (text === undefined || text === null) return null;
  const at = millisOf(text);
  if (at <= now) return 'ESCROW_DATE_PASSED';
  return at > until ? 'ESCROW_DATE_TOO_LATE' : { at, since: now, warned: false };
}

/** True where a milestone is to come after all went back. */
function neverComes(back: Moment | null, milestones: Course['milestones']): boolean {
  const late = ({ date, done }: Course['milestones'][number]) => {
    return !done && back !== null && date !== null && date.at > back.at;
  };
  return milestones.some(late);
}

/** Gives an escrow its plan; or why it is refused. */
export function planned(
  now: number,
  { release_at, return_at, default_outcome, milestones = [] }: PlanWish,
  wish: Request,
  escrow: Escrow,
): string | null {
  const plain = [release_at, return_at, default_outcome].every((one) => one === undefined);
  if (plain && milestones.length === 0) return null;
  const until = now + escrow.holdSeconds * 1_000;
  const release = dateOf(release_at, now, until);
  const back = dateOf(return_at, now, until);
  for (const date of [release, back]) if (typeof date === 'string') return date;
  const left = wish.lines.map(({ amount }) => amount);
  const parts: Course['milestones'] = [];
  for (const { name, amount, line_items, release_at: at } of milestones) {
    const lines = line_items === undefined
      ? BigInt(amount ?? 0) > sum(left) ? [] : allocate(BigInt(amount ?? 0), left).entries()
      : line_items.map((one) => [one.line_item, BigInt(one.amount)] as const);
    const sums = [...lines].filter(([, one]) => one > 0n);
    for (const [n, one] of sums) left[n]! -= one;
    if (sums.length === 0 || left.some((one) => one < 0n)) return 'ESCROW_MILESTONE_TOO_LARGE';
    const date = dateOf(at, now, until);
    if (typeof date === 'string') return date;
    parts.push({ name, lines: sums, date, done: false });
  }
  if (release !== null && back !== null) return 'ESCROW_DATES_CONFLICT';
  if (neverComes(back as Moment | null, parts)) return 'ESCROW_DATES_CONFLICT';
  const names = new Set(parts.map(({ name }) => name));
  if (names.size < parts.length) return 'ESCROW_MILESTONE_REPEATED';
  const line = wish.lines.map((one) => ({ ...one, id: '', refunded: 0n, taxBack: 0n }));
  const paying = wish.parts.filter(({ amount }) => amount > 0n);
  escrow.course = {
    ...emptyCourse({ lines: line, parts: paying }),
    ...{ release: release as Moment | null, back: back as Moment | null, milestones: parts },
    outcome: default_outcome ?? 'cancel',
  };
  return null;
}

/** Dates to change. */
export function changeOf(rng: Rng, { escrow }: Held, now: number): ScheduleWish {
  const long = escrow.holdSeconds >= LONG;
  const some = () => (!long || rng.once(4) ? null : momentIn(rng, now, escrow.holdSeconds));
  const milestones = (escrow.course?.milestones ?? []).filter(() => rng.once(3));
  const twice = milestones.filter(() => rng.once(20));
  const unknown = rng.once(12) ? [{ name: 'unknown' }] : [];
  return {
    ...(rng.once(2) && { release_at: some() }),
    ...(rng.once(2) && { return_at: some() }),
    milestones: [...milestones, ...twice, ...unknown].map(({ name }) => {
      return { name, release_at: some() };
    }),
  };
}

/** A date as it is changed; what is not named, or is the same, stays itself. */
function changed(
  text: string | null | undefined,
  before: Moment | null,
  now: number,
  until: number,
): Moment | string | null {
  const stays = text === undefined || (text !== null && millisOf(text) === before?.at);
  return stays ? before : dateOf(text, now, until);
}

/** Changes dates, which is told where one differs; or why it is refused. */
export function rescheduled(model: Model, wish: ScheduleWish, held: Held): string | null {
  const { now } = model;
  const started = held.escrow.course !== null;
  const course = courseIn(held);
  const stop = (code: string): string => {
    if (!started) held.escrow.course = null;
    return code;
  };
  const until = course.limit?.at ?? now;
  const dates: (readonly [Course['milestones'][number], Moment | null])[] = [];
  for (const { name, release_at } of wish.milestones ?? []) {
    const found = course.milestones.find((one) => one.name === name);
    if (found === undefined) return stop('ESCROW_MILESTONE_NOT_FOUND');
    if (found.done) return stop('ESCROW_MILESTONE_RELEASED');
    const date = changed(release_at, found.date, now, until);
    if (typeof date === 'string') return stop(date);
    dates.push([found, date]);
  }
  if (new Set(dates.map(([one]) => one)).size < dates.length) {
    return stop('ESCROW_MILESTONE_REPEATED');
  }
  const release = changed(wish.release_at, course.release, now, until);
  const back = changed(wish.return_at, course.back, now, until);
  for (const date of [release, back]) if (typeof date === 'string') return stop(date);
  const next = { release: release as Moment | null, back: back as Moment | null };
  if (next.release !== null && next.back !== null) return stop('ESCROW_DATES_CONFLICT');
  const after = course.milestones.map((one) => {
    const [, date] = dates.find(([of]) => of === one) ?? [one, one.date];
    return { ...one, date };
  });
  if (neverComes(next.back, after)) return stop('ESCROW_DATES_CONFLICT');
  const same = next.release === course.release && next.back === course.back;
  if (same && dates.every(([milestone, date]) => milestone.date === date)) {
    if (!started) held.escrow.course = null;
    return null;
  }
  for (const [milestone, date] of dates) milestone.date = date;
  Object.assign(course, next);
  held.escrow.due = dueOf(course);
  model.announce('escrow-schedule-changed', held.escrow.id);
  return null;
}
