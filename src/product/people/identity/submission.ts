// Prepares a submission: refuses what it can before it inspects files, then inspects, seals and
// stores them, and hands the rest to the command. A refused submission leaves nothing behind.
// [G-52]
import { prepared, type Queryable } from '../../../db/index.ts';
import type { Submission } from '../../../engine/index.ts';
import { uuidOfWireId, wireId } from '../../../core/ids.ts';
import { inputRefusals } from '../../../core/input-refusals.ts';
import { purposeOf } from '../../../core/labels.ts';
import type { Caller } from '../../../core/operation.ts';
import { refuse } from '../../../core/refusal.ts';
import {
  accountNotFoundInBody,
  openAccount,
  openSealer,
  ownAccountOnly,
  refusals as ofAccount,
} from '../account/index.ts';
import type { Services } from '../../context.ts';
import { createLink, FLOW_SCOPES } from '../../access/oauth/index.ts';
import { isAsked } from './application-record.ts';
import { applicantOf, ssnKeyOf, watchKeysOf, type Applicant } from './applicant.ts';
import { dropDocuments, idsOf, inspectAll, orDropped, storeDocuments } from './documents.ts';
import { countryCode } from './form.ts';
import { documentsAgain, keptOf, statedCountry, type Kept, type Standing } from './kept.ts';
import { completed, missingIn } from './parts.ts';
import { ownRules } from './rules.ts';
import { FOREIGN_TAX, taxNumbersIn, type SubmissionBody } from './submission-schema.ts';
import { refusalOf, submitKyc, type SubmitInput } from './submit.ts';

/** Seconds that a session lives which the link in the answer opens. */
const SESSION_SECONDS = 3_600;

/** Whose submission it is, and the id that its application will have. */
interface Owner {
  readonly workspace: number;
  readonly integrator: string;
  readonly account: string;
  readonly application: string;
}

/** The fields of the answer that are used here. */
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
  const { workspace, integrator } = caller;
  const account = ownAccountOnly(caller, caller.accountId ?? '', accountNotFoundInBody);
  const owner = { workspace, integrator, account, application: services.random.uuid() };
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
  const { workspace, application } = owner;
  const drop = () => dropDocuments(services.db, workspace, application);
  const answer = await orDropped(services, submission, drop, async () => {
    const input = await prepare(services, owner, body);
    return services.engine.run(submitKyc, input, submission);
  });
  const shown = answer.payload as Shown;
  // An earlier request with this idempotency key was answered again.
  if (shown.kyc_id !== wireId('kyc', application)) await drop();
  return shown;
}

/** Prepares the command's input. Throws Refusals, those that cost least first. */
async function prepare(
  services: Services,
  owner: Owner,
  body: SubmissionBody,
): Promise<SubmitInput> {
  const { db, keys, random } = services;
  const { workspace, account, integrator, application: id } = owner;
  const { kyc_pii: pii } = body;
  const form = body.form ?? 'full';
  const standing = await standingOf(db, workspace, account);
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
  const sealer = await openSealer(services, workspace, account, standing);
  const kept = form === 'full' ? keptOf(standing, sealer) : null;
  const stated = applicantOf(form, pii);
  const person = kept === null ? stated : completed(stated, kept.person);
  if (form === 'full') refuseRejected(body, kept, person);
  const documents = await inspectAll(services, body);
  await storeDocuments(db, sealer, owner, documents);
  const again = kept === null ? {} : documentsAgain(kept, body, person);
  const application = {
    id,
    form,
    form_id: `kyc_${form}`,
    documents: JSON.stringify({ ...again, ...idsOf(documents) }),
    rules: JSON.stringify(ownRules(person, today)),
    watch_keys: JSON.stringify(watchKeysOf(keys, workspace, person)),
    ssn_key: ssnKeyOf(keys, workspace, person),
    sealed: sealer.sealJson('application', id, person),
  };
  const basis = kept === null ? null : { state: standing.state, reasons };
  return { account, integrator, previous, basis, application, checkId: random.uuid() };
}

/** Throws a Refusal for a full form that lacks something, or does not fit what is kept. */
function refuseRejected(body: SubmissionBody, kept: Kept | null, person: Applicant): void {
  const missing = missingIn(body, kept?.asked ?? null, person);
  const path = (field: string): string => `kyc_pii.${field}`;
  if (kept !== null && kept.person.country !== 'US' && person.ssn_last4 === '') {
    // Who moves to the US must state a tax number: nobody asked for one before.
    Object.assign(missing, missingIn(body, ['tax'], person));
  }
  if (Object.keys(missing).length > 0) throw refuse(inputRefusals.MISSING_FIELD, missing);
  const { kyc_pii: pii } = body;
  const { first, middle, last, street, street2, city, region: state, signature } = person;
  const whole = { ...pii, first, middle, last, street, street2, city, state, signature };
  const numbers = (['ssn', 'ssn_last4'] as const).filter((field) => pii[field] !== undefined);
  const wrong = [
    ...(person.country === 'US' ? [] : numbers.map((field) => [field, FOREIGN_TAX] as const)),
    ...taxNumbersIn(whole),
  ].map(([field, sentence]) => [path(field), sentence]);
  if (wrong.length > 0) throw refuse(inputRefusals.INVALID_FIELD, Object.fromEntries(wrong));
}

/** What is known of an account before a submission; null where it is unknown or erased. */
export async function standingOf(
  db: Queryable,
  workspace: number,
  account: string,
): Promise<Standing | null> {
  const rows = await db.query<Standing>(prepared('kyc_standing')`
    select k.state, k.requirements, k.follows_entity, k.application_id, a.form,
      a.documents, a.reasons, a.sealed, a.ssn_key, p.wrapped_key, c.blocked,
      to_char((clock_timestamp() + w.clock_offset) at time zone 'UTC', 'YYYY-MM-DD') as today
    from kyc k join workspace w on w.workspace = k.workspace
    join account c on c.workspace = k.workspace and c.id = k.id
    join account_person p on p.workspace = k.workspace and p.id = k.id
    left join kyc_application a on a.workspace = k.workspace and a.id = k.application_id
      and a.account_id = k.id
    where k.workspace = ${workspace} and k.id = ${account} and p.sealed <> ''`);
  return rows[0] ?? null;
}

/** The one-time link into the flow; a repeated answer has the same one. [G-50, G-58] */
async function addressFor(
  services: Services,
  { workspace, clientId, integrator }: Caller,
  account: string,
  { kyc_id }: Shown,
): Promise<string> {
  const id = uuidOfWireId('kyc', kyc_id) ?? '';
  const digits = services.keys.mac(purposeOf('identityLink'), `${workspace}/${id}`);
  const nonce = Buffer.from(digits, 'hex');
  const link = await createLink(services, {
    ...{ workspace, clientId, integrator, account },
    mechanism: 'widget',
    flow: 'kyc',
    scopes: FLOW_SCOPES.kyc,
    sessionSeconds: SESSION_SECONDS,
    known: { id, nonce },
  });
  return link.redirect;
}

/**
 * The country where a person lives, as their latest full form says, else as the account was
 * registered; '' where neither says one. Null for an account that is unknown or erased.
 */
export async function countryOfPerson(
  parts: Pick<Services, 'db' | 'keys' | 'random'>,
  workspace: number,
  account: string,
): Promise<string | null> {
  const standing = await standingOf(parts.db, workspace, account);
  const registered = await openAccount(parts, workspace, account);
  if (standing === null || registered === null) return null;
  const stated = statedCountry(standing, await openSealer(parts, workspace, account, standing));
  return stated === '' ? countryCode(registered.country_iso) : stated;
}
