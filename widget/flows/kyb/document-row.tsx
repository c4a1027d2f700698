// A document with what became of it, and why it is not accepted.
import type { ComponentChildren } from 'preact';
import { FileIcon, Row } from '../kit/index.ts';
import { reasonText, type KybDocument } from './records.ts';
import { t } from '../texts.ts';

interface DocumentRowProps {
  readonly document: KybDocument;
  readonly end?: ComponentChildren;
}

export function DocumentRow({ document, end }: DocumentRowProps) {
  const { entity_document_id: id, pii_document_name: name, status, reason } = document;
  const said = [t(`kyb.status_${status}`), ...(reason === null ? [] : [reasonText(reason)])];
  return (
    <Row
      test={`document-${id}`}
      icon={<FileIcon />}
      title={name === '' ? t('kyb.document') : name}
      detail={said.join(' · ')}
      end={end}
    />
  );
}
