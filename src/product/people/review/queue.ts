// The queues of cases, longest wait first: why they wait, restricted funds, and who works on them.
// Codes, countries and ids only: nothing here tells who anybody is.
import type { Queryable, Statement } from '../../../db/index.ts';
import type { Instant } from '../../../core/time.ts';
import type { Services } from '../../context.ts';
import { openStated } from './case.ts';
import { workspacesParameter, type Reviewer } from './reviewer.ts';

/** Filters of a queue. Absent: no filter. */
export interface QueueFilter {
  /** One tenant's workspace. */
  readonly workspace?: number;
  /** `us`: it waits for an operator; `person`: the person was asked for more. */
  readonly waits?: 'us' | 'person';
  /** `free`: unclaimed; `mine`: claimed by this operator. */
  readonly taken?: 'free' | 'mine';
  /** Only with restricted funds. */
  readonly money?: true;
  readonly limit: number;
  readonly offset: number;
}

export interface RestrictedFunds {
  readonly currency: string;
  readonly digits: number;
  /** Minor units. */
  readonly amount: bigint;
}

interface Queued {
  readonly workspace: number;
  readonly tenant: string;
  readonly account: string;
  /** When it entered the queue, or was last asked about. */
  readonly since: Instant;
  /** Seconds since then. */
  readonly age: number;
  readonly kept_back: readonly RestrictedFunds[];
  /** The operator who has claimed it, or null. */
  readonly taken_by: string | null;
  /** True: a decision waits for a second operator. */
  readonly proposed: boolean;
}

/** A waiting identity. */
export interface QueuedPerson extends Queued {
  readonly application: string | null;
  /** Where the person says they live, ISO 3166-1 alpha-2; '' where no data is left. */
  readonly country: string;
  /** What of the person's data the account has now: NONE, BASIC or FULL. */
  readonly level: string;
  readonly reasons: readonly string[];
  readonly rules: readonly string[];
  readonly matches: number;
  /** In ten-thousandths; 0 without a match. */
  readonly best_score: number;
}

/** A waiting business. */
export interface QueuedBusiness extends Queued {
  readonly entity: string;
  readonly country: string;
  /** ACCEPT: accepted, but one of its persons no longer is. */
  readonly state: string;
  readonly rules: readonly string[];
  readonly people: number;
  readonly people_verified: number;
}

/** A page of a queue, and the count over all pages. */
export interface QueuePage<T> {
  readonly rows: readonly T[];
  readonly count: number;
}

const KEPT = `(select coalesce(json_agg(json_build_object('currency', w.currency,
      'digits', c.digits, 'amount', b.amount::text) order by w.currency), '[]')::text
    from wallet w join balance b on b.workspace = w.workspace and b.id = w.kept_back_id
    join workspace_currency c on c.workspace = w.workspace and c.currency = w.currency
    where w.workspace = q.workspace and w.account_id = q.account and b.amount > 0)`;

/** SQL: cases with what both queues show of them; `subjectId` names the column of the case's id. */
function queueOf(from: string, subjectId: string): string {
  return `select q.*, coalesce(s.name, t.name) as tenant, c.operator_id as taken_by,
      extract(epoch from clock_timestamp() + v.clock_offset - q.since)::float8 as age,
      ${KEPT} as kept_back,
      exists (select from review_proposal p where p.workspace = q.workspace
        and p.subject_id = q.${subjectId} and p.subject_version = q.version
        and p.state = 'open') as proposed, count(*) over ()::int as count
    from (${from}) q join workspace v on v.workspace = q.workspace and v.ended is null
    join tenant t on t.integrator = v.integrator
    left join tenant_setting s on s.workspace = q.workspace
    left join review_claim c on c.workspace = q.workspace and c.subject_id = q.${subjectId}
      and c.until > clock_timestamp()`;
}

const PERSONS = `select k.workspace, k.id as account, k.version, k.application_id as application,
    k.updated as since, k.pii_level as level, a.sealed,
    coalesce(a.reasons, '[]') as reasons, coalesce(a.rules, '[]') as rules,
    (select count(*)::int from match_check m
      where m.workspace = k.workspace and m.application_id = k.application_id) as matches,
    (select coalesce(max(m.score), 0) from match_check m
      where m.workspace = k.workspace and m.application_id = k.application_id) as best_score
  from kyc k left join kyc_application a on a.workspace = k.workspace and a.id = k.application_id
  where k.state = 'MANUAL_REVIEW'`;

/** SQL: includes accepted businesses one of whose persons no longer is: money still leaves them. */
const BUSINESSES = `select e.workspace, e.id as entity, e.account_id as account, e.version, e.state,
    e.country, e.updated as since, e.rules, '[]' as reasons,
    (select count(*)::int from entity_agent g where g.workspace = e.workspace and g.entity_id = e.id
      and g.state <> 'INACTIVE') as people,
    (select count(*)::int from entity_agent g where g.workspace = e.workspace and g.entity_id = e.id
      and g.state = 'ACCEPT') as people_verified
  from entity e where e.state = 'PROCESSING' or (e.state = 'ACCEPT' and exists (
    select from entity_agent g where g.workspace = e.workspace and g.entity_id = e.id
      and g.state not in ('ACCEPT', 'INACTIVE')))`;

/** Identities in manual review. Of what a person stated only the country is read. */
export async function personQueue(
  services: Pick<Services, 'db' | 'keys' | 'random'>,
  reviewer: Reviewer,
  filter: QueueFilter,
): Promise<QueuePage<QueuedPerson>> {
  type Row = Omit<QueuedPerson, 'country'> & { readonly sealed: string | null };
  const { rows, count } = await read<Row>(services.db, PERSONS, 'account', reviewer, filter);
  const shown = rows.map(async ({ sealed, ...row }) => {
    const { workspace, account, application } = row;
    const stated =
      application === null
        ? null
        : await openStated(services, { workspace, account, application, sealed });
    return { ...row, country: stated?.country ?? '' };
  });
  return { rows: await Promise.all(shown), count };
}

/** Businesses that are being checked, or must be checked again. */
export function businessQueue(
  db: Queryable,
  reviewer: Reviewer,
  filter: QueueFilter,
): Promise<QueuePage<QueuedBusiness>> {
  return read(db, BUSINESSES, 'entity', reviewer, filter);
}

async function read<T extends Queued>(
  db: Queryable,
  from: string,
  subjectId: string,
  reviewer: Reviewer,
  filter: QueueFilter,
): Promise<QueuePage<T>> {
  type Row = T & { count: number; kept_back: string; rules: string; reasons: string };
  const rows = await db.query<Row>(statementOf(from, subjectId, reviewer, filter));
  const shown = rows.map(({ count: _count, ...row }) => {
    const kept = JSON.parse(row.kept_back) as (Omit<RestrictedFunds, 'amount'> & {
      amount: string;
    })[];
    return {
      ...row,
      kept_back: kept.map((one) => ({ ...one, amount: BigInt(one.amount) })),
      rules: JSON.parse(row.rules) as string[],
      reasons: JSON.parse(row.reasons) as string[],
    } as unknown as T;
  });
  return { rows: shown, count: rows[0]?.count ?? 0 };
}

/** A query without a name, so that each combination of filters gets its own plan. */
function statementOf(
  from: string,
  subjectId: string,
  reviewer: Reviewer,
  { workspace, waits, taken, money, limit, offset }: QueueFilter,
): Statement {
  const where = [
    '($1::int4[] is null or q.workspace = any($1))',
    '($2::int4 is null or q.workspace = $2)',
  ];
  if (waits === 'us') where.push(`q.reasons = '[]'`);
  if (waits === 'person') where.push(`q.reasons <> '[]'`);
  if (taken === 'free') where.push('c.operator_id is null');
  if (taken === 'mine') where.push('c.operator_id = $5');
  if (money === true) where.push(`${KEPT} <> '[]'`);
  return {
    text: `${queueOf(from, subjectId)}
      where $5::uuid is not null and ${where.join(' and ')}
      order by q.since, q.${subjectId} limit $3 offset $4`,
    values: [workspacesParameter(reviewer), workspace ?? null, limit, offset, reviewer.operatorId],
  };
}
