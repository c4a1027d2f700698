// Status of a submitted business: waiting for its people or for a review, and the result.
import { useEffect, useState } from 'preact/hooks';
import type { FlowContext } from '../flow.ts';
import { Button, Notice, Result, Rows, Screen } from '../kit/index.ts';
import { formOf } from './calls.ts';
import { DocumentRow } from './document-row.tsx';
import { PersonRow } from './person-row.tsx';
import { reasonText, type Entity, type KybForm } from './records.ts';
import { t, textOf } from '../texts.ts';

const FIRST_LOOK_MS = 1_000;
const LOOK_EVERY_MS = 4_000;
const QUICK_LOOKS = 5;

interface StatusProps {
  readonly context: FlowContext;
  readonly form: KybForm;
  readonly entity: Entity;
  readonly onForm: (form: KybForm) => void;
  /** The form is open again. */
  readonly onAgain: () => void;
}

export function StatusScreen(props: StatusProps) {
  const { context, form, entity, onAgain } = props;
  const { status } = entity;
  const close = (): void => context.finish({ state: 'complete', result: status });
  if (status === 'PROCESSING') return <WaitingScreen {...props} onClose={close} />;
  if (status === 'ACCEPT') return <AcceptedScreen context={context} name={entity.entity_name} />;
  return (
    <Result
      name="kyb-failed"
      good={false}
      title={t(`kyb.${status}_title`)}
      lead={t(`kyb.${status}_lead`)}
    >
      {form.reasons.length > 0 && (
        <ul class="stack" data-test="kyb-reasons">
          {form.reasons.map((reason) => (
            <li key={reason.code}>
              <Notice tone="warn">{reasonText(reason)}</Notice>
            </li>
          ))}
        </ul>
      )}
      {entity.documents.some(({ reason }) => reason !== null) && (
        <Rows>
          {entity.documents.map((document) => (
            <DocumentRow key={document.entity_document_id} document={document} />
          ))}
        </Rows>
      )}
      <div class="actions">
        {form.open && (
          <Button test="kyb-again" onClick={onAgain}>
            {textOf('kyb', `${status}_again`)}
          </Button>
        )}
        <Button kind="quiet" test="close" onClick={close}>
          {t('page.close')}
        </Button>
      </div>
    </Result>
  );
}

function AcceptedScreen({ context, name }: { context: FlowContext; name: string }) {
  const go = (): void =>
    context.finish({ state: 'complete', result: 'ACCEPT', trigger: 'continue-button' });
  return (
    <Result
      name="kyb-accepted"
      good
      title={t('kyb.accepted', { business: name })}
      lead={t('kyb.accepted_lead')}
    >
      <Button test="continue" onClick={go}>
        {t('page.continue')}
      </Button>
    </Result>
  );
}

/** Polls the status, more often at first. */
function WaitingScreen(props: StatusProps & { readonly onClose: () => void }) {
  const { context, entity, onForm } = props;
  const [looks, setLooks] = useState(0);
  useEffect(() => {
    let stopped = false;
    const look = async (): Promise<void> => {
      const form = await formOf(context).catch(() => null);
      if (stopped) return;
      if (form !== null) onForm(form);
      setLooks(looks + 1);
    };
    const wait = looks < QUICK_LOOKS ? FIRST_LOOK_MS : LOOK_EVERY_MS;
    const timer = setTimeout(() => void look(), wait);
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [looks]);
  const waits = entity.agents.some(({ status }) => status !== 'ACCEPT');
  return (
    <Screen
      name="kyb-wait"
      title={t(waits ? 'kyb.waiting_people' : 'kyb.waiting')}
      lead={t(waits ? 'kyb.waiting_people_lead' : 'kyb.waiting_lead')}
    >
      <Rows>
        {entity.agents.map((agent) => (
          <PersonRow key={agent.entity_agent_id} context={context} agent={agent} />
        ))}
        {entity.documents.map((document) => (
          <DocumentRow key={document.entity_document_id} document={document} />
        ))}
      </Rows>
      <Button kind="secondary" test="done" onClick={props.onClose}>
        {t('page.done')}
      </Button>
    </Screen>
  );
}
