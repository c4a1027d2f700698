// Who reviews, and which worlds they may look into. Answers for a world that is not theirs looking
// like one that is not there. Refuses to know sessions and roles.
import { refuse } from '../../kernel/refusal.ts';
import { refusals as no } from './refusals.ts';

/** The operator at the console. */
export interface Reviewer {
  readonly operatorId: string;
  readonly worlds: 'all' | readonly number[];
}

/** How history names an operator. */
export function actorName({ operatorId }: Pick<Reviewer, 'operatorId'>): string {
  return `operator:${operatorId}`;
}

/** The worlds as a statement's parameter: null is all. */
export function worldsParameter({ worlds }: Reviewer): readonly number[] | null {
  return worlds === 'all' ? null : worlds;
}

/** Refuses a world that the operator may not see. */
export function requireWorld({ worlds }: Reviewer, world: number): void {
  if (worlds !== 'all' && !worlds.includes(world)) throw refuse(no.REVIEW_CASE_NOT_FOUND);
}
