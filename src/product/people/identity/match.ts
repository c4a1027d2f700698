// Opens applications so that the matching module can compare them with the others of their
// workspace; they are opened for nothing else. [G-53]
import type { Services } from '../../context.ts';
import { sealerOf, type PersonSealer } from '../account/index.ts';
import { matchOnce, matchWaiting, type OpenStated } from '../matching/index.ts';
import type { Applicant } from './applicant.ts';
import { prepared } from '../../../db/index.ts';

type MatchParts = Parameters<typeof matchOnce>[0];

/** What a person submitted, opened, with the sealer that also opens the documents. */
export interface OpenedApplication {
  readonly sealer: PersonSealer;
  readonly applicant: Applicant;
  /** JSON of `DocumentIds`. */
  readonly documents: string;
}

/** Opens an application; null where compliance began it, or the person was erased. */
export async function openApplication(
  parts: Pick<Services, 'db' | 'keys' | 'random'>,
  workspace: number,
  account: string,
  id: string,
): Promise<OpenedApplication | null> {
  const [row] = await parts.db.query<{ sealed: string | null; documents: string }>(
    prepared('kyc_application_sealed')`
    select sealed, documents from kyc_application where workspace = ${workspace} and id = ${id}`);
  const sealer = await sealerOf(parts, workspace, account);
  if (row === undefined || row.sealed === null || sealer === null) return null;
  const applicant = sealer.openJson<Applicant>('application', id, row.sealed);
  return { sealer, applicant, documents: row.documents };
}

function opener(parts: MatchParts): OpenStated {
  return async ({ workspace, account, application }) =>
    (await openApplication(parts, workspace, account, application))?.applicant ?? null;
}

/** Compares one application before its check is requested. */
export function matchApplication(
  parts: MatchParts,
  workspace: number,
  account: string,
  application: string,
): Promise<void> {
  return matchOnce(parts, { workspace, account, application }, opener(parts));
}

/** Compares applications without a check, such as tax forms; gives how many. Run until 0. */
export function matchApplications(parts: MatchParts): Promise<number> {
  return matchWaiting(parts, opener(parts));
}
