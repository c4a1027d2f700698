// The populations of the bench.
import { GERMANY } from './germany.ts';
import { INDIA } from './india.ts';
import { JAPAN } from './japan.ts';
import { KOREA } from './korea.ts';
import { MEXICO } from './mexico.ts';
import { UNITED_STATES } from './united-states.ts';
import { VIETNAM } from './vietnam.ts';

export const POPULATIONS = [VIETNAM, MEXICO, INDIA, KOREA, UNITED_STATES, GERMANY] as const;
/** With one that nobody looked at while the model was made. */
export const ALL_POPULATIONS = [...POPULATIONS, JAPAN] as const;
export { rngFor, rngOf, pick, type Rng } from './draw.ts';
export { KIN, Peopled, type Kin, type Person, type Setting } from './persons.ts';
export type { People } from './people.ts';
