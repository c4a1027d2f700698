// Buttons. A busy or disabled button keeps its label and its place in the tab order; it only does
// nothing.
import type { ComponentChildren, TargetedMouseEvent } from 'preact';
import { BackIcon, ChevronIcon } from './icons.tsx';
import { Spinner } from './feedback.tsx';
import { t } from '../texts.ts';

/** A button; `test` is its hook for tests. */
export interface ButtonProps {
  readonly children: ComponentChildren;
  readonly test: string;
  readonly kind?: 'primary' | 'secondary' | 'quiet' | 'danger';
  readonly type?: 'button' | 'submit';
  /** Its action is running: it spins, and further presses are ignored. */
  readonly busy?: boolean;
  readonly disabled?: boolean;
  readonly small?: boolean;
  readonly describedBy?: string | undefined;
  readonly onClick?: () => void;
}

/** A press on a disabled or busy control does nothing, a submit included. */
function press(still: boolean, act?: () => void) {
  return (event: TargetedMouseEvent<HTMLButtonElement>): void => {
    if (still) event.preventDefault();
    else act?.();
  };
}

/** One button of a screen or dialog. */
export function Button(props: ButtonProps) {
  const { kind = 'primary', busy = false, disabled = false, small = false } = props;
  const still = busy || disabled;
  const size = small ? 'button-small' : 'button-wide';
  const quietDanger = small && kind === 'danger' ? ' button-quiet' : '';
  return (
    <button
      class={`button button-${kind} ${size}${quietDanger}`}
      type={props.type ?? 'button'}
      data-test={props.test}
      aria-disabled={still}
      aria-busy={busy}
      aria-describedby={props.describedBy}
      onClick={press(still, props.onClick)}
    >
      {busy && <Spinner />}
      <span>{props.children}</span>
    </button>
  );
}

/** Props of an icon button; `label` is read out. */
interface IconButtonProps {
  readonly label: string;
  readonly test: string;
  readonly children: ComponentChildren;
  readonly expanded?: boolean;
  readonly onClick: () => void;
}

/** A button with an icon only. */
export function IconButton({ label, test, children, expanded, onClick }: IconButtonProps) {
  return (
    <button
      class="icon-button"
      type="button"
      data-test={test}
      aria-label={label}
      aria-expanded={expanded}
      onClick={onClick}
    >
      {children}
    </button>
  );
}

/** A row that leads somewhere, such as "Add a card". */
export function RowButton(props: {
  readonly icon: ComponentChildren;
  readonly children: ComponentChildren;
  readonly test: string;
  readonly busy?: boolean;
  readonly onClick: () => void;
}) {
  const { icon, busy = false } = props;
  return (
    <button
      class="row-button"
      type="button"
      data-test={props.test}
      aria-disabled={busy}
      aria-busy={busy}
      onClick={press(busy, props.onClick)}
    >
      {icon}
      <span>{props.children}</span>
      {busy ? <Spinner /> : <ChevronIcon />}
    </button>
  );
}

/** Back to the previous screen; stands above a heading. */
export function BackButton({ test, onClick }: { readonly test: string; onClick: () => void }) {
  return (
    <button class="back-button" type="button" data-test={test} onClick={onClick}>
      <BackIcon />
      {t('page.back')}
    </button>
  );
}
