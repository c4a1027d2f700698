// Feedback: notices, placeholders, spinners, progress.
import type { ComponentChildren } from 'preact';
import { AlertIcon, CheckIcon, InfoIcon, LockIcon } from './icons.tsx';
import { t } from '../texts.ts';

/** How serious a notice is. */
export type Tone = 'info' | 'success' | 'warn' | 'error';

/** A notice within the page. An error is read out at once; others only if `live`. */
export function Notice(props: {
  readonly tone?: Tone;
  readonly title?: string;
  readonly live?: boolean;
  readonly id?: string;
  readonly test?: string;
  readonly children?: ComponentChildren;
}) {
  const { tone = 'info', live = false } = props;
  const Icon = tone === 'info' ? InfoIcon : tone === 'success' ? CheckIcon : AlertIcon;
  const role = tone === 'error' ? 'alert' : live ? 'status' : undefined;
  return (
    <div class={`notice notice-${tone}`} role={role} id={props.id} data-test={props.test}>
      <Icon />
      <div>
        {props.title !== undefined && <strong>{props.title}</strong>}
        {props.children !== undefined && <p>{props.children}</p>}
      </div>
    </div>
  );
}

type Shape = 'text' | 'short' | 'title' | 'row' | 'box' | 'list' | 'button' | 'frame';

/** Grey placeholders while something loads; announced once. */
export function Skeleton({ shapes }: { readonly shapes: readonly Shape[] }) {
  return (
    <>
      {shapes.map((shape, at) => (
        <span key={at} class={`skeleton skeleton-${shape}`} aria-hidden="true" />
      ))}
    </>
  );
}

/** A spinner. With a label it is read out; in a button the label is the button's. */
export function Spinner({ label, large = false }: { label?: string; large?: boolean }) {
  return (
    <>
      <span class={large ? 'spinner spinner-large' : 'spinner'} aria-hidden="true" />
      {label !== undefined && (
        <span class="unseen" role="status">
          {label}
        </span>
      )}
    </>
  );
}

/** Progress through a form of several screens; `current` counts from 0. */
export function Progress({ steps, current }: { steps: readonly string[]; current: number }) {
  return (
    <ol class="steps" data-test="steps">
      {steps.map((step, at) => (
        <li
          key={step}
          data-done={at <= current ? '' : undefined}
          aria-current={at === current ? 'step' : undefined}
        >
          <span class="unseen">{step}</span>
        </li>
      ))}
    </ol>
  );
}

/** The small line under a screen that names the operator. */
export function PoweredLine() {
  return (
    <p class="powered">
      <LockIcon />
      {t('page.powered')}
    </p>
  );
}
