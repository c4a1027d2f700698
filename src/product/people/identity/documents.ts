// Documents of applications: inspected and stripped of metadata, sealed one by one with the
// person's key, and stored just before the application that names them commits. A refused
// submission leaves none behind. [G-52]
import { prepared, sql, type Database, type Queryable } from '../../../db/index.ts';
import {
  engineRefusals,
  type Command,
  type CommandAnswer,
  type Submission,
} from '../../../engine/index.ts';
import { Refusal, refuse } from '../../../core/refusal.ts';
import {
  fileRefusals,
  FURTHER_FILES_MAX_BYTES,
  IMAGE_MAX_BYTES,
  type FileCode,
  type FileMime,
  type FileRequest,
} from '../../../providers/files/port.ts';
import type { CheckedFile } from '../../../providers/identity/port.ts';
import type { Services } from '../../context.ts';
import type { PersonSealer } from '../account/index.ts';
import { isFileRecord, type FurtherFile } from './file-schema.ts';
import type { DocumentRole } from './reasons.ts';
import type { SubmissionBody } from './submission-schema.ts';

/** The ids of an application's documents. */
export interface DocumentIds {
  readonly front?: string;
  readonly back?: string;
  readonly extra?: readonly string[];
}

/** A file as submitted: its place in the body, and how to inspect it. */
export interface HandedFile {
  readonly path: string;
  readonly request: FileRequest;
}

/** A file that passed the inspection, with its new id. */
interface CleanFile {
  readonly id: string;
  readonly mime: FileMime;
  readonly bytes: Buffer;
}

type Handed = HandedFile & { readonly role: DocumentRole };
type CleanDocument = CleanFile & { readonly role: DocumentRole };

const CODES = Object.keys(fileRefusals) as FileCode[];

function handedIn({ kyc_pii: pii, extra_files }: SubmissionBody): Handed[] {
  const pictures = (['front', 'back'] as const).flatMap((role): Handed[] => {
    const text = pii[`document_${role}`];
    if (text === undefined) return [];
    const source = { form: 'data-uri', text } as const;
    const request = { kind: 'image', source, claims: [], maxBytes: IMAGE_MAX_BYTES } as const;
    return [{ role, path: `kyc_pii.document_${role}`, request }];
  });
  const further = (extra_files ?? []).map((file, at): Handed => {
    const path = `extra_files[${at}]${isFileRecord(file) ? '.file_contents' : ''}`;
    return { role: 'extra', path, request: furtherRequest(file) };
  });
  return [...pictures, ...further];
}

function furtherRequest(file: FurtherFile): FileRequest {
  const rest = { kind: 'document', maxBytes: FURTHER_FILES_MAX_BYTES } as const;
  if (!isFileRecord(file)) return { ...rest, source: { form: 'data-uri', text: file }, claims: [] };
  const { file_name, file_ext, file_mime_type, file_contents: text } = file;
  const point = file_name.lastIndexOf('.');
  const named = point < 0 ? '' : file_name.slice(point);
  const claims = [file_ext, file_mime_type, named].filter((claim) => claim !== '');
  return { ...rest, source: { form: 'base64', text }, claims };
}

/** Inspects files. Throws a Refusal with all rejected ones, by field. */
export async function inspectFiles<H extends HandedFile>(
  { files, random }: Pick<Services, 'files' | 'random'>,
  handed: readonly H[],
): Promise<(H & CleanFile)[]> {
  const verdicts = await Promise.all(handed.map(({ request }) => files.inspect(request)));
  const clean: (H & CleanFile)[] = [];
  const found = new Set<FileCode>();
  const errors: Record<string, string> = {};
  for (const [at, one] of handed.entries()) {
    const verdict = verdicts[at];
    if (verdict?.ok === true) {
      clean.push({ ...one, id: random.uuid(), mime: verdict.mime, bytes: verdict.bytes });
    } else if (verdict !== undefined) {
      found.add(verdict.code);
      errors[one.path] = fileRefusals[verdict.code].sentence;
    }
  }
  const first = CODES.find((code) => found.has(code));
  if (first !== undefined) throw refuse(fileRefusals[first], errors);
  return clean;
}

/** Inspects every file of a submission. */
export function inspectAll(
  services: Pick<Services, 'files' | 'random'>,
  body: SubmissionBody,
): Promise<CleanDocument[]> {
  return inspectFiles(services, handedIn(body));
}

export function idsOf(documents: readonly CleanDocument[]): DocumentIds {
  const of = (role: DocumentRole): string[] =>
    documents.filter((one) => one.role === role).map(({ id }) => id);
  const [[front], [back], extra] = [of('front'), of('back'), of('extra')];
  return {
    ...(front === undefined ? {} : { front }),
    ...(back === undefined ? {} : { back }),
    ...(extra.length === 0 ? {} : { extra }),
  };
}

/** Whose documents they are. */
interface DocumentOwner {
  readonly workspace: number;
  readonly account: string;
  readonly application: string;
}

/** Seals and stores the documents of an application that is about to be created. */
export async function storeDocuments(
  db: Database,
  sealer: PersonSealer,
  { workspace, account, application }: DocumentOwner,
  documents: readonly CleanDocument[],
): Promise<void> {
  await db.transaction(async (tx) => {
    for (const { id, role, mime, bytes } of documents) {
      const sealed = sealer.sealBytes('document', id, bytes);
      await tx.execute(prepared('kyc_document_insert')`insert into kyc_document
          (workspace, id, application_id, account_id, role, mime, size, sealed)
        values (${workspace}, ${id}, ${application}, ${account}, ${role}, ${mime}, ${bytes.length},
          ${sealed})`);
    }
  });
}

type Executor = Pick<Database, 'execute'>;

/** Deletes the documents of an application that was not created. */
export async function dropDocuments(
  db: Executor,
  workspace: number,
  application: string,
): Promise<void> {
  await db.execute(prepared('kyc_document_drop')`
    delete from kyc_document where workspace = ${workspace} and application_id = ${application}
    and not exists (select from kyc_application where workspace = $1 and id = $2)`);
}

/** Deletes every document of an account whose person is erased. [PD3] */
export function forgetDocuments(db: Executor, workspace: number, account: string): Promise<number> {
  return db.execute(sql`
    delete from kyc_document where workspace = ${workspace} and account_id = ${account}`);
}

/**
 * Answers with the refusal of a submission that was refused before its command. An idempotency key
 * with a stored answer repeats that instead. [G-44]
 */
const refuseSubmission: Command<Refusal> = {
  name: 'refuse_kyc',
  batchable: true,
  load() {},
  decide(_decision, refusal) {
    throw refusal;
  },
};

/**
 * Runs a command whose files are stored before it. A refused request leaves none behind; an
 * idempotency key with a stored answer repeats that. [G-44]
 */
export async function orDropped(
  { engine }: Pick<Services, 'engine'>,
  submission: Submission,
  drop: () => Promise<void>,
  work: () => Promise<CommandAnswer>,
): Promise<CommandAnswer> {
  try {
    return await work();
  } catch (error) {
    const unsure = engineRefusals.OUTCOME_UNKNOWN.code;
    if (!(error instanceof Refusal) || error.spec.code === unsure) throw error;
    await drop();
    return engine.run(refuseSubmission, error, submission);
  }
}

/**
 * Deletes documents whose application was not created within an hour, as after a crash; gives how
 * many. Run it until it gives 0.
 */
export function forgetStrays(db: Executor): Promise<number> {
  return db.execute(
    `delete from kyc_document d where (workspace, id) in (
      select workspace, id from kyc_document s where s.created < $now - interval
      '1 hour'
        and not exists (select from kyc_application a
          where a.workspace = s.workspace and a.id = s.application_id) limit 500)`,
  );
}

interface StoredDocument {
  readonly id: string;
  readonly role: DocumentRole;
  readonly mime: FileMime;
  readonly sealed: Buffer;
}

/** Opens documents, for one call to the vendor or one view. Erased ones are left out. */
export async function openDocuments(
  db: Queryable,
  sealer: PersonSealer,
  workspace: number,
  { front, back, extra = [] }: DocumentIds,
): Promise<CheckedFile[]> {
  const ids = [front, back, ...extra].filter((id) => id !== undefined);
  const rows = await db.query<StoredDocument>(prepared('kyc_documents')`
    select id, role, mime, sealed from kyc_document
    where workspace = ${workspace} and id = any(${ids}::uuid[])`);
  return rows.map(({ id, role, mime, sealed }) => {
    return { role, mime, bytes: sealer.openBytes('document', id, sealed) };
  });
}
