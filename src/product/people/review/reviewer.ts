// The reviewing operator, and the workspaces they may see. A workspace that is not theirs is
// answered as unknown.
import { refuse } from '../../../core/refusal.ts';
import { refusals as no } from './refusals.ts';

/** The operator at the console. */
export interface Reviewer {
  readonly operatorId: string;
  readonly worlds: 'all' | readonly number[];
}

/** The operator's name in history. */
export function actorName({ operatorId }: Pick<Reviewer, 'operatorId'>): string {
  return `operator:${operatorId}`;
}

/** The workspaces as a query parameter: null is all. */
export function worldsParameter({ worlds }: Reviewer): readonly number[] | null {
  return worlds === 'all' ? null : worlds;
}

/** Throws a Refusal for a workspace that the operator may not see. */
export function requireWorld({ worlds }: Reviewer, world: number): void {
  if (worlds !== 'all' && !worlds.includes(world)) throw refuse(no.REVIEW_CASE_NOT_FOUND);
}
