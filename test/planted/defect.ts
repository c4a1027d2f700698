// The form of a planted defect: a change that somebody could make by mistake, and the test files
// that must fail with it. Plain text, so that whoever changes the code changes it along.
import type { Edit } from './scratch.ts';

export interface Defect extends Edit {
  readonly name: string;
  /** What is wrong with it in place. */
  readonly breaks: string;
  /** Each of these alone must fail. */
  readonly tests: readonly string[];
}
