// The document step: type, issuing country, pictures, and a proof of address if it is needed or
// helps.
import { SelectField } from '../kit/index.ts';
import { PictureField, PictureShown, PictureTaker } from './picture-field.tsx';
import { release } from './picture.ts';
import { countryOptions, field, type StepProps } from './steps.tsx';

const DOCUMENTS: Readonly<Record<string, string>> = {
  PP: 'Passport',
  DL: 'Driving licence',
  ID: 'Identity card',
};

/** The name of a document type. */
export function documentName(type: string): string {
  return DOCUMENTS[type] ?? type;
}

/** Document, issuing country and pictures, as far as they are needed. */
export function DocumentStep(props: StepProps) {
  const { asked, draft, faults, countries, set } = props;
  const types = asked.country?.documents ?? Object.keys(DOCUMENTS);
  const known = draft.document_type !== '';
  const passport = draft.document_type === 'PP';
  return (
    <>
      {asked.front && (
        <>
          <SelectField
            {...field(props, 'document_type')}
            label="Document"
            placeholder="Choose a document"
            options={types.map((type) => ({ value: type, label: documentName(type) }))}
          />
          <SelectField
            {...field(props, 'document_country')}
            label="Issued in"
            placeholder="Choose a country"
            options={countryOptions(countries)}
          />
        </>
      )}
      {known && asked.front && (
        <PictureField
          label={passport ? 'Page with your photo' : 'Front'}
          test="document-front"
          error={faults.document_front}
          picture={draft.document_front}
          onPicture={(document_front) => set({ document_front })}
        />
      )}
      {(known || !asked.front) && asked.back && (
        <PictureField
          label="Back"
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

const PROOF = 'A bill or a bank statement of the last 90 days, as a picture or PDF.';
const FOREIGN = `This helps because document and address are from different countries. ${PROOF}`;

function ProofOfAddress({ asked, draft, faults, set }: StepProps) {
  const files = draft.extra_files;
  const needed = asked.extra === 'needed';
  return (
    <>
      {files.map((picture, at) => (
        <PictureShown
          key={picture.name + at}
          picture={picture}
          label="Proof of address"
          test={`extra-files-${at}`}
          onClear={() => {
            release(picture);
            set({ extra_files: files.filter((one) => one !== picture) });
          }}
        />
      ))}
      {files.length < 3 && (
        <PictureTaker
          label={files.length === 0 ? 'Proof of address' : 'One more'}
          hint={needed ? PROOF : FOREIGN}
          test="extra-files"
          error={faults.extra_files}
          pdf
          onTake={(picture) => set({ extra_files: [...files, picture] })}
        />
      )}
    </>
  );
}
