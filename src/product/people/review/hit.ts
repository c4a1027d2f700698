// A hit of an accepted person or business as a case: two operators decide whether the list names
// them. If so, the person must verify again, or the business is closed, and neither is told a
// reason; if not, nothing else changes. [G-51]
import type { Queryable } from '../../../db/index.ts';
import { derivedUuid } from '../../../core/ids.ts';
import type { Instant } from '../../../core/time.ts';
import { applyVerdict, entityTable } from '../business/index.ts';
import { kycTable, needKyc } from '../identity/index.ts';
import { requireAgain } from '../identity/case.ts';
import { endHit, endHits, hitTable, type Entry } from '../screening/index.ts';
import { business } from './business.ts';
import { workspacesParameter, type Reviewer } from './reviewer.ts';
import type { Subject } from './subject.ts';

export const hit: Subject = {
  load(rows, id) {
    const row = rows.read(hitTable, id);
    if (!row) return [];
    rows.lock(hitTable, id);
    needKyc(rows, row.account_id);
    return [row.account_id, ...business.load(rows, row.subject_id)];
  },
  standing(decision, id, limits) {
    const row = decision.get(hitTable, id);
    if (row === null) return null;
    const { account_id: account, subject_id, state, version } = row;
    const owner = business.standing(decision, subject_id, limits);
    const kyc = decision.get(kycTable, account);
    const accepted = owner === null
      ? kyc?.state === 'ACCEPT' && kyc.application_id === subject_id
      : decision.get(entityTable, subject_id)?.state === 'ACCEPT';
    const people = owner?.people ?? [account];
    return { account, people, version, waits: state === 'open' && accepted, grave: true };
  },
  reasons: [],
  tells: false,
  decisions: ['accept', 'deny'],
  apply(decision, id, { decision: decided }, detail) {
    const row = decision.get(hitTable, id);
    const version = endHit(decision, id, decided === 'deny', detail);
    if (row === null || decided !== 'deny') return version;
    endHits(decision, row.subject_id, true, {});
    if (decision.get(entityTable, row.subject_id) !== null) {
      applyVerdict(decision, row.subject_id, { decision: 'deactivate', reasons: [] });
      return version;
    }
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
  /** The application, or the business. */
  readonly subject: string;
  readonly business: boolean;
  readonly list: string;
  readonly list_version: number;
  /** In ten-thousandths. */
  readonly score: number;
  /** Null once the account is erased. */
  readonly listed: Entry | null;
  readonly state: string;
  readonly version: number;
  readonly created: Instant;
}

const SEEN = `select h.workspace, coalesce(s.name, t.name) as tenant, h.id, h.account_id as account,
    h.subject_id as subject, h.list, h.list_version, h.score, h.listed, h.state, h.version,
    h.created, exists (select from entity e
      where e.workspace = h.workspace and e.id = h.subject_id) as business
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

/** The hits of an application or a business, best first. */
export function hitsSeen(db: Queryable, reviewer: Reviewer, subject: string) {
  return seen(db, reviewer, 'h.subject_id = $2 order by h.score desc, h.id', [subject]);
}

/** One hit, or null where the operator's workspaces have none. */
export async function hitSeen(db: Queryable, reviewer: Reviewer, id: string) {
  return (await seen(db, reviewer, 'h.id = $2', [id]))[0] ?? null;
}

/** SQL: hits (`h`) of accepted persons and businesses wait for operators. */
export const HIT_WAITS = `h.state = 'open' and (exists (select from kyc k
    where k.workspace = h.workspace and k.application_id = h.subject_id and k.state = 'ACCEPT')
  or exists (select from entity e
    where e.workspace = h.workspace and e.id = h.subject_id and e.state = 'ACCEPT'))`;

/** Hits of who is accepted that wait for operators, oldest first; two hundred at most. */
export function hitQueue(db: Queryable, reviewer: Reviewer): Promise<HitSeen[]> {
  return seen(db, reviewer, `${HIT_WAITS} order by h.created, h.id limit 200`, []);
}
