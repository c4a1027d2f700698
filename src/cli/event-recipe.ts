// One way to cause an event, as the tables of recipes declare it.
import type { Stage } from './fixtures.ts';

/** Members of the payload that identify the event caused. */
export type Mark = Readonly<Record<string, string>>;

/** One way to cause an event. */
export interface Recipe {
  /** One sentence: what is done. */
  readonly story: string;
  /** What `--on` may name, and what is done with it; null: only with a new resource. */
  readonly on: string | null;
  /** Time must pass: new resources are made in a clone, whose clock is moved. */
  readonly takesTime?: true;
  make(fixtures: Stage): Promise<Mark>;
  makeOn?(fixtures: Stage, id: string): Promise<Mark>;
}
