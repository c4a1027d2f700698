// The third step: registration documents. Each is sent when chosen and can be removed again.
import { useState } from 'preact/hooks';
import { FileField } from '../kit/file-field.tsx';
import { CloseIcon, FileIcon, IconButton, Row, Rows } from '../kit/index.ts';
import { sentenceOf } from '../methods/load.ts';
import { addDocument, removeDocument } from './calls.ts';
import { DocumentRow } from './document-row.tsx';
import type { StepProps } from './step.ts';
import type { KybForm } from './records.ts';
import { StepScreen } from './step-screen.tsx';
import { t } from '../texts.ts';

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
    if (file.size > MAX_BYTES) return setProblem(t('kyb.document_large'));
    setSending(file);
    void change(addDocument(context, file, crypto.randomUUID()));
  };
  const go = (): void => {
    if (form.needs.includes('documents')) setProblem(t('kyb.document_missing'));
    else props.onForm(form, 'review');
  };
  return (
    <StepScreen
      name="documents"
      title={t('kyb.documents_title')}
      lead={t('kyb.documents_lead')}
      at={2}
      problem={problem}
      busy={sending !== null}
      go={t('page.continue')}
      onGo={go}
      onBack={() => props.onForm(form, 'people')}
      onCancel={props.onCancel}
    >
      <Rows>
        {documents.length === 0 && (
          <Row
            test="document-missing"
            icon={<FileIcon />}
            title={t('kyb.document_first')}
            detail={t('kyb.document_absent')}
          />
        )}
        {documents.map((document) => {
          const { entity_document_id: id, pii_document_name: name } = document;
          return (
            <DocumentRow
              key={id}
              document={document}
              end={
                <IconButton
                  label={t('page.remove_named', { name })}
                  test={`document-remove-${id}`}
                  onClick={() => void change(removeDocument(context, id))}
                >
                  <CloseIcon />
                </IconButton>
              }
            />
          );
        })}
      </Rows>
      <FileField
        label={t(documents.length === 0 ? 'kyb.document_first' : 'kyb.document_other')}
        test="document"
        accept={TYPES}
        file={sending}
        onFile={add}
        onClear={() => {}}
      />
    </StepScreen>
  );
}
