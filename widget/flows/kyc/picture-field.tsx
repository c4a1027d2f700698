// One picture of a document: taken by a phone's camera or chosen, shown so that its owner can see
// whether it is readable, and removable.
import { useState } from 'preact/hooks';
import { FileField } from '../kit/file-field.tsx';
import { IconButton, CloseIcon, Spinner, UploadIcon } from '../kit/index.ts';
import type { Picture } from './draft.ts';
import { PICTURES, PICTURES_OR_PDF } from '../kit/photo.ts';
import { prepare, release } from './picture.ts';
import { t } from '../texts.ts';

interface TakeProps {
  readonly label: string;
  readonly test: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly pdf?: boolean;
  readonly onTake: (picture: Picture) => void;
}

/** The control that takes a file. Hooks are on the inputs: `<test>`, `<test>-camera`. */
export function PictureTaker({ pdf = false, ...props }: TakeProps) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    setBusy(true);
    const prepared = await prepare(file, pdf);
    setBusy(false);
    setProblem(typeof prepared === 'string' ? prepared : undefined);
    if (typeof prepared !== 'string') props.onTake(prepared);
  };
  return (
    <div class="picture-taker" aria-busy={busy}>
      <FileField
        label={props.label}
        test={props.test}
        hint={props.hint}
        error={problem ?? props.error}
        accept={pdf ? PICTURES_OR_PDF : PICTURES}
        file={null}
        onFile={(file) => void take(file)}
        onClear={() => {}}
      />
      <label class="button button-secondary button-wide camera">
        {busy ? <Spinner label={t('kyc.picture_reading')} /> : <UploadIcon />}
        {t('kyc.take_photo')}
        <span class="unseen">: {props.label}</span>
        <input
          class="unseen"
          type="file"
          accept={PICTURES}
          capture="environment"
          data-test={`${props.test}-camera`}
          onChange={(event) => void take(event.currentTarget.files?.[0])}
        />
      </label>
    </div>
  );
}

/** An accepted picture. */
export function PictureShown(props: {
  readonly picture: Picture;
  readonly label: string;
  readonly test: string;
  readonly onClear: () => void;
}) {
  const { picture, label } = props;
  return (
    <figure class="picture">
      {picture.url !== '' && <img src={picture.url} alt={t('kyc.your_picture', { label })} />}
      <figcaption>
        <span class="row-words">
          <strong>{label}</strong>
          <small>{picture.name}</small>
        </span>
        <IconButton
          label={t('page.remove_labelled', { label })}
          test={`${props.test}-clear`}
          onClick={props.onClear}
        >
          <CloseIcon />
        </IconButton>
      </figcaption>
    </figure>
  );
}

/** One picture, or the place for it. */
export function PictureField(
  props: Omit<TakeProps, 'onTake'> & {
    readonly picture: Picture | null;
    readonly onPicture: (picture: Picture | null) => void;
  },
) {
  const { picture, onPicture } = props;
  if (picture === null) return <PictureTaker {...props} onTake={onPicture} />;
  const clear = (): void => {
    release(picture);
    onPicture(null);
  };
  return (
    <PictureShown picture={picture} label={props.label} test={props.test} onClear={clear} />
  );
}
