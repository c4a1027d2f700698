// Onboarding and the form: the two ways to state a business. Both store the same; onboarding leaves
// an existing business unchanged. [G-54]
import type { Submission } from '../../../engine/index.ts';
import { uuidOfWireId } from '../../../core/ids.ts';
import type { Caller } from '../../../core/operation.ts';
import { refuse } from '../../../core/refusal.ts';
import { accountNotFoundInBody, sealerOf } from '../account/index.ts';
import type { Services } from '../../context.ts';
import { inspectFiles } from '../identity/index.ts';
import { dropDocuments, handed, withDocuments, type HandedDocument } from './documents.ts';
import { checkRequest, prepareStore, type PersonRequest } from './prepare.ts';
import { entityOf } from './read.ts';
import { recordOf, type DocumentBody, type FormBody, type OnboardBody } from './schema.ts';
import { onboardedBefore, storeEntity } from './store.ts';
import { documentsOf } from './tables.ts';

/** The documents of a body; those of each person with that person's id. */
function handedIn(body: OnboardBody, people: readonly PersonRequest[]): HandedDocument[] {
  const at = (path: string, agent: string | null, documents: readonly DocumentBody[] = []) =>
    documents.map((one, number) => {
      const file = recordOf(one) === null ? '' : '.file';
      return handed(`${path}documents[${number}]${file}`, agent, one);
    });
  const others = (body.agents ?? []).flatMap(({ documents }, number) =>
    at(`agents[${number}].`, people[number]?.id ?? null, documents),
  );
  return [...at('', null, body.documents), ...others];
}

/** Creates a business, or answers with the one that the account has. */
export async function onboard(
  services: Services,
  owner: Pick<Caller, 'workspace' | 'integrator'>,
  account: string,
  body: OnboardBody,
  submission: Submission,
) {
  const { db, engine, random } = services;
  const { workspace } = owner;
  const existing = await entityOf(db, workspace, account);
  const people = (body.agents ?? []).map((one) => {
    const { agent_name: name, agent_email: email, roles, ownership = '' } = one;
    return { id: random.uuid(), path: null, name, email, roles, ownership };
  });
  if (existing !== null) {
    // What a first call would refuse is refused again, though nothing of it is stored.
    await checkRequest(existing.country, body, people);
    await inspectFiles(services, handedIn(body, people));
    return engine.run(onboardedBefore, existing.id, submission);
  }
  const sealer = await sealerOf(services, workspace, account);
  if (sealer === null) throw refuse(accountNotFoundInBody);
  const request = { stated: body, people };
  const input = await prepareStore(services, owner, account, null, request);
  const files = { workspace, account, entity: input.id };
  const handedFiles = handedIn(body, people);
  return withDocuments(services, files, sealer, handedFiles, submission, (documents) =>
    engine.run(storeEntity, { ...input, replace: false, documents }, submission),
  );
}

/** Saves the whole form of an account; creates the business where there is none. */
export async function saveForm(
  services: Services,
  owner: Pick<Caller, 'workspace' | 'integrator'>,
  account: string,
  body: FormBody,
  submission: Submission,
) {
  const { db, engine, random } = services;
  const existing = await entityOf(db, owner.workspace, account);
  const people = (body.agents ?? []).map(({ entity_agent_id: wire, ...rest }, at) => {
    const { agent_name: name, agent_email: email, roles, ownership = '' } = rest;
    const stated = { name, roles, ownership };
    if (wire === undefined) return { id: random.uuid(), path: null, email, ...stated };
    // A malformed id is answered exactly like an unknown one.
    const id = uuidOfWireId('agt', wire) ?? wire;
    return { id, path: `agents[${at}].entity_agent_id`, ...stated };
  });
  const request = { stated: body, people };
  const input = await prepareStore(services, owner, account, existing, request);
  const whole = { ...input, replace: true, documents: [] };
  const answer = await engine.run(storeEntity, whole, submission);
  // Documents of persons who are no longer named.
  if (existing !== null) await dropDocuments(db, owner.workspace, documentsOf(existing));
  return answer;
}
