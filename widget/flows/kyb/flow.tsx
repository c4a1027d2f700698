// The business flow: company, people, documents, review, then its status. Every step is saved when
// left, so that a reload or another day continues there. [G-54, G-55]
import { useState } from 'preact/hooks';
import type { FlowContext } from '../flow.ts';
import { Skeleton } from '../kit/index.ts';
import { useLoaded } from '../methods/load.ts';
import { load, type Loaded } from './calls.ts';
import { CompanyStep } from './company-step.tsx';
import { DocumentsStep } from './documents-step.tsx';
import { PeopleStep } from './people-step.tsx';
import type { KybForm } from './records.ts';
import { ReviewStep } from './review-step.tsx';
import { StatusScreen } from './status-screens.tsx';
import type { Place } from './step.ts';

const STEPS = {
  company: CompanyStep,
  people: PeopleStep,
  documents: DocumentsStep,
  review: ReviewStep,
} as const;

/** Ends with the business's status; Continue after an acceptance sets its trigger. */
export function KybFlow({ context }: { readonly context: FlowContext }) {
  const [loaded] = useLoaded(context, () => load(context));
  if (loaded === null) return <Skeleton shapes={['title', 'box', 'box', 'box', 'button']} />;
  return <Kyb context={context} start={loaded} />;
}

/** A submission that came back or is being checked is shown first. */
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
