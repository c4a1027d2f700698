// A hit of an accepted person as a case: two operators decide whether the list names that person.
// If so, the person must verify again and is told no reason; if not, nothing else changes. [G-51]
import type { Queryable } from '../../../db/index.ts';
import { derivedUuid } from '../../../core/ids.ts';
import type { Instant } from '../../../core/time.ts';
import { kycTable, needKyc } from '../identity/index.ts';
import { requireAgain } from '../identity/case.ts';
import { endHit, endHits, hitTable, needHits, type Entry } from '../screening/index.ts';
import { workspacesParameter, type Reviewer } from './reviewer.ts';
import type { Subject } from './subject.ts';

export const hit: Subject = {
  load(rows, id) {
    const row = rows.read(hitTable, id);
    if (!row) return [];
    rows.lock(hitTable, id);
    needKyc(rows, row.account_id);
    needHits(rows, row.application_id);
    return [row.account_id];
  },
  standing(decision, id) {
    const row = decision.get(hitTable, id);
    if (row === null) return null;
    const { account_id: account, application_id, state, version } = row;
    const kyc = decision.get(kycTable, account);
    const waits =
      state === 'open' && kyc?.state === 'ACCEPT' && kyc.application_id === application_id;
    return { account, people: [account], version, waits, grave: true };
  },
  reasons: [],
  tells: false,
  decisions: ['accept', 'deny'],
  apply(decision, id, { decision: decided }, detail) {
    const row = decision.get(hitTable, id);
    const version = endHit(decision, id, decided === 'deny', detail);
    if (row === null || decided !== 'deny') return version;
    endHits(decision, row.application_id, true, {});
    const fresh = derivedUuid(`screening_hit/${decision.lineage}/${id}/${version}`);
    requireAgain(decision, row.account_id, fresh, null);
    return version;
  },
};

/** A hit as operators see it. */
export interface HitSeen {
  readonly workspace: number;
  readonly tenant: string;
  readonly id: string;
  readonly account: string;
  readonly application: string;
  readonly list: string;
  readonly list_version: number;
  /** In ten-thousandths. */
  readonly score: number;
  /** Null once the person is erased. */
  readonly listed: Entry | null;
  readonly state: string;
  readonly version: number;
  readonly created: Instant;
}

const SEEN = `select h.workspace, coalesce(s.name, t.name) as tenant, h.id, h.account_id as account,
    h.application_id as application, h.list, h.list_version, h.score, h.listed, h.state, h.version,
    h.created
  from screening_hit h join workspace w on w.workspace = h.workspace and w.ended is null
  join tenant t on t.integrator = w.integrator
  left join tenant_setting s on s.workspace = h.workspace
  where ($1::int4[] is null or h.workspace = any($1))`;

async function seen(
  db: Queryable,
  reviewer: Reviewer,
  where: string,
  values: readonly unknown[],
): Promise<HitSeen[]> {
  type Row = Omit<HitSeen, 'listed'> & { readonly listed: string };
  const rows = await db.query<Row>({
    text: `${SEEN} and ${where}`,
    values: [workspacesParameter(reviewer), ...values],
  });
  return rows.map((row) => {
    return { ...row, listed: row.listed === '{}' ? null : (JSON.parse(row.listed) as Entry) };
  });
}

/** The hits of an application, best first. */
export function hitsSeen(db: Queryable, reviewer: Reviewer, application: string) {
  return seen(db, reviewer, 'h.application_id = $2 order by h.score desc, h.id', [application]);
}

/** One hit, or null where the operator's workspaces have none. */
export async function hitSeen(db: Queryable, reviewer: Reviewer, id: string) {
  return (await seen(db, reviewer, 'h.id = $2', [id]))[0] ?? null;
}

/** SQL: hits (`h`) of accepted persons wait for operators. */
export const HIT_WAITS = `h.state = 'open' and exists (select from kyc k
  where k.workspace = h.workspace and k.application_id = h.application_id and k.state = 'ACCEPT')`;

/** Hits of accepted persons that wait for operators, oldest first; two hundred at most. */
export function hitQueue(db: Queryable, reviewer: Reviewer): Promise<HitSeen[]> {
  return seen(db, reviewer, `${HIT_WAITS} order by h.created, h.id limit 200`, []);
}
