// When the clock acts next on an escrow with a course, and how. Of several things at one moment the
// one named first here comes first. Pure. [G-42, G-95]
import { addSeconds, millisOf, type Instant } from '../../../core/time.ts';
import { warningSeconds } from './clock.ts';
import { isReleased, type Course, type Milestone, type PlannedDate } from './course.ts';
import type { EscrowRow } from './tables.ts';

/** What a date is for: the place of a milestone, all that is left, or the end of the holding. */
export type DateOf = number | 'release' | 'return' | 'limit';

/** The next thing to do: to warn of a date, or to act on it. */
export interface Due {
  readonly at: Instant;
  readonly of: DateOf;
  readonly act: boolean;
}

/** Seconds between two moments, cut off; below zero where the second comes first. */
export function secondsBetween(from: Instant, to: Instant): number {
  return Math.floor((millisOf(to) - millisOf(from)) / 1_000);
}

/** The dates of a course that are still to come, each with what it is for. */
export function datesOf(course: Course): readonly (readonly [DateOf, PlannedDate])[] {
  const { milestones, release, limit } = course;
  const all: (readonly [DateOf, PlannedDate | undefined])[] = [
    ...milestones.map(({ name, date }, at) => {
      return [at, isReleased(course, name) ? undefined : date] as const;
    }),
    ...([['release', release], ['return', course.return], ['limit', limit]] as const),
  ];
  return all.filter((one): one is readonly [DateOf, PlannedDate] => one[1] !== undefined);
}

/** A warning is sent a week before, or at half of a shorter time; later it is that date's turn. */
function dueOf([of, { at, since, warned }]: readonly [DateOf, PlannedDate]): Due {
  if (warned) return { at, of, act: true };
  const lead = warningSeconds(Math.max(0, secondsBetween(since, at)));
  return { at: addSeconds(at, -lead), of, act: false };
}

/** The next thing to do; null where nothing is planned, as before the payment. */
export function nextDue(course: Course): Due | null {
  const all = datesOf(course).map(dueOf);
  return all.reduce<Due | null>((first, one) => {
    return first === null || one.at < first.at ? one : first;
  }, null);
}

/** The course with each date of it as `change` makes it. */
function withDates(
  course: Course,
  change: (date: PlannedDate, of: DateOf) => PlannedDate | undefined,
): Course {
  const changed = (date: PlannedDate | undefined, of: DateOf) => date && change(date, of);
  const milestones = course.milestones.map((milestone, at): Milestone => {
    return { ...milestone, date: changed(milestone.date, at) };
  });
  return {
    ...course,
    milestones,
    release: changed(course.release, 'release'),
    return: changed(course.return, 'return'),
    limit: changed(course.limit, 'limit'),
  };
}

/** The course after the warning of a date. */
export function afterWarning(course: Course, of: DateOf): Course {
  return withDates(course, (date, one) => (one === of ? { ...date, warned: true } : date));
}

/** The course without one date. */
export function withoutDate(course: Course, of: DateOf): Course {
  return withDates(course, (date, one) => (one === of ? undefined : date));
}

/** The course with all dates later by as many seconds: while it was frozen, no time passed. */
export function shifted(course: Course, seconds: number): Course {
  return withDates(course, (date) => ({ ...date, at: addSeconds(date.at, seconds) }));
}

/** The holding period of a row from its payment on, or as far as it has come. [G-42] */
export function limitOf(
  { due, warned, hold_seconds }: Pick<EscrowRow, 'due' | 'warned' | 'hold_seconds'>,
  now: Instant,
): PlannedDate {
  if (due === null) return { at: addSeconds(now, hold_seconds), since: now };
  const at = warned ? due : addSeconds(due, warningSeconds(hold_seconds));
  const since = addSeconds(at, -hold_seconds);
  return { at, since, ...(warned && { warned }) };
}

/** What a new course makes of its row: the course, and when the clock looks at it next. */
export function withCourse(course: Course): Pick<EscrowRow, 'course' | 'due'> {
  return { course: JSON.stringify(course), due: nextDue(course)?.at ?? null };
}
