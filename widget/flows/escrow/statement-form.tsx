// The form in which a side says what happened: a text, a file, or both; at the opening also why.
// What was sent once is not sent again when the rest of it is corrected.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { FlowContext } from '../flow.ts';
import { Button, Notice, SelectField } from '../kit/index.ts';
import { FileField } from '../kit/file-field.tsx';
import { dataUri, MOST, PICTURES_OR_PDF, smallPhoto } from '../kit/photo.ts';
import { TextArea } from '../kit/text-area.tsx';
import { t } from '../texts.ts';
import { faultsOf, REASONS, type Faults } from './disagreement-records.ts';

/** Of the platform, in characters. */
const LONGEST = 2_048;

/** What is sent under one key: another key for another content. */
interface Draft<T> {
  readonly value: T;
  readonly key: string;
}
const draft = <T,>(value: T): Draft<T> => ({ value, key: crypto.randomUUID() });

interface Attached {
  readonly name: string;
  readonly size: number;
  readonly blob: Blob;
}

/** The file as it is sent, or what is wrong with it. */
async function attached(file: File): Promise<Attached | string> {
  const pdf = file.type === 'application/pdf';
  const blob = pdf ? (file.size > MOST ? 'large' : file) : await smallPhoto(file);
  if (blob === 'large') return t('disagreement.file_large');
  if (blob === 'unreadable' || blob.size === 0) return t('disagreement.file_refused');
  return { name: file.name, size: blob.size, blob };
}

export function StatementForm(props: {
  readonly context: FlowContext;
  readonly path: string;
  /** Of the button. */
  readonly label: string;
  /** Opens the disagreement for this reason first; absent: it is open. */
  readonly begin?: (reason: string, key: string) => Promise<unknown>;
  readonly onDone: () => Promise<void>;
}) {
  const { context, path, begin } = props;
  const shop = context.boot.integrator_name;
  const form = useRef<HTMLFormElement>(null);
  const [reason, setReason] = useState(() => draft(''));
  const [text, setText] = useState(() => draft(''));
  const [file, setFile] = useState<Draft<Attached> | null>(null);
  const [faults, setFaults] = useState<Faults>({});
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [faults]);
  const take = async (chosen: File): Promise<void> => {
    const taken = await attached(chosen);
    if (typeof taken === 'string') setFaults({ file: taken });
    else {
      setFaults({});
      setFile(draft(taken));
    }
  };
  const send = async (): Promise<void> => {
    const said = text.value.trim();
    const missing: Faults = {
      ...(begin && reason.value === '' && { reason: t('disagreement.reason_missing') }),
      ...(said === '' && file === null && { text: t('disagreement.text_missing') }),
    };
    setFaults(missing);
    if (Object.keys(missing).length > 0) return;
    setBusy(true);
    try {
      await begin?.(reason.value, reason.key);
      const at = `${path}/statements`;
      if (said !== '') await context.api.post(at, { text: said }, { key: text.key });
      if (file !== null) {
        const body = { file: await dataUri(file.value.blob) };
        await context.api.post(at, body, { key: file.key });
      }
      setText(draft(''));
      setFile(null);
      await props.onDone();
    } catch (error) {
      setFaults(faultsOf(error));
    }
    setBusy(false);
  };
  return (
    <form
      ref={form}
      class="screen"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void send();
      }}
    >
      {begin && (
        <SelectField
          label={t('disagreement.reason')}
          test="reason"
          value={reason.value}
          placeholder={t('page.choose')}
          options={REASONS.map((value) => ({ value, label: t(`disagreement.reason_${value}`) }))}
          error={faults.reason}
          onInput={(value) => setReason(draft(value))}
        />
      )}
      <TextArea
        label={t('disagreement.text')}
        test="statement"
        value={text.value}
        maxLength={LONGEST}
        hint={t('disagreement.text_hint', { shop })}
        error={faults.text}
        onInput={(value) => setText(draft(value))}
      />
      <FileField
        label={t('disagreement.file')}
        test="statement-file"
        accept={PICTURES_OR_PDF}
        file={file?.value ?? null}
        hint={t('disagreement.file_hint')}
        error={faults.file}
        onFile={(chosen) => void take(chosen)}
        onClear={() => setFile(null)}
      />
      {faults.form !== undefined && (
        <Notice tone="error" test="problem">
          {faults.form}
        </Notice>
      )}
      <Button type="submit" kind={begin ? 'primary' : 'secondary'} test="state" busy={busy}>
        {props.label}
      </Button>
    </form>
  );
}
