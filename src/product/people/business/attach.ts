// Adds documents to the form of a business and removes them. Every stored document is named by its
// entity, or deleted. [G-54]
import type { Command, Submission, ReadSet } from '../../../engine/index.ts';
import { uuidOfWireId, wireId } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import type { Services } from '../../context.ts';
import { accountNotFoundInBody, sealerOf } from '../account/index.ts';
import { touchEntity } from './change.ts';
import { dropDocuments, handed, withDocuments, type DocumentOwner } from './documents.ts';
import type { NamedDocument } from './judged.ts';
import { OPEN_STATES } from './machine.ts';
import { entityOf } from './read.ts';
import { agentNotFoundInBody, entityNotStarted, refusals as no } from './refusals.ts';
import { DOCUMENTS_MAX, type DocumentBody } from './schema.ts';
import { agentIdsOf, documentsOf, entityOfAccount, entityTable } from './tables.ts';

interface DocumentInput {
  readonly account: string;
  readonly document: NamedDocument;
}

function needOwn(rows: ReadSet, { account }: { readonly account: string }): void {
  for (const { id } of rows.find(entityOfAccount, account)) rows.lock(entityTable, id);
}

/** Names a stored document in its entity. */
const nameDocument: Command<DocumentInput> = {
  name: 'name_entity_document',
  load: needOwn,
  decide(decision, { account, document }) {
    const [entity] = decision.find(entityOfAccount, account);
    if (entity === undefined) throw refuse(entityNotStarted);
    if (!OPEN_STATES.includes(entity.state)) throw refuse(no.ENTITY_CLOSED);
    const { agent } = document;
    if (agent !== null && !agentIdsOf(entity).includes(agent)) throw refuse(agentNotFoundInBody);
    const documents = documentsOf(entity);
    if (documents.length >= DOCUMENTS_MAX) throw refuse(no.TOO_MANY_ENTITY_DOCUMENTS);
    const named = JSON.stringify([...documents, document]);
    touchEntity(decision, entity, { documents: named });
    return { status: 201, payload: { entity_document_id: wireId('doc', document.id) } };
  },
};

/** Removes a document from the form; the caller then deletes its file. */
const unnameDocument: Command<{ readonly account: string; readonly id: string }> = {
  name: 'unname_entity_document',
  load: needOwn,
  decide(decision, { account, id }) {
    const [entity] = decision.find(entityOfAccount, account);
    const documents = entity === undefined ? [] : documentsOf(entity);
    const rest = documents.filter((document) => document.id !== id);
    if (entity === undefined || rest.length === documents.length) {
      throw refuse(no.ENTITY_DOCUMENT_NOT_FOUND);
    }
    if (!OPEN_STATES.includes(entity.state)) throw refuse(no.ENTITY_CLOSED);
    touchEntity(decision, entity, { documents: JSON.stringify(rest) });
    return { status: 200, payload: {} };
  },
};

/** Adds a document to the form of an account's business. */
export async function attachDocument(
  services: Services,
  { workspace, account }: Omit<DocumentOwner, 'entity'>,
  body: DocumentBody & { readonly entity_agent_id?: string | undefined },
  submission: Submission,
) {
  const { db, engine } = services;
  const sealer = await sealerOf(services, workspace, account);
  if (sealer === null) throw refuse(accountNotFoundInBody);
  const entity = await entityOf(db, workspace, account);
  if (entity === null) throw refuse(entityNotStarted);
  const { entity_agent_id: wire = '' } = body;
  const agent = wire === '' ? null : uuidOfWireId('agt', wire);
  if (wire !== '' && agent === null) throw refuse(agentNotFoundInBody);
  const owner = { workspace, account, entity: entity.id };
  const documents = [handed('file', agent, body)];
  return withDocuments(services, owner, sealer, documents, submission, ([document]) =>
    engine.run(nameDocument, { account, document: document ?? { id: '', agent } }, submission),
  );
}

/** Removes a document from the form of an account's business, and deletes it. */
export async function detachDocument(
  { db, engine }: Services,
  { workspace, account }: Omit<DocumentOwner, 'entity'>,
  wire: string,
  submission: Submission,
) {
  const id = uuidOfWireId('doc', wire);
  if (id === null) throw refuse(no.ENTITY_DOCUMENT_NOT_FOUND);
  const answer = await engine.run(unnameDocument, { account, id }, submission);
  await dropDocuments(db, workspace, [{ id }]);
  return answer;
}
