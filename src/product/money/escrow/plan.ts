// The dates and milestones that a caller plans for an escrow, at its creation and later. Pure.
// [G-95]
import { allocate } from '../../../core/money.ts';
import { refuse } from '../../../core/refusal.ts';
import type { Instant } from '../../../core/time.ts';
import {
  isReleased,
  milestoneNamed,
  type Course,
  type LineSums,
  type Milestone,
  type Outcome,
  type PlannedDate,
} from './course.ts';
import { refusals as no } from './refusals.ts';

/** What a creation plans. Dates are moments; a milestone is an amount, or parts of line items. */
export interface PlanWish {
  readonly release_at?: Instant | undefined;
  readonly return_at?: Instant | undefined;
  readonly default_outcome?: Outcome | undefined;
  readonly milestones?: readonly MilestoneWish[] | undefined;
}

export interface MilestoneWish {
  readonly name: string;
  readonly amount?: number | undefined;
  readonly line_items?:
    | readonly { readonly line_item: number; readonly amount: number }[]
    | undefined;
  readonly release_at?: Instant | undefined;
}

/** When a plan is made, and the end of the holding as far as it is known. */
export interface Frame {
  readonly now: Instant;
  readonly until: Instant;
}

/**
 * The course of a new escrow, or null where nothing is planned. `amounts` are those of its line
 * items. Throws a Refusal.
 */
export function courseFrom(
  wish: PlanWish,
  amounts: readonly number[],
  frame: Frame,
): Course | null {
  const { release_at, return_at, default_outcome, milestones = [] } = wish;
  const plain = [release_at, return_at, default_outcome].every((one) => one === undefined);
  if (plain && milestones.length === 0) return null;
  const left = [...amounts];
  const course: Course = {
    ...{ version: 1, disputes: null, parts: [], outcome: default_outcome ?? 'cancel' },
    total: amounts.reduce((sum, amount) => sum + amount, 0),
    release: dateOf(release_at, frame, 'release_at'),
    return: dateOf(return_at, frame, 'return_at'),
    milestones: milestones.map((one, at) => milestoneOf(one, left, frame, `milestones[${at}]`)),
  };
  return consistent(course);
}

/** The course, if its dates and names agree. Throws a Refusal. */
function consistent(course: Course): Course {
  const { release, return: back, milestones } = course;
  if (release !== undefined && back !== undefined) {
    throw refuse(no.ESCROW_DATES_CONFLICT, { return_at: 'cannot be combined with release_at' });
  }
  // Then nothing is held any more: its day would never come.
  const late = milestones.some(({ name, date }) => {
    return back && date && date.at > back.at && !isReleased(course, name);
  });
  if (late) {
    throw refuse(no.ESCROW_DATES_CONFLICT, { return_at: 'must not be before a milestone' });
  }
  requireNames(milestones);
  return course;
}

function requireNames(milestones: readonly { readonly name: string }[]): void {
  if (new Set(milestones.map(({ name }) => name.trim())).size < milestones.length) {
    throw refuse(no.ESCROW_MILESTONE_REPEATED, { milestones: 'must have different names' });
  }
}

function dateOf(at: Instant | undefined, frame: Frame, path: string): PlannedDate | undefined {
  if (at === undefined) return undefined;
  if (at <= frame.now) throw refuse(no.ESCROW_DATE_PASSED, { [path]: 'must be in the future' });
  if (at > frame.until) {
    throw refuse(no.ESCROW_DATE_TOO_LATE, { [path]: 'must be within the holding period' });
  }
  return { at, since: frame.now };
}

/** The milestone; `left` is what no milestone before it has, and becomes less. */
function milestoneOf(
  { name, amount, line_items, release_at }: MilestoneWish,
  left: number[],
  frame: Frame,
  path: string,
): Milestone {
  const lines = linesOf({ amount, line_items }, left);
  for (const [at, taken] of lines) left[at] = (left[at] ?? 0) - taken;
  if (lines.length === 0 || left.some((one) => one < 0)) {
    throw refuse(no.ESCROW_MILESTONE_TOO_LARGE, {
      [path]: 'must be a part of what no other milestone has',
    });
  }
  const date = dateOf(release_at, frame, `${path}.release_at`);
  return { name, lines, ...(date && { date }) };
}

/** An amount alone is shared among the line items in proportion to what is left of them. */
function linesOf(
  { amount, line_items }: Pick<MilestoneWish, 'amount' | 'line_items'>,
  left: readonly number[],
): LineSums {
  if (line_items !== undefined) {
    const places = new Set(line_items.map(({ line_item }) => line_item));
    const known = line_items.every(({ line_item }) => line_item < left.length);
    if (!known || places.size < line_items.length) return [];
    return line_items.map((line) => [line.line_item, line.amount]);
  }
  const all = left.reduce((sum, one) => sum + one, 0);
  if (amount === undefined || amount > all) return [];
  const shares = allocate(BigInt(amount), left.map(BigInt)).map(Number);
  return shares.flatMap((share, at) => (share > 0 ? [[at, share] as const] : []));
}

/** Dates to set, or with null to take away; what is absent stays. */
export interface ScheduleWish {
  readonly release_at?: Instant | null | undefined;
  readonly return_at?: Instant | null | undefined;
  readonly milestones?:
    | readonly { readonly name: string; readonly release_at: Instant | null }[]
    | undefined;
}

/** The course with other dates; itself where none differs. Throws a Refusal. */
export function rescheduled(course: Course, wish: ScheduleWish, frame: Frame): Course {
  const changed = (
    at: Instant | null | undefined,
    before: PlannedDate | undefined,
    path: string,
  ): PlannedDate | undefined => {
    // The same date again stays what it is, with the warning that was sent.
    if (at === undefined || at === before?.at) return before;
    return dateOf(at ?? undefined, frame, path);
  };
  const milestones = [...course.milestones];
  for (const [n, { name, release_at }] of (wish.milestones ?? []).entries()) {
    const path = `milestones[${n}]`;
    const found = milestoneNamed(course, name);
    if (found === undefined) {
      const fields = { [`${path}.name`]: 'is no milestone of the escrow' };
      throw refuse(no.ESCROW_MILESTONE_NOT_FOUND, fields);
    }
    if (isReleased(course, found.name)) throw refuse(no.ESCROW_MILESTONE_RELEASED);
    const date = changed(release_at, found.date, `${path}.release_at`);
    milestones[course.milestones.indexOf(found)] = { ...found, date };
  }
  requireNames(wish.milestones ?? []);
  const release = changed(wish.release_at, course.release, 'release_at');
  const back = changed(wish.return_at, course.return, 'return_at');
  const differs =
    release !== course.release
    || back !== course.return
    || milestones.some(({ date }, at) => date !== course.milestones[at]?.date);
  return differs ? consistent({ ...course, milestones, release, return: back }) : course;
}
