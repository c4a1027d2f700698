// The browser's own dialogs: they keep the focus inside, close on Escape, and give the focus back.
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from './button.tsx';
import { t } from '../texts.ts';

interface DialogProps {
  readonly title: string;
  readonly test: string;
  /** Label of the confirming button. */
  readonly confirm: string;
  readonly danger?: boolean;
  readonly busy?: boolean;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
  readonly children?: ComponentChildren;
}

/** A small form in a dialog; Enter confirms. Hooks: `<test>`, `<test>-confirm`, `<test>-cancel`. */
export function FormDialog(props: DialogProps) {
  const { title, test, danger = false, busy = false, onCancel } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const shown = dialog.current;
    const before = document.activeElement as HTMLElement | null;
    shown?.showModal();
    // The browser does not give the focus back if the dialog is removed.
    return () => {
      shown?.close();
      before?.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      data-test={test}
      onCancel={(event) => {
        event.preventDefault();
        if (!busy) onCancel();
      }}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) props.onConfirm();
        }}
      >
        <h2 id={id}>{title}</h2>
        {props.children}
        <div class="actions">
          <Button
            kind={danger ? 'danger' : 'primary'}
            type="submit"
            busy={busy}
            test={`${test}-confirm`}
          >
            {props.confirm}
          </Button>
          <Button kind="secondary" disabled={busy} onClick={onCancel} test={`${test}-cancel`}>
            {t('page.cancel')}
          </Button>
        </div>
      </form>
    </dialog>
  );
}

/** Asks before something irreversible. */
export function ConfirmDialog({ children, ...props }: DialogProps) {
  return (
    <FormDialog {...props}>
      {children !== undefined && <p class="muted">{children}</p>}
    </FormDialog>
  );
}
