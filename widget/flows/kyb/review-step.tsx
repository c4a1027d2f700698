// The last step: everything once more, each part with a way back, and the button that submits it.
import { useState } from 'preact/hooks';
import { Button, Notice, Row, Rows } from '../kit/index.ts';
import { countryName } from '../kit/countries.ts';
import { sentenceOf } from '../methods/load.ts';
import { submit } from './calls.ts';
import { isAbroad } from './draft.ts';
import type { StepProps, StepName } from './step.ts';
import { rolesText, typeText } from './records.ts';
import { StepScreen } from './step-screen.tsx';
import { t } from '../texts.ts';

export function ReviewStep(props: StepProps) {
  const { context, form, countries } = props;
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const { entity } = form;
  if (entity === null) return null;
  const go = async (): Promise<void> => {
    setBusy(true);
    setProblem('');
    try {
      props.onForm(await submit(context), 'status');
    } catch (error) {
      setBusy(false);
      setProblem(sentenceOf(error));
    }
  };
  const { legal_form, registration_number, register } = entity;
  const kind = isAbroad(form) ? legal_form : typeText(entity.entity_type);
  const country = countryName(countries, form.country);
  const stated = [kind, registration_number, register, country];
  const people = entity.agents.map(
    ({ agent_name: name, roles }) => `${name} (${rolesText(roles)})`,
  );
  const unconfirmed = entity.agents.filter(({ status }) => status !== 'ACCEPT').length;
  const files = entity.documents.map((one) => one.pii_document_name);
  const parts: readonly (readonly [StepName, string, string])[] = [
    ['company', entity.entity_name, stated.filter(Boolean).join(', ')],
    ['people', t('kyb.step_people'), people.join(', ')],
    ['documents', t('kyb.step_documents'), files.join(', ')],
  ];
  return (
    <StepScreen
      name="review"
      title={t('kyb.review_title')}
      lead={t('kyb.review_lead')}
      at={3}
      problem={problem}
      busy={busy}
      go={t('page.send')}
      onGo={() => void go()}
      onBack={() => props.onForm(form, 'documents')}
      onCancel={props.onCancel}
    >
      <Rows>
        {parts.map(([step, title, detail]) => (
          <Row
            key={step}
            title={title}
            detail={detail}
            end={
              <Button
                small
                kind="quiet"
                test={`change-${step}`}
                onClick={() => props.onForm(form, step)}
              >
                {t('page.change')}
                <span class="unseen">: {title}</span>
              </Button>
            }
          />
        ))}
      </Rows>
      {unconfirmed > 0 && (
        <Notice>{t('kyb.unconfirmed', { count: unconfirmed })}</Notice>
      )}
    </StepScreen>
  );
}
