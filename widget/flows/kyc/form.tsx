// The identity form: the steps that are due, the review, sending; from the review back to any step.
// A refusal is shown beside its field.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api.ts';
import type { FlowContext } from '../flow.ts';
import { BackButton, Button, Notice, Progress, Screen } from '../kit/index.ts';
import { sentenceOf } from '../methods/load.ts';
import { DocumentStep } from './document-step.tsx';
import {
  askedOf,
  bodyOf,
  faultsIn,
  faultsOf,
  pathOf,
  stepOf,
  type Draft,
  type Faults,
  type Field,
  type StepId,
} from './draft.ts';
import { dataUri } from '../kit/photo.ts';
import { reasonTexts, type Country, type KycForm } from './records.ts';
import { ReviewScreen } from './review-screen.tsx';
import { sendSubmission } from './send.ts';
import * as steps from './steps.tsx';
import { t } from '../texts.ts';

export interface FormProps {
  readonly context: FlowContext;
  readonly due: 'full' | 'tax';
  readonly form: KycForm;
  readonly countries: readonly Country[];
  readonly draft: Draft;
  /** Why it is needed, on the first screen. */
  readonly why?: string | undefined;
  readonly onDraft: (draft: Draft) => void;
  /** It was sent, or another window was faster: what is needed now must be read again. */
  readonly onSent: () => void;
  readonly onCancel: () => void;
}

const STEPS = {
  country: steps.CountryStep,
  person: steps.PersonStep,
  tax: steps.TaxStep,
  address: steps.AddressStep,
  phone: steps.PhoneStep,
  documents: DocumentStep,
} as const;

/** Refusals that mean it was sent or decided meanwhile, or that a business is verified instead. */
const OVERTAKEN = [
  'KYC_IN_PROGRESS',
  'KYC_ALREADY_ACCEPTED',
  'KYC_TAX_FORM_NOT_DUE',
  'KYC_FOLLOWS_ENTITY',
];

export function Form(props: FormProps) {
  const { context, form, countries, draft, due } = props;
  const asked = askedOf(form, due, draft, countries);
  const [path] = useState(() => pathOf(asked, draft, form));
  const [at, setAt] = useState<StepId | 'review'>(() => path[0] ?? 'review');
  const [reviewed, setReviewed] = useState(at === 'review');
  const [faults, setFaults] = useState<Faults>({});
  const looked = useRef(draft);
  const { sent, problem, send } = useSending(props, asked, (found) => {
    looked.current = draft;
    setFaults(found);
    const [first] = Object.keys(found).map(stepOf);
    if (first !== undefined && first !== null) setAt(first);
  });
  const screens = [...path.map((step) => t(`kyc.${step}_title`)), t('kyc.review')];
  const go = (to: StepId | 'review'): void => {
    setFaults({});
    setReviewed(reviewed || to === 'review');
    setAt(to);
  };
  if (at === 'review') {
    return (
      <ReviewScreen
        {...{ asked, draft, countries, sent, problem }}
        steps={screens}
        onEdit={go}
        onSend={() => void send()}
        onBack={() => (path.length === 0 ? props.onCancel() : go(path.at(-1) as StepId))}
      />
    );
  }
  const place = reviewed ? -1 : path.indexOf(at);
  const back = (): void => go(path[place - 1] ?? 'review');
  const next = (): void => {
    const found = faultsIn(at, asked, draft);
    looked.current = draft;
    setFaults(found);
    if (Object.keys(found).length > 0) return;
    const wrong = (step: StepId) => Object.keys(faultsIn(step, asked, draft)).length > 0;
    // From the review a person returns there, unless the change made other steps due.
    const planned = place < 0 ? undefined : path[place + 1];
    go(planned ?? asked.steps.find(wrong) ?? 'review');
  };
  const Fields = STEPS[at];
  return (
    <StepScreen
      key={at}
      step={at}
      context={context}
      above={
        <>
          {place !== 0 && <BackButton test="back" onClick={back} />}
          <Progress steps={screens} current={place < 0 ? path.length : place} />
        </>
      }
      faults={faults}
      reasons={place === 0 ? reasonTexts(form) : []}
      why={place === 0 && form.reasons.length === 0 ? props.why : undefined}
      onNext={next}
      onCancel={props.onCancel}
    >
      <Fields
        {...{ asked, draft, countries }}
        faults={standing(faults, looked.current, draft)}
        set={(change) => props.onDraft({ ...draft, ...change })}
      />
    </StepScreen>
  );
}

/** A field being corrected shows no error until Continue checks it again. */
function standing(faults: Faults, looked: Draft, draft: Draft): Faults {
  const same = ([field]: [string, string]): boolean =>
    looked[field as Field] === draft[field as Field];
  return Object.fromEntries(Object.entries(faults).filter(same));
}

type StepScreenProps = {
  readonly step: StepId;
  readonly context: FlowContext;
  readonly above: ComponentChildren;
  readonly faults: Faults;
  readonly reasons: readonly string[];
  readonly why?: string | undefined;
  readonly onNext: () => void;
  readonly onCancel: () => void;
  readonly children: ComponentChildren;
};

/** One step; Enter continues, and the first field in error takes the focus. */
function StepScreen(props: StepScreenProps) {
  const { step, faults } = props;
  const fields = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (Object.keys(faults).length === 0) return;
    fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [faults]);
  return (
    <Screen
      name={`kyc-${step}`}
      title={t(`kyc.${step}_title`)}
      lead={t(`kyc.${step}_lead`)}
      above={props.above}
    >
      {props.why !== undefined && <Notice>{props.why}</Notice>}
      {props.reasons.length > 0 && (
        <Notice tone="warn" title={t('kyc.correct')}>
          {props.reasons.join(' ')}
        </Notice>
      )}
      <form
        ref={fields}
        class="screen"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          props.onNext();
        }}
      >
        {props.children}
        <div class="actions">
          <Button type="submit" test="next">
            {t('page.continue')}
          </Button>
          {props.context.config.hideExitButtons !== true && (
            <Button kind="quiet" test="cancel" onClick={props.onCancel}>
              {t('page.cancel')}
            </Button>
          )}
        </div>
      </form>
    </Screen>
  );
}

/** Sends once per press; a press without an answer keeps its key. */
function useSending(
  props: FormProps,
  asked: ReturnType<typeof askedOf>,
  onFaults: (faults: Faults) => void,
) {
  const [sent, setSent] = useState<number | null>(null);
  const [problem, setProblem] = useState('');
  const running = useRef(false);
  const attempt = useRef({ draft: props.draft, key: '' });
  const send = async (): Promise<void> => {
    if (running.current) return;
    running.current = true;
    setSent(0);
    setProblem('');
    const { key, draft } = attempt.current;
    if (key === '' || draft !== props.draft) {
      attempt.current = { draft: props.draft, key: crypto.randomUUID() };
    }
    try {
      const body = await bodyOf(asked, props.draft, dataUri);
      await sendSubmission(props.context, body, attempt.current.key, setSent);
      props.onSent();
    } catch (error) {
      setSent(null);
      running.current = false;
      const refusal = error instanceof ApiError ? error : null;
      if (refusal?.status !== 0) attempt.current = { ...attempt.current, key: '' };
      if (OVERTAKEN.some((code) => refusal?.is(code) === true)) return props.onSent();
      setProblem(sentenceOf(error));
      onFaults(faultsOf(refusal?.errors ?? {}));
    }
  };
  return { sent, problem, send };
}
