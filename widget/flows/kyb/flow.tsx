// The flow of a business: company, people, documents, review; then where it stands. Every step is
// saved when it is left, so a reload or another day goes on from there. [G-54, G-55]
import { useState } from 'preact/hooks';
import type { FlowContext } from '../flow.ts';
import { Skeleton } from '../kit/index.ts';
import { useLoaded } from '../methods/load.ts';
import { load, type Loaded } from './calls.ts';
import { CompanyStep } from './company-step.tsx';
import { DocumentsStep } from './documents-step.tsx';
import { PeopleStep } from './people-step.tsx';
import type { Country, KybForm } from './records.ts';
import { ReviewStep } from './review-step.tsx';
import { StatusScreen } from './status-screens.tsx';

export type StepName = 'company' | 'people' | 'documents' | 'review';
type Place = StepName | 'status';

/** What each step is given. */
export interface StepProps {
  readonly context: FlowContext;
  readonly form: KybForm;
  readonly countries: readonly Country[];
  /** The form as it stands now, and where to go with it. */
  readonly onForm: (form: KybForm, to: Place) => void;
  readonly onCancel?: (() => void) | undefined;
}

const STEPS = {
  company: CompanyStep,
  people: PeopleStep,
  documents: DocumentsStep,
  review: ReviewStep,
} as const;

/** Ends with the status of the business; Continue after an acceptance says so by its trigger. */
export function KybFlow({ context }: { readonly context: FlowContext }) {
  const [loaded] = useLoaded(context, () => load(context));
  if (loaded === null) return <Skeleton shapes={['title', 'box', 'box', 'box', 'button']} />;
  return <Kyb context={context} start={loaded} />;
}

/** What was sent and came back, or is being checked, is told first. */
function firstPlace({ entity, open, reasons }: KybForm): Place {
  const sent = !open || reasons.length > 0 || (entity !== null && entity.status !== 'INCOMPLETE');
  return sent ? 'status' : 'company';
}

function Kyb({ context, start }: { readonly context: FlowContext; readonly start: Loaded }) {
  const [form, setForm] = useState(start.form);
  const [place, setPlace] = useState<Place>(() => firstPlace(start.form));
  const go = (next: KybForm, to: Place): void => {
    setForm(next);
    setPlace(to);
  };
  if (place === 'status' && form.entity !== null) {
    return (
      <StatusScreen
        context={context}
        form={form}
        entity={form.entity}
        onForm={setForm}
        onAgain={() => setPlace('company')}
      />
    );
  }
  const name = place === 'status' ? 'company' : place;
  const Step = STEPS[name];
  const leaves = context.config.hideExitButtons !== true;
  return (
    <Step
      key={name}
      context={context}
      form={form}
      countries={start.countries}
      onForm={go}
      onCancel={leaves ? () => context.finish({ state: 'cancel' }) : undefined}
    />
  );
}
