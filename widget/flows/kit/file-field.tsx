// One file, dropped, chosen or photographed.
import { useState } from 'preact/hooks';
import { IconButton } from './button.tsx';
import { FieldWords, useField, type FieldProps } from './fields.tsx';
import { CloseIcon, FileIcon, UploadIcon } from './icons.tsx';
import { numbersLocale, t } from '../texts.ts';

interface FileFieldProps extends FieldProps {
  /** Types as in the `accept` attribute. */
  readonly accept: string;
  /** On a phone: opens the back or the front camera. */
  readonly capture?: 'environment' | 'user';
  /** The accepted file; null: none yet. */
  readonly file: { readonly name: string; readonly size: number } | null;
  /** Share that was sent, 0 to 1; null: nothing is being sent. */
  readonly progress?: number | null;
  readonly onFile: (file: File) => void;
  readonly onClear: () => void;
}

/** `1.4 MB` for a number of bytes. */
export function sizeText(bytes: number): string {
  const small = bytes < 1_000_000;
  const format = new Intl.NumberFormat(numbersLocale(), {
    ...{ style: 'unit', unit: small ? 'kilobyte' : 'megabyte' },
    ...(small ? { maximumFractionDigits: 0 } : { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
  });
  return format.format(small ? Math.ceil(bytes / 1000) : bytes / 1e6);
}

/** A place to drop or choose one file. The hook is on the input. */
export function FileField(props: FileFieldProps) {
  const { file, progress = null } = props;
  const { id, invalid, described } = useField(props);
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      {file === null ? (
        <Drop {...props} id={id} invalid={invalid} described={described} />
      ) : (
        <div class="rows">
          <div class="row-line">
            <div class="row-still">
              <FileIcon />
              <span class="row-words">
                <strong>{file.name}</strong>
                <small>{sizeText(file.size)}</small>
                {progress !== null && <progress value={progress} aria-label={props.label} />}
              </span>
            </div>
            <IconButton
              label={t('page.remove_named', { name: file.name })}
              test={`${props.test}-clear`}
              onClick={props.onClear}
            >
              <CloseIcon />
            </IconButton>
          </div>
        </div>
      )}
      <FieldWords id={id} hint={props.hint} error={props.error} />
    </div>
  );
}

type DropProps = FileFieldProps & {
  readonly id: string;
  readonly invalid: boolean;
  readonly described: string | undefined;
};

function Drop({ id, invalid, described, ...props }: DropProps) {
  const [over, setOver] = useState(false);
  const take = (list: FileList | null | undefined): void => {
    const chosen = list?.[0];
    if (chosen !== undefined) props.onFile(chosen);
  };
  return (
    <div
      class={over ? 'drop drop-over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer?.files);
      }}
    >
      <UploadIcon />
      <strong>{t('page.choose_file')}</strong>
      <input
        id={id}
        type="file"
        accept={props.accept}
        capture={props.capture}
        data-test={props.test}
        aria-invalid={invalid}
        aria-describedby={described}
        onChange={(event) => take(event.currentTarget.files)}
      />
    </div>
  );
}
