// Everything once more before it is sent, each part with a way back.
import type { ComponentChildren } from 'preact';
import { dayText, isoDate } from '../kit/date.ts';
import { countryName } from '../kit/countries.ts';
import { BackButton, Button, Notice, Progress, Screen } from '../kit/index.ts';
import { documentName } from './document-step.tsx';
import type { Asked, Draft, StepId } from './draft.ts';
import type { Country } from './records.ts';
import { t } from '../texts.ts';
import { nameOrder } from './name-order.ts';

export interface ReviewProps {
  readonly asked: Asked;
  readonly draft: Draft;
  readonly countries: readonly Country[];
  readonly steps: readonly string[];
  /** Share that was sent, 0 to 1; null: nothing is being sent. */
  readonly sent: number | null;
  /** Why sending failed; else ''. */
  readonly problem: string;
  readonly onEdit: (step: StepId) => void;
  readonly onSend: () => void;
  readonly onBack: () => void;
}

/** Lines of what was filled in; empty ones are dropped. */
function linesOf(step: StepId, props: ReviewProps): readonly string[] {
  const { draft, asked, countries } = props;
  const named = (code: string): string => countryName(countries, code);
  if (step === 'country') return [named(draft.country)];
  if (step === 'person') {
    const name = nameOrder().map((part) => draft[part].trim());
    const birth = asked.birth ? dayText(isoDate(draft.date_of_birth)) : '';
    const bornText = birth === '' ? '' : t('kyc.born', { date: birth });
    return [asked.name ? name.filter(Boolean).join(' ') : '', bornText];
  }
  if (step === 'tax') {
    const ssn = asked.ssn ? `•••-••-${draft.ssn.slice(-4)}` : '';
    return [ssn, t('kyc.signed', { name: draft.signature.trim() })];
  }
  if (step === 'address') {
    const town = [draft.city, draft.state, draft.zip].map((part) => part.trim());
    return [draft.street, draft.street2, town.filter(Boolean).join(' ')];
  }
  if (step === 'phone') return [`+${draft.phone_code.replace(/^\+/, '')} ${draft.phone_number}`];
  if (!asked.front) return [];
  return [`${documentName(draft.document_type)}, ${named(draft.document_country)}`];
}

function Part(props: {
  readonly step: StepId;
  readonly lines: readonly string[];
  readonly onEdit: () => void;
  readonly children?: ComponentChildren;
}) {
  const { step, lines } = props;
  return (
    <div class="row review-part">
      <div>
        <h2>{t(`kyc.${step}_label`)}</h2>
        {lines.filter((line) => line.trim() !== '').map((line) => (
          <p key={line}>{line}</p>
        ))}
        {props.children}
      </div>
      <Button small kind="quiet" test={`edit-${step}`} onClick={props.onEdit}>
        {t('page.edit')}
        <span class="unseen">: {t(`kyc.${step}_title`)}</span>
      </Button>
    </div>
  );
}

function Pictures({ asked, draft }: Pick<ReviewProps, 'asked' | 'draft'>) {
  const shown = [
    asked.front ? draft.document_front : null,
    asked.back ? draft.document_back : null,
    ...(asked.extra === 'no' ? [] : draft.extra_files),
  ].filter((picture) => picture !== null);
  if (shown.length === 0) return null;
  return (
    <div class="thumbs">
      {shown.map((picture) =>
        picture.url === '' ? (
          <small key={picture.name}>{picture.name}</small>
        ) : (
          <img key={picture.url} src={picture.url} alt={picture.name} />
        ),
      )}
    </div>
  );
}

/** The last screen of the form. */
export function ReviewScreen(props: ReviewProps) {
  const { asked, draft, steps, sent, problem } = props;
  const busy = sent !== null;
  return (
    <Screen
      name="kyc-review"
      title={t('kyc.review_title')}
      lead={t('kyc.review_lead')}
      above={
        <>
          <BackButton test="back" onClick={props.onBack} />
          <Progress steps={steps} current={steps.length - 1} />
        </>
      }
    >
      <div class="rows" inert={busy}>
        {asked.steps.map((step) => (
          <Part
            key={step}
            step={step}
            lines={linesOf(step, props)}
            onEdit={() => props.onEdit(step)}
          >
            {step === 'documents' && <Pictures asked={asked} draft={draft} />}
          </Part>
        ))}
      </div>
      <div class="actions">
        {problem !== '' && (
          <Notice tone="error" test="problem">
            {problem}
          </Notice>
        )}
        <Button test="kyc-submit" busy={busy} onClick={props.onSend}>
          {t(busy ? 'page.sending' : 'page.send')}
        </Button>
        {busy && <progress class="sending" value={sent} aria-label={t('page.sent_share')} />}
      </div>
    </Screen>
  );
}
