// The document step: type, issuing country, pictures, and a proof of address if it is needed or
// helps.
import { countryOptions } from '../kit/countries.ts';
import { SelectField } from '../kit/index.ts';
import { PictureField, PictureShown, PictureTaker } from './picture-field.tsx';
import { release } from './picture.ts';
import { field, type StepProps } from './steps.tsx';
import { t, textOf } from '../texts.ts';

const DOCUMENTS = ['PP', 'DL', 'ID'] as const;

/** The name of a document type. */
export function documentName(type: string): string {
  return textOf('kyc', `document_${type}`) ?? type;
}

/** Document, issuing country and pictures, as far as they are needed. */
export function DocumentStep(props: StepProps) {
  const { asked, draft, faults, countries, set } = props;
  const types = asked.country?.documents ?? DOCUMENTS;
  const known = draft.document_type !== '';
  const passport = draft.document_type === 'PP';
  return (
    <>
      {asked.front && (
        <>
          <SelectField
            {...field(props, 'document_type')}
            label={t('kyc.documents_label')}
            placeholder={t('kyc.document_choose')}
            options={types.map((type) => ({ value: type, label: documentName(type) }))}
          />
          <SelectField
            {...field(props, 'document_country')}
            label={t('kyc.issued_in')}
            placeholder={t('page.choose_country')}
            options={countryOptions(countries)}
          />
        </>
      )}
      {known && asked.front && (
        <PictureField
          label={t(passport ? 'kyc.photo_page' : 'kyc.front')}
          test="document-front"
          error={faults.document_front}
          picture={draft.document_front}
          onPicture={(document_front) => set({ document_front })}
        />
      )}
      {(known || !asked.front) && asked.back && (
        <PictureField
          label={t('kyc.back_side')}
          test="document-back"
          error={faults.document_back}
          picture={draft.document_back}
          onPicture={(document_back) => set({ document_back })}
        />
      )}
      {asked.extra !== 'no' && <ProofOfAddress {...props} />}
    </>
  );
}

function ProofOfAddress({ asked, draft, faults, set }: StepProps) {
  const files = draft.extra_files;
  const needed = asked.extra === 'needed';
  return (
    <>
      {files.map((picture, at) => (
        <PictureShown
          key={picture.name + at}
          picture={picture}
          label={t('kyc.proof')}
          test={`extra-files-${at}`}
          onClear={() => {
            release(picture);
            set({ extra_files: files.filter((one) => one !== picture) });
          }}
        />
      ))}
      {files.length < 3 && (
        <PictureTaker
          label={t(files.length === 0 ? 'kyc.proof' : 'kyc.proof_more')}
          hint={t(needed ? 'kyc.proof_hint' : 'kyc.proof_why')}
          test="extra-files"
          error={faults.extra_files}
          pdf
          onTake={(picture) => set({ extra_files: [...files, picture] })}
        />
      )}
    </>
  );
}
