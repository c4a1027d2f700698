// Documents of businesses: inspected, sealed with the key of the account's person, and stored just
// before the entity that names them commits. A refused request leaves none behind. [G-54]
import { prepared, raw, sql, type Database, type Queryable } from '../../../db/index.ts';
import type { CommandAnswer, Submission } from '../../../engine/index.ts';
import type { Instant } from '../../../core/time.ts';
import type { FileMime } from '../../../providers/files/port.ts';
import type { Services } from '../../context.ts';
import { sealerOf, type PersonSealer } from '../account/index.ts';
import { inspectFiles, orDropped, type HandedFile } from '../identity/index.ts';
import type { NamedDocument } from './judged.ts';
import { DOCUMENT_MAX_BYTES, fileOf, recordOf, type DocumentBody } from './schema.ts';

/** A document as submitted: its place in the body, its name, and the agent that it is about. */
export interface HandedDocument extends HandedFile {
  readonly agent: string | null;
  readonly name: string;
}

/** A document that passed the inspection. */
interface CleanDocument extends NamedDocument {
  readonly name: string;
  readonly mime: FileMime;
  readonly bytes: Buffer;
}

/** A document of a body; errors name its file. */
export function handed(path: string, agent: string | null, body: DocumentBody): HandedDocument {
  const record = recordOf(body);
  const mime = record?.mime_type ?? '';
  const source = { form: 'data-uri', text: fileOf(body) } as const;
  const rest = { claims: mime === '' ? [] : [mime], maxBytes: DOCUMENT_MAX_BYTES };
  const request = { kind: 'document', source, ...rest } as const;
  return { path, agent, name: record?.pii_document_name ?? '', request };
}

/** Inspects documents, stores them, and runs the command that names them. */
export function withDocuments(
  services: Services,
  owner: DocumentOwner,
  sealer: PersonSealer,
  documents: readonly HandedDocument[],
  submission: Submission,
  name: (documents: readonly NamedDocument[]) => Promise<CommandAnswer>,
): Promise<CommandAnswer> {
  const { db } = services;
  let stored: readonly CleanDocument[] = [];
  const drop = () => dropDocuments(db, owner.workspace, stored);
  return orDropped(services, submission, drop, async () => {
    stored = await inspectFiles(services, documents);
    await storeDocuments(db, sealer, owner, stored);
    const answer = await name(stored.map(({ id, agent }) => ({ id, agent })));
    await drop();
    return answer;
  });
}

export interface DocumentOwner {
  readonly workspace: number;
  readonly account: string;
  readonly entity: string;
}

/** Seals and stores the documents of an entity that is about to name them. */
async function storeDocuments(
  db: Database,
  sealer: PersonSealer,
  { workspace, account, entity }: DocumentOwner,
  documents: readonly CleanDocument[],
): Promise<void> {
  await db.transaction(async (tx) => {
    for (const { id, name, mime, bytes } of documents) {
      const sealedName = sealer.seal('businessDocumentName', id, name);
      const sealed = sealer.sealBytes('businessDocument', id, bytes);
      await tx.execute(prepared('entity_document_insert')`insert into entity_document
          (workspace, id, entity_id, account_id, mime, size, sealed_name, sealed)
        values (${workspace}, ${id}, ${entity}, ${account}, ${mime}, ${bytes.length}, ${sealedName},
          ${sealed})`);
    }
  });
}

type Executor = Pick<Database, 'execute'>;

/** SQL: no entity names it, so nobody can see it any more. */
const UNNAMED = `not exists (select from entity e where e.workspace = d.workspace
  and e.id = d.entity_id
  and position(d.id::text in e.documents) > 0)`;

/** Deletes those of these documents that no entity names. */
export async function dropDocuments(
  db: Executor,
  workspace: number,
  documents: readonly { readonly id: string }[],
): Promise<void> {
  if (documents.length === 0) return;
  await db.execute(prepared('entity_document_drop')`
    delete from entity_document d where workspace = ${workspace}
      and id = any(${documents.map(({ id }) => id)}::uuid[])
    and ${raw(UNNAMED)}`);
}

/** Deletes every document of an account whose person is erased. [PD3] */
export function forgetEntityDocuments(
  db: Executor,
  workspace: number,
  account: string,
): Promise<number> {
  return db.execute(sql`
    delete from entity_document where workspace = ${workspace} and account_id = ${account}`);
}

/**
 * Deletes documents that no entity has named for an hour, as after a crash; gives how many. Run it
 * until it gives 0.
 */
export function forgetEntityStrays(db: Executor): Promise<number> {
  return db.execute(
    `delete from entity_document where (workspace, id) in (
      select workspace, id from entity_document d
      where created < $now - interval '1 hour' and ${UNNAMED} limit 500)`,
  );
}

/** What answers show of a document. */
export interface StoredDocument {
  readonly id: string;
  readonly mime: string;
  readonly sealed_name: string;
  readonly created: Instant;
}

/** Documents of an entity without their files, oldest first. */
export function documentsOfEntity(
  db: Queryable,
  workspace: number,
  entity: string,
): Promise<StoredDocument[]> {
  return db.query(prepared('entity_documents')`
    select id, mime, sealed_name, created from entity_document
    where workspace = ${workspace} and entity_id = ${entity} order by created, id`);
}

/** Opens one document of an account's business; null where it was erased or is unknown. */
export async function openEntityDocument(
  parts: Pick<Services, 'db' | 'keys' | 'random'>,
  workspace: number,
  account: string,
  id: string,
): Promise<{ readonly mime: FileMime; readonly bytes: Buffer } | null> {
  const [row] = await parts.db.query<{ mime: FileMime; sealed: Buffer }>(
    prepared('entity_document')`
    select mime, sealed from entity_document
    where workspace = ${workspace} and id = ${id} and account_id = ${account}`);
  const sealer = row === undefined ? null : await sealerOf(parts, workspace, account);
  if (row === undefined || sealer === null) return null;
  return { mime: row.mime, bytes: sealer.openBytes('businessDocument', id, row.sealed) };
}
