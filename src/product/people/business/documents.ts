// Documents of businesses: inspected, sealed with the key of the account's person, and stored just
// before the entity that names them commits. A refused request leaves none behind. [G-54]
import type { Database, Queryable } from '../../../db/index.ts';
import type { Random } from '../../../core/random.ts';
import { refuse } from '../../../core/refusal.ts';
import type { Instant } from '../../../core/time.ts';
import {
  fileRefusals,
  type FileCode,
  type FileMime,
  type Files,
} from '../../../providers/files/port.ts';
import { DOCUMENT_MAX_BYTES, fileOf, recordOf, type DocumentBody } from './schema.ts';
import type { Sealer } from './sealed.ts';
import type { NamedDocument } from './tables.ts';

/** A document as submitted: its place in the body, and the agent that it is about. */
export interface HandedDocument {
  readonly path: string;
  readonly agent: string | null;
  readonly body: DocumentBody;
}

/** A document that passed the inspection. */
export interface CleanDocument extends NamedDocument {
  readonly name: string;
  readonly mime: FileMime;
  readonly bytes: Buffer;
}

const CODES = Object.keys(fileRefusals) as FileCode[];

/** Inspects every document. Throws a Refusal with all rejected ones, by field. */
export async function inspectDocuments(
  files: Files,
  random: Random,
  handed: readonly HandedDocument[],
): Promise<CleanDocument[]> {
  const verdicts = await Promise.all(
    handed.map(({ body }) => {
      const source = { form: 'data-uri', text: fileOf(body) } as const;
      const mime = recordOf(body)?.mime_type ?? '';
      const rest = { claims: mime === '' ? [] : [mime], maxBytes: DOCUMENT_MAX_BYTES };
      return files.inspect({ kind: 'document', source, ...rest });
    }),
  );
  const clean: CleanDocument[] = [];
  const found = new Set<FileCode>();
  const errors: Record<string, string> = {};
  for (const [at, { path, agent, body }] of handed.entries()) {
    const verdict = verdicts[at];
    if (verdict?.ok === true) {
      const name = recordOf(body)?.pii_document_name ?? '';
      clean.push({ id: random.uuid(), agent, name, mime: verdict.mime, bytes: verdict.bytes });
    } else if (verdict !== undefined) {
      found.add(verdict.code);
      errors[path] = fileRefusals[verdict.code].sentence;
    }
  }
  const first = CODES.find((code) => found.has(code));
  if (first !== undefined) throw refuse(fileRefusals[first], errors);
  return clean;
}

export interface DocumentOwner {
  readonly workspace: number;
  readonly account: string;
  readonly entity: string;
}

/** Seals and stores the documents of an entity that is about to name them. */
export async function storeDocuments(
  db: Database,
  sealer: Sealer,
  { workspace, account, entity }: DocumentOwner,
  documents: readonly CleanDocument[],
): Promise<void> {
  await db.transaction(async (tx) => {
    for (const { id, name, mime, bytes } of documents) {
      const sealedName = sealer.seal('businessDocumentName', id, name);
      const sealed = sealer.sealBytes('businessDocument', id, bytes);
      await tx.execute({
        name: 'entity_document_insert',
        text: `insert into entity_document
            (workspace, id, entity_id, account_id, mime, size, sealed_name, sealed)
          values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        values: [workspace, id, entity, account, mime, bytes.length, sealedName, sealed],
      });
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
  await db.execute({
    name: 'entity_document_drop',
    text: `delete from entity_document d where workspace = $1 and id = any($2::uuid[])
      and ${UNNAMED}`,
    values: [workspace, documents.map(({ id }) => id)],
  });
}

/** Deletes every document of an account whose person is erased. [PD3] */
export function forgetEntityDocuments(
  db: Executor,
  workspace: number,
  account: string,
): Promise<number> {
  return db.execute({
    text: 'delete from entity_document where workspace = $1 and account_id = $2',
    values: [workspace, account],
  });
}

/**
 * Deletes documents that no entity has named for an hour, as after a crash; gives how many. Run it
 * until it gives 0.
 */
export function forgetEntityStrays(db: Executor): Promise<number> {
  return db.execute(
    `delete from entity_document where (workspace, id) in (
      select workspace, id from entity_document d
      where created < clock_timestamp() - interval '1 hour' and ${UNNAMED} limit 500)`,
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
  return db.query({
    name: 'entity_documents',
    text: `select id, mime, sealed_name, created from entity_document
      where workspace = $1 and entity_id = $2 order by created, id`,
    values: [workspace, entity],
  });
}
