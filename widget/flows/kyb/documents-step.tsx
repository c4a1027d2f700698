// The third step: registration documents. Each is sent when chosen and can be removed again.
import { useState } from 'preact/hooks';
import { CloseIcon, FileField, FileIcon, IconButton, Row, Rows } from '../kit/index.ts';
import { sentenceOf } from '../methods/load.ts';
import { addDocument, removeDocument } from './calls.ts';
import type { StepProps } from './step.ts';
import type { KybForm } from './records.ts';
import { StepScreen } from './step-screen.tsx';

const TYPES = 'application/pdf,image/jpeg,image/png';
const MAX_BYTES = 10 * 1_048_576;

export function DocumentsStep(props: StepProps) {
  const { context, form } = props;
  const [sending, setSending] = useState<File | null>(null);
  const [problem, setProblem] = useState('');
  const documents = form.entity?.documents ?? [];
  const change = async (work: Promise<KybForm>): Promise<void> => {
    setProblem('');
    try {
      props.onForm(await work, 'documents');
    } catch (error) {
      setProblem(sentenceOf(error));
    }
    setSending(null);
  };
  const add = (file: File): void => {
    if (file.size > MAX_BYTES) return setProblem('A document can be at most 10 MB.');
    setSending(file);
    void change(addDocument(context, file, crypto.randomUUID()));
  };
  const go = (): void => {
    if (form.needs.includes('documents')) setProblem('Add a registration document.');
    else props.onForm(form, 'review');
  };
  return (
    <StepScreen
      name="documents"
      title="Documents"
      lead="What shows that the business exists, such as its certificate of registration. PDF, JPEG
        or PNG."
      at={2}
      problem={problem}
      busy={sending !== null}
      go="Continue"
      onGo={go}
      onBack={() => props.onForm(form, 'people')}
      onCancel={props.onCancel}
    >
      {documents.length > 0 && (
        <Rows>
          {documents.map(({ entity_document_id: id, pii_document_name: name }) => (
            <Row
              key={id}
              test={`document-${id}`}
              icon={<FileIcon />}
              title={name === '' ? 'Document' : name}
              end={
                <IconButton
                  label={`Remove ${name}`}
                  test={`document-remove-${id}`}
                  onClick={() => void change(removeDocument(context, id))}
                >
                  <CloseIcon />
                </IconButton>
              }
            />
          ))}
        </Rows>
      )}
      <FileField
        label={documents.length === 0 ? 'Registration document' : 'Other document'}
        test="document"
        accept={TYPES}
        file={sending}
        onFile={add}
        onClear={() => {}}
      />
    </StepScreen>
  );
}
