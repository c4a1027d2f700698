// Screens persons against the watch-lists: an application before its check is settled, everybody
// again after an import. A hit sends an application to manual review; an accepted person stays
// accepted until operators have decided about it. [G-51]
import type { Queryable } from '../../../db/index.ts';
import type { Command, Decision } from '../../../engine/index.ts';
import { derivedUuid } from '../../../core/ids.ts';
import type { Services } from '../../context.ts';
import {
  advanceRun,
  claimRun,
  findHits,
  hitMachine,
  hitsOfApplication,
  hitTable,
  type Hit,
} from '../screening/index.ts';
import { needKyc } from './change.ts';
import { openApplication } from './match.ts';
import { WATCH_HIT, WATCH_RULE } from './rules.ts';
import { kycApplicationTable, kycTable, type KycApplicationRow } from './tables.ts';

/** Persons of one batch. */
const BATCH = 50;
/**
 * States in which a hit concerns somebody: others are screened when they submit. A check in
 * processing may have been compared just before the list came.
 */
const SCREENED = ['PROCESSING', 'ACCEPT', 'MANUAL_REVIEW'] as const;

const TO_SCREEN = `application_id is not null
  and state in (${SCREENED.map((state) => `'${state}'`).join(', ')})`;

type ScreenParts = Pick<Services, 'db' | 'keys' | 'random'>;

/** The hits of an application as it was stated; none for one that was erased. */
export async function screenApplication(
  parts: ScreenParts,
  workspace: number,
  account: string,
  application: string,
  after = 0,
): Promise<Hit[]> {
  const opened = await openApplication(parts, workspace, account, application);
  return opened === null ? [] : findHits(parts.db, opened.applicant, after);
}

/** Creates the hits that an application does not have yet; gives how many. */
export function addHits(
  decision: Decision,
  { id, account_id }: Pick<KycApplicationRow, 'id' | 'account_id'>,
  hits: readonly Hit[],
): number {
  const nameOf = (hit: Omit<Hit, 'score' | 'listed'>): string =>
    JSON.stringify([hit.list, hit.entry, hit.list_version]);
  const known = new Set(decision.find(hitsOfApplication, id).map(nameOf));
  const fresh = hits.filter((hit) => !known.has(nameOf(hit)));
  const { workspace, lineage, now } = decision;
  for (const hit of fresh) {
    decision.create(hitMachine, hitTable, 'find', {
      ...{ workspace, id: derivedUuid(`screening_hit/${lineage}/${id}/${nameOf(hit)}`) },
      ...{ account_id, application_id: id, ...hit },
      ...{ state: 'open', version: 1, created: now, updated: now },
    });
  }
  return fresh.length;
}

interface RecordInput {
  readonly account: string;
  readonly application: string;
  readonly hits: readonly Hit[];
}

/** Records what screening again found, unless the person has submitted anew meanwhile. */
export const recordHits: Command<RecordInput> = {
  name: 'record_hits',
  batchable: false,
  load(rows, { account, application }) {
    needKyc(rows, account);
    rows.find(hitsOfApplication, application);
  },
  decide(decision, { account, application: id, hits }) {
    const kyc = decision.get(kycTable, account);
    const application = decision.get(kycApplicationTable, id);
    const none = { status: 200, payload: { added: 0 } } as const;
    const there = kyc?.application_id === id && (application?.sealed ?? null) !== null;
    if (application === null || !there) return none;
    if (!SCREENED.some((state) => state === kyc.state)) return none;
    const added = addHits(decision, application, hits);
    const rules = JSON.parse(application.rules) as string[];
    if (added > 0 && kyc.state === 'MANUAL_REVIEW' && !rules.some((one) => WATCH_HIT.test(one))) {
      const others = rules.filter((one) => !one.startsWith(`${WATCH_RULE}:`));
      const patch = { rules: JSON.stringify([...others, `${WATCH_RULE}:1`]) };
      decision.update(kycApplicationTable, id, patch);
    }
    return { status: 200, payload: { added } };
  },
};

/**
 * Screens the next batch of persons of a workspace that is due after an import; gives 0 when none
 * is. Safe to stop anywhere and in several processes: a batch that is screened twice adds nothing.
 */
export async function screenAgain(
  parts: ScreenParts & Pick<Services, 'engine'>,
): Promise<number> {
  const run = await claimRun(parts.db);
  if (run === null) return 0;
  const { workspace, cursor, base } = run;
  const people = await parts.db.query<{ account: string; application: string }>({
    name: 'screening_people',
    text: `select id as account, application_id as application from kyc
      where workspace = $1 and ($2::uuid is null or id > $2) and ${TO_SCREEN}
      order by id limit ${BATCH}`,
    values: [workspace, cursor],
  });
  let found = 0;
  for (const { account, application } of people) {
    const hits = await screenApplication(parts, workspace, account, application, base);
    if (hits.length === 0) continue;
    const input = { account, application, hits };
    const by = { workspace, actor: 'system' };
    const { payload } = await parts.engine.run(recordHits, input, by);
    found += (payload as { added: number }).added;
  }
  const batch = { cursor: people.at(-1)?.account ?? null, screened: people.length, found };
  await advanceRun(parts.db, run, batch);
  return 1;
}

/** How many persons each workspace has that are screened again. */
export async function peopleToScreen(db: Queryable): Promise<ReadonlyMap<number, number>> {
  const rows = await db.query<{ workspace: number; people: number }>(
    `select workspace, count(*)::int as people from kyc where ${TO_SCREEN} group by workspace`,
  );
  return new Map(rows.map(({ workspace, people }) => [workspace, people]));
}
