// The reviewing operator, and the workspaces they may see. A workspace that is not theirs is
// answered as unknown.
import { refuse } from '../../../core/refusal.ts';
import { refusals as no } from './refusals.ts';

/** The operator at the console. */
export interface Reviewer {
  readonly operatorId: string;
  readonly workspaces: 'all' | readonly number[];
}

/** The operator's name in history. */
export function actorName({ operatorId }: Pick<Reviewer, 'operatorId'>): string {
  return `operator:${operatorId}`;
}

/** The workspaces as a query parameter: null is all. */
export function workspacesParameter({ workspaces }: Reviewer): readonly number[] | null {
  return workspaces === 'all' ? null : workspaces;
}

/** Throws a Refusal for a workspace that the operator may not see. */
export function requireWorkspace({ workspaces }: Reviewer, workspace: number): void {
  if (workspaces !== 'all' && !workspaces.includes(workspace))
    throw refuse(no.REVIEW_CASE_NOT_FOUND);
}
