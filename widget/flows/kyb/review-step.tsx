// The last step: everything once more, each part with a way back, and the button that submits it.
import { useState } from 'preact/hooks';
import { Button, Notice, Row, Rows } from '../kit/index.ts';
import { sentenceOf } from '../methods/load.ts';
import { submit } from './calls.ts';
import type { StepProps, StepName } from './step.ts';
import { rolesText, TYPES } from './records.ts';
import { StepScreen } from './step-screen.tsx';

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
  const kind = TYPES.find(({ value }) => value === entity.entity_type)?.label ?? '';
  const country = countries.find(({ code }) => code === form.country)?.name ?? '';
  const people = entity.agents.map(
    ({ agent_name: name, roles }) => `${name} (${rolesText(roles)})`,
  );
  const unconfirmed = entity.agents.filter(({ status }) => status !== 'ACCEPT').length;
  const parts: readonly (readonly [StepName, string, string])[] = [
    ['company', entity.entity_name, [kind, country].filter(Boolean).join(', ')],
    ['people', 'People', people.join(', ')],
    ['documents', 'Documents', entity.documents.map((one) => one.pii_document_name).join(', ')],
  ];
  return (
    <StepScreen
      name="review"
      title="Is everything right?"
      lead="You cannot change anything while we check it."
      at={3}
      problem={problem}
      busy={busy}
      go="Send"
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
                Change<span class="unseen">: {title}</span>
              </Button>
            }
          />
        ))}
      </Rows>
      {unconfirmed > 0 && (
        <Notice>
          {unconfirmed === 1
            ? 'One person has not confirmed their identity yet. You can send this now anyway.'
            : `${unconfirmed} people have not confirmed their identity yet. You can send this now
              anyway.`}
        </Notice>
      )}
    </StepScreen>
  );
}
