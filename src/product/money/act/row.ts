// The shape of a row of what operators may do with money. [G-88]
import type { RefusalSpec } from '../../../core/refusal.ts';
import type { Subject, SubjectKind } from './subject.ts';

/** What a form asks for besides the reason of the act. */
export interface ActField {
  readonly name: string;
  readonly label: string;
  /** What may be chosen, with its words; absent: an amount in the currency of the object. */
  readonly options?: readonly (readonly [value: string, words: string])[];
  /** True where the amount may be 0, or left empty for that. */
  readonly zero?: true;
}

/** The fields of a form by name; amounts in minor units. */
export type ActFields = Readonly<Record<string, string>>;

/** One act. */
export interface MoneyAct {
  /** In addresses and in the history. */
  readonly name: string;
  /** The kind of object that it is for. */
  readonly kind: SubjectKind;
  /** The id of its operation. */
  readonly operation: string;
  readonly label: string;
  readonly says: string;
  /** The move of the lifecycle that it makes, which the state must allow; absent: no move. */
  readonly on?: string;
  /** Further conditions. */
  readonly when?: (subject: Subject) => boolean;
  readonly fields?: (subject: Subject) => readonly ActField[];
  /** What the operation would refuse, as far as the object tells: nobody is asked to confirm it. */
  readonly refused?: (subject: Subject, fields: ActFields) => RefusalSpec | null;
  /** Minor units that it moves, which the limit of the tenant is for; absent: none. */
  readonly moves?: (subject: Subject, fields: ActFields) => bigint;
  /** Minor units that count together with them, so that nobody stays below it by small parts. */
  readonly before?: (subject: Subject) => bigint;
  /** Parameters and body of the operation; `reason` is why the operator acts. */
  readonly request: (subject: Subject, fields: ActFields, reason: string) => {
    readonly params?: Readonly<Record<string, string>>;
    readonly body?: object;
  };
}
