// What of a business reviewers can open for a logged reason.
import type { FileMime } from '../../../providers/files/port.ts';
import type { Services } from '../../context.ts';
import { businessOf, sealerOf } from './read.ts';
import type { Business } from './sealed.ts';
import type { EntityRow } from './tables.ts';
export type { Business } from './sealed.ts';
export { agentIdsOf, agentTable, documentsOf } from './tables.ts';

type Parts = Pick<Services, 'db' | 'keys' | 'random'>;

/** What a business stated; blank where the person was erased. */
export async function openBusiness(parts: Parts, entity: EntityRow): Promise<Business> {
  return businessOf(await sealerOf(parts, entity.workspace, entity.account_id), entity);
}

/** Opens one document of an account's business; null where it was erased or is unknown. */
export async function openEntityDocument(
  parts: Parts,
  workspace: number,
  account: string,
  id: string,
): Promise<{ readonly mime: FileMime; readonly bytes: Buffer } | null> {
  const [row] = await parts.db.query<{ mime: FileMime; sealed: Buffer }>({
    name: 'entity_document',
    text: `select mime, sealed from entity_document
      where workspace = $1 and id = $2 and account_id = $3`,
    values: [workspace, id, account],
  });
  const sealer = row === undefined ? null : await sealerOf(parts, workspace, account);
  if (row === undefined || sealer === null) return null;
  return { mime: row.mime, bytes: sealer.openBytes('businessDocument', id, row.sealed) };
}
