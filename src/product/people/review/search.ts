// The search of applications: by state, initiator, account, id and time. It searches and shows no
// personal data. [G-57]
import type { Queryable } from '../../../db/index.ts';
import { accountId, wireId } from '../../../core/ids.ts';
import { applicationTime, type Instant } from '../../../core/time.ts';
import type { KycApplicationRow } from '../identity/case.ts';
import { workspacesParameter, type Reviewer } from './reviewer.ts';

/** Filters of a search. Absent: no filter. */
export interface SearchFilter {
  readonly workspace?: number;
  readonly state?: string;
  readonly initiator?: 'user' | 'compliance';
  /** UUIDs. */
  readonly account?: string;
  readonly application?: string;
  /** `created` from `from`, before `to`. */
  readonly from?: Instant;
  readonly to?: Instant;
  readonly limit: number;
  readonly offset: number;
}

type Columns = 'id' | 'account_id' | 'state' | 'created' | 'updated' | 'data_source' | 'form_id';
type FoundRow = Pick<KycApplicationRow, Columns | 'vendor_reference' | 'initiator'> & {
  readonly integrator: string;
};

/** An application in the result: the record without personal data. */
export type FoundApplication = ReturnType<typeof shown>;

/** [seed: KYC search result, G-57] */
export interface SearchResult {
  readonly applications: readonly FoundApplication[];
  readonly record_count: number;
}

/** Applications in workspaces that the operator may see, newest first. */
export async function searchApplications(
  db: Queryable,
  reviewer: Reviewer,
  filter: SearchFilter,
): Promise<SearchResult> {
  const values: unknown[] = [workspacesParameter(reviewer)];
  const where = [
    '($1::int4[] is null or a.workspace = any($1))',
    'exists (select from workspace w where w.workspace = a.workspace and w.ended is null)',
  ];
  const add = (condition: string, value: unknown): void => {
    if (value === undefined) return;
    values.push(value);
    where.push(`${condition} $${values.length}`);
  };
  add('a.workspace =', filter.workspace);
  add('a.state =', filter.state);
  add('a.initiator =', filter.initiator);
  add('a.account_id =', filter.account);
  add('a.id =', filter.application);
  add('a.created >=', filter.from);
  add('a.created <', filter.to);
  const from = `from kyc_application a where ${where.join(' and ')}`;
  const counting = `select count(*)::int as n ${from}`;
  const [total] = await db.query<{ n: number }>({ text: counting, values });
  const rows = await db.query<FoundRow>({
    text: `select f.*, w.integrator from (
        select a.workspace, a.id, a.account_id, a.state, a.created, a.updated, a.data_source,
          a.form_id, a.vendor_reference, a.initiator ${from}
        order by a.created desc, a.id desc limit ${filter.limit} offset ${filter.offset}) f
      join workspace w on w.workspace = f.workspace order by f.created desc, f.id desc`,
    values,
  });
  return { applications: rows.map(shown), record_count: total?.n ?? 0 };
}

function shown({ id, vendor_reference: vendor_reference_id, ...row }: FoundRow) {
  const { state, data_source, form_id, initiator, integrator } = row;
  return {
    account_id: accountId(row.account_id),
    kyc_id: wireId('kyc', id),
    state,
    created: applicationTime(row.created),
    updated: applicationTime(row.updated),
    ...{ data_source, form_id, vendor_reference_id, initiator, integrator },
  };
}
