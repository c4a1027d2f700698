// Screens persons against the watch-lists: an application before its check is settled, every
// account again after an import; the business module screens those of businesses. A hit sends an
// application to manual review; an accepted person stays accepted until operators have decided
// about it. [G-51]
import { prepared, raw, type Queryable } from '../../../db/index.ts';
import type { Command } from '../../../engine/index.ts';
import type { Services } from '../../context.ts';
import {
  addHits,
  advanceRun,
  claimRun,
  findHits,
  hitsOfSubject,
  type Hit,
} from '../screening/index.ts';
import { needKyc } from './change.ts';
import { openApplication } from './match.ts';
import { WATCH_HIT, WATCH_RULE } from './rules.ts';
import { kycApplicationTable, kycTable } from './tables.ts';

/** Accounts of one batch. */
const BATCH = 50;
/**
 * States in which a hit concerns somebody: others are screened when they submit. A check in
 * processing may have been compared just before the list came.
 */
const SCREENED = ['PROCESSING', 'ACCEPT', 'MANUAL_REVIEW'] as const;

const TO_SCREEN = `(application_id is not null or follows_entity)
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

interface RecordInput {
  readonly account: string;
  readonly application: string;
  readonly hits: readonly Hit[];
}

/** Records what screening again found, unless the person has submitted anew meanwhile. */
export const recordHits: Command<RecordInput> = {
  name: 'record_hits',
  load(rows, { account, application }) {
    needKyc(rows, account);
    rows.find(hitsOfSubject, application);
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

/** Records the new hits of an account's business among imports after `after`; gives how many. */
type ScreenBusiness = (workspace: number, account: string, after: number) => Promise<number>;

/**
 * Screens the next batch of accounts of a workspace that is due after an import; gives 0 when none
 * is. Safe to stop anywhere and in several processes: a batch that is screened twice adds nothing.
 */
export async function screenAccounts(
  parts: ScreenParts & Pick<Services, 'engine'>,
  screenBusiness: ScreenBusiness,
): Promise<number> {
  const run = await claimRun(parts.db);
  if (run === null) return 0;
  const { workspace, cursor, base } = run;
  const accounts = await parts.db.query<{ account: string; application: string | null }>(
    prepared('screening_accounts')`
    select id as account, application_id as application from kyc
    where workspace = ${workspace} and (${cursor}::uuid is null or id > $2) and ${raw(TO_SCREEN)}
    order by id limit ${raw(BATCH)}`);
  let found = 0;
  for (const { account, application } of accounts) {
    found += await (application === null
      ? screenBusiness(workspace, account, base)
      : screenPerson(parts, workspace, account, application, base));
  }
  const batch = { cursor: accounts.at(-1)?.account ?? null, screened: accounts.length, found };
  await advanceRun(parts.db, run, batch);
  return 1;
}

async function screenPerson(
  parts: ScreenParts & Pick<Services, 'engine'>,
  workspace: number,
  account: string,
  application: string,
  after: number,
): Promise<number> {
  const hits = await screenApplication(parts, workspace, account, application, after);
  if (hits.length === 0) return 0;
  const by = { workspace, actor: 'system' };
  const { payload } = await parts.engine.run(recordHits, { account, application, hits }, by);
  return (payload as { added: number }).added;
}

/** How many persons and businesses each workspace has that are screened again. */
export async function peopleToScreen(db: Queryable): Promise<ReadonlyMap<number, number>> {
  const rows = await db.query<{ workspace: number; people: number }>(
    `select workspace, count(*)::int as people from kyc where ${TO_SCREEN} group by workspace`,
  );
  return new Map(rows.map(({ workspace, people }) => [workspace, people]));
}
