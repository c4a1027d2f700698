// Changing a saved method: a strip below its row, and a dialog for renaming and removing.
import { useState } from 'preact/hooks';
import type { FlowContext } from '../flow.ts';
import { Button, ConfirmDialog, FormDialog, methodName, Notice, TextField } from '../kit/index.ts';
import type { PaymentMethod } from './choice.ts';
import { sentenceOf } from './load.ts';
import { t } from '../texts.ts';

export type Change = 'rename' | 'remove';

/** The buttons below an opened row. */
export function ChangeStrip(props: {
  readonly method: PaymentMethod;
  readonly onChange: (change: Change) => void;
  /** Makes it the default. */
  readonly onDefault: () => void;
}) {
  const { method, onChange, onDefault } = props;
  const kept = method.kept !== false;
  return (
    <div class="row-more">
      {kept && method.is_default !== true && (
        <Button small kind="quiet" test="method-default" onClick={onDefault}>
          {t('methods.use_default')}
        </Button>
      )}
      {kept && (
        <Button small kind="quiet" test="method-rename" onClick={() => onChange('rename')}>
          {t('methods.rename')}
        </Button>
      )}
      <Button small kind="danger" test="method-remove" onClick={() => onChange('remove')}>
        {t('page.remove')}
      </Button>
    </div>
  );
}

interface DialogProps {
  readonly context: FlowContext;
  readonly method: PaymentMethod;
  readonly change: Change;
  /** The change is made; the sentence says so. */
  readonly onDone: (said: string) => void;
  readonly onCancel: () => void;
}

/** The dialog of a change. */
export function ChangeDialog({ context, method, change, onDone, onCancel }: DialogProps) {
  const shown = methodName(method.display_string);
  const [name, setName] = useState(shown);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const path = `/payments/v1/payment_method/${method.id}`;
  const act = async (work: Promise<unknown>, said: string): Promise<void> => {
    setBusy(true);
    try {
      await work;
      onDone(said);
    } catch (error) {
      setProblem(sentenceOf(error));
      setBusy(false);
    }
  };
  const own = name.trim();
  const rename = (): void => {
    if (own === '') setProblem(t('methods.rename_empty'));
    else void act(context.api.patch(path, { display_string: own }), t('methods.renamed', { name: own }));
  };
  const remove = (): void =>
    void act(context.api.delete(path), t('methods.removed', { name: shown }));
  if (change === 'remove') {
    return (
      <ConfirmDialog
        title={t('methods.remove_title', { name: shown })}
        test="remove-dialog"
        confirm={t('page.remove')}
        danger
        busy={busy}
        onConfirm={remove}
        onCancel={onCancel}
      >
        {t('methods.remove_note')}
        {problem !== undefined && <Notice tone="error">{problem}</Notice>}
      </ConfirmDialog>
    );
  }
  return (
    <FormDialog
      title={t('methods.rename')}
      test="rename-dialog"
      confirm={t('page.save')}
      busy={busy}
      onConfirm={rename}
      onCancel={onCancel}
    >
      <TextField
        label={t('methods.rename_name')}
        test="rename-name"
        value={name}
        maxLength={60}
        error={problem}
        onInput={setName}
      />
    </FormDialog>
  );
}
