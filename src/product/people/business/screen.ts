// Screens businesses by their own name against the watch-lists: in full whenever a decision is due,
// and again after an import. An accepted business with a hit stays accepted until operators have
// decided about it. [G-51, G-55]
import type { Command } from '../../../engine/index.ts';
import type { Services } from '../../context.ts';
import { screenAccounts } from '../identity/index.ts';
import { addHits, findOrganizations, hitsOfSubject, type Hit } from '../screening/index.ts';
import { entityOf, openBusiness } from './read.ts';
import { entityTable, type EntityRow } from './tables.ts';

type Reveal = Pick<Services, 'db' | 'keys' | 'random'>;

/** Others are compared when operators decide. */
function isScreened({ state, sealed }: EntityRow): boolean {
  return sealed !== null && (state === 'PROCESSING' || state === 'ACCEPT');
}

/** Entries of imports after `after` that a business resembles by its own name, best first. */
export async function listedAlike(parts: Reveal, entity: EntityRow, after = 0): Promise<Hit[]> {
  const { entity_name } = await openBusiness(parts, entity);
  return findOrganizations(parts.db, entity_name, entity.country, after);
}

interface RecordInput {
  readonly entity: string;
  readonly hits: readonly Hit[];
}

/** Records what screening again found. */
const recordEntityHits: Command<RecordInput> = {
  name: 'record_entity_hits',
  load(rows, { entity }) {
    rows.read(entityTable, entity);
    rows.lock(entityTable, entity);
    rows.find(hitsOfSubject, entity);
  },
  decide(decision, { entity: id, hits }) {
    const entity = decision.get(entityTable, id);
    const concerns = entity !== null && isScreened(entity);
    return { status: 200, payload: { added: concerns ? addHits(decision, entity, hits) : 0 } };
  },
};

/** Screens the next batch of persons and businesses that is due after an import; 0 when none is. */
export function screenAgain(parts: Reveal & Pick<Services, 'engine'>): Promise<number> {
  return screenAccounts(parts, async (workspace, account, after) => {
    const entity = await entityOf(parts.db, workspace, account);
    if (entity === null || !isScreened(entity)) return 0;
    const hits = await listedAlike(parts, entity, after);
    if (hits.length === 0) return 0;
    const input = { entity: entity.id, hits };
    const by = { workspace, actor: 'system' };
    const { payload } = await parts.engine.run(recordEntityHits, input, by);
    return (payload as { added: number }).added;
  });
}
