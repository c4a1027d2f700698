// What each step of the business flow is given, and the steps there are.
import type { FlowContext } from '../flow.ts';
import type { Country, KybForm } from './records.ts';

export type StepName = 'company' | 'people' | 'documents' | 'review';
/** Where a flow can be: at a step, or at the business's status. */
export type Place = StepName | 'status';

/** Props of each step. */
export interface StepProps {
  readonly context: FlowContext;
  readonly form: KybForm;
  readonly countries: readonly Country[];
  /** The saved form, and where to go next. */
  readonly onForm: (form: KybForm, to: Place) => void;
  readonly onCancel?: (() => void) | undefined;
}
