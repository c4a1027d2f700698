// Identity verification, as a flow of its own or the first part of a payout: what is needed, the
// form, the check, its result. After a reload it continues where it was. [public-facts 4.2]
import { useEffect, useRef, useState } from 'preact/hooks';
import type { FlowContext } from '../flow.ts';
import { Screen, Skeleton } from '../kit/index.ts';
import { formOf as businessForm } from '../kyb/calls.ts';
import type { Entity } from '../kyb/records.ts';
import { crashWith, useLoaded } from '../methods/load.ts';
import { BusinessScreen } from './business-screen.tsx';
import { draftAgain, emptyDraft, type Draft } from './draft.ts';
import { Form } from './form.tsx';
import {
  AcceptedScreen,
  CheckScreen,
  NotPassedScreen,
  UnderReviewScreen,
} from './outcome-screens.tsx';
import { release } from './picture.ts';
import { formDue, standingOf, type Country, type KycForm, type Level } from './records.ts';
import { countriesOf, formOf } from './send.ts';
import { t } from '../texts.ts';

export interface IdentityProps {
  readonly context: FlowContext;
  readonly level: Level;
  /** Why it is needed, on the form's first screen. */
  readonly why?: string;
  /** Continue was pressed; the state is the platform's. */
  readonly onAccepted: (state: string) => void;
  /** It was left early: the state if something was sent, null if nothing was. */
  readonly onLeft: (state: string | null) => void;
}

/** Loads what is needed, then continues from there. */
export function Identity(props: IdentityProps) {
  const { context } = props;
  const [loaded] = useLoaded(context, async () => {
    const [asked, countries] = await Promise.all([askedNow(context), countriesOf(context)]);
    return { ...asked, countries };
  });
  if (loaded !== null) return <Loaded {...props} {...loaded} />;
  return (
    <Screen name="loading" title={t('kyc.loading')} busy>
      <Skeleton shapes={['short', 'row', 'row', 'button']} />
    </Screen>
  );
}

/** What the account needs, and the business that is verified in place of a person. */
interface AskedNow {
  readonly form: KycForm;
  readonly business: Entity | null;
}

/** If nothing is needed, a business may be the reason. */
async function askedNow(context: FlowContext): Promise<AskedNow> {
  const form = await formOf(context);
  const business = form.forms.length > 0 ? null : (await businessForm(context)).entity;
  return { form, business };
}

type LoadedProps = IdentityProps & AskedNow & {
  readonly countries: readonly Country[];
};

function Loaded(props: LoadedProps) {
  const { context, level, countries, onAccepted, onLeft } = props;
  const [form, setForm] = useState(props.form);
  const [business, setBusiness] = useState(props.business);
  const [again, setAgain] = useState(false);
  const [draft, setDraft] = useDraft(props.form.country_default);
  const decide = (now: KycForm): void => {
    setDraft(draftAgain(draft, now));
    setForm(now);
    setAgain(false);
  };
  const look = (): void => {
    askedNow(context).then(
      (asked) => {
        setBusiness(asked.business);
        decide(asked.form);
      },
      (error: unknown) => crashWith(context, error),
    );
  };
  const leave = (): void => onLeft(form.state);
  if (business !== null) {
    const go = (): void => onAccepted(form.state);
    return <BusinessScreen {...{ context, business }} onGo={go} onClose={leave} />;
  }
  const due = formDue(form, level);
  const standing = standingOf(form, level);
  if (due !== null && (standing === 'form' || (standing === 'failed' && again))) {
    return (
      <Form
        {...{ context, due, form, countries, draft }}
        why={props.why}
        onDraft={setDraft}
        onSent={look}
        onCancel={() => onLeft(null)}
      />
    );
  }
  if (standing === 'processing') {
    return <CheckScreen context={context} onDecided={decide} onClose={leave} />;
  }
  if (standing === 'review') return <UnderReviewScreen onClose={leave} />;
  if (standing === 'accepted' || standing === 'filed') {
    const go = (): void => onAccepted(form.state);
    return <AcceptedScreen filed={standing === 'filed'} onGo={go} />;
  }
  const anew = (): void => setAgain(true);
  return <NotPassedScreen context={context} form={form} onAgain={anew} onClose={leave} />;
}

/** The draft; its blob URLs are released when the flow is left. */
function useDraft(country: string) {
  const [draft, setDraft] = useState<Draft>(() => emptyDraft(country));
  const newest = useRef(draft);
  newest.current = draft;
  useEffect(
    () => () => {
      const { document_front, document_back, extra_files } = newest.current;
      [document_front, document_back, ...extra_files].forEach(release);
    },
    [],
  );
  return [draft, setDraft] as const;
}
