// Status of a submitted business: waiting for its people or for a review, and the result.
import { useEffect, useState } from 'preact/hooks';
import type { FlowContext } from '../flow.ts';
import { Button, Notice, Result, Rows, Screen } from '../kit/index.ts';
import { formOf } from './calls.ts';
import { PersonRow } from './person-row.tsx';
import type { Entity, KybForm, Status } from './records.ts';

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
  const { title, lead, again } = ENDINGS[status];
  return (
    <Result name="kyb-failed" good={false} title={title} lead={lead}>
      {form.reasons.length > 0 && (
        <ul class="stack" data-test="kyb-reasons">
          {form.reasons.map(({ code, sentence }) => (
            <li key={code}>
              <Notice tone="warn">{sentence}</Notice>
            </li>
          ))}
        </ul>
      )}
      <div class="actions">
        {form.open && (
          <Button test="kyb-again" onClick={onAgain}>
            {again}
          </Button>
        )}
        <Button kind="quiet" test="close" onClick={close}>
          Close
        </Button>
      </div>
    </Result>
  );
}

interface Ending {
  readonly title: string;
  readonly lead: string;
  readonly again: string;
}

const ENDINGS: Readonly<Record<Exclude<Status, 'PROCESSING' | 'ACCEPT'>, Ending>> = {
  INCOMPLETE: {
    title: 'Something is missing',
    lead: 'Please complete it within 30 days.',
    again: 'Complete the form',
  },
  DENY: {
    title: 'We could not confirm the business',
    lead: 'You can correct it and send it again.',
    again: 'Try again',
  },
  CANCEL: {
    title: 'The check ended early',
    lead: 'We did not hear from you for 30 days. You can continue where you stopped.',
    again: 'Continue',
  },
  INACTIVE: {
    title: 'The business is closed',
    lead: 'This business was closed.',
    again: '',
  },
};

function AcceptedScreen({ context, name }: { context: FlowContext; name: string }) {
  const go = (): void =>
    context.finish({ state: 'complete', result: 'ACCEPT', trigger: 'continue-button' });
  return (
    <Result name="kyb-accepted" good title={`${name} is confirmed`} lead="Nothing more is needed.">
      <Button test="continue" onClick={go}>
        Continue
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
      title={waits ? 'We are waiting for its people' : 'We are checking your business'}
      lead={
        waits
          ? 'Everyone confirms their identity through a personal link. You can close this page.'
          : 'This takes up to three business days. You do not have to do anything.'
      }
    >
      <Rows>
        {entity.agents.map((agent) => (
          <PersonRow key={agent.entity_agent_id} context={context} agent={agent} />
        ))}
      </Rows>
      <Button kind="secondary" test="done" onClick={props.onClose}>
        Done
      </Button>
    </Screen>
  );
}
