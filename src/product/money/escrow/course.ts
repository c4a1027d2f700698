// The course of an escrow whose money does not go all at once: its dates and milestones, and what
// was released or returned. It lies as JSON on the row, null for an escrow without any of it, and
// each step repeats it, so that the record can be shown as it was. [G-94, G-95]
import type { Decision } from '../../../engine/index.ts';
import type { OnOf } from '../../../core/machine.ts';
import type { Instant } from '../../../core/time.ts';
import { escrowMachine, type EscrowState } from './machine.ts';
import { escrowTable, type EscrowRow } from './tables.ts';

/** Minor units by place of the line item, from 0; only amounts above zero. */
export type LineSums = readonly (readonly [place: number, amount: number])[];

/** A movement of held money: to sellers and integrator, to the integrator alone, to the buyer. */
export interface Part {
  readonly on: 'release' | 'keep' | 'return';
  readonly at: Instant;
  readonly lines: LineSums;
  /** The milestone that it released. */
  readonly milestone?: string | undefined;
}

/** A moment at which the clock acts, since when it is set, and whether its warning was sent. */
export interface PlannedDate {
  readonly at: Instant;
  readonly since: Instant;
  readonly warned?: true;
}

/** A named part of an escrow that is released once. */
export interface Milestone {
  readonly name: string;
  readonly lines: LineSums;
  readonly date?: PlannedDate | undefined;
}

/** What happens at the holding limit. */
export const OUTCOMES = ['cancel', 'commit'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What the caller planned. */
export interface Plan {
  readonly release?: PlannedDate | undefined;
  readonly return?: PlannedDate | undefined;
  readonly milestones: readonly Milestone[];
  readonly outcome: Outcome;
}

/** A seller, or the tenant, said that a milestone or the whole was delivered. It moves nothing. */
export interface Delivery {
  readonly at: Instant;
  readonly milestone?: string | undefined;
  /** The seller's account id on the wire; absent: the tenant said it. */
  readonly seller?: string | undefined;
}

export interface Course extends Plan {
  /** The version of the row, and its disputes: the database compares them with the row. */
  readonly version: number;
  readonly disputes: string | null;
  readonly total: number;
  /** The end of the holding period; absent until the escrow is paid. [G-42] */
  readonly limit?: PlannedDate | undefined;
  readonly parts: readonly Part[];
  readonly deliveries?: readonly Delivery[] | undefined;
}

/** The course of a row; null where it has none. */
export function courseOf({ course }: { readonly course: string | null }): Course | null {
  return course === null ? null : (JSON.parse(course) as Course);
}

/** What disputes took of each charge in minor units, and how many are open. [G-93] */
export interface Disputes {
  readonly open: number;
  /** Buyer and seller disagree: it is frozen until that is settled. */
  readonly disagreement?: true | undefined;
  readonly taken: Readonly<Record<string, number>>;
}

export function disputesOf({ disputes }: { readonly disputes: string | null }): Disputes {
  return disputes === null ? { open: 0, taken: {} } : (JSON.parse(disputes) as Disputes);
}

/** What disputes took in all. Minor units. */
export function takenOf(row: { readonly disputes: string | null }): number {
  return Object.values(disputesOf(row).taken).reduce((sum, amount) => sum + amount, 0);
}

export function sumOf(lines: LineSums): number {
  return lines.reduce((sum, [, amount]) => sum + amount, 0);
}

/** Minor units that were released (to the integrator alone too) and returned. */
export function movedBy({ parts }: Pick<Course, 'parts'>): { released: number; returned: number } {
  const moved = { released: 0, returned: 0 };
  for (const { on, lines } of parts) {
    moved[on === 'return' ? 'returned' : 'released'] += sumOf(lines);
  }
  return moved;
}

/** The milestone of a name; spaces around it do not count. */
export function milestoneNamed(
  { milestones }: Pick<Plan, 'milestones'>,
  name: string,
): Milestone | undefined {
  const same = milestones.filter((one) => one.name.trim() === name.trim());
  return same.find((one) => one.name === name) ?? same[0];
}

/** True where the milestone was released. */
export function isReleased({ parts }: Pick<Course, 'parts'>, name: string): boolean {
  return parts.some(({ milestone }) => milestone === name);
}

/**
 * What a step moved, by the course that it repeats; null for one that moved nothing. What the
 * integrator alone got is named as such: nobody was paid it.
 */
export function movedAt({ parts }: Pick<Course, 'parts'>, at: Instant): object | null {
  const part = parts.findLast((one) => one.at === at);
  if (part === undefined) return null;
  const { on, lines, milestone } = part;
  const moved = { [on === 'keep' ? 'kept' : 'amount']: sumOf(lines) };
  return { ...moved, ...(milestone !== undefined && { milestone }) };
}

/** A part of the row with the course as the database wants it beside a version. */
export function stamped(
  row: EscrowRow,
  patch: Partial<EscrowRow>,
  version = row.version,
): Partial<EscrowRow> {
  const course = courseOf({ course: patch.course ?? row.course });
  if (course === null) return patch;
  const { disputes } = { ...row, ...patch };
  return { ...patch, course: JSON.stringify({ ...course, version, disputes }) };
}

/** Moves an escrow; the step shows its course, if it has one. `patch.course` is the new one. */
export function moveEscrow(
  decision: Decision,
  row: EscrowRow,
  on: OnOf<typeof escrowMachine>,
  to: EscrowState,
  patch: Partial<EscrowRow>,
): void {
  const after = stamped(row, patch, row.version + 1);
  const course = courseOf({ course: after.course ?? null }) ?? undefined;
  decision.move(escrowMachine, escrowTable, row.id, on, to, after, course);
}
