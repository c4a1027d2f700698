// Prepares a submission: what can be refused is refused before the files are looked at, then they
// are inspected, sealed and stored, and what is decided on goes to the command. Answers for the way
// back: a submission that is refused leaves nothing. [G-52]
import type { Queryable } from '../../db/index.ts';
import type { Submission } from '../../engine/index.ts';
import { uuidOfWireId, wireId } from '../../kernel/ids.ts';
import { inputRefusals } from '../../kernel/input-refusals.ts';
import type { Caller } from '../../kernel/operation.ts';
import { refuse } from '../../kernel/refusal.ts';
import {
  accountNotFoundInBody,
  ownAccountOnly,
  personKey,
  refusals as ofAccount,
} from '../account/index.ts';
import type { Services } from '../context.ts';
import { createLink, FLOW_SCOPES } from '../oauth/index.ts';
import { applicantOf, sealText, ssnKeyOf, watchKeysOf } from './applicant.ts';
import {
  dropDocuments,
  idsOf,
  inspectAll,
  storeDocuments,
  storedNothing,
  type DocumentIds,
} from './documents.ts';
import { concerns, type ReasonCode } from './reasons.ts';
import { ownRules } from './rules.ts';
import type { SubmissionBody } from './submission-schema.ts';
import { isAsked, refusalOf, refuseSubmission, submitKyc, type SubmitInput } from './submit.ts';

/** Seconds that a session lives which the link of an answer opens. */
const SESSION_SECONDS = 3_600;
/** States after which documents that were fine are used again. */
const REUSING = ['DENY', 'SYSTEM-CANCELLED', 'MANUAL_REVIEW', 'CANCEL'];

/** Whose submission it is, and the id that its application will have. */
interface Owner {
  readonly world: number;
  readonly integrator: string;
  readonly account: string;
  readonly application: string;
}

/** What the answer shows, as far as it is looked at here. */
interface Shown {
  readonly kyc_id: string;
  readonly state: string;
}

/** Takes a submission of the caller's own account; gives the payload of the answer. */
export async function takeSubmission(
  services: Services,
  caller: Caller,
  body: SubmissionBody,
  submission: Submission,
): Promise<object> {
  const { world, integrator } = caller;
  const account = ownAccountOnly(caller, caller.accountId ?? '', accountNotFoundInBody);
  const owner = { world, integrator, account, application: services.entropy.uuid() };
  const shown = await submit(services, owner, body, submission);
  if (shown.state === 'ACCEPT') return shown;
  return { ...shown, pii_collection_uri: await addressFor(services, caller, account, shown) };
}

async function submit(
  services: Services,
  owner: Owner,
  body: SubmissionBody,
  submission: Submission,
): Promise<Shown> {
  const { engine, db } = services;
  const { world, application } = owner;
  try {
    const input = await prepare(services, owner, body);
    const shown = (await engine.run(submitKyc, input, submission)).payload as Shown;
    // The kept answer of an earlier request with this key.
    if (shown.kyc_id !== wireId('kyc', application)) await dropDocuments(db, world, application);
    return shown;
  } catch (error) {
    if (!storedNothing(error)) throw error;
    await dropDocuments(db, world, application);
    return (await engine.run(refuseSubmission, error, submission)).payload as Shown;
  }
}

/** Everything that is decided on. Refuses what cannot be taken, the cheap reasons first. */
async function prepare(
  services: Services,
  owner: Owner,
  body: SubmissionBody,
): Promise<SubmitInput> {
  const { db, keys, entropy, files } = services;
  const { world, account, integrator, application: id } = owner;
  const { kyc_pii: pii } = body;
  const form = body.form ?? 'full';
  const standing = await standingOf(db, world, account);
  if (standing === null) throw refuse(accountNotFoundInBody);
  if (standing.blocked) throw refuse(ofAccount.ACCOUNT_BLOCKED);
  const { reasons, sealed, application_id: previous, today } = standing;
  const asked = isAsked(reasons === null ? null : { reasons, sealed });
  const spec = refusalOf(form, standing, asked);
  if (spec !== null) throw refuse(spec);
  if (pii.date_of_birth !== undefined && pii.date_of_birth > today) {
    throw refuse(inputRefusals.INVALID_FIELD, {
      'kyc_pii.date_of_birth': 'must not be in the future',
    });
  }
  const again = form === 'full' ? reusable(standing, body) : {};
  if (form === 'full' && pii.document_front === undefined && again.front === undefined) {
    throw refuse(inputRefusals.MISSING_FIELD, { 'kyc_pii.document_front': 'is required' });
  }
  const documents = await inspectAll(files, entropy, body);
  const key = await personKey(keys, world, account, standing);
  const line = keys.lineOf(world);
  await storeDocuments(db, entropy, key, { ...owner, line }, documents);
  const person = applicantOf(form, pii);
  const application = {
    id,
    form,
    form_id: `kyc_${form}`,
    documents: JSON.stringify({ ...again, ...idsOf(documents) }),
    rules: JSON.stringify(ownRules(person, today)),
    watch_keys: JSON.stringify(watchKeysOf(keys, world, person)),
    ssn_key: ssnKeyOf(keys, world, person),
    sealed: sealText(key, entropy, line, 'kyc_application', id, JSON.stringify(person)),
  };
  return { account, integrator, previous, application, checkId: entropy.uuid() };
}

/** What is known of the person before the submission. */
export interface Standing {
  readonly blocked: boolean;
  readonly state: string;
  readonly requirements: string;
  readonly follows_entity: boolean;
  readonly application_id: string | null;
  readonly documents: string | null;
  readonly reasons: string | null;
  readonly sealed: string | null;
  readonly wrapped_key: string;
  /** The world's day in UTC. */
  readonly today: string;
}

/** How an account stands before a submission; null where there is none, or it was erased. */
export async function standingOf(
  db: Queryable,
  world: number,
  account: string,
): Promise<Standing | null> {
  const rows = await db.query<Standing>({
    name: 'kyc_standing',
    text: `select k.state, k.requirements, k.follows_entity, k.application_id, a.documents,
        a.reasons, a.sealed, p.wrapped_key, c.blocked,
        to_char((clock_timestamp() + w.clock_offset) at time zone 'UTC', 'YYYY-MM-DD') as today
      from kyc k join world w on w.world = k.world
      join account c on c.world = k.world and c.id = k.id
      join account_person p on p.world = k.world and p.id = k.id
      left join kyc_application a on a.world = k.world and a.id = k.application_id
      where k.world = $1 and k.id = $2 and p.sealed <> ''`,
    values: [world, account],
  });
  return rows[0] ?? null;
}

/** Documents of the last application that may be used again; null: none of it is. */
export function keptDocuments({
  state,
  documents,
}: Pick<Standing, 'state' | 'documents'>): DocumentIds | null {
  if (documents === null || !REUSING.includes(state)) return null;
  return JSON.parse(documents) as DocumentIds;
}

/** Documents of the last application that are used again: they were fine, and are not replaced. */
function reusable(standing: Standing, body: SubmissionBody): DocumentIds {
  const { front, back, extra } = keptDocuments(standing) ?? {};
  const { reasons } = standing;
  const codes = JSON.parse(reasons ?? '[]') as ReasonCode[];
  const pii = body.kyc_pii;
  const frontAgain = pii.document_front === undefined && !concerns(codes, 'front');
  // A back belongs to its front, unless a sharper front is what was asked for.
  const backAgain =
    pii.document_back === undefined &&
    !concerns(codes, 'back') &&
    (frontAgain || concerns(codes, 'front'));
  const extraAgain = body.extra_files === undefined && !concerns(codes, 'extra');
  return {
    ...(frontAgain && front !== undefined ? { front } : {}),
    ...(backAgain && back !== undefined ? { back } : {}),
    ...(extraAgain && extra !== undefined ? { extra } : {}),
  };
}

/** The one-time link into the flow; a repeated answer has the same one. [G-50, G-58] */
async function addressFor(
  services: Services,
  { world, clientId, integrator }: Caller,
  account: string,
  { kyc_id }: Shown,
): Promise<string> {
  const id = uuidOfWireId('kyc', kyc_id) ?? '';
  const nonce = Buffer.from(services.keys.mac('kyc_link', `${world}/${id}`), 'hex');
  const link = await createLink(services, {
    ...{ world, clientId, integrator, account },
    mechanism: 'widget',
    flow: 'kyc',
    scopes: FLOW_SCOPES.kyc,
    sessionSeconds: SESSION_SECONDS,
    known: { id, nonce },
  });
  return link.redirect;
}
