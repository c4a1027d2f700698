// One step of the form: progress, errors, fields, buttons. Enter continues, and the first field in
// error takes the focus.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { BackButton, Button, Notice, Progress, Screen } from '../kit/index.ts';
import type { Faults } from './faults.ts';
import { t } from '../texts.ts';

/** Steps in their order. */
const STEPS = ['company', 'people', 'documents', 'review'] as const;

interface StepScreenProps {
  readonly name: string;
  readonly title: string;
  readonly lead: string;
  /** Place among the steps, from 0. */
  readonly at: number;
  readonly faults?: Faults;
  /** What needs correcting, or the refusal of what was just tried. */
  readonly problem: string;
  readonly reasons?: readonly string[];
  readonly busy: boolean;
  readonly go: string;
  readonly onGo: () => void;
  readonly onBack?: (() => void) | undefined;
  readonly onCancel?: (() => void) | undefined;
  readonly children: ComponentChildren;
}

/** A step; hooks of its buttons are `next`, `back` and `cancel`. */
export function StepScreen(props: StepScreenProps) {
  const { faults = {}, reasons = [], onBack, onCancel } = props;
  const fields = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (Object.keys(faults).length === 0) return;
    fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [faults]);
  return (
    <Screen
      name={`kyb-${props.name}`}
      title={props.title}
      lead={props.lead}
      above={
        <>
          {onBack !== undefined && <BackButton test="back" onClick={onBack} />}
          <Progress steps={STEPS.map((step) => t(`kyb.step_${step}`))} current={props.at} />
        </>
      }
    >
      {reasons.length > 0 && (
        <Notice tone="warn" title={t('kyb.correct')} test="kyb-reasons">
          {reasons.join(' ')}
        </Notice>
      )}
      <form
        ref={fields}
        class="screen"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!props.busy) props.onGo();
        }}
      >
        {props.children}
        <div class="actions">
          {props.problem !== '' && (
            <Notice tone="error" test="problem">
              {props.problem}
            </Notice>
          )}
          <Button type="submit" test="next" busy={props.busy}>
            {props.go}
          </Button>
          {onCancel !== undefined && (
            <Button kind="quiet" test="cancel" onClick={onCancel}>
              {t('page.cancel')}
            </Button>
          )}
        </div>
      </form>
    </Screen>
  );
}
