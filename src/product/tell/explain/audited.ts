// Timeline entries without a lifecycle: acts of people and operators from the audit, and records
// that were only created. No text that a person wrote is shown.
import type { Instant } from '../../../core/time.ts';
import { ACTS, type Act } from '../audit/index.ts';
import {
  atReal,
  atVirtual,
  found,
  MOST_ENTRIES,
  thingOf,
  type Counted,
  type Found,
  type Question,
} from './source.ts';
import type { Entry } from './schema.ts';
import { spelled } from './resource.ts';

interface ActRow extends Counted {
  readonly subject: string;
  readonly uuid: string | null;
  readonly act: string;
  readonly actor: string;
  readonly at: Instant;
}

/** Audit entries about the resources, and acts of reviews, whose notes stay sealed. */
export async function acts(q: Question): Promise<Found> {
  const spellings = q.ids.map((id) => thingOf(q, id).id);
  const rows = await q.db.query<ActRow>({
    name: 'explain_acts',
    text: `select a.*, count(*) over () as total from (
        select subject, null::uuid as uuid, act, actor, at from audit_entry
          where workspace = $1 and subject = any ($3)
        union all select '', subject_id, 'review_' || act, 'operator:' || operator_id, created
          from review_note where workspace = $1 and (subject_id = any ($2) or account_id = any ($2))
      ) a order by at desc limit ${MOST_ENTRIES}`,
    values: [q.workspace, q.ids, [...new Set([...q.ids, ...spellings])]],
  });
  return found(rows, (row) => actOf(q, row));
}

function actOf(q: Question, { act, actor, at, subject, uuid }: ActRow): Entry {
  const id = uuid ?? q.ids.find((one) => [one, thingOf(q, one).id].includes(subject)) ?? '';
  const about = thingOf(q, id);
  const what = ACTS[act as Act] ?? `in the review of the ${about.kind}`;
  return { kind: 'operator', ...atVirtual(q, at), about, act, actor, text: `${act}: ${what}` };
}

interface RecordRow extends Counted {
  readonly id: string;
  readonly kind: string;
  readonly what: string;
  readonly state: string | null;
  /** True where `at` is real time, not the workspace's. */
  readonly real: boolean;
  readonly at: Instant;
}

const mine = 't.workspace = $1 and (t.id = any ($2) or t.account_id = any ($2))';

/** SQL of one kind of record. `what` is an SQL text, `at` a column, `when` the condition. */
const made = (
  table: string,
  what: string,
  more: { at?: string; state?: string; real?: true; when?: string; id?: string } = {},
): string => `select t.id, '${table}' as kind, ${what} as what,
    ${more.state ?? 'null::text'} as state, ${more.real === true} as real,
    ${more.at ?? 't.created'} as at
  from ${table} t where ${more.id === undefined ? mine : `t.workspace = $1 and ${more.id}`}
    and ${more.when ?? 'true'}`;

const ITSELF = { id: 't.id = any ($2)' } as const;
const END = { ...ITSELF, at: 't.expires' } as const;

const RECORDS = [
  made('wallet', `'opened in ' || t.currency`),
  made('payment_method', `'added'`, { state: 't.pm_state' }),
  made('kyc_application', `'made'`, { state: 't.state' }),
  made('link', `'made'`, { ...ITSELF, real: true }),
  made('link', `'opened'`, { ...END, at: 't.used_at', when: 't.used_at is not null' }),
  made('link', `'expires'`, END),
  made('authorized_invoice', `'made'`, { ...ITSELF, real: true }),
  made('authorized_invoice', `'expires'`, END),
  made('method_entry', `'begun'`, {
    id: '(t.id = any ($2) or t.payment_method_id = any ($2))',
  }),
  made('consent', `'given'`, { at: 't.given' }),
  made('consent', `'revoked'`, { at: 't.revoked', when: 't.revoked is not null' }),
  made('webhook_endpoint', `'made'`, { ...ITSELF, state: 't.state' }),
  made('kyc_document', `'kept'`, { ...ITSELF, real: true }),
  made('entity_document', `'kept'`, { ...ITSELF, real: true }),
].join(' union all ');

/** Records that were created or used, or end at a known time. */
export async function records(q: Question): Promise<Found> {
  const rows = await q.db.query<RecordRow>({
    name: 'explain_records',
    text: `select r.*, count(*) over () as total from (${RECORDS}) r
      order by r.at desc limit ${MOST_ENTRIES}`,
    values: [q.workspace, q.ids],
  });
  return found(rows, (row) => recordOf(q, row));
}

function recordOf(q: Question, { id, kind, what, state, real, at }: RecordRow): Entry {
  const times = real ? atReal(q, at) : atVirtual(q, at);
  const now = state === null ? '' : ` (${state})`;
  const text = `${kind.replaceAll('_', ' ')} ${what}${now}`;
  return { kind: 'record', ...times, about: spelled(kind, id), what, state, text };
}
